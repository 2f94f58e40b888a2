// exp, exp2, expm1 and the logistic function.  Reduction by powers of 2 after Cody & Waite, Software Manual for the
// Elementary Functions, 1980; on the rest a minimax polynomial (Muller, Elementary Functions, 3rd edition, chapter 3).
#pragma once
#include "float_bits.h"
#include "lanes.h"

// (e^r - 1 - r) / r^2 for |r| <= 0.3467.  Error relative to e^r: 3.1e-9 (float), 6.3e-20 (double).
ND_FN float exp_rest(float r) { return polynomial(r, 0.49999994, 0.16666521, 0.04166826, 0.0083686765, 0.0013821404); }
ND_FN double exp_rest(double r) {
  return polynomial(r, 0.5, 0.16666666666666682, 0.04166666666666649, 0.008333333333317663, 0.0013888888888990204,
                    0.00019841269895075957, 2.4801587107752123e-05, 2.755723598584535e-06, 2.755745948012252e-07,
                    2.5111693824721714e-08, 2.085805111407918e-09);
}

// Beyond these bounds the results are infinite, 0, or -1.
template <class C> constexpr C exp_top = sizeof(C) == 4 ? C(88.8) : C(709.8);
template <class C> constexpr C exp_bottom = sizeof(C) == 4 ? C(-104) : C(-745.2);
template <class C> constexpr C exp2_top = sizeof(C) == 4 ? C(128) : C(1024);
template <class C> constexpr C exp2_bottom = sizeof(C) == 4 ? C(-150) : C(-1075);

// The same for e^r - 1, with an error of 1.0e-10 (float).
ND_FN float expm1_rest(float r) {
  return polynomial(r, 0.5, 0.16666666, 0.04166646, 0.008333566, 0.0013935424, 0.00019744533);
}
ND_FN double expm1_rest(double r) { return exp_rest(r); }

// (e^r - 1) / r.
template <class C> ND_FN C exp_slope(C r) { return fused(r, exp_rest(r), C(1)); }

template <class C> ND_FN C exp_of(C x) {
  reduced<C> s = split_ln2<2 * ieee<C>::bias>(x);
  C y = times_power(fused(s.r, exp_slope(s.r), C(1)), s.shifted);
  y = x > exp_top<C> ? ieee<C>::infinity : y;
  return x < exp_bottom<C> ? C(0) : y;
}

template <class C> ND_FN C exp2_of(C x) {
  C shift = rounding_shift<C> + C(2 * ieee<C>::bias), shifted = x + shift;
  C r = C(0.6931471805599453) * (x - (shifted - shift));
  C y = times_power(fused(r, exp_slope(r), C(1)), shifted);
  y = x >= exp2_top<C> ? ieee<C>::infinity : y;
  return x < exp2_bottom<C> ? C(0) : y;
}

// e^x - 1 = 2 (h r + (h - 1/2) + small) with h = 2^(n - 1), whose first terms are added without loss.
template <class C> ND_FN C half_expm1(C x) {
  reduced<C> s = split_ln2<ieee<C>::bias - 1>(x);
  C h = power_of_two<C>(bits_of(s.shifted)), start = h - C(0.5), linear = h * s.r;
  C sum = start + linear, sum_low = linear - (sum - start);
  if (sizeof(C) == 4) sum_low += (h - start) - C(0.5);  // float needs it at n = 25
  C small = fused(s.r * s.r, expm1_rest(s.r), reduction_error(s));
  return sum + fused(h, small, sum_low);
}

template <class C> ND_FN C expm1_of(C x) {
  C y = half_expm1(x);
  y = x > exp_top<C> ? ieee<C>::infinity : y + y;
  y = x < C(-40) ? C(-1) : y;
  return magnitude(x) < ieee<C>::least_normal * C(1 << 30) ? x : y;
}

