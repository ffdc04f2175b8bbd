// Sums of the rows that each trial of a randomisation picks, by tables of all sums of eight rows.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "core/checkpoint.hpp"
#include "core/simd.hpp"
#include "core/texts.hpp"

namespace nlg {

namespace detail {

constexpr std::size_t kSwapLanes = 4;  // columns summed together
typedef double SwapLanes __attribute__((vector_size(8 * kSwapLanes)));
using SumTable = std::array<std::array<double, kSwapLanes>, 256>;  // [which of eight rows][column]

// sums[t] += first[left[t]] + second[right[t]]
NLG_BODY void add_picked(const SumTable& first, const SumTable& second, const unsigned char* left,
                         const unsigned char* right, std::size_t trials, double* sums) {
  for (std::size_t t = 0; t < trials; ++t) {
    SwapLanes a, b, sum;
    std::memcpy(&a, &first[left[t]], sizeof a);
    std::memcpy(&b, &second[right[t]], sizeof b);
    std::memcpy(&sum, sums + t * kSwapLanes, sizeof sum);
    sum += a + b;
    std::memcpy(sums + t * kSwapLanes, &sum, sizeof sum);
  }
}
inline void add_picked_base(const SumTable& first, const SumTable& second, const unsigned char* left,
                            const unsigned char* right, std::size_t trials, double* sums) {
  add_picked(first, second, left, right, trials, sums);
}
NLG_AVX2 inline void add_picked_avx2(const SumTable& first, const SumTable& second, const unsigned char* left,
                                     const unsigned char* right, std::size_t trials, double* sums) {
  add_picked(first, second, left, right, trials, sums);
}

}  // namespace detail

// Which rows each trial picks: bit t * size + i of the stream (lowest bit of a word first) is row i
// of trial t.
class Picks {
 public:
  Picks(const u32* words, std::size_t count, std::size_t trials, std::size_t size)
      : trials_(trials), size_(size), bytes_((size + 15) / 16 * 2) {
    if (size > 0 && trials > count * 32 / size) throw std::invalid_argument("too few random words for the trials");
    picked_.assign(bytes_ * trials, 0);
    for (std::size_t t = 0; t < trials; ++t) {
      checkpoint(size);
      for (std::size_t i = 0; i < size; i += 8) {
        const std::size_t word = (t * size + i) / 32, shift = (t * size + i) % 32;
        u32 bits = words[word] >> shift;
        if (shift > 24 && word + 1 < count) bits |= words[word + 1] << (32 - shift);
        const std::size_t left = size - i;
        picked_[i / 8 * trials + t] = static_cast<unsigned char>(bits & (left < 8 ? (1u << left) - 1 : 255u));
      }
    }
  }
  std::size_t trials() const { return trials_; }
  std::size_t size() const { return size_; }

  // sums[t] = Σ of the rows that trial t picks; rows [size, columns], sums [trials, columns].
  void sums(const double* rows, std::size_t columns, double* sums) const {
    const auto add_picked = NLG_HAS_AVX2() ? detail::add_picked_avx2 : detail::add_picked_base;
    std::array<detail::SumTable, 2> tables;
    std::vector<double> together(trials_ * detail::kSwapLanes);
    for (std::size_t c = 0; c < columns; c += detail::kSwapLanes) {
      const std::size_t width = std::min(detail::kSwapLanes, columns - c);
      std::fill(together.begin(), together.end(), 0.0);
      for (std::size_t b = 0; b < bytes_; b += 2) {
        for (std::size_t k = 0; k < 2; ++k) fill(tables[k], rows + c, columns, width, (b + k) * 8);
        checkpoint(1024 + trials_);
        const unsigned char* picked = picked_.data() + b * trials_;
        add_picked(tables[0], tables[1], picked, picked + trials_, trials_, together.data());
      }
      for (std::size_t t = 0; t < trials_; ++t)
        std::copy_n(together.data() + t * detail::kSwapLanes, width, sums + t * columns + c);
    }
  }

 private:
  // All sums of eight rows from `first` on; rows beyond the last are zero.
  void fill(detail::SumTable& table, const double* rows, std::size_t columns, std::size_t width,
            std::size_t first) const {
    table[0] = {};
    for (std::size_t j = 0; j < 8; ++j) {
      std::array<double, detail::kSwapLanes> row{};
      if (first + j < size_) std::copy_n(rows + (first + j) * columns, width, row.begin());
      for (std::size_t m = 0; m < std::size_t{1} << j; ++m)
        for (std::size_t k = 0; k < detail::kSwapLanes; ++k) table[(std::size_t{1} << j) + m][k] = table[m][k] + row[k];
    }
  }

  std::size_t trials_, size_, bytes_;
  std::vector<unsigned char> picked_;  // [eight rows, trial]
};

}  // namespace nlg
