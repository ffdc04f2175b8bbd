// INVWER: edits of single words, with blocks inside blocks swapped at a cost of 1 each (a bracketing
// transduction), for error_rate.hpp.
#pragma once

#include <cmath>

#include "alignment/alignment.hpp"
#include "core/simd.hpp"
#include "edit/word_errors.hpp"

namespace nlg {

namespace detail {

constexpr u32 kInversionLanes = 32;
typedef u8 InversionLanes __attribute__((vector_size(kInversionLanes)));
constexpr u8 kFar = 120;  // more than any distance, and two of them still fit into a byte

NLG_BODY InversionLanes near(const u8* p) {
  InversionLanes v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

// Distances of all pairs of spans. `ahead` has, for a span of h and a start in r, the distances to
// all ends; `back`, for an end in r, those from all starts; cells that are no span are far.
struct InversionTable {
  u32 n = 0, m = 0;  // |h|, |r|
  std::size_t row = 0, span = 0, start = 0;  // from one place in r, end in h, start in h to the next
  std::vector<u8> ahead, back;
  std::vector<std::pair<u32, u32>> known;  // places of the cells that are set

  void resize(u32 hyp, u32 ref) {
    n = hyp, m = ref;
    row = (m + kInversionLanes) / kInversionLanes * kInversionLanes;
    span = row * (m + 1);
    start = span * (n + 1);
    if (ahead.size() < start * (n + 1)) ahead.resize(start * (n + 1), kFar), back.resize(ahead.size(), kFar);
  }
  void set(u32 i, u32 i2, u32 j, u32 j2, u32 value) {
    const std::size_t at = i * start + i2 * span;
    ahead[at + j * row + j2] = back[at + j2 * row + j] = static_cast<u8>(value);
    known.push_back({static_cast<u32>(at + j * row + j2), static_cast<u32>(at + j2 * row + j)});
  }
  // Makes all cells far again, without touching those that are.
  void forget() {
    for (const auto& [a, b] : known) ahead[a] = back[b] = kFar;
    known.clear();
  }
};

// The best way to split both spans: in order, or swapped.
NLG_BODY u32 best_split(const InversionTable& t, u32 i, u32 i2, u32 j, u32 j2) {
  const u8* left = t.ahead.data() + i * t.start + i * t.span + j * t.row;    // [i, k) [j, l)
  const u8* right = t.back.data() + i * t.start + i2 * t.span + j2 * t.row;  // [k, i2) [l, j2)
  const u8* last = t.back.data() + i * t.start + i * t.span + j2 * t.row;    // [i, k) [l, j2)
  const u8* first = t.ahead.data() + i * t.start + i2 * t.span + j * t.row;  // [k, i2) [j, l)
  InversionLanes best = {};
  best += kFar;
  const u32 begin = j / kInversionLanes * kInversionLanes;
  for (u32 k = i; k <= i2; ++k) {
    for (u32 l = begin; l <= j2; l += kInversionLanes) {
      const InversionLanes straight = near(left + l) + near(right + l);
      const InversionLanes swapped = near(last + l) + near(first + l) + 1;
      const InversionLanes lower = straight < swapped ? straight : swapped;
      best = lower < best ? lower : best;
    }
    left += t.span, last += t.span, right += t.start, first += t.start;
  }
  u8 lanes[kInversionLanes];
  std::memcpy(lanes, &best, sizeof best);
  for (u32 half = kInversionLanes / 2; half > 0; half /= 2)
    for (u32 k = 0; k < half; ++k) lanes[k] = std::min(lanes[k], lanes[k + half]);
  return lanes[0];
}

// The distance of two spans that have words, if the first or last of either is edited by itself.
NLG_BODY u32 one_word_more(const InversionTable& t, const u32* hyp, const u32* ref, u32 i, u32 i2, u32 j, u32 j2) {
  const auto at = [&](u32 a, u32 a2, u32 b, u32 b2) -> u32 { return t.ahead[a * t.start + a2 * t.span + b * t.row + b2]; };
  const u32 first = at(i + 1, i2, j + 1, j2) + (hyp[i] != ref[j]);
  const u32 last = at(i, i2 - 1, j, j2 - 1) + (hyp[i2 - 1] != ref[j2 - 1]);
  const u32 others = std::min(std::min(at(i + 1, i2, j, j2), at(i, i2 - 1, j, j2)),
                              std::min(at(i, i2, j + 1, j2), at(i, i2, j, j2 - 1)));
  return std::min(std::min(first, last), others + 1);
}

// What a span of h, one of r and all that is outside of them differ by at least: each word matches one
// like it. The span of r is moved along, one word at a time.
class InversionBound {
 public:
  void start(const u32* hyp, u32 n, const u32* ref, u32 m, u32 vocabulary) {
    hyp_ = hyp, ref_ = ref, n_ = n, m_ = m;
    words_.assign(vocabulary + 1, {});
    for (u32 i = 0; i < n; ++i) words_[hyp[i]].outside_h += hyp[i] != 0;  // 0 is in no reference
    for (u32 j = 0; j < m; ++j) ++words_[ref[j]].outside_r;
    out_ = 0;
    for (const Count& word : words_) out_ += std::min(word.outside_h, word.outside_r);
    in_ = 0;
  }
  // Words of h go into the span, or out of it.
  void add_hyp(u32 i) { move_hyp(words_[hyp_[i]], hyp_[i] != 0); }
  void remove_hyp(u32 i) { move_hyp(words_[hyp_[i]], hyp_[i] == 0 ? 0 : ~0u); }
  void add_ref(u32 j) {
    Count& word = words_[ref_[j]];
    out_ -= word.outside_r-- <= word.outside_h;
    in_ += ++word.inside_r <= word.inside_h;
  }
  void remove_ref(u32 j) {
    Count& word = words_[ref_[j]];
    in_ -= word.inside_r-- <= word.inside_h;
    out_ += ++word.outside_r <= word.outside_h;
  }
  u32 inside(u32 length, u32 width) const { return std::max(length, width) - in_; }
  u32 operator()(u32 length, u32 width) const {
    return inside(length, width) + std::max(n_ - length, m_ - width) - out_;
  }

 private:
  struct Count {
    u32 inside_h = 0, inside_r = 0, outside_h = 0, outside_r = 0;
    u32 in() const { return std::min(inside_h, inside_r); }
    u32 out() const { return std::min(outside_h, outside_r); }
  };
  void move_hyp(Count& word, u32 change) {
    in_ -= word.in(), out_ -= word.out();
    word.inside_h += change, word.outside_h -= change;
    in_ += word.in(), out_ += word.out();
  }

  const u32 *hyp_ = nullptr, *ref_ = nullptr;
  u32 n_ = 0, m_ = 0, in_ = 0, out_ = 0;  // words that match inside and outside
  std::vector<Count> words_;
};

// Fills in the spans, short ones first, except those that no distance below `limit` can go through;
// returns the distance of the whole texts, or `limit`. Leaves the table as it was.
NLG_BODY u32 inversion_distance(InversionTable& t, const u32* hyp, const u32* ref, InversionBound& bound, u32 limit) {
  for (u32 length = 0; length <= t.n; ++length) {
    const u32 narrowest = length < limit ? 0 : length - limit + 1, widest = std::min(t.m, length + limit - 1);
    for (u32 i = 0; i + length <= t.n; ++i) {
      for (u32 k = i; k < i + length; ++k) bound.add_hyp(k);
      for (u32 width = narrowest; width <= widest; ++width) {
        checkpoint(static_cast<u64>(t.m) * (length + 1));
        for (u32 j = 0; j < width; ++j) bound.add_ref(j);
        for (u32 j = 0; j + width <= t.m; ++j) {
          if (j > 0 && width > 0) bound.remove_ref(j - 1), bound.add_ref(j + width - 1);
          if (bound(length, width) >= limit) continue;
          const u32 i2 = i + length, j2 = j + width;
          u32 distance = length + width;
          if (length == 1 && width == 1) distance = hyp[i] != ref[j];
          else if (length > 0 && width > 0) distance = one_word_more(t, hyp, ref, i, i2, j, j2);
          if (distance > bound.inside(length, width)) distance = std::min(distance, best_split(t, i, i2, j, j2));
          t.set(i, i2, j, j2, distance);
        }
        for (u32 j = t.m - width; j < t.m; ++j) bound.remove_ref(j);
      }
      for (u32 k = i; k < i + length; ++k) bound.remove_hyp(k);
    }
  }
  const u32 distance = std::min<u32>(limit, t.ahead[t.n * t.span + t.m]);
  t.forget();
  return distance;
}

inline u32 inversion_distance_base(InversionTable& t, const u32* hyp, const u32* ref,
                                   InversionBound& bound, u32 limit) {
  return inversion_distance(t, hyp, ref, bound, limit);
}
NLG_AVX2 inline u32 inversion_distance_avx2(InversionTable& t, const u32* hyp, const u32* ref,
                                   InversionBound& bound, u32 limit) {
  return inversion_distance(t, hyp, ref, bound, limit);
}

}  // namespace detail

// Exact for texts of up to `longest` words. Longer ones are cut, along their cheapest alignment
// without swaps, into parts that are not swapped with each other: at most WER, at least INVWER.
class InversionDistance {
 public:
  static constexpr bool kWords = true;
  static constexpr u32 kLongest = 64;
  explicit InversionDistance(u32 longest) : longest_(longest), avx2_(NLG_HAS_AVX2()) {}

