// Translation edit rate: block shifts chosen greedily, then Levenshtein distance; tercom's search
// as sacreBLEU 2.6 implements it. Statistics: fewest edits over the references, mean reference length.
#pragma once

#include "edit.hpp"
#include "kernel.hpp"
#include "reflength.hpp"

namespace nlg {

struct TerLimits {
  int shift_size = 10, shift_distance = 50, candidates = 1000;
};

struct Shift {
  int start, length, target;  // move [start, start + length) to before `target`
  int first_changed() const { return std::min(start, target); }
};

class TerSearch {
 public:
  explicit TerSearch(TerLimits limits) : limits_(limits) {}

  int edits(Ids hyp, Ids ref, u32 vocabulary) {
    if (ref.size == 0) return static_cast<int>(hyp.size);
    if (hyp.size == 0) return static_cast<int>(ref.size);
    ref_ = ref;
    masks_.build(ref, vocabulary);
    words_.assign(hyp.begin(), hyp.end());
    shifted_.resize(words_.size());
    index_reference(vocabulary);
    // Below this distance every optimal path stays inside the beam, so that the exact distance is
    // also the beam's.
    safe_ = 46 - std::abs(static_cast<int>(ref.size) - static_cast<int>(hyp.size));
    int checked = 0;
    for (int shifts = 0;; ++shifts) {
      const int distance = align();
      checked += find_candidates(limits_.candidates - checked);
      // Where the limit is reached, the round's best shift is dropped.
      if (checked >= limits_.candidates || candidates_.empty()) return shifts + distance;
      const Shift* best = best_candidate(distance);
      if (best == nullptr) return shifts + distance;
      apply(*best, words_.data(), shifted_.data());
      words_.swap(shifted_);
    }
  }

 private:
  int nh() const { return static_cast<int>(words_.size()); }
  int nr() const { return static_cast<int>(ref_.size); }
  u32 last_bit() const { return (ref_.size - 1) % 64; }
  Ids words() const { return {words_.data(), static_cast<u32>(words_.size())}; }

  // Chains the occurrences of every reference word: first_[id], then next_[position].
  void index_reference(u32 vocabulary) {
    first_.assign(vocabulary + 1, nr());
    next_.resize(nr());
    for (int j = nr() - 1; j >= 0; --j) {
      next_[j] = first_[ref_[j]];
      first_[ref_[j]] = j;
    }
    first_[0] = nr();
  }

  // Distance of the words as they stand, and with it which words are in error and where each
  // reference word is aligned. Keeps the columns, from which candidates continue.
  int align() {
    const u32 width = masks_.width();
    const std::size_t column = 2 * width;
    columns_.resize((nh() + 1) * column);
    growth_.resize((nh() + 1) * column);
    distance_.resize(nh() + 1);
    std::fill_n(columns_.begin(), width, ~0ull);
    std::fill_n(columns_.begin() + width, width, 0);
    distance_[0] = nr();
    for (int i = 0; i < nh(); ++i) {
      u64* v = &columns_[(i + 1) * column];
      u64* h = &growth_[(i + 1) * column];
      std::copy_n(v - column, column, v);
      distance_[i + 1] =
          distance_[i] + MyersColumn::append(masks_[words_[i]], width, last_bit(), v, v + width, h, h + width);
    }
    int distance = distance_[nh()];
    if (distance >= safe_) distance = beam_.trace(words(), ref_, edits_);
    else follow_columns(distance);
    read_alignment();
    return distance;
  }

  void follow_columns(int d) {
    const u32 width = masks_.width();
    const std::size_t column = 2 * width;
    edits_.clear();
    for (int i = nh(), j = nr(); i > 0 || j > 0;) {
      if (i == 0 || j == 0) {
        edits_.push_back(i == 0 ? Edit::kInsert : Edit::kDelete);
        i == 0 ? --j : --i;
        continue;
      }
      const u32 block = (j - 1) / 64, bit = (j - 1) % 64;
      const auto at = [&](const std::vector<u64>& v, int row, u32 half) {
        return static_cast<int>(v[row * column + half * width + block] >> bit & 1);
      };
      const int above = d - at(growth_, i, 0) + at(growth_, i, 1);
      const int diagonal = above - at(columns_, i - 1, 0) + at(columns_, i - 1, 1);
      const bool same = masks_[words_[i - 1]][block] >> bit & 1;
      if (diagonal + !same == d) {
        edits_.push_back(same ? Edit::kMatch : Edit::kSubstitute);
        d = diagonal, --i, --j;
      } else if (above + 1 == d) {
        edits_.push_back(Edit::kDelete);
        d = above, --i;
      } else {
        edits_.push_back(Edit::kInsert);
        --d, --j;
      }
    }
    std::reverse(edits_.begin(), edits_.end());
  }

  void read_alignment() {
    aligned_.resize(nr());
    hyp_errors_.assign(1, 0);
    ref_errors_.assign(1, 0);
    int h = -1, r = -1;
    for (Edit op : edits_) {
      const int error = op != Edit::kMatch;
      if (op != Edit::kInsert) ++h, hyp_errors_.push_back(hyp_errors_.back() + error);
      if (op != Edit::kDelete) aligned_[++r] = h, ref_errors_.push_back(ref_errors_.back() + error);
    }
  }

