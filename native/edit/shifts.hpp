// Distances of all versions of a hypothesis in which one block of words is moved.
#pragma once

#include "core/checkpoint.hpp"
#include "edit/edit.hpp"

namespace nlg {

struct Shift {
  int start, length, target;  // move [start, start + length) to before `target`
  int first_changed() const { return std::min(start, target); }
  // The word after the last that changes.
  int end_changed() const {
    const int end = start + length;
    return target < start ? end : target > end ? target : length + target;
  }
};

// The words as they stand, their distance to a reference column by column, and the distances of
// shifted versions, which continue from the column before their first change.
class ShiftSearch {
 protected:
  void start(Ids hyp, Ids ref, u32 vocabulary) {
    ref_ = ref;
    masks_.build(ref, vocabulary);
    steps_ = 0;
    words_.assign(hyp.begin(), hyp.end());
    shifted_.resize(words_.size());
    index_reference(vocabulary);
  }

  // Chains the occurrences of every reference word: first_[id], then next_[position]. Of the words
  // both sides have follows the distance that no order of the words goes below.
  void index_reference(u32 vocabulary) {
    first_.assign(vocabulary + 1, nr());
    next_.resize(nr());
    for (int j = nr() - 1; j >= 0; first_[ref_[j]] = j, --j) next_[j] = first_[ref_[j]];
    first_[0] = nr();
    unmatched_.assign(first_.begin(), first_.end());
    int matched = 0;
    for (u32 word : words_)
      if (unmatched_[word] < nr()) unmatched_[word] = next_[unmatched_[word]], ++matched;
    least_distance_ = std::max(nh(), nr()) - matched;
  }

  int nh() const { return static_cast<int>(words_.size()); }
  int nr() const { return static_cast<int>(ref_.size); }
  u32 last_bit() const { return (ref_.size - 1) % 64; }
  Ids words() const { return {words_.data(), static_cast<u32>(words_.size())}; }

  // Distance of the words as they stand. Keeps the columns; with kTrace also how they grow.
  template <bool kTrace>
  int measure_words() {
    const u32 width = masks_.width();
    const std::size_t column = 2 * width;
    columns_.resize((nh() + 1) * column);
    if (kTrace) growth_.resize((nh() + 1) * column);
    distance_.resize(nh() + 1);
    steps_ += words_.size() * width;
    std::fill_n(columns_.begin(), width, ~0ull);
    std::fill_n(columns_.begin() + width, width, 0);
    distance_[0] = nr();
    for (int i = 0; i < nh(); ++i) {
      checkpoint(2 * column);
      u64* v = &columns_[(i + 1) * column];
      u64* h = kTrace ? &growth_[(i + 1) * column] : nullptr;
      std::copy_n(v - column, column, v);
      distance_[i + 1] = distance_[i] + MyersColumn::append(masks_[words_[i]], width, last_bit(), v, v + width, h,
                                                            kTrace ? h + width : nullptr);
    }
    return distance_[nh()];
  }

  static constexpr int kLanes = 4;
  typedef u64 Lanes __attribute__((vector_size(8 * kLanes)));

  // Distances of the shifted versions, each continued from the column before its first change. Those
  // that the effort `most` is not enough for are no longer candidates.
  void measure_candidates(u64 most = ~0ull) {
    if (masks_.width() == 1 && !words_.empty()) {
      const u64 room = most < steps_ ? 0 : (most - steps_) / words_.size();
      if (candidates_.size() > room) candidates_.resize(room);
      steps_ += candidates_.size() * words_.size();
    }
    int count = static_cast<int>(candidates_.size());
    shifted_distance_.resize(count);
    if (masks_.width() > 1) {
      for (int c = 0; c < count; ++c) {
        if (steps_ > most) candidates_.resize(count = c);
        else shifted_distance_[c] = measure(candidates_[c]);
      }
      return;
    }
    order_.resize(count);
    for (int c = 0; c < count; ++c) order_[c] = c;
    // Versions that change at about the same place run side by side.
    bucket_.assign(nh() + 2, 0);
    for (const Shift& s : candidates_) ++bucket_[s.first_changed() + 1];
    for (int i = 1; i <= nh() + 1; ++i) bucket_[i] += bucket_[i - 1];
    for (int c = 0; c < count; ++c) order_[bucket_[candidates_[c].first_changed()]++] = c;
    word_masks_.resize(nh());
    for (int i = 0; i < nh(); ++i) word_masks_[i] = *masks_[words_[i]];
    lanes_.resize(nh() * kLanes);
    lane_.resize(nh());
    for (int c = 0; c < count; c += kLanes) measure_lanes(c, std::min(kLanes, count - c));
  }

