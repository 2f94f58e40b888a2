// Complex functions through exp, log, sin and their like.  Special values are those of the Python array API standard
// 2024.12, which are C99's (annex G) where it has them: signed zeros choose the side of a branch cut, and f(conj(z)) is
// conj(f(z)).  Formulas keep both parts accurate: sums have terms of one sign, or are computed with their rounding
// errors.  Kahan = W. Kahan, "Branch cuts for complex elementary functions, or Much ado about nothing's sign bit",
// 1987.
//
// Design: these are calls, not inlined: two parts take two or three real functions each, so that a call costs little,
// and code inlined into every loop of every row would be many times as long.
#pragma once
#include "complex.h"

#ifdef __CUDACC__
#define ND_CALL __host__ __device__
#else
#define ND_CALL __attribute__((noinline))
#endif

template <class T> struct math_limits;
template <> struct math_limits<float> {
  static constexpr float inverse_epsilon = 0x1p23f, tiny = 0x1p-13f;  // tiny * tiny / 6 is below half an epsilon
  static constexpr float exp_limit = 88, exp_step = 64, exp_of_step = 6.2351490808116169e27f;
  static constexpr float same_sinh_cosh = 10;  // beyond it sinh(x) = cosh(x) = exp(x) / 2
};
template <> struct math_limits<double> {
  static constexpr double inverse_epsilon = 0x1p52, tiny = 0x1p-27;
  static constexpr double exp_limit = 709, exp_step = 600, exp_of_step = 3.7730203009299397e260;
  static constexpr double same_sinh_cosh = 20;
};

template <class T> ND_FN nd_complex<T> times_i(nd_complex<T> z) { return nd_complex<T>(-z.im, z.re); }
template <class T> ND_FN nd_complex<T> over_i(nd_complex<T> z) { return nd_complex<T>(z.im, -z.re); }

// ------------------------------------------------------------------------------------------ exponential

// weight * exp(x) * z, whose parts may be finite although exp(x) is not.
template <class T> ND_FN nd_complex<T> times_exp(nd_complex<T> z, T x, T weight) {
  using limits = math_limits<T>;
  for (int step = 0; step < 2 && x > limits::exp_limit; ++step, x -= limits::exp_step)
    z = nd_complex<T>(z.re * limits::exp_of_step, z.im * limits::exp_of_step);
  T factor = exp(x) * weight;
  return nd_complex<T>(z.re * factor, z.im * factor);
}

template <class T> ND_CALL nd_complex<T> exp(nd_complex<T> z) {
  if (z.im == T(0)) return nd_complex<T>(exp(z.re), z.im);
  if (is_inf(z.re) & !is_finite(z.im))
    return z.re > T(0) ? nd_complex<T>(z.re, z.im - z.im) : nd_complex<T>(T(0), copysign(T(0), z.im));
  return times_exp(nd_complex<T>(cos(z.im), sin(z.im)), z.re, T(1));
}

// Near the roots 2 pi k i, exp(a) cos(b) - 1 = expm1(a) cos(b) - 2 sin(b / 2)^2.
template <class T> ND_CALL nd_complex<T> expm1(nd_complex<T> z) {
  if (z.im == T(0)) return nd_complex<T>(expm1(z.re) + T(0), z.im);
  if (absolute(z.re) < T(1)) {
    T half = sin(z.im * T(0.5));
    return nd_complex<T>(expm1(z.re) * cos(z.im) - T(2) * half * half, exp(z.re) * sin(z.im));
  }
  nd_complex<T> power = exp(z);
  return nd_complex<T>(power.re - T(1), power.im);
}

// ------------------------------------------------------------------------------------------ logarithm

// A sum with its rounding error: Knuth, "The art of computer programming", volume 2, 4.2.2.
template <class T> struct exact_sum {
  T sum, error;

  ND_FN void add(T x) {
    T total = sum + x, part = total - sum;
    error += (sum - (total - part)) + (x - part);
    sum = total;
  }
  ND_FN void add_product(T x, T y) {
    T product = rounded_product(x, y);
    add(product);
    error += fma(x, y, -product);
  }
};

// log|z| near the unit circle is log1p(|z|^2 - 1) / 2.
template <class T> ND_FN bool is_near_circle(T re, T im) {
  T square = re * re + im * im;
  return (square > T(0.25)) & (square < T(4));
}
template <class T> ND_FN T square_minus_one(nd_complex<T> z) {
  exact_sum<T> total{T(-1), T(0)};
  T top = larger(absolute(z.re), absolute(z.im)), rest = smaller(absolute(z.re), absolute(z.im));
  total.add_product(top, top);
  total.add_product(rest, rest);
  return total.sum + total.error;
}

