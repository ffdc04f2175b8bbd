// The kernels of floats.hpp for every instruction set that the compiler's processor family has.
// GCC and Clang have pragmas of their own for functions that use more than the baseline.
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "vectors/floats.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace nlg {

#if defined(__aarch64__)
namespace neon {
#define NLG_LANES 4
#define NLG_ALL(x) vdupq_n_f32(x)
#define NLG_FMA(x, y, z) vfmaq_f32(z, x, y)
#define NLG_ROWS 6
#define NLG_COLUMNS 16
#include "vectors/lanes.inc"
constexpr FloatKernels kernels = named("neon");
}  // namespace neon
#endif

namespace portable {
inline auto filled(float x) {
  using Four = float __attribute__((vector_size(16)));
  return Four{x, x, x, x};
}
#define NLG_LANES 4
#define NLG_ALL(x) filled(x)
#define NLG_FMA(x, y, z) ((x) * (y) + (z))
#define NLG_ROWS 3
#define NLG_COLUMNS 16
#include "vectors/lanes.inc"
constexpr FloatKernels kernels = named("portable");
}  // namespace portable

#if defined(__x86_64__)

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif
namespace avx2 {
#define NLG_LANES 8
#define NLG_ALL(x) _mm256_set1_ps(x)
#define NLG_FMA(x, y, z) _mm256_fmadd_ps(x, y, z)
#define NLG_ROWS 6
#define NLG_COLUMNS 16
#include "vectors/lanes.inc"
constexpr FloatKernels kernels = named("avx2");
}  // namespace avx2

#if !defined(NLG_EMULATE_AVX512)
#if defined(__clang__)
#pragma clang attribute pop
#pragma clang attribute push(__attribute__((target("avx512f,avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx2,fma")
#endif
#endif
namespace avx512 {
#if defined(NLG_EMULATE_AVX512)  // the same lanes and tiles by AVX2, so that tests need no such processor
using Register = float __attribute__((vector_size(64)));
inline Register filled(float x) { return Register{x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x}; }
inline Register joined(Register x, const Register& y, const Register& z) {
  for (int k = 0; k < 16; ++k) x[k] = __builtin_fmaf(x[k], y[k], z[k]);
  return x;
}
#define NLG_ALL(x) filled(x)
#define NLG_FMA(x, y, z) joined(x, y, z)
#else
#define NLG_ALL(x) _mm512_set1_ps(x)
#define NLG_FMA(x, y, z) _mm512_fmadd_ps(x, y, z)
#endif
#define NLG_LANES 16
#define NLG_ROWS 12
#define NLG_COLUMNS 32
#include "vectors/lanes.inc"
constexpr FloatKernels kernels = named("avx512");
}  // namespace avx512
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif

std::vector<const FloatKernels*> available_kernels() {
  std::vector<const FloatKernels*> found;
#if defined(__x86_64__)
  const bool fused = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#if defined(NLG_EMULATE_AVX512)
  const bool wide = fused;
#else
  const bool wide = fused && __builtin_cpu_supports("avx512f");
#endif
  if (wide) found.push_back(&avx512::kernels);
  if (fused) found.push_back(&avx2::kernels);
#elif defined(__aarch64__)
  found.push_back(&neon::kernels);
#endif
  found.push_back(&portable::kernels);
  return found;
}

namespace {

const FloatKernels& chosen() {
  const auto available = available_kernels();
  const char* const wanted = std::getenv("NLGAUGE_KERNELS");
  if (wanted == nullptr || *wanted == '\0') return *available.front();
  std::string names;
  for (const FloatKernels* kernels : available) {
    if (std::string(wanted) == kernels->name) return *kernels;
    names += (names.empty() ? "" : ", ") + std::string(kernels->name);
  }
  throw std::invalid_argument("NLGAUGE_KERNELS=" + std::string(wanted) + ": this processor has " + names);
}

}  // namespace

const FloatKernels& float_kernels() {
  static const FloatKernels& found = chosen();
  return found;
}

}  // namespace nlg
