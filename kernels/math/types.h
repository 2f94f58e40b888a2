// Storage types without arithmetic: float16 and bfloat16 load to and store from float, rounding half to even.
#pragma once
#ifndef __CUDACC_RTC__
#include <cstdint>
#include <cstring>
#endif

struct nd_half {
  unsigned short bits;
};
struct nd_bfloat16 {
  unsigned short bits;
};

ND_FN float bits_to_float(unsigned int u) {
  float f;
  memcpy(&f, &u, 4);
  return f;
}
ND_FN unsigned int float_to_bits(float f) {
  unsigned int u;
  memcpy(&u, &f, 4);
  return u;
}

// Branch-free, so that loops over halves vectorise.  Subnormal halves are normalised by the subtraction of 2^-14.
ND_FN float load(nd_half h) {
  unsigned int sign = (h.bits & 0x8000u) << 16, rest = (h.bits & 0x7fffu) << 13;
  unsigned int exponent = rest & 0x0f800000u;
  float normal = bits_to_float(rest + 0x38000000u);
  float special = bits_to_float(rest + 0x70000000u);
  float subnormal = bits_to_float(rest + 0x38800000u) - bits_to_float(0x38800000u);
  float magnitude = exponent == 0x0f800000u ? special : (exponent == 0u ? subnormal : normal);
  return bits_to_float(float_to_bits(magnitude) | sign);
}

ND_FN nd_half store_half(float f) {
  unsigned int u = float_to_bits(f), sign = (u >> 16) & 0x8000u, magnitude = u & 0x7fffffffu;
  // Adding 0.5 lets the FPU round to a multiple of 2^-24, the smallest half.
  unsigned int subnormal = float_to_bits(bits_to_float(magnitude) + 0.5f) - 0x3f000000u;
  unsigned int normal = (magnitude - 0x38000000u + 0x0fffu + ((magnitude >> 13) & 1u)) >> 13;
  unsigned int special = magnitude > 0x7f800000u ? 0x7e00u : 0x7c00u;
  unsigned int half = magnitude >= 0x477ff000u ? special : (magnitude < 0x38800000u ? subnormal : normal);
  nd_half h;
  h.bits = (unsigned short)(half | sign);
  return h;
}

ND_FN float load(nd_bfloat16 b) { return bits_to_float((unsigned int)b.bits << 16); }

ND_FN nd_bfloat16 store_bfloat16(float f) {
  unsigned int u = float_to_bits(f);
  unsigned int rounded = (u + 0x7fffu + ((u >> 16) & 1u)) >> 16;
  unsigned int quiet = (u >> 16) | 0x40u;
  nd_bfloat16 b;
  b.bits = (unsigned short)((u & 0x7fffffffu) > 0x7f800000u ? quiet : rounded);
  return b;
}

// The float next to x on the side of 0, with its last bit set, where x is none: rounded to a half type, it gives what
// rounding x itself does (Boldo & Melquiond 2008, "Emulation of FMA and correctly rounded sums: proved algorithms using
// rounding to odd", https://doi.org/10.1109/TC.2007.70819).
ND_FN float rounded_to_odd(double x) {
  const float near = (float)x;
  const double back = near;
  unsigned int u = float_to_bits(near);
  u -= (back < 0 ? -back : back) > (x < 0 ? -x : x);
  return bits_to_float(u | (back != x));
}

// ------------------------------------------------------------------------------------------ neighbours

// The half next to x in the direction of another one.  The bits of magnitudes count upwards through subnormal numbers
// to infinity, so a neighbour is one more or one less; from zero it is the least number on that side.
ND_FN unsigned short neighbouring_half(unsigned short x, unsigned short to, unsigned short infinity) {
  int size = x & 0x7fff, to_size = to & 0x7fff;
  int rank = x & 0x8000 ? -size : size, to_rank = to & 0x8000 ? -to_size : to_size;
  bool is_up = rank < to_rank, is_outward = is_up == (rank > 0);
  int next = size == 0 ? (is_up ? 1 : 0x8001) : is_outward ? x + 1 : x - 1;
  int result = rank == to_rank ? to : next, quiet = infinity | (infinity >> 1 & ~infinity);
  return (unsigned short)((size > infinity) | (to_size > infinity) ? quiet : result);
}
ND_FN nd_half nextafter(nd_half x, nd_half to) { return {neighbouring_half(x.bits, to.bits, 0x7c00)}; }
ND_FN nd_bfloat16 nextafter(nd_bfloat16 x, nd_bfloat16 to) { return {neighbouring_half(x.bits, to.bits, 0x7f80)}; }
