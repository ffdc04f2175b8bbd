// Which length stands for the references of a segment.
#pragma once

#include <cmath>

#include "core/segment.hpp"

namespace nlg {

// The position-independent distance max(|h|, |r|) - matched words.
class UnmatchedWords {
 public:
  int operator()(const Segment& s, u32 r) {
    count_.assign(s.vocabulary + 1, 0);
    for (u32 id : s.ref(r)) ++count_[id];
    int matched = 0;
    for (u32 id : s.hyp())
      if (id != 0 && count_[id] > 0) --count_[id], ++matched;
    return static_cast<int>(std::max(s.hyp().size, s.ref(r).size)) - matched;
  }

 private:
  std::vector<u32> count_;
};

enum class RefLength { kClosest, kShortest, kAverage, kAvgNearest, kBest };

// The reference length that stands for a segment's references. kAvgNearest and kBest judge each
// reference by its position-independent distance, max(|h|, |r|) - matched words. The rules come from
// error rates, where each has a distance of its own; BLEU has none, and takes this one.
class RefLengthRule {
 public:
  explicit RefLengthRule(RefLength rule) : rule_(rule) {}

  double operator()(const Segment& s) {
    const u32 n = s.ref_count();
    const double hyp = s.hyp().size;
    if (n == 0) return 0;
    double best = s.ref(0).size, best_key = key(s, 0, hyp), sum = 0, ties = 0;
    for (u32 r = 0; r < n; ++r) {
      const double length = s.ref(r).size, k = r == 0 ? best_key : key(s, r, hyp);
      if (k < best_key) best_key = k, best = length, sum = ties = 0;
      else if (k == best_key) best = std::min(best, length);
      if (k == best_key) sum += length, ++ties;
    }
    return rule_ == RefLength::kAverage || rule_ == RefLength::kAvgNearest ? sum / ties : best;
  }

 private:
  // What the chosen reference minimises; ties go to the shorter one, or are averaged.
  double key(const Segment& s, u32 r, double hyp) {
    const double length = s.ref(r).size;
    switch (rule_) {
      case RefLength::kAverage: return 0;
      case RefLength::kShortest: return length;
      case RefLength::kClosest: return std::abs(length - hyp);
      case RefLength::kAvgNearest: return unmatched_(s, r);
      default: return length > 0 ? unmatched_(s, r) / length : hyp > 0 ? HUGE_VAL : 0;
    }
  }
  RefLength rule_;
  UnmatchedWords unmatched_;
};

}  // namespace nlg
