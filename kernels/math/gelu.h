// gelu(x) = x Phi(x), Phi the normal distribution function, of float: max(x, 0) - t(|x|), where t(x) = x (1 - Phi(x)).
// Design: near 0, where most arguments are, t is a polynomial in each of 32 cells, whose coefficients fit into
// registers; the other way, through exp and a quotient in double, takes four times as long on AVX-512.
// Which way an element goes depends on itself alone.
#pragma once
#include "error_function.h"
#include "lanes.h"

// t(x) at center + r is start + slope r + r^2 (c2 + c3 r ...), to 2^-27.  The centers lie near the middle of the cells,
// where start and slope are floats all but exactly.
constexpr float near_gelu_end = 5.0f, gelu_cells_per_unit = 6.25f;
alignas(64) constexpr float tail_center[32] = {
    0.0f,       0.160007f,  0.32007957f, 0.4799063f, 0.64017004f, 0.8000293f, 0.95996684f, 1.1202135f,
    1.2801429f, 1.439918f,  1.6004493f,  1.7599077f, 1.9200051f,  2.0805984f, 2.2401013f,  2.399164f,
    2.559628f,  2.7192757f, 2.8805516f,  3.0397673f, 3.200083f,   3.359999f,  3.5203679f,  3.680043f,
    3.8405347f, 3.9992578f, 4.1604457f,  4.319197f,  4.4789224f,  4.6410227f, 4.7994947f,  4.9593186f};
alignas(64) constexpr float tail_start[32] = {
    0.0f,           0.0698331f,    0.119855076f,   0.15148099f,    0.16710424f,    0.16948374f,    0.16178893f,
    0.1470968f,     0.12833105f,   0.10791508f,    0.08762375f,    0.06900902f,    0.052663106f,   0.038980722f,
    0.028095737f,   0.019712197f,  0.013410436f,   0.008895437f,   0.0057176067f,  0.0035984921f,  0.0021982652f,
    0.0013094381f,  0.0007585489f, 0.00042908316f, 0.00023574474f, 0.00012705929f, 6.6073524e-05f, 3.3818844e-05f,
    1.6800619e-05f, 8.044959e-06f, 3.817192e-06f,  1.7541322e-06f};
alignas(64) constexpr float tail_slope[32] = {0.5f,
                                              0.37341616f,
                                              0.25313717f,
                                              0.14501704f,
                                              0.052958556f,
                                              -0.019909378f,
                                              -0.07304196f,
                                              -0.10731447f,
                                              -0.12482122f,
                                              -0.1287695f,
                                              -0.12264611f,
                                              -0.11001108f,
                                              -0.09383111f,
                                              -0.07656444f,
                                              -0.060155608f,
                                              -0.045619767f,
                                              -0.033344526f,
                                              -0.023624063f,
                                              -0.016153112f,
                                              -0.010763493f,
                                              -0.0069403136f,
                                              -0.004349925f,
                                              -0.0026447135f,
                                              -0.0015660747f,
                                              -0.0008989979f,
                                              -0.00050504203f,
                                              -0.0002734406f,
                                              -0.00014539542f,
                                              -7.4944124e-05f,
                                              -3.720418e-05f,
                                              -1.8263065e-05f,
                                              -8.675098e-06f};
alignas(64) constexpr float tail_2[32] = {
    -0.3989423f,    -0.38882598f,  -0.35960534f,  -0.31460533f,  -0.258426f,    -0.19697885f, -0.13569896f,
    -0.07936224f,   -0.03175524f,  0.0051896446f, 0.031115208f,  0.046519052f,  0.05325371f,  0.05333626f,
    0.048972297f,   0.042141248f,  0.034306046f,  0.026677271f,  0.019827025f,  0.01422817f,  0.009820468f,
    0.0065519838f,  0.0042219884f, 0.0026389102f, 0.0015941242f, 0.0009391982f, 0.000532313f, 0.00029542975f,
    0.00015866465f, 8.196532e-05f, 4.176442e-05f, 2.056778e-05f};
alignas(64) constexpr float tail_3[32] = {
    -1.0012576e-09f, 0.04174548f,     0.078806356f,    0.10720364f,   0.12450298f,    0.12978168f,    0.12394812f,
    0.10917617f,     0.088573314f,    0.06541406f,     0.042532444f,  0.02245121f,    0.0063374657f,  -0.0052238377f,
    -0.012335039f,   -0.015755905f,   -0.016408995f,   -0.015215852f, -0.01299159f,   -0.010434347f,  -0.007933022f,
    -0.005758342f,   -0.0040009227f,  -0.0026762108f,  -0.001720636f, -0.0010730941f, -0.0006417788f, -0.00037426432f,
    -0.0002106502f,  -0.00011382154f, -6.0463084e-05f, -3.099102e-05f};
