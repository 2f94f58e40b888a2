// Functions of one element, as the rows of nd4py/_spec/ops.py use them, valid under g++, nvcc and NVRTC.
// They are free of branches where the arithmetic allows it, so that a loop over them becomes SIMD code.  Transcendental
// functions have their C++ names (exp, log, tanh ...) in every compiler.
#pragma once

#ifdef __CUDACC__
#define ND_FN __host__ __device__ __forceinline__
#else
#include <math.h>
#include <string.h>
#define ND_FN inline __attribute__((always_inline))
#endif

// ------------------------------------------------------------------------------------------ limits

#ifdef __CUDACC_RTC__
#define ND_INFINITY __int_as_float(0x7f800000)
#else
#define ND_INFINITY INFINITY
#endif

// The unsigned type in which C wraps around without undefined behaviour.
template <int Bytes> struct word {
  using type = unsigned int;
};
template <> struct word<8> {
  using type = unsigned long long;
};

template <class C> constexpr bool is_signed = C(-1) < C(0);

// The identities of maximum and minimum.
template <class C> ND_FN C lowest() { return is_signed<C> ? C(1ull << (8 * sizeof(C) - 1)) : C(0); }
template <class C> ND_FN C highest() { return is_signed<C> ? C((1ull << (8 * sizeof(C) - 1)) - 1) : C(~0ull); }
template <> ND_FN float lowest<float>() { return -ND_INFINITY; }
template <> ND_FN float highest<float>() { return ND_INFINITY; }
template <> ND_FN double lowest<double>() { return -ND_INFINITY; }
template <> ND_FN double highest<double>() { return ND_INFINITY; }

// ------------------------------------------------------------------------------------------ order and sign

// NaN if either operand is.  Written so that x86 needs one max, one compare and one blend.
template <class C> ND_FN C larger(C l, C r) {
  C top = l > r ? l : r;
  return l != l ? l : top;
}

template <class C> ND_FN C smaller(C l, C r) {
  C bottom = l < r ? l : r;
  return l != l ? l : bottom;
}
// min(max(x, low), high), NaN if any operand is.  Of smaller(larger(...)) gcc makes no SIMD code.
template <class C> ND_FN C clipped(C x, C low, C high) {
  C raised = x <= low ? low : x, y = raised >= high ? high : raised;
  y = high != high ? high : y;
  return low != low ? low : y;
}
// max(x, 0), with a NaN as it is; and g where y is positive, else 0.
template <class C> ND_FN C rectified(C x) { return x <= C(0) ? C(0) : x; }
template <class C> ND_FN C if_positive(C y, C g) { return y > C(0) ? g : C(0); }

// Of truth values, which are 0 or 1.  They take vectors too, so 0 is written l - l.
template <class C> ND_FN C either(C l, C r) { return r != C(l - l) ? r : l; }
template <class C> ND_FN C both(C l, C r) { return r == C(l - l) ? r : l; }

template <class C> ND_FN C absolute(C x) {
  using U = typename word<sizeof(C)>::type;
  return x < C(0) ? C(U(0) - U(x)) : x;
}
ND_FN float absolute(float x) { return fabsf(x); }
ND_FN double absolute(double x) { return fabs(x); }

template <class C> ND_FN C sign(C x) { return x != x ? x : C((x > C(0)) - (x < C(0))); }

template <class C> ND_FN C squared(C x) { return x * x; }

// A total divided by the number n of what it is the total of.
template <class C> ND_FN C per(C total, C n) { return total / n; }
template <class C> ND_FN C reciprocal(C x) { return C(1) / x; }

// ------------------------------------------------------------------------------------------ rounding

template <class C> ND_FN C round_down(C x) { return x; }
ND_FN float round_down(float x) { return floorf(x); }
ND_FN double round_down(double x) { return floor(x); }

template <class C> ND_FN C round_up(C x) { return x; }
ND_FN float round_up(float x) { return ceilf(x); }
ND_FN double round_up(double x) { return ceil(x); }

template <class C> ND_FN C round_to_zero(C x) { return x; }
ND_FN float round_to_zero(float x) { return truncf(x); }
ND_FN double round_to_zero(double x) { return trunc(x); }

