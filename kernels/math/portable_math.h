// log, exp, sine and cosine that give the same bits under every compiler and on every processor, so that a seed means
// the same numbers everywhere: additions, multiplications and divisions in a fixed order, built without contraction
// into fused steps (-ffp-contract=off, -fmad=false), and free of branches, so that a loop over them becomes SIMD code.
//
// Design: libm's functions differ between versions in their last bit, and libmvec's between instruction sets.  These
// are good to 2 units in the last place on the ranges that random numbers need, and check nothing.  The coefficients
// are Chebyshev fits, mpmath.chebyfit at 50 digits.
#pragma once
#include "types.h"

typedef unsigned int nd_word;
typedef unsigned long long nd_wide;

ND_FN nd_wide bits_of(double x) {
  nd_wide bits;
  memcpy(&bits, &x, 8);
  return bits;
}
ND_FN double double_of(nd_wide bits) {
  double x;
  memcpy(&x, &bits, 8);
  return x;
}

// c[0] + c[1] x + ... + c[N - 1] x^(N - 1), by Horner's rule.
template <int N, class C> ND_FN C polynomial(const C (&c)[N], C x) {
  C y = c[N - 1];
  for (int i = N - 2; i >= 0; --i) y = y * x + c[i];
  return y;
}

// ------------------------------------------------------------------------------------------ logarithm

// (log((1 + s) / (1 - s)) - 2 s) / s^3 as a function of s^2, for |s| <= (sqrt(2) - 1) / (sqrt(2) + 1).
ND_FN double log_rest(double s2) {
  const double c[] = {0.66666666666666666465, 0.40000000000000876983, 0.28571428570803611811, 0.22222222391713917442,
                      0.18181795640132906276, 0.15386239702814658188, 0.13268773138656885185, 0.13086626147840102138};
  return polynomial(c, s2);
}
ND_FN float log_rest(float s2) {
  const float c[] = {0.66666666554497091551f, 0.40000121839806126714f, 0.28550820815960663296f,
                     0.23330467216303836299f};
  return polynomial(c, s2);
}

// log(x) for a positive normal number, x = m 2^e with m in [sqrt(1/2), sqrt(2)): e log(2) + log(m).
ND_FN double portable_log(double x) {
  const nd_wide root_half = 0x3fe6a09e667f3bcdull, one = 0x3ff0000000000000ull;
  nd_wide shifted = bits_of(x) + (one - root_half);
  double e = double_of(shifted >> 52 | 0x4330000000000000ull) - (0x1p52 + 1023);
  double m = double_of((shifted & 0xfffffffffffffull) + root_half);
  double f = m - 1, s = f / (m + 1), s2 = s * s;
  return e * 0x1.62e42fefa38p-1 + (2 * s + (s * s2 * log_rest(s2) + e * 0x1.ef35793c7673p-45));
}
ND_FN float portable_log(float x) {
  const nd_word root_half = 0x3f3504f3u, one = 0x3f800000u;
  nd_word shifted = float_to_bits(x) + (one - root_half);
  float e = (float)(int)(shifted >> 23) - 127.0f;
  float m = bits_to_float((shifted & 0x7fffffu) + root_half);
  float f = m - 1, s = f / (m + 1), s2 = s * s;
  return e * 0.693359375f + (2 * s + (s * s2 * log_rest(s2) - e * 2.12194440e-4f));
}

// log(1 - x) for 0 <= x < 1, accurate for small x: -2 s - s^3 log_rest(s^2) with s = x / (2 - x).
ND_FN double portable_log_of_rest(double x) {
  double s = x / (2 - x), s2 = s * s;
  return x < 0.29 ? -(2 * s + s * s2 * log_rest(s2)) : portable_log(1 - x);
}

// x log(x / y) + y - x for positive numbers, accurate where x is near y: Loader 2000, "Fast and accurate computation of
// binomial probabilities", with v = (x - y) / (x + y) and log(x / y) = 2 v + v^3 log_rest(v^2).
ND_FN double deviance(double x, double y) {
  double v = (x - y) / (x + y), v2 = v * v;
  double near = (x - y) * v + x * v * v2 * log_rest(v2);
  double far = x * portable_log(x / y) + (y - x);
  return v2 < 0.0294 ? near : far;
}