alignas(64) constexpr float tail_4[32] = {
    0.06649047f,   0.062714264f,    0.052010182f,   0.036160346f,  0.017595168f,  -0.0008529654f, -0.016792804f,
    -0.0284861f,   -0.035059076f,   -0.03663484f,   -0.034033325f, -0.02857361f,  -0.021618407f,  -0.014433901f,
    -0.008039551f, -0.0029550227f,  0.00066754984f, 0.0028504776f, 0.0038742558f, 0.0040449216f,  0.0036928435f,
    0.0030814577f, 0.0023979775f,   0.0017643117f,  0.0012326711f, 0.0008269105f, 0.0005286482f,  0.00032731748f,
    0.000194742f,  0.000110871384f, 6.177633e-05f,  3.313015e-05f};
alignas(64) constexpr float tail_5[32] = {
    -2.9541561e-06f, -0.009293688f,   -0.017047418f,   -0.022041354f,   -0.023659624f,   -0.021936473f,
    -0.017526675f,   -0.011472779f,   -0.0049924236f,  0.00085181964f,  0.0053302646f,   0.008040883f,
    0.009044135f,    0.008632083f,    0.0072770305f,   0.0054660356f,   0.0035849824f,   0.0019441559f,
    0.0006718411f,   -0.00017028172f, -0.0006475769f,  -0.0008386358f,  -0.00083970395f, -0.0007349496f,
    -0.000586687f,   -0.00043799894f, -0.00030692352f, -0.00020555712f, -0.00013118447f, -7.963415e-05f,
    -4.6984092e-05f, -2.6574617e-05f};
alignas(64) constexpr float tail_6[32] = {
    -0.009941943f,  -0.009129786f,  -0.0068081f,    -0.0034982164f, 0.00012246592f, 0.0033537047f,   0.0056529944f,
    0.0067319516f,  0.0065900777f,  0.005473124f,   0.0037688676f,  0.0019063111f,  0.00023648137f,  -0.001008087f,
    -0.0017374931f, -0.0019877742f, -0.0018705918f, -0.0015287087f, -0.0010955262f, -0.00067644013f, -0.00033079606f,
    -8.393148e-05f, 6.7144785e-05f, 0.00014066741f, 0.00016035761f, 0.00014827654f, 0.00012145602f,  9.144019e-05f,
    6.432064e-05f,  4.2653784e-05f, 2.6967455e-05f, 1.6268237e-05f};

template <class V> ND_FN V near_normal_tail(V size) {
  auto cell = bits_of(fused(size, all<V>(gelu_cells_per_unit), all<V>(rounding_shift<float>)));
  V r = size - looked_up(tail_center, cell), z = r * r;
  V low = fused(r, looked_up(tail_3, cell), looked_up(tail_2, cell));
  V middle = fused(r, looked_up(tail_5, cell), looked_up(tail_4, cell));
  V rest = z * fused(z, fused(z, looked_up(tail_6, cell), middle), low);
  return looked_up(tail_start, cell) + fused(r, looked_up(tail_slope, cell), rest);
}

// For |x| >= near_gelu_end.
ND_FN float far_gelu(float x) {
  double size = limited(magnitude(double(x)), 15.0), half = size * 0.5;
  double tail = short_exp_of_minus(half * size) * short_scaled_erfc(size * root_half) * half;
  return x > 0 ? float(fused(tail, -1.0, double(x))) : with_sign(float(tail), x);
}

ND_FN float gelu(float x) {
  float size = magnitude(x), near = with_sign(greater_of(x, 0.0f) - near_normal_tail(size), x);
  return size < near_gelu_end ? near : far_gelu(x);
}

#ifdef ND_LANES
ND_FN float_lanes gelu(float_lanes x) {
  word_lanes sign = bits_of(x) & 0x80000000u;
  float_lanes size = float_of_bits(bits_of(x) ^ sign);
  float_lanes near = greater_of(x, float_lanes{}) - near_normal_tail(size);
  near = float_of_bits(bits_of(near) | sign);
  if (__builtin_expect(are_all_below(size, near_gelu_end), 1)) return near;
  alignas(64) float far[ND_LANES];
  *(float_lanes*)far = x;
  for (int k = 0; k < ND_LANES; ++k) far[k] = far_gelu(far[k]);
  return size < near_gelu_end ? near : *(float_lanes*)far;
}
#endif
