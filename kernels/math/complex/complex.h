// Complex numbers as NumPy lays them out: arithmetic, parts, predicates, absolute value, sign and square root.  They
// take no branch, so that loops over them become SIMD code.  What needs exp, log or sin is in complex_elementary.h.
#pragma once
#include "scalar.h"
#ifndef __CUDACC_RTC__
#include <string.h>
#endif

template <class T> struct nd_complex;
template <class T> ND_FN nd_complex<T> quotient(nd_complex<T> dividend, nd_complex<T> divisor);

template <class T> struct nd_complex {
  T re, im;

  nd_complex() = default;
  ND_FN constexpr nd_complex(T re, T im = T(0)) : re(re), im(im) {}
  template <class U> ND_FN constexpr explicit nd_complex(const nd_complex<U>& z) : re(T(z.re)), im(T(z.im)) {}

  friend ND_FN constexpr nd_complex operator-(nd_complex z) { return nd_complex(-z.re, -z.im); }
  friend ND_FN constexpr nd_complex operator+(nd_complex l, nd_complex r) {
    return nd_complex(l.re + r.re, l.im + r.im);
  }
  friend ND_FN constexpr nd_complex operator-(nd_complex l, nd_complex r) {
    return nd_complex(l.re - r.re, l.im - r.im);
  }
  friend ND_FN constexpr nd_complex operator*(nd_complex l, nd_complex r) {
    return nd_complex(product_plus(l.re, r.re, -(l.im * r.im)), product_plus(l.re, r.im, l.im * r.re));
  }
  friend ND_FN nd_complex operator/(nd_complex l, nd_complex r) { return quotient(l, r); }
  friend ND_FN constexpr bool operator==(nd_complex l, nd_complex r) { return (l.re == r.re) & (l.im == r.im); }
  friend ND_FN constexpr bool operator!=(nd_complex l, nd_complex r) { return (l.re != r.re) | (l.im != r.im); }

  ND_FN nd_complex& operator+=(nd_complex r) { return *this = *this + r; }
  ND_FN nd_complex& operator-=(nd_complex r) { return *this = *this - r; }
  ND_FN nd_complex& operator*=(nd_complex r) { return *this = *this * r; }
  ND_FN nd_complex& operator/=(nd_complex r) { return *this = *this / r; }
};

// The type of an element's parts: T for nd_complex<T>, C itself for any other C.
template <class C> struct real_of {
  using type = C;
};
template <class T> struct real_of<nd_complex<T>> {
  using type = T;
};

template <class C> constexpr bool is_complex = false;
template <class T> constexpr bool is_complex<nd_complex<T>> = true;

// ------------------------------------------------------------------------------------------ parts and predicates

template <class C> ND_FN C conj(C x) { return x; }
template <class T> ND_FN nd_complex<T> conj(nd_complex<T> z) { return nd_complex<T>(z.re, -z.im); }

template <class C> ND_FN C real_part(C x) { return x; }
template <class T> ND_FN T real_part(nd_complex<T> z) { return z.re; }

template <class C> ND_FN C imaginary_part(C) { return C(0); }
template <class T> ND_FN T imaginary_part(nd_complex<T> z) { return z.im; }

template <class C> ND_FN bool is_nan(C x) { return x != x; }
template <class T> ND_FN bool is_nan(nd_complex<T> z) { return is_nan(z.re) | is_nan(z.im); }

template <class C> ND_FN bool is_finite(C x) { return x - x == C(0); }
template <class T> ND_FN bool is_finite(nd_complex<T> z) { return is_finite(z.re) & is_finite(z.im); }

// An infinite part makes z infinite, even where the other is NaN.
template <class C> ND_FN bool is_inf(C x) { return (x == x) & (x - x != C(0)); }
template <class T> ND_FN bool is_inf(nd_complex<T> z) { return is_inf(z.re) | is_inf(z.im); }

// n is real: a NaN in one part leaves the other alone.
template <class T> ND_FN nd_complex<T> per(nd_complex<T> total, nd_complex<T> n) {
  return nd_complex<T>(total.re / n.re, total.im / n.re);
}

