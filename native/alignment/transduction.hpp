// How well two phrases translate each other under a bracketing transduction grammar: words are paired or
// left alone, and neighbouring blocks keep their order or swap it, inside of blocks again (XMEANT).
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/kernel.hpp"

namespace nlg {

// Logarithms of probabilities: of pairs of words, row by row, and of words that have no counterpart.
struct TranslationCosts {
  const double* pairs;
  std::size_t width;  // words of the whole text on the right
  const double *left, *right;
};

class Transduction {
 public:
  explicit Transduction(u32 longest) : longest_(longest) {}

  // The logarithm of the best derivation's probability for the words [i, i + n) and [j, j + m). Phrases of
  // more than `longest` words are cut into as many equal parts, which are not swapped with each other.
  double operator()(const TranslationCosts& costs, u32 i, u32 n, u32 j, u32 m) {
    const u32 parts = std::max<u32>(1, (std::max(n, m) + longest_ - 1) / longest_);
    double sum = 0;
    for (u32 p = 0; p < parts; ++p) {
      const u32 a = n * p / parts, b = n * (p + 1) / parts, c = m * p / parts, d = m * (p + 1) / parts;
      sum += exact(costs, i + a, b - a, j + c, d - c);
    }
    return sum;
  }

 private:
  double& at(u32 i, u32 i2, u32 j, u32 j2) { return best_[((i * (n_ + 1) + i2) * (m_ + 1) + j) * (m_ + 1) + j2]; }

  double exact(const TranslationCosts& costs, u32 first, u32 n, u32 start, u32 m) {
    n_ = n, m_ = m;
    best_.assign(static_cast<std::size_t>(n + 1) * (n + 1) * (m + 1) * (m + 1), 0.0);
    for (u32 length = 0; length <= n; ++length)
      for (u32 i = 0; i + length <= n; ++i)
        for (u32 width = 0; width <= m; ++width)
          for (u32 j = 0; j + width <= m; ++j)
            at(i, i + length, j, j + width) = best(costs, first, start, i, i + length, j, j + width);
    return at(0, n, 0, m);
  }

  double best(const TranslationCosts& costs, u32 first, u32 start, u32 i, u32 i2, u32 j, u32 j2) {
    if (i == i2 || j == j2) {  // words without a counterpart
      double sum = 0;
      for (u32 k = i; k < i2; ++k) sum += costs.left[first + k];
      for (u32 k = j; k < j2; ++k) sum += costs.right[start + k];
      return sum;
    }
    checkpoint(static_cast<u64>(i2 - i + 1) * (j2 - j + 1));
    double found = -INFINITY;
    if (i2 - i == 1 && j2 - j == 1) found = costs.pairs[(first + i) * costs.width + start + j];
    for (u32 k = i; k <= i2; ++k)
      for (u32 l = j; l <= j2; ++l) {
        const bool nothing = (k == i && l == j) || (k == i2 && l == j2);
        if (!nothing) found = std::max(found, at(i, k, j, l) + at(k, i2, l, j2));
        const bool all = (k == i && l == j2) || (k == i2 && l == j);
        if (!all) found = std::max(found, at(i, k, l, j2) + at(k, i2, j, l));
      }
    return found;
  }

  u32 longest_, n_ = 0, m_ = 0;
  std::vector<double> best_;
};

}  // namespace nlg
