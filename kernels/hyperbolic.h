#pragma once
#include "exponential.h"

// tanh x - x over x^3 as a polynomial of x^2, 0 <= x <= 0.9, error 1.1e-9 relative to tanh x.
ND_FN float tanh(float x) {
  float a = magnitude(x), z = x * x;
  float near = fused(
      x * z,
      polynomial(z, -0.33333322, 0.13332981, -0.053929474, 0.021664092, -0.008265455, 0.0025834262, -0.00045571045), x);
  reduced<float> s = split_ln2<127>(a + a);
  float p = fused(s.r, exp_slope(s.r), 1.0f);
  float far = 1.0f - 2.0f / fused(p, power_of_two<float>(bits_of(s.shifted)), 1.0f);
  far = a > 10.0f ? 1.0f : far;
  return with_sign(a < 0.9f ? near : far, x);
}

// (e^2x - 1) / (e^2x + 1)
ND_FN double tanh(double x) {
  double a = magnitude(x), m = half_expm1(a + a);
  double bottom = m + 1.0, bottom_low = m - (bottom - 1.0);
  double y = refined_quotient(m, 0.0, bottom, bottom_low);
  y = a > 22.0 ? 1.0 : y;
  return with_sign(a < 0x1p-60 ? a : y, x);
}
