// Elementary functions for processors without fused multiply-add.  Double comes from the C library, float is rounded
// from double.
// Included inside a namespace, after <math.h>.
#pragma once

#ifndef ND_FN
#define ND_FN inline __attribute__((always_inline))
#endif

#define ND_UNFUSED_1(name)                                       \
  ND_FN float name(float x) { return float(::name(double(x))); } \
  ND_FN double name(double x) { return ::name(x); }
#define ND_UNFUSED_2(name)                                                           \
  ND_FN float name(float x, float y) { return float(::name(double(x), double(y))); } \
  ND_FN double name(double x, double y) { return ::name(x, y); }

// clang-format off
ND_UNFUSED_1(exp)   ND_UNFUSED_1(exp2)  ND_UNFUSED_1(expm1) ND_UNFUSED_1(log)   ND_UNFUSED_1(log1p)
ND_UNFUSED_1(log2)  ND_UNFUSED_1(log10) ND_UNFUSED_1(sinh)  ND_UNFUSED_1(cosh)  ND_UNFUSED_1(tanh)
ND_UNFUSED_1(asinh) ND_UNFUSED_1(acosh) ND_UNFUSED_1(atanh) ND_UNFUSED_1(cbrt)
ND_UNFUSED_2(pow)   ND_UNFUSED_2(hypot)
// clang-format on

#undef ND_UNFUSED_1
#undef ND_UNFUSED_2

            ND_FN double logistic(double x) {
  double t = ::exp(-::fabs(x));
  return (x < 0.0 ? t : 1.0) / (1.0 + t);
}
ND_FN float logistic(float x) { return float(logistic(double(x))); }
ND_FN double softplus(double x) { return (x > 0.0 ? x : 0.0) + ::log1p(::exp(-::fabs(x))); }
ND_FN float softplus(float x) { return float(softplus(double(x))); }
ND_FN double log_add_exp(double x, double y) {
  double sum = (x > y ? x : y) + ::log1p(::exp(-::fabs(x - y)));
  return x == y ? x + 0.6931471805599453 : x != x ? x : sum;
}
ND_FN float log_add_exp(float x, float y) { return float(log_add_exp(double(x), double(y))); }
