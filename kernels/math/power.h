// pow = 2^(y log2 x), the logarithm in more than the precision of the result: a sum of two numbers (Dekker 1971,
// https://doi.org/10.1007/BF01397083, with fused operations).
// Design: short tables (Tang 1990, https://doi.org/10.1145/98267.98294), which fit into registers.  Without them float
// took 1.8 times as long on AVX-512.
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
  W index = bits_of(shifted);
  V power = looked_up(sixteenth, index), growth = fused(left, slope_of_2, looked_up(sixteenth_low, index));
  return {fused(power, growth, power), y * high, index};
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

// x = 2^k m, and m c = 1 + r with |r| < 0.0298 for the c of one of 16 cells between 0.76 and 1.52; that around 1 has c
// = 1.  log(1/c) is the sum of two doubles, of which the first is so short that a multiple of ln 2 is added to it
// without loss.
constexpr unsigned long long double_cells_start = 0x3fe8550000000000;
alignas(64) constexpr double double_cell_inverse[16] = {
    1.2886581720937549, 1.2387721155300166, 1.1926044547969137, 1.1497543859649122,
    1.1098767104728358, 1.0726725153856227, 1.0378816673001394, 1.0,
    0.9505685773961476, 0.8972617743702082, 0.8496162621862684, 0.8067756549143195,
    0.7680480030001875, 0.7328681338343174, 0.700769888793841,  0.6713653499426323};
alignas(64) constexpr double double_cell_log[16] = {
    -0.2536015003429384,  -0.2141206596045322,  -0.17613953306545227,  -0.13954834214246148,
    -0.10424893750928277, -0.07015321239100558, -0.037181777570822305, 0.0,
    0.05069497089652941,  0.10840762630982681,  0.16297048768637978,   0.21470964822810856,
    0.2639030438813279,   0.31078949255038424,  0.3555757071867447,    0.39844180443242294};
alignas(64) constexpr double double_cell_log_low[16] = {
    5.81438876508396e-14,   -9.446820881740778e-14,  4.4845020133963684e-14,  2.3805776546674494e-14,
    4.59929687450145e-14,   1.006204727834003e-13,   -6.434915880211286e-14,  0.0,
    -3.516652522929357e-14, -1.0173518936943022e-13, -1.0120878733246908e-13, -5.792394881665953e-14,
    -6.938135794138683e-14, -2.9750619722891473e-14, 8.03012380522641e-14,    8.586419385658747e-14};
// 2^(j/16), and what is missing relative to it.
alignas(64) constexpr double double_sixteenth[16] = {1.0,
                                                     1.0442737824274138,
                                                     1.0905077326652577,
                                                     1.1387886347566916,
                                                     1.189207115002721,
                                                     1.241857812073484,
                                                     1.2968395546510096,
                                                     1.3542555469368927,
                                                     1.4142135623730951,
                                                     1.4768261459394993,
                                                     1.5422108254079407,
                                                     1.6104903319492543,
                                                     1.681792830507429,
                                                     1.7562521603732995,
                                                     1.8340080864093424,
                                                     1.9152065613971474};
alignas(64) constexpr double double_sixteenth_low[16] = {0.0,
                                                         8.189317638195514e-17,
                                                         -2.7939114859515733e-17,
                                                         7.826573258636075e-17,
                                                         3.3484623336251524e-17,
                                                         3.7508542013031266e-17,
                                                         1.9572585293112036e-17,
                                                         5.68648095791174e-17,
                                                         -6.835808657661923e-17,
                                                         -2.3591094770850053e-17,
                                                         5.1548301170786783e-17,
                                                         1.5341410053603723e-17,
                                                         4.875160526227061e-17,
                                                         1.685487290628973e-17,
                                                         1.790126907604513e-17,
                                                         -5.5450656186394274e-17};
constexpr double double_sixteenth_shift = 0x1.8p48;

