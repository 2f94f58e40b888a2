// sin, cos and tan for float and double: at most 1 and 2 units in last place from the exact result.
// An angle is taken apart into a whole number of quarter turns and a rest in [-pi/4, pi/4] with a correction, by three
// parts of pi / 2 (Cody & Waite 1980, "Software manual for the elementary functions"); the rest goes into polynomials.
// Design: the functions near_... are free of branches and hold up to `far_angle`, beyond which the three parts do not
// suffice.  sin, cos and tan themselves ask the C library there (Payne & Hanek's reduction); that branch would keep a
// loop from being vectorised, so loops look at a block of angles first and call near_... where none is far.
// Coefficients are minimax fits (Remez, 60 digits), given with the largest relative error of the function.
// Included inside a namespace, before scalar.h.
#pragma once
#include "float_bits.h"

#define ND_NEAR_ANGLES

template <class C> constexpr C far_angle = sizeof(C) == 4 ? C(1e5) : C(5e7);
ND_FN bool is_near_angle(float x) { return magnitude(x) <= far_angle<float>; }
ND_FN bool is_near_angle(double x) { return magnitude(x) <= far_angle<double>; }

// x with its sign turned over where the lowest bit of `odd` is set.
ND_FN float negated_if(unsigned int odd, float x) { return from_bits<float>(bits_of(x) ^ odd << 31); }
ND_FN double negated_if(unsigned long long odd, double x) { return from_bits<double>(bits_of(x) ^ odd << 63); }
ND_FN unsigned int sign_bit(float x) { return bits_of(x) >> 31; }
ND_FN unsigned long long sign_bit(double x) { return bits_of(x) >> 63; }

// An angle of `quarters` quarter turns (its low bits count) and rest + low.
template <class C> struct angle {
  C rest, low;
  word_of<C> quarters;
};

// The second part is short, or its product with n is taken with the rounding error: the rest may be tiny beside it.
ND_FN angle<float> reduced_angle(float x) {
  float shifted = fused(x, 0x1.45f306p-1f, 0x1.8p23f), n = shifted - 0x1.8p23f;
  float first = fused(n, -0x1.921fb6p0f, x), product = n * -0x1.777a5cp-25f, rest = first - product;
  float lost = (first - rest) - product, error = fused(n, -0x1.777a5cp-25f, -product);
  return {rest, fused(n, 0x1.ee59dap-50f, lost - error), bits_of(shifted)};
}
ND_FN angle<double> reduced_angle(double x) {
  double shifted = fused(x, 0x1.45f306dc9c883p-1, 0x1.8p52), n = shifted - 0x1.8p52;
  double first = fused(n, -0x1.921fb54442d18p0, x), rest = fused(n, -0x1.1a62634p-54, first);
  return {rest, fused(n, 0x1.d747f23e32ed7p-83, fused(n, -0x1.1a62634p-54, first - rest)), bits_of(shifted)};
}

// ------------------------------------------------------------------------------------------ sine and cosine

// (sin(x) / x - 1) / x^2 of z = x^2, for |x| <= 0.7885: 2^-27.9, for |x| <= pi/4 + 2^-13: 2^-57.9.
ND_FN float sine_rest(float z) {
  return polynomial(z, -0.16666653752326965, 0.008332141675055027, -0.0001951270387507975);
}
ND_FN double sine_rest(double z) {
  return polynomial(z, -0.1666666666666663, 0.008333333333322118, -0.00019841269829586804, 2.7557313619762613e-06,
                    -2.505074741281761e-08, 1.5896204996819376e-10);
}

// (cos(x) - 1) / x^2 of z = x^2, for the same x: 2^-33.8 and 2^-64.5.
ND_FN float cosine_rest(float z) {
  float more = fused(z, fused(z, 2.4380229660891928e-05f, -0.0013886645901948214f), 0.04166661947965622f);
  return fused(z, more, -0.5f);
}
ND_FN double cosine_rest(double z) {
  return polynomial(z, -0.5, 0.04166666666666647, -0.0013888888888861986, 2.4801587284086798e-05,
                    -2.755731311495288e-07, 2.0875581792064674e-09, -1.1353262933132265e-11);
}

// The square of rest + low, rounded once.
ND_FN float square_of(angle<float> a) { return fused(a.rest, a.rest, a.rest * (a.low + a.low)); }
ND_FN double square_of(angle<double> a) { return a.rest * a.rest; }

// The sine of an angle and a number of quarter turns more; the sign of the angle is left out.
template <class C> ND_FN C sine_of(angle<C> a, word_of<C> turned) {
  C z = square_of(a), sine = a.rest + fused(a.rest * z, sine_rest(z), a.low), cosine = fused(z, cosine_rest(z), C(1));
  word_of<C> quarters = a.quarters + turned;
  return negated_if(quarters >> 1 & 1, quarters & 1 ? cosine : sine);
}

template <class C> ND_FN C near_sin(C x) { return negated_if(sign_bit(x), sine_of(reduced_angle(magnitude(x)), 0)); }
template <class C> ND_FN C near_cos(C x) { return sine_of(reduced_angle(magnitude(x)), 1); }

// ------------------------------------------------------------------------------------------ tangent

