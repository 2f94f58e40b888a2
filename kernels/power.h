// pow = 2^(y log2 x), the logarithm in more than the precision of the result: a sum of two numbers (Dekker 1971,
// https://doi.org/10.1007/BF01397083, with fused operations).
// Design: for float short tables (Tang 1990, https://doi.org/10.1145/98267.98294), which fit into registers.  Without
// tables, and in double, it took 1.8 and 1.9 times as long on AVX-512.
#pragma once
#include "exponential.h"
#include "lanes.h"
#include "logarithm.h"

// The cases of C99, annex F.9.4.4, given |x|^y for |x| neither 0 nor infinite, and t, a multiple of its logarithm.
template <class C> ND_FN C power_or_special(C x, C y, C t, C result) {
  constexpr C top = sizeof(C) == 4 ? C(129) : exp_top<C>, bottom = sizeof(C) == 4 ? C(-151) : exp_bottom<C>;
  C a = magnitude(x), infinite = (a > C(1)) == (y > C(0)) ? ieee<C>::infinity : C(0), half = C(0.5) * y;
  result = t >= top ? ieee<C>::infinity : result;
  result = t < bottom ? C(0) : result;
  result = (a == C(0)) | (a == ieee<C>::infinity) ? infinite : result;
  result = a == C(1) ? C(1) : result;
  bool is_fraction = whole_part(y) != y, is_odd = whole_part(half) != half;
  result = from_bits<C>(bits_of(result) | (is_odd & !is_fraction ? bits_of(x) & bits_of(C(-0.0)) : 0));
  result = (x < C(0)) & (a < ieee<C>::infinity) & is_fraction ? ieee<C>::nan : result;
  result = __builtin_isunordered(x, y) ? ieee<C>::nan : result;
  return (x == C(1)) | (y == C(0)) ? C(1) : result;
}

// ------------------------------------------------------------------------------------------ float

// x = 2^k m, and m c = 1 + r with |r| < 0.0198 for the c of one of 32 cells that halve the octave between 0.836
// and 1.672 evenly on either side of 1, where c is 1.  Every c has so few digits that r is exact, and log2(1/c) is the
// sum of two floats, the first so short that k is added to it without loss.  The powers 2^(j/16) are sums of two floats
// as well.
alignas(64) constexpr float cell_inverse[32] = {
    1.1875f,    1.15625f,   1.140625f,  1.125f,   1.109375f, 1.078125f,  1.0625f,    1.046875f,
    1.03125f,   1.015625f,  1.0f,       0.96875f, 0.9375f,   0.9140625f, 0.890625f,  0.859375f,
    0.84375f,   0.8203125f, 0.796875f,  0.78125f, 0.765625f, 0.7421875f, 0.7265625f, 0.7109375f,
    0.6953125f, 0.6796875f, 0.6640625f, 0.65625f, 0.640625f, 0.625f,     0.6171875f, 0.6015625f};
alignas(64) constexpr float cell_log2[32] = {-0.2479248046875f,
                                             -0.209442138671875f,
                                             -0.1898193359375f,
                                             -0.169921875f,
                                             -0.149749755859375f,
                                             -0.1085205078125f,
                                             -0.08746337890625f,
                                             -0.06610107421875f,
                                             -0.044403076171875f,
                                             -0.022369384765625f,
                                             0.0f,
                                             0.045806884765625f,
                                             0.093109130859375f,
                                             0.129638671875f,
                                             0.1671142578125f,
                                             0.2186279296875f,
                                             0.2451171875f,
                                             0.2857666015625f,
                                             0.32757568359375f,
                                             0.35614013671875f,
                                             0.385284423828125f,
                                             0.430145263671875f,
                                             0.460845947265625f,
                                             0.492218017578125f,
                                             0.524261474609375f,
                                             0.55706787109375f,
                                             0.590606689453125f,
                                             0.607696533203125f,
                                             0.6424560546875f,
                                             0.678070068359375f,
                                             0.69622802734375f,
                                             0.73321533203125f};
alignas(64) constexpr float cell_log2_low[32] = {-2.708756e-06f,
                                                 -1.1226957e-05f,
                                                 -5.2229425e-06f,
                                                 -3.1264424e-06f,
                                                 2.6363548e-06f,
                                                 -3.9489655e-06f,
                                                 5.376559e-07f,
                                                 1.1883761e-05f,
                                                 8.956814e-06f,
                                                 1.5717371e-06f,
                                                 0.0f,
                                                 -3.1951524e-06f,
                                                 2.735321e-07f,
                                                 -3.3914584e-06f,
                                                 -4.271977e-06f,
                                                 1.2356788e-05f,
                                                 -4.6896635e-06f,
                                                 -1.2119229e-05f,
                                                 -1.0255652e-06f,
                                                 3.6735066e-06f,
                                                 5.7320567e-06f,
                                                 -8.7200283e-07f,
                                                 -4.7583735e-06f,
                                                 -1.2657777e-05f,
                                                 5.094424e-06f,
                                                 -1.1366942e-05f,
                                                 2.3744092e-06f,
                                                 -1.3955982e-05f,
                                                 -8.059305e-06f,
                                                 1.8367533e-06f,
                                                 -8.775521e-06f,
                                                 -1.8727261e-06f};

// x^y = p 2^k, and nearly 2^t; 16 k + 0 ... 15 stands in the low bits of `shifted`.
template <class V, class W> struct scaled_power {
  V p, t;
  W shifted;
};
constexpr float sixteenth_shift = 0x1.8p19f;

