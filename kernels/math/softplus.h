// log(1 + e^x) and log(e^x + e^y).
#pragma once
#include "error_function.h"
#include "exponential.h"
#include "logarithm.h"

// top + log(1 + t), t = e^-a for a >= 0.  1 + t is 1 + f, or 2 (1 + f) where it exceeds sqrt(2).
template <class C> ND_FN C add_log1p_exp(C top, C a) {
  reduced<C> r = split_ln2<2 * ieee<C>::bias>(-a);
  C slope = exp_slope(r.r), p = fused(r.r, slope, C(1)), p_low = fused(r.r, slope, C(1) - p);
  C t = times_power(p, r.shifted), t_low = times_power(p_low, r.shifted);
  bool is_far = a > -exp_bottom<C>;
  t = is_far ? C(0) : t;
  t_low = is_far ? C(0) : t_low;
  bool is_near = t < C(0.41421356);
  C less = t - C(1), less_low = t - (less + C(1));
  C f = is_near ? t : C(0.5) * less, f_low = is_near ? t_low : C(0.5) * (less_low + t_low);
  C main = is_near ? t : ln2_high<C> + f, main_low = is_near ? C(0) : f - (main - ln2_high<C>)+ln2_low<C>;
  C sum = top + main, part = sum - top, sum_low = (top - (sum - part)) + (main - part);
  return sum + (sum_low + (main_low + log1p_rest(f, log1p_more(f, f_low))));
}

template <class C> ND_FN C softplus_of(C x) {
  C y = add_log1p_exp(x > C(0) ? x : C(0), magnitude(x));
  return x < ieee<C>::infinity ? y : x;
}

// Equal operands are taken apart because inf - inf is NaN.
template <class C> ND_FN C log_add_exp_of(C x, C y) {
  C top = x > y ? x : y, sum = add_log1p_exp(top, magnitude(x - y));
  sum = top == ieee<C>::infinity ? top : sum;
  sum = (x != x) | (y != y) ? x + y : sum;
  return x == y ? x + C(0.6931471805599453) : sum;
}

// log(1 + e^-a) for a >= 0, to 2^-27.5: twice the inverse hyperbolic tangent of t / (2 + t), t = e^-a, whose series in
// the square is fitted to 1.1e-10.  Float is computed in double, whose roundings then do not matter.
ND_FN double short_log1p_exp_of_minus(double a) {
  double t = short_exp_of_minus(limited(a, 110.0)), s = t / (t + 2.0);
  return (s + s) * polynomial(s * s, 0.999999999904503, 0.33333339513216985, 0.19999355623431166, 0.1431010370421862,
                              0.10699280253339272, 0.12196954042011513);
}

ND_FN float softplus(float x) {
  double top = x > 0.0f ? double(x) : 0.0;
  return float(top + short_log1p_exp_of_minus(magnitude(double(x))));
}
ND_FN double softplus(double x) { return softplus_of(x); }
ND_FN float log_add_exp(float x, float y) {
  double distance = magnitude(double(x) - double(y));
  double top = x > y ? x : y, rest = short_log1p_exp_of_minus(x == y ? 0.0 : distance);
  return float(top + rest);
}
ND_FN double log_add_exp(double x, double y) { return log_add_exp_of(x, y); }
