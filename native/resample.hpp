// Sums of resampled rows, without ever building a resample.
#pragma once

#include <algorithm>
#include <vector>

#include "texts.hpp"

namespace nlg {

// totals[b] = Σ_i rows[indices[b, i]]: counts each row's draws, then adds count * row in order of
// the rows, so that the result does not depend on the order of the draws.
inline void resampled_totals(const u32* indices, std::size_t resamples, std::size_t draws, const double* rows,
                             std::size_t size, std::size_t columns, double* totals) {
  constexpr std::size_t kTogether = 4;  // resamples that share one pass over the rows
  std::vector<double> counts(size * kTogether);
  std::fill_n(totals, resamples * columns, 0.0);
  for (std::size_t b = 0; b < resamples; b += kTogether) {
    const std::size_t group = std::min(kTogether, resamples - b);
    std::fill(counts.begin(), counts.end(), 0.0);
    for (std::size_t g = 0; g < group; ++g)
      for (std::size_t i = 0; i < draws; ++i) counts[indices[(b + g) * draws + i] * kTogether + g] += 1;
    for (std::size_t i = 0; i < size; ++i) {
      const double* row = rows + i * columns;
      for (std::size_t g = 0; g < group; ++g) {
        const double count = counts[i * kTogether + g];
        double* total = totals + (b + g) * columns;
        for (std::size_t k = 0; k < columns; ++k) total[k] += count * row[k];
      }
    }
  }
}

}  // namespace nlg
