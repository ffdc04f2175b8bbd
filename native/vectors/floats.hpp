// Arithmetic in single precision for encoders, with the best instruction set that the processor has.
// Those with fused multiply-add give the same bits; the portable one, for processors without it, differs
// in last digits. It is the only place where numbers depend on the processor: the compiler joins no
// product and sum anywhere (CMakeLists.txt). All give a row the same numbers in any company.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/checkpoint.hpp"

namespace nlg {

constexpr std::size_t kWidth = 16;  // what widths are multiples of, and products computed in

struct FloatKernels {
  const char* name;
  std::size_t columns;  // of a tile: panels of as many are read best
  void (*gelu)(float* x, std::size_t size);
  void (*softmax)(float* x, std::size_t size, float scale);
  void (*layer_norm)(float* x, std::size_t width, const float* weight, const float* bias, float epsilon);
  void (*multiply)(const float* a, std::size_t a_next, std::size_t rows, const float* b, std::size_t b_next,
                   std::size_t depth, std::size_t columns, const float* bias, float* c, std::size_t c_next, bool add);
  void (*remember)(const float* gates, float* memory, float* output, std::size_t width);
};

// All that this processor can run, the best first.
std::vector<const FloatKernels*> available_kernels();

// The best of them, or what the environment variable NLGAUGE_KERNELS names; throws if that is none of them.
const FloatKernels& float_kernels();

// Rows that a product reads as its columns, in panels: b[panel, depth, columns of the panel]. The last
// panel may be narrower, and is filled up with 0 to a multiple of 16.
class Panels {
 public:
  // Row j of `rows` is read from x + j * next.
  void fill(const FloatKernels& run, const float* x, std::size_t next, std::size_t rows, std::size_t depth) {
    columns_ = (rows + kWidth - 1) / kWidth * kWidth;
    panel_ = run.columns;
    depth_ = depth;
    packed_.resize(columns_ * depth);
    for (std::size_t n = 0; n < columns_; n += panel_) {
      const std::size_t width = std::min(panel_, columns_ - n);
      for (std::size_t j = 0; j < width; ++j) {
        float* const out = packed_.data() + n * depth + j;
        if (n + j < rows)
          for (std::size_t k = 0; k < depth; ++k) out[k * width] = x[(n + j) * next + k];
        else
          for (std::size_t k = 0; k < depth; ++k) out[k * width] = 0;
      }
    }
  }

  std::size_t columns() const { return columns_; }

  // c[rows, columns] (+)= a[rows, depth] · panels (+ bias).
  void multiply(const FloatKernels& run, const float* a, std::size_t a_next, std::size_t rows, const float* bias,
                float* c, std::size_t c_next, bool add) const {
    for (std::size_t n = 0; n < columns_; n += panel_) {
      const std::size_t width = std::min(panel_, columns_ - n);
      run.multiply(a, a_next, rows, packed_.data() + n * depth_, width, depth_, width, bias ? bias + n : nullptr, c + n,
                   c_next, add);
      checkpoint(rows * depth_ * width / 8);
    }
  }

 private:
  std::size_t columns_ = 0, panel_ = 0, depth_ = 0;
  std::vector<float> packed_;
};

// y = x · Wᵀ + b, with W laid out as the tiles read it.
class Linear {
 public:
  Linear(const float* weight, const float* bias, std::size_t outputs, std::size_t inputs)
      : outputs_(outputs), inputs_(inputs), bias_(bias, bias + outputs), blocks_((inputs + kDepth - 1) / kDepth) {
    for (std::size_t k = 0; k < inputs; k += kDepth)
      blocks_[k / kDepth].fill(float_kernels(), weight + k, inputs, outputs, std::min(kDepth, inputs - k));
  }

  std::size_t outputs() const { return outputs_; }

  // To y, or on top of what is there.
  void operator()(const FloatKernels& run, const float* x, std::size_t rows, float* y, bool add = false) const {
    for (std::size_t r = 0; r < rows; r += kRows)
      for (std::size_t block = 0; block < blocks_.size(); ++block)
        blocks_[block].multiply(run, x + r * inputs_ + block * kDepth, inputs_, std::min(kRows, rows - r),
                                block == 0 ? bias_.data() : nullptr, y + r * outputs_, outputs_, add || block > 0);
  }

 private:
  // So that a panel stays in the nearest cache, and a block of rows in the next.
  static constexpr std::size_t kDepth = 384, kRows = 120;

  std::size_t outputs_, inputs_;
  std::vector<float> bias_;
  std::vector<Panels> blocks_;
};

}  // namespace nlg