  void start(const Segment&) {}
  Errors operator()(const Segment& s, u32 r) {
    const Ids hyp = s.hyp(), ref = s.ref(r);
    const u32 d = std::max(hyp.size, ref.size) <= longest_ ? exact(hyp, ref, s.vocabulary)
                                                       : cut(hyp, ref, s.vocabulary, s.ref_count());
    return {static_cast<double>(d), static_cast<double>(ref.size), static_cast<double>(hyp.size), 0};
  }

 private:
  u32 exact(Ids hyp, Ids ref, u32 vocabulary) {
    const u32 distance = levenshtein_.distance(hyp, ref, vocabulary);
    // A swap costs 1, and no order of the words does without what the bags of words differ by.
    count_.assign(vocabulary + 1, 0);
    for (u32 id : ref) ++count_[id];
    u32 matched = 0;
    for (u32 id : hyp)
      if (id != 0 && count_[id] > 0) --count_[id], ++matched;
    const u32 least = std::max(hyp.size, ref.size) - matched;
    if (distance <= least + 1) return distance;
    table_.resize(hyp.size, ref.size);
    bound_.start(hyp.data, hyp.size, ref.data, ref.size, vocabulary);
    const auto run = avx2_ ? detail::inversion_distance_avx2 : detail::inversion_distance_base;
    return run(table_, hyp.data, ref.data, bound_, distance);
  }

