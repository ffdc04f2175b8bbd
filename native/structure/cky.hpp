// Spans of a sentence chosen by their scores: the best tree (Cocke, Kasami, Younger), and the best
// spans that do not overlap. A span is [start, end) in words; arrays of spans are ordered by start,
// then end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "core/checkpoint.hpp"

namespace nlg {

inline std::size_t spans_of(std::size_t words) { return words * (words + 1) / 2; }
inline std::size_t span_at(std::size_t i, std::size_t j, std::size_t words) {
  return spans_of(words) - spans_of(words - i) + j - i - 1;
}

// Every span has a value: that of its best label, or 0 if it is better without one. Words joined two
// by two make the tree of the greatest sum; spans without a label are not part of it.
class BestTree {
 public:
  // scores: [spans, labels], where label 0 is none; chosen: [spans], 0 where there is no constituent.
  // The whole sentence always has a label. Of equal trees, the one whose left parts are shorter.
  void operator()(const float* scores, std::size_t labels, std::size_t n, std::int32_t* chosen) {
    if (n == 0) return;
    label_.resize(spans_of(n));
    forward_.assign((n + 1) * (n + 1), 0);
    backward_.assign((n + 1) * (n + 1), 0);
    std::size_t span = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i + 1; j <= n; ++j, ++span) {
        const float* row = scores + span * labels;
        std::size_t best = 1;
        for (std::size_t l = 2; l < labels; ++l)
          if (row[l] > row[best]) best = l;
        const double value = static_cast<double>(row[best]) - row[0];
        const bool labelled = value > 0 || (i == 0 && j == n);
        label_[span] = labelled ? static_cast<std::int32_t>(best) : 0;
        forward_[i * (n + 1) + j] = labelled ? value : 0;
        chosen[span] = 0;
      }
    for (std::size_t length = 1; length <= n; ++length)
      for (std::size_t i = 0; i + length <= n; ++i) {
        const std::size_t j = i + length;
        double& value = forward_[i * (n + 1) + j];
        checkpoint(length);
        if (length > 1) value += best_split(i, j, n);
        backward_[j * (n + 1) + i] = value;  // the same by end, so that splits are read in a row
      }
    waiting_.assign(1, {0, n});
    while (!waiting_.empty()) {
      const auto [i, j] = waiting_.back();
      waiting_.pop_back();
      const std::size_t at = span_at(i, j, n);
      chosen[at] = label_[at];
      if (j - i == 1) continue;
      const double split = best_split(i, j, n);
      std::size_t k = i + 1;
      while (forward_[i * (n + 1) + k] + backward_[j * (n + 1) + k] != split && k + 1 < j) ++k;
      waiting_.emplace_back(i, k);
      waiting_.emplace_back(k, j);
    }
  }

 private:
  double best_split(std::size_t i, std::size_t j, std::size_t n) const {
    const double *left = &forward_[i * (n + 1)], *right = &backward_[j * (n + 1)];
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t k = i + 1; k < j; ++k) best = std::max(best, left[k] + right[k]);
    return best;
  }

  std::vector<std::int32_t> label_;
  std::vector<double> forward_, backward_;
  std::vector<std::pair<std::size_t, std::size_t>> waiting_;
};

// Spans without overlap of the greatest sum; those of no positive value are never worth it.
inline void best_disjoint(const double* values, std::size_t n, std::uint8_t* chosen) {
  std::vector<double> best(n + 1, 0);
  std::vector<std::size_t> from(n + 1);  // where the span that ends here starts; its end if none does
  for (std::size_t j = 1; j <= n; ++j) {
    checkpoint(4 * j);
    best[j] = best[j - 1];
    from[j] = j;
    for (std::size_t i = 0; i < j; ++i) {
      const double value = values[span_at(i, j, n)];
      if (value > 0 && best[i] + value > best[j]) best[j] = best[i] + value, from[j] = i;
    }
  }
  std::fill(chosen, chosen + spans_of(n), std::uint8_t{0});
  for (std::size_t j = n; j > 0;) {
    const std::size_t i = from[j];
    if (i < j) chosen[span_at(i, j, n)] = 1;
    j = i < j ? i : j - 1;
  }
}

}  // namespace nlg