template <class C> ND_FN C round_to_even(C x) { return x; }
ND_FN float round_to_even(float x) { return rintf(x); }
ND_FN double round_to_even(double x) { return rint(x); }

// ------------------------------------------------------------------------------------------ integer arithmetic

// Whether the hardware's quotient -x would trap or wrap, as in INT_MIN / -1.
template <class C> ND_FN bool is_minus_one(C x) { return is_signed<C> && x == C(-1); }

// Dividing by 0 gives 0, as in NumPy, so the divisor is never 0 below, nor -1.
template <class C> ND_FN C safe_divisor(C y) { return (y == C(0)) | is_minus_one(y) ? C(1) : y; }

// floor(x / y).  Up to 32 bits the processor divides floating numbers, several in one instruction: x / y is at least
// 1 / |y| away from the next whole number unless it is one, which rounding to 24 or 53 bits never reaches.
template <class C> ND_FN C floor_quotient(C x, C y) {
#ifndef __CUDACC__
  if constexpr (sizeof(C) < 4) return C(int(round_down(float(x) / float(y))));
  if constexpr (sizeof(C) == 4) return C(round_down(double(x) / double(y)));
#endif
  C quotient = x / y, rest = x % y;
  return C(quotient - C((rest != C(0)) & ((rest < C(0)) != (y < C(0)))));
}

template <class C> ND_FN C floor_div(C x, C y) {
  using U = typename word<sizeof(C)>::type;
  C quotient = floor_quotient(x, safe_divisor(y));
  return y == C(0) ? C(0) : is_minus_one(y) ? C(U(0) - U(x)) : quotient;
}

template <class C> ND_FN C floor_mod(C x, C y) {
  using U = typename word<sizeof(C)>::type;
  C divisor = safe_divisor(y);
#ifndef __CUDACC__
  if constexpr (sizeof(C) <= 4) return C(U(x) - U(floor_quotient(x, divisor)) * U(divisor));
#endif
  C rest = x % divisor;
  return C(rest + ((rest != C(0)) & ((rest < C(0)) != (divisor < C(0))) ? divisor : C(0)));
}

// Rounded toward 0, as the processor divides.
template <class C> ND_FN C truncated_mod(C x, C y) { return C(x % safe_divisor(y)); }