// (log(1 + r) - r + r^2 / 2) / (r^3 / 2), 2^-65 of r; (e^r - 1 - r) / r^2 for |r| <= ln 2 / 32, 2^-64 of e^r.
template <class V> ND_FN V double_log_rest(V r) {
  V z = r * r, z2 = z * z;
  V a = fused(r, all<V>(-0.49999999999999645), all<V>(0.6666666666666666));
  V b = fused(r, all<V>(-0.33333333338713134), all<V>(0.3999999999999967));
  V c = fused(r, all<V>(-0.24999978059409053), all<V>(0.2857142857639463));
  V d = fused(r, all<V>(-0.20033134321998364), all<V>(0.22222201969033153));
  V low = fused(z, b, a), high = fused(z, fused(z, all<V>(0.18212404095674256), d), c);
  return fused(z2, high, low);
}
template <class V> ND_FN V double_exp_rest(V r) {
  V z = r * r;
  V a = fused(r, all<V>(0.16666666666666669), all<V>(0.5000000000000001));
  V b = fused(r, all<V>(0.008333333332978234), all<V>(0.04166666666347077));
  V c = fused(r, all<V>(0.0001984146768580789), all<V>(0.0013889066949166822));
  return fused(z, fused(z, c, b), a);
}

// The logarithm is value + low, with an error of some 2^-63 relative to it: leading terms are added without loss, and
// m c, r^2 / 2 and y value are sums of two numbers.  x is given by its bits.
template <class V, class W> ND_FN scaled_power<V, W> scaled_double_power_of(W x, V y) {
  constexpr unsigned long long one = 0x3ff0000000000000;
  W moved = x + (2 * one - double_cells_start), cell = moved >> 48, biased = moved >> 52;
  V k = double_of_bits(biased | bits_of(0x1p52)) - all<V>(0x1p52 + 2046);
  V m = double_of_bits(x - ((biased - 2046) << 52)), c = looked_up(double_cell_inverse, cell);
  V product = m * c, product_low = fused(m, c, -product), r = product - 1.0;
  V r_low = fused(-r, fused(-r, product_low, product_low), product_low);  // over 1 + r

  V start = fused(k, all<V>(ln2_high<double>), looked_up(double_cell_log, cell));
  V first = start + r, first_low = r - (first - start);
  V half = all<V>(0.5) * r, square = r * half, square_low = fused(r, half, -square);
  V second = first - square, second_low = (first - second) - square;
  V lows = fused(k, all<V>(ln2_low<double>), looked_up(double_cell_log_low, cell)) + (r_low - square_low);
  V rest = fused(square * r, double_log_rest(r), lows + (first_low + second_low));
  V value = second + rest, low = rest - (value - second);

  V t = y * value, t_low = fused(y, low, fused(y, value, -t)), shift = all<V>(double_sixteenth_shift);
  V shifted = fused(t, all<V>(log2_e<double>), shift), n = shifted - shift;
  V left = fused(n, all<V>(-ln2_low<double>), fused(n, all<V>(-ln2_high<double>), t)) + t_low;
  W index = bits_of(shifted);
  V power = looked_up(double_sixteenth, index);
  V growth = fused(left * left, double_exp_rest(left), left) + looked_up(double_sixteenth_low, index);
  return {fused(power, growth, power), t, index};
}

// The power where x is positive and normal, and so is the result.
template <class V, class W> ND_FN V plain_double_power(W x, V y) {
  scaled_power<V, W> s = scaled_double_power_of(x, y);
  return double_of_bits(bits_of(s.p) + ((s.shifted << 48) & 0xfff0000000000000u));
}

// p 2^k in two exact steps, of which the second rounds a subnormal result.
template <class V, class W> ND_FN V times_double_power(scaled_power<V, W> s) {
  W k = signed_shift(s.shifted - bits_of(double_sixteenth_shift), 4) + 2 * 1023, half = k >> 1;
  return s.p * double_of_bits(half << 52) * double_of_bits((k - half) << 52);
}

ND_FN unsigned long long bits_of_size(double x) {
  double size = magnitude(x);
  return size < ieee<double>::least_normal ? bits_of(size * 0x1p52) - (52ull << 52) : bits_of(size);
}

ND_FN double pow(double x, double y) {
  scaled_power<double, unsigned long long> s = scaled_double_power_of(bits_of_size(x), y);
  return power_or_special(x, y, s.t, times_double_power(s));
}

// Under the same names as for floats, which the loops use.
#ifdef ND_LANES
using double_power_lanes = scaled_power<double_lanes, long_word_lanes>;
ND_FN double_power_lanes scaled_power_of(long_word_lanes x, double_lanes y) { return scaled_double_power_of(x, y); }
ND_FN double_lanes plain_power(long_word_lanes x, double_lanes y) { return plain_double_power(x, y); }
ND_FN double_lanes times_power(double_power_lanes s) { return times_double_power(s); }
#endif