// top / bottom with the rest of the division, where `top_low` and `bottom_low` are what both lost by rounding.
template <class C> ND_FN C refined_quotient(C top, C top_low, C bottom, C bottom_low) {
  C inverse = C(1) / bottom, quotient = top * inverse;
  C rest = fused(-quotient, bottom, top) + fused(-quotient, bottom_low, top_low);
  return fused(rest, inverse, quotient);
}

// 2^(j/16), and what is missing relative to it.
alignas(64) constexpr float sixteenth[16] = {1.0f,       1.0442737f, 1.0905077f, 1.1387886f, 1.1892071f, 1.2418578f,
                                             1.2968396f, 1.3542556f, 1.4142135f, 1.4768262f, 1.5422108f, 1.6104903f,
                                             1.6817929f, 1.7562522f, 1.8340081f, 1.9152066f};
alignas(64) constexpr float sixteenth_low[16] = {
    0.0f,           4.6285468e-08f,  -1.19921575e-08f, 4.729782e-08f,  3.193418e-08f,
    3.6210572e-08f, -3.0990723e-08f, -7.475213e-09f,   1.7114271e-08f, -3.0476834e-08f,
    5.233334e-09f,  6.1075918e-09f,  -1.4719606e-08f,  -5.258795e-09f, -6.1282597e-09f,
    5.1406093e-09f};

// 1 / (1 + e^-x), all of it times 2^-32 until the end, where a subnormal result is rounded.  e^-x = g (1 + d), where
// g = 2^(k + j/16) and (e^r - 1 - r) / r^2 = 0.5 + r / 6 nearly, to 1.6e-9 relative to e^r.
template <class V> ND_FN V logistic_by_table(V x) {
  V one = all<V>(0x1p-32f), shift = all<V>(rounding_shift<float>);
  V inside = greater_of(all<V>(-104.5f), lesser_of(all<V>(30.0f), x));
  V shifted = fused(inside, all<V>(-23.08312f), shift), n = shifted - shift;
  V r = fused(n, all<V>(-0x1.7f7d1cp-24f), fused(n, all<V>(-0x1.62e4p-5f), -inside));
  auto index = bits_of(shifted);
  V g = float_of_bits(bits_of(looked_up(sixteenth, index)) + ((index << 19) & 0xff800000u) - (32u << 23));
  V d = fused(r * r, fused(r, all<V>(0.16667059f), all<V>(0.5000162f)), r + looked_up(sixteenth_low, index));
  V greater = greater_of(g, one), sum = g + one, low = fused(g, d, lesser_of(g, one) - (sum - greater));
  V quotient = 1.0f / (sum + low), rest = fused(-quotient, low, fused(-quotient, sum, all<V>(1.0f)));
  return fused(rest, quotient, quotient) * one;
}

// By e^-|x| = p 2^n: p / (p + 2^-n), both sides made so small that 2^-n stays finite.
ND_FN double logistic_by_division(double x) {
  constexpr int shift = 64;
  constexpr double down = 0x1p-64;
  double distance = -magnitude(x);
  reduced<double> s = split_ln2<0>(distance);
  double slope = exp_slope(s.r), p = fused(s.r, slope, 1.0), p_low = fused(s.r, slope, 1.0 - p);
  double top = down * p, other = power_of_two<double>((ieee<double>::bias - shift) - bits_of(s.shifted));
  double bottom = other + top, bottom_low = top - (bottom - other);
  double y = refined_quotient(top, down * p_low, bottom, bottom_low);
  y = distance < exp_bottom<double> ? 0.0 : y;
  return x < 0.0 ? y : 1.0 - y;
}

ND_FN float exp(float x) { return exp_of(x); }
ND_FN double exp(double x) { return exp_of(x); }
ND_FN float exp2(float x) { return exp2_of(x); }
ND_FN double exp2(double x) { return exp2_of(x); }
ND_FN float expm1(float x) { return expm1_of(x); }
ND_FN double expm1(double x) { return expm1_of(x); }
ND_FN float logistic(float x) { return logistic_by_table(x); }
ND_FN double logistic(double x) { return logistic_by_division(x); }
#ifdef ND_LANES
ND_FN float_lanes logistic(float_lanes x) { return logistic_by_table(x); }
#endif