// Of the magnitudes, as unsigned numbers, by Euclid's algorithm.
template <class C> ND_FN typename word<sizeof(C)>::type unsigned_divisor(C x, C y) {
  using U = typename word<sizeof(C)>::type;
  U a = x < C(0) ? U(0) - U(x) : U(x), b = y < C(0) ? U(0) - U(y) : U(y);
  while (b != 0) {
    U rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}
template <class C> ND_FN C common_divisor(C x, C y) { return C(unsigned_divisor(x, y)); }
template <class C> ND_FN C common_multiple(C x, C y) {
  using U = typename word<sizeof(C)>::type;
  U divisor = unsigned_divisor(x, y), a = x < C(0) ? U(0) - U(x) : U(x), b = y < C(0) ? U(0) - U(y) : U(y);
  return divisor == 0 ? C(0) : C(a / divisor * b);
}

// By repeated squaring; 1 / x**-n truncated toward 0 for a negative exponent, so 0 unless x is 1 or -1.
template <class C> ND_FN C power(C x, C n) {
  using U = typename word<sizeof(C)>::type;
  if (n < C(0)) return x == C(1) ? C(1) : x == C(-1) ? C(n % C(2) == C(0) ? 1 : -1) : C(0);
  U base = U(x), result = 1;
  for (U left = U(n); left != 0; left >>= 1) {
    result *= left & 1 ? base : U(1);
    base *= base;
  }
  return C(result);
}

// Shifts by a negative count or by the width and more push every bit out.
template <class C> ND_FN C shift_left(C x, C n) {
  using U = typename word<sizeof(C)>::type;
  return U(n) < 8 * sizeof(C) ? C(U(x) << U(n)) : C(0);
}

template <class C> ND_FN C shift_right(C x, C n) {
  using U = typename word<sizeof(C)>::type;
  return U(n) < 8 * sizeof(C) ? C(x >> U(n)) : x < C(0) ? C(-1) : C(0);
}

template <class C> ND_FN C invert(C x) { return C(~x); }
ND_FN bool invert(bool x) { return !x; }

// ------------------------------------------------------------------------------------------ vectors

#if defined(__clang__) && !defined(__CUDACC__)
// Lanes of v, or of a and b behind each other, in an order that need not be known while it is compiled.
template <class V, class I> ND_FN V shuffle_lanes(V v, I from) {
  constexpr int LANES = sizeof(V) / sizeof(v[0]);
  V out;
  for (int lane = 0; lane < LANES; ++lane) out[lane] = v[from[lane] & (LANES - 1)];
  return out;
}
template <class V, class I> ND_FN V shuffle_lanes(V a, V b, I from) {
  constexpr int LANES = sizeof(V) / sizeof(a[0]);
  V out;
  for (int lane = 0; lane < LANES; ++lane) {
    const int i = from[lane] & (2 * LANES - 1);
    out[lane] = i < LANES ? a[i] : b[i - LANES];
  }
  return out;
}
#elif !defined(__CUDACC__)
#define shuffle_lanes __builtin_shuffle
#endif

// ------------------------------------------------------------------------------------------ real division

#if defined(__FMA__) || defined(__CUDACC__) || defined(__aarch64__)
#define ND_FMA 1
#else
#define ND_FMA 0
#endif

// a * b + c, in one rounding where the processor has one step for it.  Sums of two products, and of products that are
// selected, say so: left to itself gcc fuses one product in a loop's vector body and another in the tail behind it.
#if ND_FMA && defined(__clang__) && !defined(__CUDACC__)
// clang computes no such step while it compiles.
ND_FN constexpr float product_plus(float a, float b, float c) {
  return __builtin_is_constant_evaluated() ? a * b + c : __builtin_fmaf(a, b, c);
}
ND_FN constexpr double product_plus(double a, double b, double c) {
  return __builtin_is_constant_evaluated() ? a * b + c : __builtin_fma(a, b, c);
}
#elif ND_FMA && !defined(__CUDACC__)
ND_FN constexpr float product_plus(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
ND_FN constexpr double product_plus(double a, double b, double c) { return __builtin_fma(a, b, c); }
#else
template <class C> ND_FN constexpr C product_plus(C a, C b, C c) { return a * b + c; }
#endif

// x - q * y in one rounding.
ND_FN float exact_rest(float x, float q, float y) {
  return ND_FMA ? fmaf(-q, y, x) : float(double(x) - double(q) * double(y));
}
ND_FN double exact_rest(double x, double q, double y) { return fma(-q, y, x); }

// x^3 to one unit in the last place of floats, two of doubles.
ND_FN float cube(float x) {
  float square = x * x, less = exact_rest(square, x, x), plain = square * x;
  bool is_plain = (square == 0.0f) | !(absolute(plain) < highest<float>());
  return is_plain ? plain : exact_rest(-(less * x), -square, x);
}
ND_FN double cube(double x) { return x * x * x; }

// Whether x / y is finite and below 2^24 or 2^53, where C holds every whole number: the quotient, rounded, then to
// zero, is off by at most one, upwards, so its rest is below y and a number that C can hold.
template <class C> ND_FN bool is_near_quotient(C x, C y) {
  constexpr C bound = sizeof(C) == 4 ? C(16777216) : C(9007199254740992);
  return (absolute(x) < bound * absolute(y)) & (absolute(y) < highest<C>());
}

// fmod of a near quotient, and the quotient rounded to zero: exact, without a branch.
template <class C> struct division {
  C quotient, rest;
};
template <class C> ND_FN division<C> near_division(C x, C y) {
  C quotient = round_to_zero(x / y), rest = exact_rest(x, quotient, y);
  bool is_one_too_far = (rest != C(0)) & ((rest < C(0)) != (x < C(0)));
  quotient = is_one_too_far ? quotient - copysign(C(1), quotient) : quotient;
  return {quotient, copysign(is_one_too_far ? rest + copysign(y, x) : rest, x)};
}

// fmod, three to ten times faster where the quotient is near and products of doubles are fused by the processor.
template <class C> ND_FN C fast_fmod(C x, C y) {
  bool is_slow = sizeof(C) == 8 && !ND_FMA;
  return is_near_quotient(x, y) && !is_slow ? near_division(x, y).rest : fmod(x, y);
}

// Only the sign of fmod has to follow the divisor.  A zero gets the divisor's sign too.
template <class C> ND_FN C following(C rest, C y) {
  return rest == C(0) ? copysign(C(0), y) : (rest < C(0)) != (y < C(0)) ? rest + y : rest;
}
ND_FN float floor_mod(float x, float y) { return following(fast_fmod(x, y), y); }
ND_FN double floor_mod(double x, double y) { return following(fast_fmod(x, y), y); }
ND_FN float truncated_mod(float x, float y) { return fast_fmod(x, y); }
ND_FN double truncated_mod(double x, double y) { return fast_fmod(x, y); }
template <class C> ND_FN C near_floor_mod(C x, C y) { return following(near_division(x, y).rest, y); }

template <class C> ND_FN C near_floor_div(C x, C y) {
  division<C> parts = near_division(x, y);
  return parts.quotient - C((parts.rest != C(0)) & ((parts.rest < C(0)) != (y < C(0))) ? 1 : 0);
}

// (x - rest) / y is whole but for its rounding, which rint removes.  Dividing by 0 or infinity and dividing
// infinity give x / y: the array API prefers -0 to -1 for a small quotient below 0.
template <class C> ND_FN C real_floor_div(C x, C y) {
  if (is_near_quotient(x, y)) return near_floor_div(x, y);
  C rest = fmod(x, y);
  C whole = rint((x - rest) / y) - C((rest != C(0)) & ((rest < C(0)) != (y < C(0))) ? 1 : 0);
  bool is_plain = (y == C(0)) | ((x == x) & (x - x != C(0))) | (absolute(y) == highest<C>());
  return is_plain ? x / y : whole == C(0) ? copysign(C(0), x / y) : whole;
}
ND_FN float floor_div(float x, float y) { return real_floor_div(x, y); }
ND_FN double floor_div(double x, double y) { return real_floor_div(x, y); }

// ------------------------------------------------------------------------------------------ smooth functions

// x^(1/2): the square root but for -0, whose power is 0, and for -inf, whose power is inf.
template <class C> ND_FN C half_power(C x) { return x == -ND_INFINITY ? C(ND_INFINITY) : sqrt(x) + C(0); }

ND_FN float power(float x, float y) { return y == 0.5f ? half_power(x) : float(pow(x, y)); }
ND_FN double power(double x, double y) { return y == 0.5 ? half_power(x) : double(pow(x, y)); }

// log(exp(x) + exp(y)).  Equal operands are taken apart because inf - inf is NaN.
template <class C> ND_FN C log_add_exp(C x, C y) {
  C distant = larger(x, y) + log1p(exp(-absolute(x - y)));
  return x == y ? x + C(0.6931471805599453) : distant;
}

// log2(2^x + 2^y).
template <class C> ND_FN C log_add_exp2(C x, C y) {
  C distant = product_plus(log1p(exp2(-absolute(x - y))), C(1.4426950408889634), larger(x, y));
  return x == y ? x + C(1) : distant;
}

template <class C> ND_FN C logistic(C x) { return C(1) / (C(1) + exp(-x)); }

// The CPU's own stands in error_function.h.
#ifdef __CUDACC__
template <class C> ND_FN C gelu(C x) { return C(0.5) * x * erfc(C(-0.7071067811865476) * x); }
#endif

template <class C> ND_FN C softplus(C x) { return larger(x, C(0)) + log1p(exp(-absolute(x))); }

// tanh(softplus(x)) as a rational function of t = exp(-|x|), which cannot overflow.
template <class C> ND_FN C mish_gate(C x) {
  C t = exp(-absolute(x));
  C numerator = product_plus(t, x < C(0) ? t + C(2) : C(2), x < C(0) ? C(0) : C(1));
  C denominator = x < C(0) ? numerator + C(2) : product_plus(C(2) * t, t, numerator);
  return numerator / denominator;
}
template <class C> ND_FN C mish(C x) { return x * mish_gate(x); }
template <class C> ND_FN C mish_slope(C x) {
  C gate = mish_gate(x);
  return gate + x * (C(1) - gate * gate) / (C(1) + exp(-x));
}

// p = |a| + a^2 + 1.41645 a^4 with a = 2x / 3, where the activation is 1.7159 sign(a) p / (1 + p).
// Beyond 1e6 it is constant, and a^4 would overflow.
template <class C> ND_FN C rational_tanh(C x) {
  C a = smaller(C(2.0 / 3.0) * absolute(x), C(1e6));
  C p = a + a * a + C(1.41645) * a * a * a * a;
  return copysign(C(1.7159) * (p / (C(1) + p)), x);
}
template <class C> ND_FN C rational_tanh_slope(C x) {
  C a = smaller(C(2.0 / 3.0) * absolute(x), C(1e6));
  C p = a + a * a + C(1.41645) * a * a * a * a;
  C slope = C(1) + C(2) * a + C(4 * 1.41645) * a * a * a;
  return C(1.7159 * 2.0 / 3.0) * (slope / (C(1) + p)) / (C(1) + p);
}

// ------------------------------------------------------------------------------------------ losses

template <class C> ND_FN C binary_cross_entropy(C labels, C p) {
  return product_plus(-labels, log(p), (labels - C(1)) * log1p(-p));
}
template <class C> ND_FN C binary_cross_entropy_slope(C labels, C p) { return (p - labels) / (p * (C(1) - p)); }

// ------------------------------------------------------------------------------------------ beyond the standard

#ifdef __CUDACC_RTC__
#define ND_NAN __int_as_float(0x7fc00000)
#else
#define ND_NAN NAN
#endif

// Maximum and minimum that pass over NaN, and what they begin with: NaN, so that it remains where nothing else is.
template <class C> ND_FN C larger_number(C l, C r) { return (r > l) | (l != l) ? r : l; }
template <class C> ND_FN C smaller_number(C l, C r) { return (r < l) | (l != l) ? r : l; }
template <class C> ND_FN C before_all() { return lowest<C>(); }
template <> ND_FN float before_all<float>() { return ND_NAN; }
template <> ND_FN double before_all<double>() { return ND_NAN; }
template <class C> ND_FN C after_all() { return highest<C>(); }
template <> ND_FN float after_all<float>() { return ND_NAN; }
template <> ND_FN double after_all<double>() { return ND_NAN; }

// From the nearer end, so that both ends are met exactly; from the finite one where the other is infinite.
template <class C> ND_FN C interpolated(C x1, C x2, C t) {
  C distance = x2 - x1;
  bool is_near = ((t < C(0.5)) & (x1 - x1 == C(0))) | (x2 - x2 != C(0));
  C inside = is_near ? x1 + distance * t : x2 - distance * (C(1) - t);
  return (x1 == x2) | (t == C(0)) ? x1 : t == C(1) ? x2 : inside;
}

// Around 0.5, where the quotient is near 1, log would lose what x - 0.5 still holds.
template <class C> ND_FN C logit(C x) {
  C distance = x + x - C(1);
  C centre = log1p(distance) - log1p(-distance);
  C outside = log(x / (C(1) - x));
  return absolute(distance) < C(0.5) ? centre : outside;
}

// sin and cos of pi * x, from the distance to the nearest whole number: pi * x itself is not exact.
template <class C> ND_FN C is_odd(C whole) { return C(C(0.5) * whole != round_down(C(0.5) * whole)); }
template <class C> ND_FN C sin_of_pi(C x) {
  C whole = round_to_even(x), y = sin(C(3.141592653589793) * (x - whole));
  return is_odd(whole) != C(0) ? -y : y;
}
template <class C> ND_FN C cos_of_pi(C x) {
  C whole = round_to_even(x), y = cos(C(3.141592653589793) * (x - whole));
  return is_odd(whole) != C(0) ? -y : y;
}
template <class C> ND_FN C sinc(C x) {
  C distance = absolute(x);
  return x == C(0) ? C(1) : (sin_of_pi(distance) + C(0)) / (C(3.141592653589793) * distance);
}

// (cos(pi x) - sinc(x)) / x; by its Taylor series where the two nearly cancel.
template <class C> ND_FN C sinc_slope(C x) {
  C z = C(9.869604401089358) * x * x;
  C series = C(1) - z * (C(1.0 / 10) - z * (C(1.0 / 280) - z * C(1.0 / 15120)));
  C outside = (cos_of_pi(x) - sinc(x)) / x;
  return absolute(x) < C(0.05) ? C(-9.869604401089358 / 3) * x * series : outside;
}

#include "binary_parts.h"