template <class T> ND_FN nd_complex<T> round_to_even(nd_complex<T> z) {
  return nd_complex<T>(round_to_even(z.re), round_to_even(z.im));
}

// ------------------------------------------------------------------------------------------ scaling

// Powers of two that keep squares away from overflow and underflow: parts above `big` are multiplied by 1 / grow_big,
// parts below `small` by grow_small.  Both have a whole square root.
template <class T> struct scales;
template <> struct scales<float> {
  static constexpr float big = 0x1p60f, shrink_big = 0x1p-70f, grow_big = 0x1p70f, root_big = 0x1p35f;
  static constexpr float small = 0x1p-40f, grow_small = 0x1p100f, shrink_small = 0x1p-100f, root_small = 0x1p-50f;
};
template <> struct scales<double> {
  static constexpr double big = 0x1p500, shrink_big = 0x1p-600, grow_big = 0x1p600, root_big = 0x1p300;
  static constexpr double small = 0x1p-400, grow_small = 0x1p700, shrink_small = 0x1p-700, root_small = 0x1p-350;
};

// z * scale, its absolute value, and the reciprocal of the scale with its square root, all exact but the absolute
// value.  That is infinite where a part is infinite, even if the other is NaN.
template <class T> struct scaled {
  T re, im, abs, inverse, root;

  ND_FN explicit scaled(nd_complex<T> z) {
    using limits = scales<T>;
    T top = larger(absolute(z.re), absolute(z.im));
    bool is_big = top > limits::big, is_small = top < limits::small;
    T scale = is_big ? limits::shrink_big : is_small ? limits::grow_small : T(1);
    inverse = is_big ? limits::grow_big : is_small ? limits::shrink_small : T(1);
    root = is_big ? limits::root_big : is_small ? limits::root_small : T(1);
    re = z.re * scale;
    im = z.im * scale;
    abs = is_inf(z) ? T(ND_INFINITY) : sqrt(re * re + im * im);
  }
};

template <class T> ND_FN T absolute(nd_complex<T> z) {
  scaled<T> s(z);
  return s.abs * s.inverse;
}

// ------------------------------------------------------------------------------------------ quotient

// 2^(1 - n) for x in [2^n, 2^(n + 1)), 0 for infinity and NaN.  x is positive and not subnormal.
ND_FN double inverse_power_of_two(double x) {
  unsigned long long bits;
  memcpy(&bits, &x, sizeof bits);
  bits = 0x7ff0000000000000ull - (bits & 0x7ff0000000000000ull);
  memcpy(&x, &bits, sizeof bits);
  return x;
}
ND_FN float inverse_power_of_two(float x) {
  unsigned int bits;
  memcpy(&bits, &x, sizeof bits);
  bits = 0x7f800000u - (bits & 0x7f800000u);
  memcpy(&x, &bits, sizeof bits);
  return x;
}

template <class T> struct quotient_scales;
template <> struct quotient_scales<float> {
  static constexpr float normal = 0x1p-126f, big = 0x1p100f, small = 0x1p-80f, shrink = 0x1p-30f, grow = 0x1p30f;
};
template <> struct quotient_scales<double> {
  static constexpr double normal = 0x1p-1022, big = 0x1p900, small = 0x1p-700, shrink = 0x1p-200, grow = 0x1p200;
};

// x * y rounded, never fused with an addition that follows.  g++ fuses a product only where it can in every use, so
// that the use in its own rounding error is enough; CUDA's compilers need to be told.
template <class T> ND_FN T rounded_product(T x, T y) { return x * y; }
#ifdef __CUDA_ARCH__
template <> ND_FN float rounded_product(float x, float y) { return __fmul_rn(x, y); }
template <> ND_FN double rounded_product(double x, double y) { return __dmul_rn(x, y); }
#endif

// a * b + c * d for finite operands.  With fused operations both roundings of products cancel, so that even a sum close
// to 0 is accurate: Kahan's algorithm, Jeannerod, Louvet & Muller 2013,
// https://doi.org/10.1090/S0025-5718-2013-02679-8.
template <class T> ND_FN T sum_of_products(T a, T b, T c, T d) {
  if (!ND_FMA) return a * b + c * d;
  T product = rounded_product(c, d), error = fma(c, d, -product);
  return fma(a, b, product) + error;
}

