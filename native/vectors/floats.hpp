// Arithmetic in single precision for encoders: with AVX2 and fused multiply-add where the processor
// has them. The two differ in last digits, and both give a row the same numbers in any company. It is
// the only place where numbers depend on the processor: the compiler joins no product and sum anywhere
// (CMakeLists.txt), and what is written as NLG_FMA here is joined only in `fused`.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/checkpoint.hpp"

namespace nlg {

struct FloatKernels {
  void (*gelu)(float* x, std::size_t size);
  void (*softmax)(float* x, std::size_t size, float scale);
  void (*layer_norm)(float* x, std::size_t width, const float* weight, const float* bias, float epsilon);
  void (*multiply)(const float* a, std::size_t a_next, std::size_t rows, const float* b, std::size_t b_next,
                   std::size_t depth, const float* bias, float* c, std::size_t c_next, bool add);
  void (*remember)(const float* gates, float* memory, float* output, std::size_t width);
};

namespace portable {
#define NLG_FMA(x, y, z) ((x) * (y) + (z))
#include "vectors/floats.inc"
#undef NLG_FMA
}  // namespace portable

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define NLG_HAS_FMA() (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
#pragma GCC push_options
#pragma GCC target("avx2,fma")
namespace fused {
#define NLG_FMA(x, y, z) __builtin_ia32_vfmaddps256(x, y, z)
#include "vectors/floats.inc"
#undef NLG_FMA
}  // namespace fused
#pragma GCC pop_options
#else
#define NLG_HAS_FMA() false
namespace fused = portable;
#endif

inline const FloatKernels& float_kernels() {
  static const FloatKernels& chosen = NLG_HAS_FMA() ? fused::kernels : portable::kernels;
  return chosen;
}

// y = x · Wᵀ + b, with W laid out as the tiles read it.
class Linear {
 public:
  Linear(const float* weight, const float* bias, std::size_t outputs, std::size_t inputs)
      : outputs_(outputs), inputs_(inputs), bias_(bias, bias + outputs) {
    packed_.reserve(outputs * inputs);
    for (std::size_t k = 0; k < inputs; k += kDepth)
      for (std::size_t n = 0; n < outputs; n += 16)
        for (std::size_t i = k; i < std::min(inputs, k + kDepth); ++i)
          for (std::size_t j = n; j < n + 16; ++j) packed_.push_back(weight[j * inputs + i]);
  }

  std::size_t outputs() const { return outputs_; }

  // To y, or on top of what is there.
  void operator()(const FloatKernels& run, const float* x, std::size_t rows, float* y, bool add = false) const {
    for (std::size_t r = 0; r < rows; r += kRows)
      block(run, x + r * inputs_, std::min(kRows, rows - r), y + r * outputs_, add);
  }

 private:
  // So that 16 columns stay in the nearest cache, and a block of rows in the next.
  static constexpr std::size_t kDepth = 384, kRows = 120;

  void block(const FloatKernels& run, const float* x, std::size_t rows, float* y, bool add) const {
    const float* panels = packed_.data();
    for (std::size_t k = 0; k < inputs_; k += kDepth) {
      const std::size_t depth = std::min(kDepth, inputs_ - k);
      for (std::size_t n = 0; n < outputs_; n += 16, panels += 16 * depth) {
        run.multiply(x + k, inputs_, rows, panels, 16, depth, k == 0 ? bias_.data() + n : nullptr, y + n, outputs_,
                     add || k > 0);
        checkpoint(2 * rows * depth);
      }
    }
  }

  std::size_t outputs_, inputs_;
  std::vector<float> bias_, packed_;
};

}  // namespace nlg
