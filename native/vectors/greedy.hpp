// Greedy matching: every vector of one text takes the nearest of the other, by their cosines.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/checkpoint.hpp"
#include "vectors/floats.hpp"

namespace nlg {

// One thread's buffers.
class PieceMatching {
 public:
  explicit PieceMatching(std::size_t width) : width_(width), run_(float_kernels()) {}

  // The best cosine of each row of `a` and of `b`; rows have length 1.
  void match(const float* a, std::size_t a_size, const float* b, std::size_t b_size) {
    panels_.fill(run_, b, width_, b_size, width_);
    const std::size_t padded = panels_.columns();
    cosines_.resize(a_size * padded);
    panels_.multiply(run_, a, width_, a_size, nullptr, cosines_.data(), padded, false);
    best_[0].assign(a_size, -INFINITY);
    best_[1].assign(b_size, -INFINITY);
    for (std::size_t i = 0; i < a_size; ++i) {
      const float* row = cosines_.data() + i * padded;
      float best = -INFINITY;
      for (std::size_t j = 0; j < b_size; ++j) {
        best = std::max(best, row[j]);
        best_[1][j] = std::max(best_[1][j], row[j]);
      }
      best_[0][i] = best;
    }
  }

  // The weighted mean of a side's best cosines; NaN without weight.
  double mean(int side, const double* weights) const {
    double sum = 0, weight = 0;
    for (std::size_t i = 0; i < best_[side].size(); ++i)
      if (weights[i] != 0) sum += weights[i] * best_[side][i], weight += weights[i];
    return sum / weight;
  }

  // Of a side's best cosines that have weight: the least, the quartiles (interpolated), and the standard deviation.
  // NaN if there are none.
  void spread(int side, const double* weights, double* out) {
    sorted_.clear();
    for (std::size_t i = 0; i < best_[side].size(); ++i)
      if (weights[i] != 0) sorted_.push_back(best_[side][i]);
    if (sorted_.empty()) {
      std::fill_n(out, kSpread, NAN);
      return;
    }
    std::sort(sorted_.begin(), sorted_.end());
    for (int quarter = 0; quarter < 4; ++quarter) {  // the least is quartile 0
      const std::size_t place = quarter * (sorted_.size() - 1);
      const double low = sorted_[place / 4], high = sorted_[std::min(place / 4 + 1, sorted_.size() - 1)];
      out[quarter] = low + (high - low) * (place % 4) / 4.0;
    }
    double mean = 0, squares = 0;
    for (const float x : sorted_) mean += x;
    mean /= sorted_.size();
    for (const float x : sorted_) squares += (x - mean) * (x - mean);
    out[4] = std::sqrt(squares / sorted_.size());
  }

  static constexpr std::size_t kSpread = 5;  // numbers that `spread` tells

 private:
  std::size_t width_;
  const FloatKernels& run_;
  Panels panels_;
  std::vector<float> cosines_, best_[2], sorted_;
};

}  // namespace nlg
