// Trigonometric and error functions for processors without fused multiply-add.  Double comes from the C library, float
// is rounded from it.
// Included inside a namespace, after <math.h>.
#pragma once

#ifndef ND_FN
#define ND_FN inline __attribute__((always_inline))
#endif

#define ND_ROUNDED(name)                                         \
  ND_FN float name(float x) { return float(::name(double(x))); } \
  ND_FN double name(double x) { return ::name(x); }
ND_ROUNDED(sin)
ND_ROUNDED(cos)
ND_ROUNDED(tan)
ND_ROUNDED(asin)
ND_ROUNDED(acos)
ND_ROUNDED(atan)
ND_ROUNDED(erf)
ND_ROUNDED(erfc)
#undef ND_ROUNDED

ND_FN float atan2(float y, float x) { return float(::atan2(double(y), double(x))); }
ND_FN double atan2(double y, double x) { return ::atan2(y, x); }

// Beyond -39 the product is 0, but infinity times 0 would be NaN.
ND_FN double gelu(double x) {
  double inside = x < -39.0 ? -39.0 : x;
  return inside * 0.5 * ::erfc(inside * -0.7071067811865476);
}
ND_FN float gelu(float x) { return float(gelu(double(x))); }
