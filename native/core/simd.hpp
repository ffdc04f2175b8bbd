// Run-time choice between the baseline instruction set and AVX2. A kernel is one always-inline body
// on GCC vector types, instantiated in a plain function and in one marked NLG_AVX2.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__)
#define NLG_AVX2 __attribute__((target("avx2,bmi")))
#define NLG_HAS_AVX2() (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi"))
#else
#define NLG_AVX2
#define NLG_HAS_AVX2() false
#endif

#define NLG_BODY __attribute__((always_inline)) inline
