// Complex powers: whole real exponents by multiplication in twice the precision, all others in polar form.
#pragma once
#include "complex_elementary.h"

// hi + lo, where lo holds the rounding errors of hi.
template <class T> struct double_word {
  T hi, lo;

  ND_FN double_word rounded() const {
    T sum = hi + lo;
    return double_word{sum, lo - (sum - hi)};
  }
};

// a * b + c * d; Dekker 1971, https://doi.org/10.1007/BF01397083, with fused operations.
template <class T>
ND_FN double_word<T> sum_of_products(double_word<T> a, double_word<T> b, double_word<T> c, double_word<T> d) {
  T left = rounded_product(a.hi, b.hi), right = rounded_product(c.hi, d.hi);
  exact_sum<T> total{left, fma(a.hi, b.hi, -left) + fma(c.hi, d.hi, -right)};
  total.add(right);
  T lower = (a.hi * b.lo + a.lo * b.hi) + (c.hi * d.lo + c.lo * d.hi);
  return double_word<T>{total.sum, total.error + lower}.rounded();
}

template <class T> struct double_complex {
  double_word<T> re, im;

  ND_FN void multiply(double_complex z) {
    double_word<T> minus_im{-im.hi, -im.lo}, left = re;
    re = sum_of_products(left, z.re, minus_im, z.im);
    im = sum_of_products(left, z.im, im, z.re);
  }
};

// x to the power of n, 0 < |n| <= 512, x finite and not 0.  x is scaled to about 1, so that only the result can leave
// the range of doubles.
ND_CALL inline nd_complex<double> whole_power(nd_complex<double> x, int n) {
  int exponent = ilogb(larger(absolute(x.re), absolute(x.im)));
  double_complex<double> base{{scalbn(x.re, -exponent), 0}, {scalbn(x.im, -exponent), 0}};
  double_complex<double> result{{1, 0}, {0, 0}};
  for (unsigned int left = n < 0 ? -n : n; left != 0; left >>= 1) {
    if (left & 1) result.multiply(base);
    base.multiply(base);
  }
  nd_complex<double> power(result.re.hi, result.im.hi);
  if (n < 0) power = reciprocal(power);
  return nd_complex<double>(scalbn(power.re, exponent * n), scalbn(power.im, exponent * n));
}

// How much larger |x| is than `length`, its rounded value, in proportion.
ND_FN double relative_rest(nd_complex<double> x, double length) {
  double scale = inverse_power_of_two(length), whole = length * scale;
  exact_sum<double> total{0, 0};
  total.add_product(x.re * scale, x.re * scale);
  total.add_product(x.im * scale, x.im * scale);
  total.add_product(whole, -whole);
  return (total.sum + total.error) / (2 * whole * whole);
}

// exp(y log(x)) with |x|^c instead of exp(c log|x|), whose error would grow with the logarithm.  The error still grows
// with the result's angle, c arg(x) + d log|x|, which is rounded before its cosine and sine are taken.
ND_CALL inline nd_complex<double> polar_power(nd_complex<double> x, nd_complex<double> y) {
  using limits = quotient_scales<double>;
  nd_complex<double> base = log(x);
  double angle = y.im == 0 ? y.re * base.im : y.re == 0 ? y.im * base.re : y.re * base.im + y.im * base.re;
  double length = absolute(x), size = ::pow(length, y.re) * (y.im == 0 ? 1 : ::exp(-y.im * base.im));
  bool is_safe = (length > limits::small) & (length < limits::big) & (size > limits::normal) & is_finite(size);
  if (!is_safe) {
    double log_size = y.im == 0 ? y.re * base.re : y.re == 0 ? -y.im * base.im : y.re * base.re - y.im * base.im;
    return exp(nd_complex<double>(log_size, angle));
  }
  size *= 1 + y.re * relative_rest(x, length);
  return nd_complex<double>(size * cos(angle), size * sin(angle));
}

// x^n x^r with a whole n and |r| < 1, so that the angle stays small; in one step where that leaves the range.
ND_CALL inline nd_complex<double> split_power(nd_complex<double> x, nd_complex<double> y) {
  double whole = round_to_zero(y.re);
  bool is_simple = (absolute(whole) >= 1) & (absolute(whole) <= 512) & is_finite(x) & (x != nd_complex<double>(0));
  if (!is_simple) return polar_power(x, y);
  nd_complex<double> power = whole_power(x, int(whole)), rest(y.re - whole, y.im);
  if (rest == nd_complex<double>(0)) return power;
  power *= polar_power(x, rest);
  double size = absolute(power);
  return (size > quotient_scales<double>::normal) & is_finite(size) ? power : polar_power(x, y);
}

// Anything to the power of 0 is 1; positive real numbers have real powers.
ND_CALL inline nd_complex<double> power(nd_complex<double> x, nd_complex<double> y) {
  if (y == nd_complex<double>(0)) return nd_complex<double>(1);
  bool is_real = (x.im == 0) & (x.re > 0) & (y.im == 0);
  return is_real ? nd_complex<double>(pow(x.re, y.re), y.re * x.im) : split_power(x, y);
}

// In double: single precision would lose a digit of the result for each of its angle.
ND_FN nd_complex<float> power(nd_complex<float> x, nd_complex<float> y) {
  return nd_complex<float>(power(nd_complex<double>(x), nd_complex<double>(y)));
}