// For float in double, whose roundings then do not matter: tan(x) = x p(x^2) / q(x^2), 2^-26.1.
ND_FN float near_tan(float x) {
  double size = magnitude(double(x)), shifted = fused(size, 0x1.45f306dc9c883p-1, 0x1.8p52), n = shifted - 0x1.8p52;
  double rest = fused(n, -0x1.1a62633145c07p-54, fused(n, -0x1.921fb54442d18p0, size)), z = rest * rest;
  double p = rest * fused(z, -0.09580183829517641, 0.9999999859468673);
  double q = fused(z, fused(z, 0.009716879035678453, -0.42913584210770506), 1.0);
  long long odd = (long long)(bits_of(shifted) << 63);
  double dividend = odd < 0 ? q : p, divisor = odd < 0 ? p : q;
  return negated_if(sign_bit(x), float(from_bits<double>(bits_of(dividend) ^ odd) / divisor));
}

// (tan(x) / x - 1) / x^2 of z = x^2: 2^-56.2.
ND_FN double tangent_rest(double z) {
  return polynomial(z, 0.33333333333332776, 0.1333333333341458, 0.05396825392668744, 0.021869489608566807,
                    0.008863219169838038, 0.003592289033735138, 0.0014547582059678175, 0.0005950638833479672,
                    0.00022238199097155138, 0.00013652157291418223, -2.638108871910897e-05, 8.94480173353482e-05,
                    -4.487437198179653e-05, 2.086276104665926e-05);
}

// In odd quarters -1 / tan, corrected for the roundings of the tangent and of the quotient.
ND_FN double near_tan(double x) {
  angle<double> a = reduced_angle(magnitude(x));
  double z = a.rest * a.rest, more = fused(a.rest * z, tangent_rest(z), fused(a.low, z, a.low));
  double tangent = a.rest + more, low = more - (tangent - a.rest), quotient = -1.0 / tangent;
  double error = fused(quotient, low, fused(quotient, tangent, 1.0)), cotangent = fused(quotient, error, quotient);
  return negated_if(sign_bit(x), a.quarters & 1 ? cotangent : tangent);
}

// ------------------------------------------------------------------------------------------ any angle

#define ND_ANGLE_FUNCTION(name)                                                                         \
  __attribute__((noinline, cold)) static float far_##name(float x) { return float(::name(double(x))); } \
  __attribute__((noinline, cold)) static double far_##name(double x) { return ::name(x); }              \
  ND_FN float name(float x) { return is_near_angle(x) ? near_##name(x) : far_##name(x); }               \
  ND_FN double name(double x) { return is_near_angle(x) ? near_##name(x) : far_##name(x); }
ND_ANGLE_FUNCTION(sin)
ND_ANGLE_FUNCTION(cos)
ND_ANGLE_FUNCTION(tan)
#undef ND_ANGLE_FUNCTION

// ------------------------------------------------------------------------------------------ multiples of pi

// sin(pi (n + rest)) for |rest| <= 1/2, good to float: (sin(x) / x - 1) / x^2 of x^2 for |x| <= pi/2, 2^-27.3.
ND_FN double short_sin_of_pi(double n, double rest) {
  double r = rest * 0x1.921fb54442d18p1, z = r * r;
  double sine = fused(
      r * z, polynomial(z, -0.16666659551480265, 0.008333066261802042, -0.00019809603241371444, 2.605779993670294e-06),
      r);
  return negated_if(bits_of(n + 0x1.8p52) & 1, sine);
}
ND_FN float sin_of_pi(float x) {
  double size = magnitude(double(x)), n = __builtin_rint(size);
  return negated_if(sign_bit(x), float(short_sin_of_pi(n, size - n)));
}
ND_FN float cos_of_pi(float x) {
  double size = magnitude(double(x)), n = __builtin_rint(size + 0.5);
  return float(short_sin_of_pi(n, size - (n - 0.5)));
}
ND_FN float sinc(float x) {
  double size = magnitude(double(x)), n = __builtin_rint(size);
  double quotient = (short_sin_of_pi(n, size - n) + 0.0) / (size * 0x1.921fb54442d18p1);
  return float(size == 0 ? 1.0 : quotient);
}

// The angle pi x, x >= 0: a number of quarter turns, of which multiples of four are taken off, and an exact rest.
ND_FN angle<double> angle_of_pi(double x) {
  double n = __builtin_rint(x + x), rest = fused(n, -0.5, x), high = rest * 0x1.921fb54442d18p1;
  double low = fused(rest, 0x1.1a62633145c07p-53, fused(rest, 0x1.921fb54442d18p1, -high));
  return {high, low, bits_of(fused(__builtin_floor(n * 0.25), -4.0, n) + 0x1p52)};
}
ND_FN double sin_of_pi(double x) { return negated_if(sign_bit(x), sine_of(angle_of_pi(magnitude(x)), 0)); }
ND_FN double cos_of_pi(double x) { return sine_of(angle_of_pi(magnitude(x)), 1); }
ND_FN double sinc(double x) {
  double size = magnitude(x), sine = sine_of(angle_of_pi(size), 0) + 0.0;
  double divisor = size * 0x1.921fb54442d18p1;
  double divisor_low = fused(size, 0x1.1a62633145c07p-53, fused(size, 0x1.921fb54442d18p1, -divisor));
  double inverse = 1.0 / divisor, quotient = sine * inverse;
  double rest = fused(quotient, -divisor_low, fused(quotient, -divisor, sine));
  return size < 0x1p-30 ? 1.0 : fused(rest, inverse, quotient);
}
