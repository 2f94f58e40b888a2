// asinh, acosh, atanh.  All are the logarithm of some u = 2^k m, and log m = 2 atanh(s), s = (u - 2^k) / (u + 2^k),
// which is small.  Where k = 0, s has a form without cancellation, such as x / (1 + sqrt(1 + x^2)) for asinh.
#pragma once
#include "float_bits.h"

// atanh(s) = s + s^3 p(s^2) for |s| <= 0.2, error 2.8e-9 (float), 1.4e-19 (double) relative to it.
ND_FN float atanh_rest(float z) { return polynomial(z, 0.33333474, 0.19978827, 0.15182295); }
ND_FN double atanh_rest(double z) {
  return polynomial(z, 0.333333333333333, 0.2000000000002837, 0.1428571427790159, 0.11111112150040081,
                    0.0909083281259077, 0.07695560498214722, 0.06586717721590865, 0.06922107184615378);
}

// k ln 2 / 2 + atanh((top + top_low) / (bottom + bottom_low))
template <class C> ND_FN C atanh_sum(C k, C top, C top_low, C bottom, C bottom_low) {
  C inverse = C(1) / bottom, s = top * inverse, z = s * s;
  C rest = fused(-s, bottom, top) + fused(-s, bottom_low, top_low);
  C small = fused(s * z, atanh_rest(z), fused(rest, inverse, k * (C(0.5) * ln2_low<C>)));
  return fused(k, C(0.5) * ln2_high<C>, s + small);
}

// log2 of a quotient of positive numbers, rounded: from the difference of their bits.
template <class C> struct nearest {
  C k, value;
};
ND_FN nearest<float> nearest_power(float top, float bottom) {
  int k = int(bits_of(top) - bits_of(bottom) + 0x00400000);
  return {float(k >> 23), from_bits<float>((k & 0xff800000) + 0x3f800000)};
}
ND_FN nearest<double> nearest_power(double top, double bottom) {
  word_of<double> k = bits_of(top) - bits_of(bottom) + 0x0008000000000000;
  double count = from_bits<double>((k >> 52) | 0x4330000000000000) - 0x1p52;
  return {count, from_bits<double>((k & 0xfff0000000000000) + 0x3ff0000000000000)};
}

// u = (1 + a) / (1 - a), so s = (1 + a - 2^k (1 - a)) / (1 + a + 2^k (1 - a)).  For small a the terms of a are put
// together, for large a those of 2^k, so that no operand but 1 + a is rounded.
template <class C> ND_FN C atanh_of(C x) {
  C a = magnitude(x);
  nearest<C> p = nearest_power(C(1) + a, C(1) - a);
  bool is_far = a > C(0.5);
  C factor = is_far ? a - C(1) : a, one = is_far ? C(0) : C(1), more = C(1) + a;
  C more_low = is_far ? a - (more - C(1)) : C(0);
  C sum = one + p.value, difference = one - p.value;
  C top_start = is_far ? more : difference, bottom_start = is_far ? more : sum;
  C top = fused(factor, sum, top_start), bottom = fused(factor, difference, bottom_start);
  C product = top - top_start, product_low = (top - (product + top_start)) - more_low;
  C top_low = fused(factor, sum, -product) - product_low;
  C bottom_low = fused(factor, difference, bottom_start - bottom) + more_low;
  C y = atanh_sum(p.k, top, top_low, bottom, bottom_low);
  y = a == C(1) ? ieee<C>::infinity : y;
  y = a > C(1) ? ieee<C>::nan : y;
  return with_sign(a < C(1e-9) ? a : y, x);
}

// log(u + u_low) + k_more ln 2 for u >= 1; for u < sqrt(2), its half is the atanh of top / (1 + other).
template <class C> ND_FN C log_of_sum(C u, C u_low, C k_more, C top, C top_low, C other, C other_low) {
  nearest<C> p = nearest_power(u, C(0.94280905));
  bool is_near = p.k == C(0);
  C start = is_near ? other : u, bottom = start + p.value;
  C larger = start > p.value ? start : p.value, less = start > p.value ? p.value : start;
  C bottom_low = (less - (bottom - larger)) + (is_near ? other_low : u_low);
  C half = atanh_sum(p.k + k_more, is_near ? top : u - p.value, is_near ? top_low : u_low, bottom, bottom_low);
  return half + half;
}

template <class C> struct root {
  C value, low;
};
// The root of v + v_low, v > 0.
template <class C> ND_FN root<C> accurate_root(C v, C v_low, C r) {
  C low = (fused(-r, r, v) + v_low) * (C(0.5) / r);
  return {r, r > C(0) ? low : C(0)};
}

ND_FN float root_of(float x) { return __builtin_sqrtf(x); }
ND_FN double root_of(double x) { return __builtin_sqrt(x); }

// Beyond it sqrt(x^2 +- 1) = x, and u is taken as x / 4, whose k is 3 less.
template <class C> constexpr C large = sizeof(C) == 4 ? C(0x1p14) : C(0x1p28);

template <class C> ND_FN C asinh_of(C x) {
  C a = magnitude(x), square = a * a, square_low = fused(a, a, -square);
  C v = C(1) + square, v_low = a > C(1) ? C(1) - (v - square) : square - (v - C(1));
  root<C> r = accurate_root(v, v_low + square_low, root_of(v));
  bool is_large = a > large<C>;
  C u = is_large ? C(0.25) * a : r.value + a, u_low = is_large ? C(0) : (a - (u - r.value)) + r.low;
  C y = log_of_sum(u, u_low, is_large ? C(3) : C(0), a, C(0), r.value, r.low);
  y = a == ieee<C>::infinity ? a : y;
  return with_sign(a < C(1e-9) ? a : y, x);
}

template <class C> ND_FN C acosh_of(C x) {
  C square = x * x, square_low = fused(x, x, -square);
  C v = square - C(1), v_low = C(-1) - (v - square);
  root<C> r = accurate_root(v, v_low + square_low, root_of(v));
  bool is_large = x > large<C>;
  C u = is_large ? C(0.25) * x : x + r.value, u_low = is_large ? C(0) : (r.value - (u - x)) + r.low;
  C y = log_of_sum(u, u_low, is_large ? C(3) : C(0), r.value, r.low, x, C(0));
  y = x == ieee<C>::infinity ? x : y;
  return x >= C(1) ? y : ieee<C>::nan;
}

ND_FN float asinh(float x) { return asinh_of(x); }
ND_FN double asinh(double x) { return asinh_of(x); }
ND_FN float acosh(float x) { return acosh_of(x); }
ND_FN double acosh(double x) { return acosh_of(x); }
ND_FN float atanh(float x) { return atanh_of(x); }
ND_FN double atanh(double x) { return atanh_of(x); }
