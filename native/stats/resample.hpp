// Sums of resampled rows, without ever building a resample.
#pragma once

#include <algorithm>
#include <vector>

#include "core/checkpoint.hpp"
#include "core/simd.hpp"
#include "core/texts.hpp"

namespace nlg {

namespace detail {

constexpr std::size_t kTogether = 4;  // resamples and columns that share one pass
typedef double Four __attribute__((vector_size(8 * kTogether)));

// sums[g] = Σ_i counts[i, g] * rows[i], four columns at a time.
NLG_BODY void weighted_sums(const double* rows, const double* counts, std::size_t size, double* sums) {
  Four sum[kTogether] = {};
  for (std::size_t i = 0; i < size; ++i) {
    Four row;
    std::memcpy(&row, rows + i * kTogether, sizeof row);
    for (std::size_t g = 0; g < kTogether; ++g) sum[g] += row * counts[i * kTogether + g];
  }
  std::memcpy(sums, sum, sizeof sum);
}
inline void weighted_sums_base(const double* rows, const double* counts, std::size_t size, double* sums) {
  weighted_sums(rows, counts, size, sums);
}
NLG_AVX2 inline void weighted_sums_avx2(const double* rows, const double* counts, std::size_t size, double* sums) {
  weighted_sums(rows, counts, size, sums);
}

}  // namespace detail

// Keeps rows [size, columns] in the layout that resampling reads.
class Resampler {
 public:
  Resampler(const double* rows, std::size_t size, std::size_t columns)
      : size_(size), columns_(columns), blocks_((columns + kTogether - 1) / kTogether),
        padded_(size * blocks_ * kTogether, 0.0) {
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t k = 0; k < columns; ++k)
        padded_[((k / kTogether) * size + i) * kTogether + k % kTogether] = rows[i * columns + k];
  }
  std::size_t size() const { return size_; }
  std::size_t columns() const { return columns_; }

  // totals[b] = Σ_i rows[indices[b, i]]: counts each row's draws, then adds count * row in the
  // order of the rows, so that the result does not depend on the order of the draws.
  void totals(const u32* indices, std::size_t resamples, std::size_t draws, double* totals) const {
    const auto weighted_sums = NLG_HAS_AVX2() ? detail::weighted_sums_avx2 : detail::weighted_sums_base;
    std::vector<double> counts(size_ * kTogether);  // [row, resample]
    double sums[kTogether * kTogether];
    for (std::size_t b = 0; b < resamples; b += kTogether) {
      checkpoint(kTogether * (2 * draws + blocks_ * size_));
      const std::size_t group = std::min(kTogether, resamples - b);
      std::fill(counts.begin(), counts.end(), 0.0);
      for (std::size_t g = 0; g < group; ++g)
        for (const u32* p = indices + (b + g) * draws; p < indices + (b + g + 1) * draws; ++p)
          counts[*p * kTogether + g] += 1;
      for (std::size_t block = 0; block < blocks_; ++block) {
        weighted_sums(padded_.data() + block * size_ * kTogether, counts.data(), size_, sums);
        const std::size_t width = std::min(kTogether, columns_ - block * kTogether);
        for (std::size_t g = 0; g < group; ++g)
          std::copy_n(sums + g * kTogether, width, totals + (b + g) * columns_ + block * kTogether);
      }
    }
  }

 private:
  static constexpr std::size_t kTogether = detail::kTogether;
  std::size_t size_, columns_, blocks_;
  std::vector<double> padded_;  // [block, row, 4]
};

}  // namespace nlg
