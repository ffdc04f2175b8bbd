// INVWER: edits of single words, with blocks inside blocks swapped at a cost of 1 each (a bracketing
// transduction), for error_rate.hpp.
#pragma once

#include "alignment.hpp"
#include "simd.hpp"
#include "word_errors.hpp"

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

  void resize(u32 hyp, u32 ref) {
    n = hyp, m = ref;
    row = (m + kInversionLanes) / kInversionLanes * kInversionLanes;
    span = row * (m + 1);
    start = span * (n + 1);
    ahead.assign(start * (n + 1), kFar);
    back.assign(ahead.size(), kFar);
  }
  void set(u32 i, u32 i2, u32 j, u32 j2, u32 value) {
    const std::size_t at = i * start + i2 * span;
    ahead[at + j * row + j2] = back[at + j2 * row + j] = static_cast<u8>(value);
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

// What two texts differ by at least: words of which the other side has none cannot match. known_h and
// known_r count the other words up to each place.
struct InversionBound {
  const u32 *known_h, *known_r;
  u32 n, m;

  static u32 least(u32 a, u32 b, u32 known_a, u32 known_b) { return std::max(a, b) - std::min(known_a, known_b); }
  // Of a span in h and one in r, and of all that is outside of them.
  u32 operator()(u32 i, u32 i2, u32 j, u32 j2) const {
    const u32 h = known_h[i2] - known_h[i], r = known_r[j2] - known_r[j];
    return least(i2 - i, j2 - j, h, r) + least(n - (i2 - i), m - (j2 - j), known_h[n] - h, known_r[m] - r);
  }
};

// Fills in the spans, short ones first, except those that no distance below `limit` can go through;
// returns the distance of the whole texts, or `limit`.
NLG_BODY u32 inversion_distance(InversionTable& t, const u32* hyp, const u32* ref, const InversionBound& bound,
                                u32 limit) {
  for (u32 length = 0; length <= t.n; ++length) {
    for (u32 i = 0; i + length <= t.n; ++i) {
      for (u32 width = 0; width <= t.m; ++width) {
        checkpoint(static_cast<u64>(t.m) * (length + 1));
        for (u32 j = 0; j + width <= t.m; ++j) {
          if (bound(i, i + length, j, j + width) >= limit) continue;
          const u32 distance = length == 0 || width == 0   ? length + width
                               : length == 1 && width == 1 ? hyp[i] != ref[j]
                                                           : best_split(t, i, i + length, j, j + width);
          t.set(i, i + length, j, j + width, distance);
        }
      }
    }
  }
  return std::min<u32>(limit, t.ahead[t.n * t.span + t.m]);
}

inline u32 inversion_distance_base(InversionTable& t, const u32* hyp, const u32* ref,
                                   const InversionBound& bound, u32 limit) {
  return inversion_distance(t, hyp, ref, bound, limit);
}
NLG_AVX2 inline u32 inversion_distance_avx2(InversionTable& t, const u32* hyp, const u32* ref,
                                   const InversionBound& bound, u32 limit) {
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
    const u32 d = std::max(hyp.size, ref.size) <= longest_ ? exact(hyp, ref, s.vocabulary) : cut(hyp, ref, s.vocabulary);
    return {static_cast<double>(d), static_cast<double>(ref.size), static_cast<double>(hyp.size), 0};
  }

 private:
  u32 exact(Ids hyp, Ids ref, u32 vocabulary) {
    const u32 distance = levenshtein_.distance(hyp, ref, vocabulary);
    // A swap costs 1, and no order of the words does without what the bags of words differ by.
    count_.assign(vocabulary + 1, 0);
    for (u32 id : ref) ++count_[id];
    known_h_.assign(1, 0);
    for (u32 id : hyp) known_h_.push_back(known_h_.back() + (id != 0 && count_[id] > 0));
    u32 matched = 0;
    std::fill(in_hyp_.begin(), in_hyp_.end(), 0);
    in_hyp_.resize(vocabulary + 1);
    for (u32 id : hyp) {
      in_hyp_[id] = 1;
      if (id != 0 && count_[id] > 0) --count_[id], ++matched;
    }
    in_hyp_[0] = 0;
    if (distance <= std::max(hyp.size, ref.size) - matched + 1) return distance;
    known_r_.assign(1, 0);
    for (u32 id : ref) known_r_.push_back(known_r_.back() + in_hyp_[id]);
    table_.resize(hyp.size, ref.size);
    const detail::InversionBound bound{known_h_.data(), known_r_.data(), hyp.size, ref.size};
    return (avx2_ ? detail::inversion_distance_avx2 : detail::inversion_distance_base)(table_, hyp.data, ref.data, bound,
                                                                                      distance);
  }

  u32 cut(Ids hyp, Ids ref, u32 vocabulary) {
    u32 sum = 0, i = 0, j = 0;
    path_.clear();
    alignment_.align(hyp, ref, [&](Edit edit, u32, u32) { path_.push_back(edit); });
    for (u32 i2 = 0, j2 = 0, k = static_cast<u32>(path_.size()); k-- > 0;) {
      i2 += path_[k] != Edit::kInsert;
      j2 += path_[k] != Edit::kDelete;
      if (k > 0 && i2 - i < longest_ && j2 - j < longest_) continue;
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
  std::vector<u32> count_, in_hyp_, known_h_, known_r_;
  std::vector<Edit> path_;
};

}  // namespace nlg