#if defined(__AVX512F__)
// ------------------------------------------------------------------------------------------ a register

// exp with the bits of exp of each element.  AVX-512 multiplies by powers of 2 in one instruction, which rounds once
// and gives the results that are infinite or 0 too.  Its minimum and maximum give their second operand beside NaN.
ND_FN float_lanes within(float_lanes x, float bottom, float top) {
  return _mm512_max_ps(_mm512_set1_ps(bottom), _mm512_min_ps(_mm512_set1_ps(top), x));
}
ND_FN double_lanes within(double_lanes x, double bottom, double top) {
  return _mm512_max_pd(_mm512_set1_pd(bottom), _mm512_min_pd(_mm512_set1_pd(top), x));
}
ND_FN float_lanes times_powers(float_lanes p, float_lanes n) { return _mm512_scalef_ps(p, n); }
ND_FN double_lanes times_powers(double_lanes p, double_lanes n) { return _mm512_scalef_pd(p, n); }

template <class T, class V> ND_FN V exp_of_lanes(V x) {
  T p[sizeof(V) / sizeof(T)], n[sizeof(V) / sizeof(T)];
  x = within(x, exp_bottom<T>, exp_top<T>);
#pragma GCC unroll 1  // gcc would unroll the loop before it could vectorise it
  for (int k = 0; k < int(sizeof(V) / sizeof(T)); ++k) {
    reduced<T> s = split_ln2<0>(T(x[k]));
    p[k] = fused(s.r, exp_slope(s.r), T(1));
    n[k] = s.n;
  }
  V powers, counts;
  __builtin_memcpy(&powers, p, sizeof p), __builtin_memcpy(&counts, n, sizeof n);
  return times_powers(powers, counts);
}
ND_FN float_lanes exp(float_lanes x) { return exp_of_lanes<float>(x); }
ND_FN double_lanes exp(double_lanes x) { return exp_of_lanes<double>(x); }

// exp of how far an element lies below the largest one: of x <= 0, of larger numbers as if they were 0.  The fewer
// steps follow each other, the more vectors the processor works on at a time (asv_bench/peers.py: softmax 100,000 x
// 32), so results below the bottom are chosen at the end, and x is reduced in one step: what that loses is less than
// half of what the rounding of the distance lost.
ND_FN float_lanes none_above_0(float_lanes x) { return _mm512_min_ps(_mm512_setzero_ps(), x); }
ND_FN double_lanes none_above_0(double_lanes x) { return _mm512_min_pd(_mm512_setzero_pd(), x); }
ND_FN float_lanes times_powers_from(float_lanes x, float bottom, float_lanes p, float_lanes n) {
  return _mm512_maskz_scalef_ps(_mm512_cmp_ps_mask(x, _mm512_set1_ps(bottom), _CMP_NLT_UQ), p, n);
}
ND_FN double_lanes times_powers_from(double_lanes x, double bottom, double_lanes p, double_lanes n) {
  return _mm512_maskz_scalef_pd(_mm512_cmp_pd_mask(x, _mm512_set1_pd(bottom), _CMP_NLT_UQ), p, n);
}
template <class T, class V> ND_FN V exp_of_distance(V x) {
  T p[sizeof(V) / sizeof(T)], n[sizeof(V) / sizeof(T)];
  x = none_above_0(x);
#pragma GCC unroll 1
  for (int k = 0; k < int(sizeof(V) / sizeof(T)); ++k) {
    n[k] = fused(T(x[k]), log2_e<T>, rounding_shift<T>) - rounding_shift<T>;
    T r = fused(n[k], T(-0.69314718055994531), T(x[k]));
    p[k] = fused(r, exp_slope(r), T(1));
  }
  V powers, counts;
  __builtin_memcpy(&powers, p, sizeof p), __builtin_memcpy(&counts, n, sizeof n);
  return times_powers_from(x, exp_bottom<T>, powers, counts);
}
#endif