  // Lists the shifts worth trying, in sacreBLEU's order, until `room` is used up; returns how many.
  int find_candidates(int room) {
    candidates_.clear();
    for (int start = 0; start < nh(); ++start) {
      for (int match = first_[words_[start]]; match < nr(); match = next_[match]) {
        if (std::abs(match - start) > limits_.shift_distance) continue;
        for (int length = 1; length <= limits_.shift_size; ++length) {
          if (start + length > nh() || match + length > nr() || words_[start + length - 1] != ref_[match + length - 1])
            break;
          const bool hyp_wrong = hyp_errors_[start + length] > hyp_errors_[start];
          const bool ref_wrong = ref_errors_[match + length] > ref_errors_[match];
          const bool inside = start <= aligned_[match] && aligned_[match] < start + length;
          if (!hyp_wrong || !ref_wrong || inside) continue;
          int previous = -1;
          for (int r = match - 1; r < match + length && r < nr(); ++r) {
            const int target = r < 0 ? 0 : aligned_[r] + 1;
            if (target != previous) candidates_.push_back({start, length, target});
            previous = target;
          }
          if (static_cast<int>(candidates_.size()) >= room) return static_cast<int>(candidates_.size());
        }
      }
    }
    return static_cast<int>(candidates_.size());
  }

  // The candidate with the largest gain (then longest, leftmost, leftmost target), if any gains.
  const Shift* best_candidate(int distance) {
    measure_candidates();
    const Shift* best = nullptr;
    int best_gain = 0;
    for (std::size_t c = 0; c < candidates_.size(); ++c) {
      const Shift& shift = candidates_[c];
      int shifted = shifted_distance_[c];
      if (shifted >= safe_) {
        apply(shift, words_.data(), shifted_.data());
        shifted = beam_.distance({shifted_.data(), static_cast<u32>(shifted_.size())}, ref_);
      }
      const int gain = distance - shifted;
      const bool better =
          gain != best_gain || best == nullptr
              ? gain > best_gain
              : shift.length != best->length   ? shift.length > best->length
                : shift.start != best->start ? shift.start < best->start
                                             : shift.target < best->target;
      if (better) best = &shift, best_gain = gain;
    }
    return best;
  }

  static constexpr int kLanes = 4;
  typedef u64 Lanes __attribute__((vector_size(8 * kLanes)));

  // Distances of all shifted versions, each continued from the column before its first change.
  void measure_candidates() {
    const int count = static_cast<int>(candidates_.size());
    shifted_distance_.resize(count);
    order_.resize(count);
    for (int c = 0; c < count; ++c) order_[c] = c;
    if (masks_.width() > 1) {
      for (int c = 0; c < count; ++c) shifted_distance_[c] = measure(candidates_[c]);
      return;
    }
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
    apply(shift, words_.data(), shifted_.data());
    column_.assign(columns_.begin() + from * 2 * width, columns_.begin() + (from + 1) * 2 * width);
    int distance = distance_[from];
    for (int i = from; i < nh(); ++i)
      distance += MyersColumn::append(masks_[shifted_[i]], width, last_bit(), column_.data(), column_.data() + width,
                                      nullptr, nullptr);
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
      const int stop = s.target > end ? s.target : s.length + s.target;
      copy(0, s.start), copy(end, stop), copy(s.start, end), copy(stop, n);
    }
  }

  TerLimits limits_;
  Ids ref_{};
  int safe_ = 0;
  PositionMasks masks_;
  BeamDistance beam_;
  std::vector<u32> words_, shifted_;
  std::vector<int> first_, next_, distance_, aligned_, hyp_errors_, ref_errors_;
  std::vector<int> shifted_distance_, order_, bucket_;
  std::vector<u64> columns_, growth_, column_, word_masks_, lanes_, lane_;
  std::vector<Edit> edits_;
  std::vector<Shift> candidates_;
};

class TerWorker final : public Worker {
 public:
  explicit TerWorker(TerLimits limits) : search_(limits) {}
  void row(const Segment& s, double* out) override {
    int fewest = 0;
    double length = 0;
    // No order of the words needs fewer edits than there are words without a partner: references
    // that cannot win are not searched.
    order_.clear();
    for (u32 r = 0; r < s.ref_count(); ++r) {
      length += s.ref(r).size;
      order_.emplace_back(s.ref_count() > 1 ? unmatched_(s, r) : 0, r);
    }
    std::sort(order_.begin(), order_.end());
    for (std::size_t k = 0; k < order_.size(); ++k) {
      const auto [at_least, r] = order_[k];
      if (k > 0 && at_least >= fewest) break;
      const int edits = search_.edits(s.hyp(), s.ref(r), s.vocabulary);
      fewest = k == 0 ? edits : std::min(fewest, edits);
    }
    out[0] = fewest;
    out[1] = s.ref_count() ? length / s.ref_count() : 0;
  }

 private:
  TerSearch search_;
  UnmatchedWords unmatched_;
  std::vector<std::pair<int, u32>> order_;
};

class TerKernel final : public Kernel {
 public:
  explicit TerKernel(TerLimits limits) : limits_(limits) {}
  std::size_t columns() const override { return 2; }
  std::unique_ptr<Worker> worker() const override { return std::make_unique<TerWorker>(limits_); }

 private:
  TerLimits limits_;
};

}  // namespace nlg
