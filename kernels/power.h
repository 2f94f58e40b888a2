// pow = 2^(y log2 x), the logarithm in more than the precision of the result: for float in double, for double in twice
// double (Dekker 1971, https://doi.org/10.1007/BF01397083, with fused operations).
#pragma once
#include "exponential.h"
#include "logarithm.h"

// The cases of C99, annex F.9.4.4, given |x|^y for |x| neither 0 nor infinite, and t, a multiple of its logarithm.
template <class C> ND_FN C power_or_special(C x, C y, C t, C result) {
  constexpr C top = sizeof(C) == 4 ? C(128) : exp_top<C>, bottom = sizeof(C) == 4 ? C(-150) : exp_bottom<C>;
  C a = magnitude(x), infinite = (a > C(1)) == (y > C(0)) ? ieee<C>::infinity : C(0), half = C(0.5) * y;
  result = t >= top ? ieee<C>::infinity : result;
  result = t < bottom ? C(0) : result;
  result = (a == C(0)) | (a == ieee<C>::infinity) ? infinite : result;
  result = a == C(1) ? C(1) : result;
  bool is_fraction = whole_part(y) != y, is_odd = whole_part(half) != half;
  result = from_bits<C>(bits_of(result) | (is_odd & !is_fraction ? bits_of(x) & bits_of(C(-0.0)) : 0));
  result = (x < C(0)) & (a < ieee<C>::infinity) & is_fraction ? ieee<C>::nan : result;
  result = __builtin_isunordered(x, y) ? ieee<C>::nan : result;
  return (x == C(1)) | (y == C(0)) ? C(1) : result;
}

// log2(1 + f) / f and (2^r - 1) / r, errors 1.0e-10 and 2.0e-9.
ND_FN double log2_slope(double f) {
  return polynomial(f, 1.4426950409394141, -0.7213475252126373, 0.48089832071218214, -0.3606728005588417,
                    0.2885406446728479, -0.24050417425397733, 0.20609622250263895, -0.17904692966897126,
                    0.15900192659149848, -0.1569827522097828, 0.1548555974122605, -0.08634296435559945);
}
ND_FN double exp2_slope(double r) {
  return polynomial(r, 0.6931472028774349, 0.24022647904511651, 0.05550332416410079, 0.009618438201386078,
                    0.0013398897528686016, 0.0001535320233434391);
}

ND_FN float pow(float x, float y) {
  split<double> s = split_normal(double(magnitude(x)));
  double t = double(y) * fused(s.f, log2_slope(s.f), s.k);
  double shift = rounding_shift<double> + 1023, shifted = t + shift, r = t - (shifted - shift);
  double result = fused(r, exp2_slope(r), 1.0) * power_of_two<double>(bits_of(shifted));
  return power_or_special(x, y, float(t), float(result));
}

template <class C> struct sum_of_two {
  C value, low;
};

// log x for x > 0: k ln 2 + 2 s + s z (2/3 + z p(z)), s = f / (2 + f), z = s^2.  All but the term of p, at most 2^-11.5
// of the logarithm, is twice as precise; p has an error of 1.2e-20 relative to the logarithm.
ND_FN sum_of_two<double> wide_log(double x) {
  split<double> t = split_positive(x);
  double bottom = 2.0 + t.f, inverse = 1.0 / bottom, s = t.f * inverse;
  double s_low = fused(-s, t.f - (bottom - 2.0), fused(-s, bottom, t.f)) * inverse;
  double z = s * s, z_low = fused(s + s, s_low, fused(s, s, -z));
  double cube = s * z, cube_low = fused(s, z_low, fused(s_low, z, fused(s, z, -cube)));
  constexpr double third = 0x1.5555555555555p-1, third_low = 0x1.5555555555555p-55;
  double g = third * cube, g_low = fused(third, cube_low, fused(third_low, cube, fused(third, cube, -g)));
  double q = z * polynomial(z, 0.4000000000000226, 0.28571428570097146, 0.22222222520332208, 0.18181784332808948,
                            0.15386758861213784, 0.13256783004972247, 0.13196644893533338);
  double twice = s + s, first = fused(t.k, ln2_high<double>, twice);
  double first_low = twice - fused(-t.k, ln2_high<double>, first);
  double second = first + g, second_low = g - (second - first);
  double lows = fused(t.k, ln2_low<double>, (first_low + second_low) + (g_low + (s_low + s_low)));
  double low = fused(cube, q, lows), value = second + low;
  return {value, low - (value - second)};
}

ND_FN double pow(double x, double y) {
  sum_of_two<double> l = wide_log(magnitude(x));
  double t = y * l.value, t_low = fused(y, l.low, fused(y, l.value, -t));
  reduced<double> s = split_ln2<2 * 1023>(t);
  double correction = fused(s.n, -ln2_low<double>, t_low), r = s.r_high + correction;
  double small = fused(r * r, exp_rest(r), correction - (r - s.r_high));
  double start = 1.0 + r, p = start + ((r - (start - 1.0)) + small);
  return power_or_special(x, y, t, times_power(p, s.shifted));
}