// An infinite number as a point at distance 1 or sqrt(2), for C99's annex G.5.1: infinity / finite is infinite and
// finite / infinity is 0, whatever the other part is.
template <class T> ND_FN nd_complex<T> without_infinity(nd_complex<T> z) {
  bool infinite = is_inf(z);
  T re = infinite ? copysign(is_inf(z.re) ? T(1) : T(0), z.re) : z.re;
  T im = infinite ? copysign(is_inf(z.im) ? T(1) : T(0), z.im) : z.im;
  return nd_complex<T>(re, im);
}

// The textbook's formula after scaling by powers of two: the divisor to about 1, the dividend away from the limits,
// which keeps every step in range as in Baudin & Smith 2012, https://arxiv.org/abs/1210.4539, without their branches.
template <class T> ND_FN nd_complex<T> quotient(nd_complex<T> dividend, nd_complex<T> divisor) {
  using limits = quotient_scales<T>;
  nd_complex<T> x = without_infinity(dividend), y = without_infinity(divisor);
  T top = larger(absolute(x.re), absolute(x.im));
  T scale = top > limits::big ? limits::shrink : top < limits::small ? limits::grow : T(1);
  T unscale = top > limits::big ? limits::grow : top < limits::small ? limits::shrink : T(1);
  T power = inverse_power_of_two(larger(larger(absolute(y.re), absolute(y.im)), limits::normal));
  T a = x.re * scale, b = x.im * scale, c = y.re * power, d = y.im * power, square = c * c + d * d;
  T re = sum_of_products(a, c, b, d) / square * power * unscale;
  T im = sum_of_products(b, c, -a, d) / square * power * unscale;
  T factor = (is_inf(dividend) ? T(ND_INFINITY) : T(1)) * (is_inf(divisor) ? T(0) : T(1));
  bool by_zero = square == T(0);
  return nd_complex<T>(by_zero ? dividend.re / divisor.re : re * factor,
                       by_zero ? dividend.im / divisor.re : im * factor);
}

// Not the quotient of 1 + 0i, whose zero would hide the sign of a part that is 0.
template <class T> ND_FN nd_complex<T> reciprocal(nd_complex<T> z) {
  nd_complex<T> y = without_infinity(z);
  T power = inverse_power_of_two(larger(larger(absolute(y.re), absolute(y.im)), quotient_scales<T>::normal));
  T c = y.re * power, d = y.im * power, square = c * c + d * d, factor = is_inf(z) ? T(0) : T(1);
  T re = square == T(0) ? T(1) / z.re : c / square * power * factor;
  return nd_complex<T>(re, -d / square * power * factor);
}

// ------------------------------------------------------------------------------------------ sign and square root

// z / |z|, the limit where one part is infinite; NaN where both are, or where one is NaN.
template <class T> ND_FN nd_complex<T> sign(nd_complex<T> z) {
  scaled<T> s(z);
  nd_complex<T> finite = without_infinity(z);
  bool infinite = is_inf(z), undefined = is_nan(z) | (is_inf(z.re) & is_inf(z.im)), zero = s.abs == T(0);
  T length = undefined ? T(ND_INFINITY) - T(ND_INFINITY) : infinite ? T(1) : s.abs;
  T re = (infinite ? finite.re : s.re) / length, im = (infinite ? finite.im : s.im) / length;
  return nd_complex<T>(zero ? T(0) : re, zero ? T(0) : im);
}

// Kahan 1987, "Branch cuts for complex elementary functions, or Much ado about nothing's sign bit", procedure CSQRT.
template <class T> ND_FN nd_complex<T> sqrt(nd_complex<T> z) {
  scaled<T> s(z);
  T root = sqrt((absolute(s.re) + s.abs) * T(0.5)) * s.root;
  T rest = root == T(0) ? z.im : z.im / root * T(0.5);
  bool infinite = is_inf(z.im), left = z.re < T(0);
  T re = infinite ? T(ND_INFINITY) : left ? absolute(rest) : root;
  T im = infinite ? z.im : left ? copysign(root, z.im) : rest;
  return nd_complex<T>(re, im);
}
