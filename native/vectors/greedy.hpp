// Greedy matching: every vector of one text takes the nearest of the other, by their cosines.
#pragma once

#include <cstdint>

#include "core/checkpoint.hpp"
#include "vectors/floats.hpp"

namespace nlg {

// One thread's buffers.
class PieceMatching {
 public:
  explicit PieceMatching(std::size_t width) : width_(width), run_(float_kernels()) {}

  // Weighted means of the best cosines of `a` and of `b`; rows have length 1. NaN without weight.
  void operator()(const float* a, const double* a_weights, std::size_t a_size, const float* b, const double* b_weights,
                  std::size_t b_size, double* out) {
    const std::size_t padded = (b_size + 15) / 16 * 16;
    panels_.assign(padded * width_, 0.f);
    for (std::size_t j = 0; j < b_size; ++j)
      for (std::size_t k = 0; k < width_; ++k) panels_[j / 16 * 16 * width_ + k * 16 + j % 16] = b[j * width_ + k];
    cosines_.resize(a_size * padded);
    for (std::size_t j = 0; j < b_size; j += 16) {
      run_.multiply(a, width_, a_size, panels_.data() + j * width_, 16, width_, nullptr, cosines_.data() + j, padded,
                    false);
      checkpoint(2 * a_size * width_);
    }
    best_.assign(b_size, -INFINITY);
    double sum = 0, weight = 0;
    for (std::size_t i = 0; i < a_size; ++i) {
      const float* row = cosines_.data() + i * padded;
      float best = -INFINITY;
      for (std::size_t j = 0; j < b_size; ++j) {
        best = std::max(best, row[j]);
        best_[j] = std::max(best_[j], row[j]);
      }
      if (a_weights[i] != 0) sum += a_weights[i] * best, weight += a_weights[i];
    }
    out[0] = sum / weight;
    sum = weight = 0;
    for (std::size_t j = 0; j < b_size; ++j)
      if (b_weights[j] != 0) sum += b_weights[j] * best_[j], weight += b_weights[j];
    out[1] = sum / weight;
  }

 private:
  std::size_t width_;
  const FloatKernels& run_;
  std::vector<float> panels_, cosines_, best_;
};

}  // namespace nlg