  void measure_lanes(int group, int size) {
    const int from = candidates_[order_[group]].first_changed();
    checkpoint(8 * (nh() - from));
    for (int k = 0; k < kLanes; ++k) {
      if (k < size) apply(candidates_[order_[group + k]], word_masks_.data(), lane_.data());
      for (int i = from; i < nh(); ++i) lanes_[(i - from) * kLanes + k] = lane_[i];
    }
    const Lanes zero = {}, one = zero + 1;
    Lanes vp = zero + columns_[2 * from], vn = zero + columns_[2 * from + 1], change = zero;
    const u32 last = last_bit();
    for (int i = 0; i < nh() - from; ++i) {
      Lanes eq;
      std::memcpy(&eq, &lanes_[i * kLanes], sizeof eq);
      const Lanes x = eq | vn;
      const Lanes d0 = ((vp + (x & vp)) ^ vp) | x;
      Lanes hp = vn | ~(d0 | vp);
      Lanes hn = vp & d0;
      change += (hp >> last & one) - (hn >> last & one);
      hp = hp << 1 | one;
      hn = hn << 1;
      vp = hn | ~(d0 | hp);
      vn = hp & d0;
    }
    for (int k = 0; k < size; ++k)
      shifted_distance_[order_[group + k]] = distance_[from] + static_cast<int>(static_cast<std::int64_t>(change[k]));
  }

  int measure(const Shift& shift) {
    const u32 width = masks_.width();
    const int from = shift.first_changed();
    checkpoint(static_cast<u64>(nh() - from) * 2 * width);
    apply(shift, words_.data(), shifted_.data());
    column_.assign(columns_.begin() + from * 2 * width, columns_.begin() + (from + 1) * 2 * width);
    int distance = distance_[from];
    for (int i = from; i < nh(); ++i) {
      distance += MyersColumn::append(masks_[shifted_[i]], width, last_bit(), column_.data(), column_.data() + width,
                                      nullptr, nullptr);
      steps_ += width;
      // After the last change, equal columns are followed by equal columns.
      if (i + 1 >= shift.end_changed() && std::equal(column_.begin(), column_.end(), columns_.begin() + (i + 1) * 2 * width))
        return distance + distance_[nh()] - distance_[i + 1];
    }
    return distance;
  }

  // A target inside or just behind the block counts from the block's start, as in sacreBLEU.
  template <class T>
  void apply(const Shift& s, const T* from, T* to) const {
    const int n = nh(), end = s.start + s.length;
    const auto copy = [&](int first, int last) {
      if (first < (last = std::min(last, n))) to = std::copy(from + first, from + last, to);
    };
    if (s.target < s.start) {
      copy(0, s.target), copy(s.start, end), copy(s.target, s.start), copy(end, n);
    } else {
      const int stop = s.end_changed();
      copy(0, s.start), copy(end, stop), copy(s.start, end), copy(stop, n);
    }
  }

  // Makes the shifted words the words.
  void shift_words(const Shift& shift) {
    apply(shift, words_.data(), shifted_.data());
    words_.swap(shifted_);
  }

  u64 steps_ = 0;  // effort so far: words of the hypothesis times 64 words of the reference
  Ids ref_{};
  int least_distance_ = 0;
  std::vector<int> first_, next_;
  PositionMasks masks_;
  std::vector<u32> words_, shifted_;
  std::vector<int> distance_;
  std::vector<u64> columns_, growth_;  // per word: VP and VN; HP and HN
  std::vector<Shift> candidates_;
  std::vector<int> shifted_distance_;  // of each candidate

 private:
  std::vector<int> unmatched_, order_, bucket_;
  std::vector<u64> column_, word_masks_, lanes_, lane_;
};

}  // namespace nlg