  // The longer the texts and the more references, the shorter the parts: the effort, which grows with
  // their fifth power, stays that of parts of 40 words in a text of 1,000.
  u32 part_size(u32 words, u32 references) const {
    const double share = 1000.0 / (static_cast<double>(words) * references);
    return std::min(longest_, std::max(2u, static_cast<u32>(40 * std::pow(share, 0.2))));
  }
  u32 cut(Ids hyp, Ids ref, u32 vocabulary, u32 references) {
    const u32 longest = part_size(std::max(hyp.size, ref.size), references);
    u32 sum = 0, i = 0, j = 0;
    path_.clear();
    alignment_.align(hyp, ref, [&](Edit edit, u32, u32) { path_.push_back(edit); });
    for (u32 i2 = 0, j2 = 0, k = static_cast<u32>(path_.size()); k-- > 0;) {
      i2 += path_[k] != Edit::kInsert;
      j2 += path_[k] != Edit::kDelete;
      if (k > 0 && i2 - i < longest && j2 - j < longest) continue;
      sum += exact({hyp.data + i, i2 - i}, {ref.data + j, j2 - j}, vocabulary);
      i = i2, j = j2;
    }
    return sum;
  }

  u32 longest_;
  bool avx2_;
  Levenshtein levenshtein_;
  WeightedAlignment alignment_{1, 1};
  detail::InversionTable table_;
  detail::InversionBound bound_;
  std::vector<u32> count_;
  std::vector<Edit> path_;
};

}  // namespace nlg