// Logarithms to a base: of a positive number, and 1 / log(base).  These are the C library's: one at a time they are
// faster and closer than those made for vectors.
struct base_e {
  template <class T> ND_FN static T log_of(T x) { return ::log(x); }
  static constexpr double per_log = 1;
};
struct base_2 {
  template <class T> ND_FN static T log_of(T x) { return ::log2(x); }
  static constexpr double per_log = 1.4426950408889634;
};
struct base_10 {
  template <class T> ND_FN static T log_of(T x) { return ::log10(x); }
  static constexpr double per_log = 0.4342944819032518;
};

template <class Base, class T> ND_FN nd_complex<T> log_to(nd_complex<T> z) {
  T angle = atan2(z.im, z.re) * T(Base::per_log);
  if (is_near_circle(z.re, z.im)) return nd_complex<T>(::log1p(square_minus_one(z)) * T(0.5 * Base::per_log), angle);
  scaled<T> s(z);
  T shift = s.inverse == T(1) ? T(0) : Base::log_of(s.inverse);
  return nd_complex<T>(Base::log_of(s.abs) + shift, angle);
}

template <class T> ND_CALL nd_complex<T> log(nd_complex<T> z) { return log_to<base_e>(z); }
template <class T> ND_CALL nd_complex<T> log2(nd_complex<T> z) { return log_to<base_2>(z); }
template <class T> ND_CALL nd_complex<T> log10(nd_complex<T> z) { return log_to<base_10>(z); }

// |1 + z|^2 - 1 = 2 a + a^2 + b^2.
template <class T> ND_CALL nd_complex<T> log1p(nd_complex<T> z) {
  if ((z.im == T(0)) & (z.re >= T(-1))) return nd_complex<T>(log1p(z.re), z.im);
  nd_complex<T> moved(T(1) + z.re, z.im);
  if (!is_near_circle(moved.re, moved.im)) return log(moved);
  exact_sum<T> total{T(2) * z.re, T(0)};
  total.add_product(z.re, z.re);
  total.add_product(z.im, z.im);
  return nd_complex<T>(log1p(total.sum + total.error) * T(0.5), atan2(z.im, moved.re));
}

// ------------------------------------------------------------------------------------------ hyperbolic functions

template <class T> ND_CALL nd_complex<T> sinh(nd_complex<T> z) {
  if (z.im == T(0)) return nd_complex<T>(sinh(z.re), z.im);
  T cosine = cos(z.im), sine = sin(z.im);
  if (z.re == T(0)) return nd_complex<T>(is_finite(z.im) ? z.re * cosine : z.re, sine);
  if (is_inf(z.re) & !is_finite(z.im)) return nd_complex<T>(z.re, sine);
  if (!(absolute(z.re) > math_limits<T>::same_sinh_cosh)) return nd_complex<T>(sinh(z.re) * cosine, cosh(z.re) * sine);
  return times_exp(nd_complex<T>(copysign(T(1), z.re) * cosine, sine), absolute(z.re), T(0.5));
}

template <class T> ND_CALL nd_complex<T> cosh(nd_complex<T> z) {
  T sign = copysign(T(1), z.re);
  if (z.im == T(0)) return nd_complex<T>(cosh(z.re), sign * z.im);
  T cosine = cos(z.im), sine = sin(z.im);
  if (z.re == T(0)) return nd_complex<T>(cosine, is_finite(z.im) ? z.re * sine : copysign(T(0), sign * z.im));
  if (is_inf(z.re) & !is_finite(z.im)) return nd_complex<T>(absolute(z.re), sine);
  if (!(absolute(z.re) > math_limits<T>::same_sinh_cosh)) return nd_complex<T>(cosh(z.re) * cosine, sinh(z.re) * sine);
  return times_exp(nd_complex<T>(cosine, sign * sine), absolute(z.re), T(0.5));
}

// (sinh(a) cosh(a) + i sin(b) cos(b)) / (sinh(a)^2 + cos(b)^2); near infinity 1 + 4 i sin(b) cos(b) exp(-2 a).
template <class T> ND_CALL nd_complex<T> tanh(nd_complex<T> z) {
  if (z.im == T(0)) return nd_complex<T>(tanh(z.re), z.im);
  if (z.re == T(0)) return nd_complex<T>(z.re, tan(z.im));
  if (is_inf(z.re)) return nd_complex<T>(copysign(T(1), z.re), copysign(T(0), z.im));
  T cosine = cos(z.im), sine = sin(z.im), top = absolute(z.re);
  if (top > math_limits<T>::same_sinh_cosh)
    return nd_complex<T>(copysign(T(1), z.re) + (z.im - z.im), T(4) * sine * cosine * exp(T(-2) * top));
  T wave = sinh(z.re), square = wave * wave + cosine * cosine;
  return nd_complex<T>(wave * cosh(z.re) / square, sine * cosine / square);
}

