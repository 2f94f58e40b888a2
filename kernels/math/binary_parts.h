// Mantissa and exponent of real numbers, taken from their bits and put back; valid under g++, nvcc and NVRTC.
#pragma once

// Where the parts of a number lie; `stretch`, a power of 2, makes every subnormal number normal.
template <class C> struct binary_layout;
template <> struct binary_layout<float> {
  static constexpr int mantissa_bits = 23, bias = 126, stretch_bits = 25;
  static constexpr float stretch = 33554432.0f;
  static constexpr unsigned int exponent_mask = 0xff;
};
template <> struct binary_layout<double> {
  static constexpr int mantissa_bits = 52, bias = 1022, stretch_bits = 54;
  static constexpr double stretch = 18014398509481984.0;
  static constexpr unsigned long long exponent_mask = 0x7ff;
};

template <class C> ND_FN typename word<sizeof(C)>::type word_from(C x) {
  typename word<sizeof(C)>::type bits;
  memcpy(&bits, &x, sizeof(C));
  return bits;
}
template <class C> ND_FN C number_from(typename word<sizeof(C)>::type bits) {
  C x;
  memcpy(&x, &bits, sizeof(C));
  return x;
}

// x = mantissa * 2^exponent with 0.5 <= |mantissa| < 1.  Zeros, infinities and NaN are their own mantissas.
template <class C> struct binary_parts {
  C mantissa, exponent;
};
// The exponent becomes a number by its bits, put behind those of 2^mantissa_bits: vectors of integers as wide as
// doubles have no conversion of their own everywhere.  Two comparisons of integers: of those of floats, joined, gcc
// made code that took twice as long (numpy_names.py: frexp).
template <class C> ND_FN binary_parts<C> parts_of_number(C x) {
  using L = binary_layout<C>;
  using U = typename word<sizeof(C)>::type;
  const U mask = U(L::exponent_mask) << L::mantissa_bits, magnitude = word_from(x) << 1 >> 1;
  const C one = C(U(1) << L::mantissa_bits);
  bool is_tiny = magnitude < U(1) << L::mantissa_bits, has_none = magnitude - 1 >= mask - 1;
  U bits = word_from(x * (is_tiny ? L::stretch : C(1)));
  C exponent = number_from<C>(word_from(one) | (bits >> L::mantissa_bits & L::exponent_mask)) - (one + C(L::bias));
  C mantissa = number_from<C>((bits & ~mask) | (U(L::bias) << L::mantissa_bits));
  return {has_none ? x : mantissa, has_none ? C(0) : exponent - (is_tiny ? C(L::stretch_bits) : C(0))};
}
template <class C> ND_FN C binary_mantissa(C x) { return parts_of_number(x).mantissa; }
template <class C> ND_FN C binary_exponent(C x) { return parts_of_number(x).exponent; }

// x * 2^n in two steps, of which the first is exact: the mantissa times half of the power.  Beyond +-2200 every x is 0
// or infinite.
template <class C> ND_FN C times_power_of_two(C x, C n) {
  using L = binary_layout<C>;
  using U = typename word<sizeof(C)>::type;
  constexpr int most = 2 * L::bias - 2;
  binary_parts<C> parts = parts_of_number(x);
  int exponent = int(parts.exponent) + int(n > C(2200) ? C(2200) : n > C(-2200) ? n : C(-2200));
  exponent = exponent > most ? most : exponent < -most ? -most : exponent;
  int half = exponent / 2;
  C first = number_from<C>(U(half + L::bias + 1) << L::mantissa_bits);
  return parts.mantissa * first * number_from<C>(U(exponent - half + L::bias + 1) << L::mantissa_bits);
}