// ------------------------------------------------------------------------------------------ exponential function

// exp(x) for x <= 709, 0 below -708.
ND_FN double portable_exp(double x) {
  const double c[] = {0.5,
                      0.16666666666666670986,
                      0.041666666666666669752,
                      0.008333333333326140884,
                      0.0013888888888883752417,
                      0.00019841269874800491981,
                      0.000024801587325533363819,
                      2.7557255425746434282e-6,
                      2.7557273661348636219e-7,
                      2.5105206373957011116e-8,
                      2.09146793765839351e-9};
  double inside = x < -708 ? -708 : x;
  double moved = inside * 1.4426950408889634074 + 0x1.8p52;  // its low bits hold the whole number nearest to x / log(2)
  double n = moved - 0x1.8p52;
  double r = (inside - n * 0x1.62e42fefa38p-1) - n * 0x1.ef35793c7673p-45;
  double y = (1 + (r + r * r * polynomial(c, r))) * double_of((bits_of(moved) + 1023) << 52);
  return x < -708 ? 0 : y;
}

// ------------------------------------------------------------------------------------------ sine and cosine

// sine and cosine of 2 pi turn, for a turn in [0, 1]: a quarter turn is taken off as often as needed, exactly.
ND_FN void portable_sincos(double turn, double* sine, double* cosine) {
  const double s[] = {6.2831853071795864769, -41.341702240399760142, 81.605249276074930668, -76.70585975299812673,
                      42.058693928988783438, -15.094640403891545649, 3.8197881201632114229, -0.71163580907816659965};
  const double c[] = {1.0,
                      -19.739208802178716989,
                      64.939394022667957529,
                      -85.456817206522712487,
                      60.24464132886729332,
                      -26.426250908622135959,
                      7.9030916877516976361,
                      -1.6968494702918826806};
  double moved = turn * 4 + 0x1.8p52, r = turn - (moved - 0x1.8p52) * 0.25, r2 = r * r;
  nd_wide quarter = bits_of(moved);
  double a = r * polynomial(s, r2), b = polynomial(c, r2);
  bool is_odd = quarter & 1;
  *sine = double_of(bits_of(is_odd ? b : a) ^ (quarter & 2) << 62);
  *cosine = double_of(bits_of(is_odd ? a : b) ^ ((quarter + 1) & 2) << 62);
}
ND_FN void portable_sincos(float turn, float* sine, float* cosine) {
  const float s[] = {6.2831853071523996144f, -41.3417021533949024f, 81.60520471104575469f, -76.697866350202805827f,
                     41.472833239509192489f};
  const float c[] = {1.0f, -19.739208650130595513f, 64.939316135709049629f, -85.442844673081659515f,
                     59.220168958296096218f};
  float moved = turn * 4 + 0x1.8p23f, r = turn - (moved - 0x1.8p23f) * 0.25f, r2 = r * r;
  nd_word quarter = float_to_bits(moved);
  float a = r * polynomial(s, r2), b = polynomial(c, r2);
  bool is_odd = quarter & 1;
  *sine = bits_to_float(float_to_bits(is_odd ? b : a) ^ (quarter & 2) << 30);
  *cosine = bits_to_float(float_to_bits(is_odd ? a : b) ^ ((quarter + 1) & 2) << 30);
}

// ------------------------------------------------------------------------------------------ factorials

// log(k!) - (log(2 pi) / 2 + (k + 1/2) log(k + 1) - (k + 1)) for k >= 0, to 1e-14: what Stirling's formula leaves.
ND_FN double stirling_rest(double k) {
  const double c[] = {
      -8.0184510568491071917e-16, 0.083333333333792549504,   -5.9877027211380214272e-11,  -0.0027777744559733380984,
      -9.4462174781297589681e-8,  0.00079521205174103740148, -0.000016360941748653789902, -0.00048013658363330526054,
      -0.00056188270371637940085, 0.0027619555740202476296,  -0.0044720269831536882489,   0.0044123222790561508485,
      -0.0028972951442895060591,  0.0012477552178434978303,  -0.00032110940912410352191,  0.000037569082574284734501};
  return polynomial(c, 1 / (k + 1));
}
