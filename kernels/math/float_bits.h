// Building blocks of the elementary functions: fused multiply-add, bit patterns, polynomials, and two ways of taking a
// power of 2 out of a number.  They are C++ for the CPU, free of branches and tables, so that a loop over any of them
// becomes SIMD code.  Every contraction is spelled out: a vector body and the scalar tail after it round alike.
// Design: special values are chosen at the end, by comparing the argument.  Clamping the argument first would stand in
// the way of everything after it, and costs half the speed of exp on AVX-512.
// Included inside a namespace, so no system header is.
#pragma once

#ifndef ND_FN
#define ND_FN inline __attribute__((always_inline))
#endif

ND_FN float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
ND_FN double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }
ND_FN float magnitude(float x) { return __builtin_fabsf(x); }
ND_FN double magnitude(double x) { return __builtin_fabs(x); }
ND_FN float with_sign(float x, float sign) { return __builtin_copysignf(x, sign); }
ND_FN double with_sign(double x, double sign) { return __builtin_copysign(x, sign); }

ND_FN float whole_part(float x) { return __builtin_truncf(x); }
ND_FN double whole_part(double x) { return __builtin_trunc(x); }

// ------------------------------------------------------------------------------------------ bits

template <class C> struct ieee;
template <> struct ieee<float> {
  using word = unsigned int;
  using signed_word = int;
  static constexpr int mantissa_bits = 23;
  static constexpr word bias = 127;
  static constexpr float infinity = __builtin_inff(), nan = __builtin_nanf(""), least_normal = 0x1p-126f;
};
template <> struct ieee<double> {
  using word = unsigned long long;
  using signed_word = long long;
  static constexpr int mantissa_bits = 52;
  static constexpr word bias = 1023;
  static constexpr double infinity = __builtin_inf(), nan = __builtin_nan(""), least_normal = 0x1p-1022;
};
template <class C> using word_of = typename ieee<C>::word;
template <class C> using signed_word_of = typename ieee<C>::signed_word;

template <class C> ND_FN word_of<C> bits_of(C x) {
  word_of<C> bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}
template <class C> ND_FN C from_bits(word_of<C> bits) {
  C x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

// The power of 2 whose biased exponent stands in the low bits.
template <class C> ND_FN C power_of_two(word_of<C> biased) { return from_bits<C>(biased << ieee<C>::mantissa_bits); }

// ------------------------------------------------------------------------------------------ polynomials

// c0 + c1 x + c2 x^2 ... in pairs or fours of terms (Estrin): Horner's rule has a chain of operations so long that the
// processor cannot look past it into the next elements.
template <class C> ND_FN C by_twos(C, C, double c0) { return C(c0); }
template <class C> ND_FN C by_twos(C x, C, double c0, double c1) { return fused(x, C(c1), C(c0)); }
template <class C, class... Rest> ND_FN C by_twos(C x, C x2, double c0, double c1, Rest... rest) {
  return fused(x2, by_twos(x, x2, rest...), fused(x, C(c1), C(c0)));
}

template <class C> ND_FN C by_fours(C, C, C, double c0) { return C(c0); }
template <class C> ND_FN C by_fours(C x, C, C, double c0, double c1) { return fused(x, C(c1), C(c0)); }
template <class C> ND_FN C by_fours(C x, C x2, C, double c0, double c1, double c2) {
  return by_twos(x, x2, c0, c1, c2);
}
template <class C, class... Rest>
ND_FN C by_fours(C x, C x2, C x4, double c0, double c1, double c2, double c3, Rest... rest) {
  C low = by_twos(x, x2, c0, c1, c2, c3);
  if constexpr (sizeof...(rest) == 0) {
    return low;
  } else {
    return fused(x4, by_fours(x, x2, x4, rest...), low);
  }
}

template <class C, class... Coefficients> ND_FN C polynomial(C x, Coefficients... c) {
  if constexpr (sizeof...(c) < 7) {
    return by_twos(x, x * x, c...);
  } else {
    return by_fours(x, x * x, (x * x) * (x * x), c...);
  }
}

// ------------------------------------------------------------------------------------------ powers of 2

// x = n ln 2 + (r + r_low), |r| <= ln 2 / 2 (Cody and Waite: the product of n with the leading part of ln 2 is exact).
// The low bits of `shifted` hold n + Offset.
template <class C> struct reduced {
  C n, r, r_high, shifted;
};

template <class C> constexpr C rounding_shift = C(1.5) * C(1ull << ieee<C>::mantissa_bits);
template <class C> constexpr C ln2_high = sizeof(C) == 4 ? C(0x1.62e4p-1) : C(0x1.62e42fefap-1);
template <class C> constexpr C ln2_low = sizeof(C) == 4 ? C(0x1.7f7d1cf79abcap-20) : C(0x1.cf79abc9e3b3ap-40);
template <class C> constexpr C log2_e = C(1.4426950408889634);

template <int Offset, class C> ND_FN reduced<C> split_ln2(C x) {
  C shift = rounding_shift<C> + C(Offset);
  C shifted = fused(x, log2_e<C>, shift);
  C n = shifted - shift;
  C r_high = fused(n, -ln2_high<C>, x);
  return {n, fused(n, -ln2_low<C>, r_high), r_high, shifted};
}

// What the rounding of r lost.
template <class C> ND_FN C reduction_error(const reduced<C>& s) { return fused(s.n, -ln2_low<C>, s.r_high - s.r); }

// p 2^n, given `shifted` with Offset = 2 bias: in two exact steps, of which the second rounds a subnormal result.
template <class C> ND_FN C times_power(C p, C shifted) {
  word_of<C> k = bits_of(shifted), half = k >> 1;
  return p * power_of_two<C>(half) * power_of_two<C>(k - half);
}

// A normal x > 0 as 2^k (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)); scale = 2^-k.
template <class C> struct split {
  C k, f, scale;
};

ND_FN split<float> split_normal(float x) {
  word_of<float> bits = bits_of(x), k = (bits - 0x3f3504f3) & 0xff800000;
  return {float(int(k) >> 23), from_bits<float>(bits - k) - 1.0f, from_bits<float>(0x3f800000 - k)};
}
// AVX2 converts no 64-bit integers: they become the low bits of a large number, which is then taken away.
ND_FN split<double> split_normal(double x) {
  constexpr word_of<double> one = 0x3ff0000000000000, low = 0x3fe6a09e667f3bcd;
  word_of<double> bits = bits_of(x), biased = (bits + (one - low)) >> 52, k = (biased - 1023) << 52;
  double count = from_bits<double>(biased | 0x4330000000000000) - (0x1p52 + 1023);
  return {count, from_bits<double>(bits - k) - 1.0, from_bits<double>(one - k)};
}

// Any x > 0, but without the scale.
template <class C> ND_FN split<C> split_positive(C x) {
  bool is_tiny = x < ieee<C>::least_normal;
  split<C> s = split_normal(is_tiny ? x * C(1ull << ieee<C>::mantissa_bits) : x);
  s.k -= is_tiny ? C(ieee<C>::mantissa_bits) : C(0);
  return s;
}