template <class T> ND_FN nd_complex<T> sin(nd_complex<T> z) { return over_i(sinh(times_i(z))); }
template <class T> ND_FN nd_complex<T> cos(nd_complex<T> z) { return cosh(times_i(z)); }
template <class T> ND_FN nd_complex<T> tan(nd_complex<T> z) { return over_i(tanh(times_i(z))); }

// ------------------------------------------------------------------------------------------ inverse functions

// sqrt(1 - z) and sqrt(1 + z), from which Kahan's procedures CASIN and CACOS take everything, for im >= 0.
template <class T> struct two_roots {
  nd_complex<T> minus, plus;

  ND_FN two_roots(T re, T im) : minus(sqrt(nd_complex<T>(T(1) - re, -im))), plus(sqrt(nd_complex<T>(T(1) + re, im))) {}

  ND_FN T real_of_product() const { return minus.re * plus.re - minus.im * plus.im; }
  ND_FN T log_part() const { return asinh(plus.im * minus.re - plus.re * minus.im); }
};

// Whether log(2 |z|) is what the inverse functions' logarithms are; so it is for infinities.
template <class T> ND_FN bool is_far(nd_complex<T> z) {
  return (absolute(z.re) > math_limits<T>::inverse_epsilon) | (absolute(z.im) > math_limits<T>::inverse_epsilon);
}
// It takes parts, and asin returns parts, because g++ 12 passes a whole z through memory, which cost 20 of 70 ns.
template <class T> ND_CALL T log_of_double(T re, T im) {
  nd_complex<T> z(re, im);
  return is_inf(z) ? T(ND_INFINITY) : log(z).re + T(0.6931471805599453);
}

template <class T> ND_CALL nd_complex<T> acos(nd_complex<T> z) {
  if (is_far(z)) return nd_complex<T>(atan2(absolute(z.im), z.re), -copysign(log_of_double(z.re, z.im), z.im));
  if (z.re == T(0) && is_nan(z.im)) return nd_complex<T>(T(1.5707963267948966), z.im);
  two_roots<T> root(z.re, absolute(z.im));
  return nd_complex<T>(T(2) * atan2(root.minus.re, root.plus.re), -copysign(root.log_part(), z.im));
}

template <class T> ND_CALL nd_complex<T> asin(nd_complex<T> z) {
  if (is_far(z)) return nd_complex<T>(atan2(z.re, absolute(z.im)), copysign(log_of_double(z.re, z.im), z.im));
  if ((z.re == T(0)) & is_nan(z.im)) return nd_complex<T>(z.re, z.im);
  if ((absolute(z.re) < math_limits<T>::tiny) & (absolute(z.im) < math_limits<T>::tiny))
    return nd_complex<T>(z.re, z.im);
  two_roots<T> root(absolute(z.re), absolute(z.im));
  return nd_complex<T>(atan2(z.re, root.real_of_product()), copysign(root.log_part(), z.im));
}

template <class T> ND_FN nd_complex<T> asinh(nd_complex<T> z) { return over_i(asin(times_i(z))); }

template <class T> ND_FN nd_complex<T> acosh(nd_complex<T> z) {
  nd_complex<T> angle = acos(z);
  return nd_complex<T>(absolute(angle.im), copysign(angle.re, z.im));
}

// Kahan's CATANH: log1p(4 a / ((1 - a)^2 + b^2)) / 4 and atan2(2 b, (1 - a) (1 + a) - b^2) / 2.
template <class T> ND_CALL nd_complex<T> atanh(nd_complex<T> z) {
  T x = absolute(z.re), rest = T(1) - x;
  if ((z.im == T(0)) & (x <= T(1))) return nd_complex<T>(atanh(z.re), z.im);
  if (z.re == T(0)) return nd_complex<T>(z.re, atan(z.im));
  if (is_far(z)) {
    bool is_lost = is_nan(z.im) | (is_nan(z.re) & is_finite(z.im));
    T angle = is_lost ? z.re + z.im : copysign(T(1.5707963267948966), z.im);
    return nd_complex<T>(copysign(reciprocal(z).re, z.re), angle);
  }
  T angle = atan2(T(2) * z.im, rest * (T(1) + x) - z.im * z.im) * T(0.5);
  bool is_pole = (rest == T(0)) & (absolute(z.im) * math_limits<T>::inverse_epsilon < T(1));
  T log_part = is_pole ? (T(0.6931471805599453) - log(absolute(z.im))) * T(0.5)
                       : log1p(T(4) * x / (rest * rest + z.im * z.im)) * T(0.25);
  return nd_complex<T>(copysign(log_part, z.re), angle);
}

template <class T> ND_FN nd_complex<T> atan(nd_complex<T> z) { return over_i(atanh(times_i(z))); }
