// SIMD variants of the mathematical functions, as in glibc's libmvec from 2.35 on; worst error 4 units in last place.
// glibc declares them only for -ffast-math, which would break NaN and infinity; declared again here, a loop over them
// is vectorised under -O3 -fno-math-errno as well.
#pragma once
#include <math.h>

#define ND_SIMD extern "C" __attribute__((simd("notinbranch")))
#define ND_SIMD_1(name)                 \
  ND_SIMD double name(double) noexcept; \
  ND_SIMD float name##f(float) noexcept;
#define ND_SIMD_2(name)                         \
  ND_SIMD double name(double, double) noexcept; \
  ND_SIMD float name##f(float, float) noexcept;

// clang-format off
ND_SIMD_1(exp)   ND_SIMD_1(expm1) ND_SIMD_1(log)   ND_SIMD_1(log1p) ND_SIMD_1(log2)  ND_SIMD_1(log10)
ND_SIMD_1(sin)   ND_SIMD_1(cos)   ND_SIMD_1(tan)   ND_SIMD_1(asin)  ND_SIMD_1(acos)  ND_SIMD_1(atan)
ND_SIMD_1(sinh)  ND_SIMD_1(cosh)  ND_SIMD_1(tanh)  ND_SIMD_1(asinh) ND_SIMD_1(acosh) ND_SIMD_1(atanh)
ND_SIMD_1(cbrt)  ND_SIMD_1(erf)   ND_SIMD_1(erfc)  ND_SIMD_2(atan2) ND_SIMD_2(pow)   ND_SIMD_2(hypot)
ND_SIMD_1(exp2)
// clang-format on

#undef ND_SIMD_1
#undef ND_SIMD_2
#undef ND_SIMD
