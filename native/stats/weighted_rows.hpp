// Sums of rows, each as often as a resample has it: the one product that every bootstrap needs.
//
// Most statistics are small whole numbers, of which sixteen products are added in one instruction;
// columns of other numbers are added in double precision, in the order of the rows.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/checkpoint.hpp"
#include "core/simd.hpp"
#include "core/texts.hpp"

namespace nlg {

using Count = std::int16_t;
constexpr Count kMostCount = 255;      // times that a resample may have a row
constexpr std::size_t kResamples = 8;  // that share one pass over the rows

namespace detail {

constexpr std::size_t kWholes = 8;     // columns of small whole numbers that are added together
constexpr std::size_t kFractions = 4;  // columns of other numbers that are
typedef double Four __attribute__((vector_size(8 * kFractions)));

// sums[g][c] = Σ_i counts[g][i] * rows[i][c]; rows are [pair of rows, column, 2].
inline void whole_sums_base(const Count* rows, const Count* counts, std::size_t stride, std::size_t first,
                            std::size_t last, std::int32_t* sums) {
  std::fill_n(sums, kResamples * kWholes, 0);
  for (std::size_t i = first; i < last; i += 2)
    for (std::size_t g = 0; g < kResamples; ++g)
      for (std::size_t c = 0; c < kWholes; ++c)
        for (std::size_t k = 0; k < 2; ++k)
          sums[g * kWholes + c] += rows[(i / 2 * kWholes + c) * 2 + k] * counts[g * stride + i + k];
}
#if defined(__x86_64__)
NLG_AVX2 inline void whole_sums_avx2(const Count* rows, const Count* counts, std::size_t stride, std::size_t first,
                                     std::size_t last, std::int32_t* sums) {
  __m256i sum[kResamples];
  for (auto& each : sum) each = _mm256_setzero_si256();
  for (std::size_t i = first; i < last; i += 2) {
    const __m256i both = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(rows + i * kWholes));
    for (std::size_t g = 0; g < kResamples; ++g) {
      std::int32_t pair;
      std::memcpy(&pair, counts + g * stride + i, sizeof pair);
      sum[g] = _mm256_add_epi32(sum[g], _mm256_madd_epi16(both, _mm256_set1_epi32(pair)));
    }
  }
  std::memcpy(sums, sum, sizeof sum);
}
#else
constexpr auto whole_sums_avx2 = whole_sums_base;
#endif

NLG_BODY void fraction_sums(const double* rows, const Count* counts, std::size_t stride, std::size_t size,
                            double* sums) {
  Four sum[kResamples] = {};
  for (std::size_t i = 0; i < size; ++i) {
    Four row;
    std::memcpy(&row, rows + i * kFractions, sizeof row);
    for (std::size_t g = 0; g < kResamples; ++g) sum[g] += row * static_cast<double>(counts[g * stride + i]);
  }
  std::memcpy(sums, sum, sizeof sum);
}
inline void fraction_sums_base(const double* rows, const Count* counts, std::size_t stride, std::size_t size,
                               double* sums) {
  fraction_sums(rows, counts, stride, size, sums);
}
NLG_AVX2 inline void fraction_sums_avx2(const double* rows, const Count* counts, std::size_t stride,
                                        std::size_t size, double* sums) {
  fraction_sums(rows, counts, stride, size, sums);
}

}  // namespace detail

// Keeps rows [size, columns] in the layout that resampling reads.
class WeightedRows {
 public:
  WeightedRows(const double* rows, std::size_t size, std::size_t columns) : size_(size), columns_(columns) {
    std::vector<double> most(columns, 0);  // of each column; beyond kMostWhole, if some number is not whole
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t c = 0; c < columns; ++c) {
        const double x = rows[i * columns + c];
        most[c] = std::max(most[c], std::trunc(x) == x ? std::fabs(x) : HUGE_VAL);
      }
    checkpoint(size * columns);
    for (std::size_t c = 0; c < columns; ++c) {
      (most[c] <= kMostWhole ? wholes_ : fractions_).push_back(c);
      if (most[c] <= kMostWhole) most_ = std::max(most_, most[c]);
    }
    whole_rows_.assign(blocks(wholes_, kWholes) * stride() * kWholes, 0);
    for (std::size_t w = 0; w < wholes_.size(); ++w)
      for (std::size_t i = 0; i < size; ++i)
        whole_rows_[((w / kWholes * (stride() / 2) + i / 2) * kWholes + w % kWholes) * 2 + i % 2] =
            static_cast<Count>(rows[i * columns + wholes_[w]]);
    fraction_rows_.assign(blocks(fractions_, kFractions) * size * kFractions, 0.0);
    for (std::size_t f = 0; f < fractions_.size(); ++f)
      for (std::size_t i = 0; i < size; ++i)
        fraction_rows_[(f / kFractions * size + i) * kFractions + f % kFractions] = rows[i * columns + fractions_[f]];
  }
  std::size_t size() const { return size_; }
  std::size_t columns() const { return columns_; }
  std::size_t stride() const { return (size_ + 1) / 2 * 2; }  // of counts: rows are read in pairs

  // sums[g] += Σ_i counts[g][i] * row i, for `group` resamples; counts are [kResamples, stride].
  void add(const Count* counts, std::size_t group, double* sums) const {
    checkpoint(kResamples * size_ * (1 + columns_ / 4));
    const auto whole_sums = NLG_HAS_AVX2() ? detail::whole_sums_avx2 : detail::whole_sums_base;
    const auto fraction_sums = NLG_HAS_AVX2() ? detail::fraction_sums_avx2 : detail::fraction_sums_base;
    // So many rows that no sum of 32 bits overflows.
    const auto span = static_cast<std::size_t>(0x7FFFFFFF / (std::max(1.0, most_) * kMostCount)) / 2 * 2;
    for (std::size_t b = 0; b < blocks(wholes_, kWholes); ++b)
      for (std::size_t first = 0; first < size_; first += span) {
        std::int32_t found[kResamples * kWholes];
        whole_sums(whole_rows_.data() + b * stride() * kWholes, counts, stride(), first,
                   std::min(stride(), first + span), found);
        scatter(found, wholes_, b * kWholes, kWholes, group, sums);
      }
    for (std::size_t b = 0; b < blocks(fractions_, kFractions); ++b) {
      double found[kResamples * kFractions];
      fraction_sums(fraction_rows_.data() + b * size_ * kFractions, counts, stride(), size_, found);
      scatter(found, fractions_, b * kFractions, kFractions, group, sums);
    }
  }

 private:
  static constexpr std::size_t kWholes = detail::kWholes, kFractions = detail::kFractions;
  static constexpr double kMostWhole = 32767;

  static std::size_t blocks(const std::vector<std::size_t>& columns, std::size_t width) {
    return (columns.size() + width - 1) / width;
  }

  template <class T>
  void scatter(const T* found, const std::vector<std::size_t>& columns, std::size_t first, std::size_t width,
               std::size_t group, double* sums) const {
    for (std::size_t g = 0; g < group; ++g)
      for (std::size_t k = first; k < std::min(columns.size(), first + width); ++k)
        sums[g * columns_ + columns[k]] += static_cast<double>(found[g * width + k - first]);
  }

  std::size_t size_, columns_;
  std::vector<std::size_t> wholes_, fractions_;  // columns
  double most_ = 0;                              // of the whole numbers
  std::vector<Count> whole_rows_;                // [block, pair of rows, column, 2]
  std::vector<double> fraction_rows_;            // [block, row, column]
};

}  // namespace nlg
