// sinh, cosh, tanh.  With x = n ln 2 + r: sinh x = sinh(n ln 2) cosh r + cosh(n ln 2) sinh r, and cosh x likewise.
#pragma once
#include "exponential.h"

// (cosh r - 1) / z and (sinh r - r) / (r z) with z = r^2, |r| <= 0.3467, of errors 1.0e-10 and 4.7e-11 (float),
// 3.5e-18 and 2.7e-19 (double) relative to cosh r and sinh r.
ND_FN float cosh_rest(float z) { return polynomial(z, 0.5, 0.041666456, 0.0013935769); }
ND_FN float sinh_rest(float z) { return polynomial(z, 0.16666667, 0.008333178, 0.00019971067); }
ND_FN double cosh_rest(double z) {
  return polynomial(z, 0.5000000000000013, 0.04166666666651139, 0.0013888888947942977, 2.4801489070505538e-05,
                    2.7631568873896176e-07);
}
ND_FN double sinh_rest(double z) {
  return polynomial(z, 0.16666666666666677, 0.00833333333332144, 0.0001984126988657615, 2.755724377878254e-06,
                    2.5109181449937137e-08);
}

// a = n ln 2 + r, grown = 2^(n - 2), shrunk = 2^(-n - 2), but 0 where it no longer matters.
template <class C> struct powers {
  reduced<C> s;
  C grown, shrunk;
};
template <class C> ND_FN powers<C> split_powers(C a) {
  constexpr auto offset = ieee<C>::bias - 2;
  reduced<C> s = split_ln2<offset>(a);
  word_of<C> k = bits_of(s.shifted);
  C shrunk = power_of_two<C>(2 * offset - k);
  return {s, power_of_two<C>(k), a > C(40) ? C(0) : shrunk};
}

// Half of (e^a + e^-a) / 2, where e^r = p + p_low.
template <class C> ND_FN C half_cosh(C a) {
  powers<C> t = split_powers(a);
  C r = t.s.r, z = r * r, even = cosh_rest(z), odd = sinh_rest(z);
  C slope = fused(r, fused(r, odd, even), C(1)), p = fused(r, slope, C(1)), p_low = fused(r, slope, C(1) - p);
  C falling = t.shrunk * fused(z, fused(-r, odd, even), C(1) - r), rising = t.grown * p;
  C sum = rising + falling, sum_low = falling - (sum - rising);
  return sum + fused(t.grown, p_low, sum_low);
}

// Half of sinh(n ln 2) cosh r + cosh(n ln 2) sinh r, whose leading terms are added without loss.
template <class C> ND_FN C half_sinh(C a) {
  powers<C> t = split_powers(a);
  C r = t.s.r, z = r * r, odd = sinh_rest(z), cubic = r * z;
  C difference = t.grown - t.shrunk, sum = t.grown + t.shrunk, sum_low = t.shrunk - (sum - t.grown);
  C lead = fused(sum, r, difference), lead_low = fused(sum, r, difference - lead);
  C small = fused(sum, fused(cubic, odd, reduction_error(t.s)), fused(sum_low, r, lead_low));
  return lead + fused(difference, z * cosh_rest(z), small);
}

template <class C> constexpr C sinh_top = sizeof(C) == 4 ? C(89.5) : C(710.6);

template <class C> ND_FN C cosh_of(C x) {
  C a = magnitude(x), half = half_cosh(a);
  return a > sinh_top<C> ? ieee<C>::infinity : half + half;
}
template <class C> ND_FN C sinh_of(C x) {
  C a = magnitude(x), half = half_sinh(a);
  C y = a > sinh_top<C> ? ieee<C>::infinity : half + half;
  return with_sign(a < ieee<C>::least_normal * C(1 << 30) ? a : y, x);
}

// (tanh x - x) / x^3 as a polynomial of x^2, 0 <= x <= 0.9, error 1.1e-9 relative to tanh x; beyond,
// 1 - 2 / (e^2x + 1).
ND_FN float tanh(float x) {
  float a = magnitude(x), z = x * x;
  float p = polynomial(z, 0.13332981, -0.053929474, 0.021664092, -0.008265455, 0.0025834262, -0.00045571045);
  float near = fused(x * z, fused(z, p, -0.33333322f), x);
  reduced<float> s = split_ln2<127>(a + a);
  float grown = power_of_two<float>(bits_of(s.shifted));
  float far = 1.0f - 2.0f / fused(grown * s.r, exp_slope(s.r), grown + 1.0f);
  far = a > 10.0f ? 1.0f : far;
  return with_sign(a < 0.9f ? near : far, x);
}

// x + x^3 P(x^2) / Q(x^2) up to 0.65, error 1.0e-18 relative to tanh x; beyond, 1 - 2 / (e^2x + 1), for which e^r is
// good enough to 3.6e-18.  One division serves both.
ND_FN double tanh(double x) {
  double a = magnitude(x), z = x * x;
  double near_top = a * z * polynomial(z, -0.3333333333333332, -0.02049548573246218, -0.00019903134341932516);
  double near_bottom = polynomial(z, 1.0, 0.4614864571973643, 0.023286915004795482, 0.0002063766329527999);
  reduced<double> s = split_ln2<1023>(a + a);
  double rest = polynomial(s.r, 0.5000000000000011, 0.16666666666666413, 0.041666666666529836, 0.008333333333494801,
                           0.0013888888943725398, 0.00019841269506087983, 2.4801492991069797e-05,
                           2.7557586597445792e-06, 2.763028970722944e-07, 2.500005795333248e-08);
  double grown = power_of_two<double>(bits_of(s.shifted));
  double far_bottom = fused(grown * s.r, fused(s.r, rest, 1.0), grown + 1.0);
  bool is_near = a < 0.65;
  double y = (is_near ? a : 1.0) + (is_near ? near_top : -2.0) / (is_near ? near_bottom : far_bottom);
  return with_sign(a > 22.0 ? 1.0 : y, x);
}

ND_FN float cosh(float x) { return cosh_of(x); }
ND_FN double cosh(double x) { return cosh_of(x); }
ND_FN float sinh(float x) { return sinh_of(x); }
ND_FN double sinh(double x) { return sinh_of(x); }