// The sum high + low is log2 x, with an error of 2^-33 relative to it: each of its steps keeps what its rounding lost.
// log2(1 + r) / r to 3.2e-11, (2^r - 1) / r to 5.0e-8 for |r| <= 1/32 and a little more.  x is given by its bits.
template <class V, class W> ND_FN scaled_power<V, W> scaled_power_of(W x, V y) {
  W from_start = x - 0x3f560000u, exponent = from_start & 0xff800000u, cell = from_start >> 18;
  V r = fused(float_of_bits(x - exponent), looked_up(cell_inverse, cell), all<V>(-1.0f));
  V more = fused(r * r, all<V>(0.28865665f), fused(r, all<V>(-0.3607914f), all<V>(0.48089832f)));
  V first = all<V>(1.442695f), second = all<V>(-0.7213475f), slope = fused(r, second, first);
  V slope_low = fused(r, fused(r, more, all<V>(1.8766992e-09f)), fused(r, second, first - slope));
  V log2_low = looked_up(cell_log2_low, cell),
    start = float_of_signed(signed_shift(from_start, 23)) + looked_up(cell_log2, cell);
  V high = fused(r, slope, start), rest = fused(r, all<V>(1.9259952e-08f), log2_low);
  V low = fused(r, slope_low, fused(r, slope, start - high) + rest);

  V shift = all<V>(sixteenth_shift), shifted = fused(y, fused(r, slope, start + log2_low), shift);
  V left = fused(y, low, fused(y, high, shift - shifted));
  V slope_of_2 = fused(left, fused(left, all<V>(0.055505935f), all<V>(0.24023429f)), all<V>(0.6931472f));
  W places = bits_of(shifted);
  V power = looked_up(sixteenth, places), growth = fused(left, slope_of_2, looked_up(sixteenth_low, places));
  return {fused(power, growth, power), y * high, places};
}

// The power where x is positive and normal, and so is the result.
template <class V, class W> ND_FN V plain_power(W x, V y) {
  scaled_power<V, W> s = scaled_power_of(x, y);
  return float_of_bits(bits_of(s.p) + ((s.shifted << 19) & 0xff800000u));
}

// p 2^k in two exact steps, of which the second rounds a subnormal result.
template <class V, class W> ND_FN V times_power(scaled_power<V, W> s) {
  W k = signed_shift(s.shifted - bits_of(sixteenth_shift), 4) + 2 * 127, half = k >> 1;
  return s.p * float_of_bits(half << 23) * float_of_bits((k - half) << 23);
}

// The bits of |x|; a subnormal number is given an exponent below all others.
ND_FN unsigned int bits_of_size(float x) {
  float size = magnitude(x);
  return size < ieee<float>::least_normal ? bits_of(size * 0x1p23f) - (23u << 23) : bits_of(size);
}

ND_FN float pow(float x, float y) {
  scaled_power<float, unsigned int> s = scaled_power_of(bits_of_size(x), y);
  return power_or_special(x, y, s.t, times_power(s));
}

// ------------------------------------------------------------------------------------------ double

template <class C> struct sum_of_two {
  C value, low;
};

// log x for x > 0: k ln 2 + 2 s + s z (2/3 + z p(z)), s = f / (2 + f), z = s^2.  All but the term of p, at most 2^-11.5
// of the logarithm, is twice as precise; p has an error of 1.2e-20 relative to the logarithm.
ND_FN sum_of_two<double> wide_log(double x) {
  split<double> t = split_positive(x);
  double bottom = 2.0 + t.f, inverse = 1.0 / bottom, s = t.f * inverse;
  double s_low = fused(-s, t.f - (bottom - 2.0), fused(-s, bottom, t.f)) * inverse;
  double z = s * s, z_low = fused(s + s, s_low, fused(s, s, -z));
  double cube = s * z, cube_low = fused(s, z_low, fused(s_low, z, fused(s, z, -cube)));
  constexpr double third = 0x1.5555555555555p-1, third_low = 0x1.5555555555555p-55;
  double g = third * cube, g_low = fused(third, cube_low, fused(third_low, cube, fused(third, cube, -g)));
  double q = z * polynomial(z, 0.4000000000000226, 0.28571428570097146, 0.22222222520332208, 0.18181784332808948,
                            0.15386758861213784, 0.13256783004972247, 0.13196644893533338);
  double twice = s + s, first = fused(t.k, ln2_high<double>, twice);
  double first_low = twice - fused(-t.k, ln2_high<double>, first);
  double second = first + g, second_low = g - (second - first);
  double lows = fused(t.k, ln2_low<double>, (first_low + second_low) + (g_low + (s_low + s_low)));
  double low = fused(cube, q, lows), value = second + low;
  return {value, low - (value - second)};
}

ND_FN double pow(double x, double y) {
  sum_of_two<double> l = wide_log(magnitude(x));
  double t = y * l.value, t_low = fused(y, l.low, fused(y, l.value, -t));
  reduced<double> s = split_ln2<2 * 1023>(t);
  double correction = fused(s.n, -ln2_low<double>, t_low), r = s.r_high + correction;
  double small = fused(r * r, exp_rest(r), correction - (r - s.r_high));
  double start = 1.0 + r, p = start + ((r - (start - 1.0)) + small);
  return power_or_special(x, y, t, times_power(p, s.shifted));
}
