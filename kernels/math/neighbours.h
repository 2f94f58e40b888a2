// The floating-point number next to another one.  The bits of magnitudes count upwards through subnormal numbers to
// infinity, so a neighbour is one more or one less; from zero it is the least number on that side (compare types.h for
// halves).
#pragma once
#include "float_bits.h"

template <class C> ND_FN C neighbour(C x, C to) {
  constexpr word_of<C> sign = word_of<C>(1) << (8 * sizeof(C) - 1);
  bool is_up = x < to, is_outward = is_up == (x > C(0));
  word_of<C> bits = bits_of(x), beside_zero = is_up ? 1 : sign + 1;
  C next = from_bits<C>(x == C(0) ? beside_zero : is_outward ? bits + 1 : bits - 1);
  C y = x == to ? to : next;
  return (x != x) | (to != to) ? x + to : y;
}

ND_FN float nextafter(float x, float to) { return neighbour(x, to); }
ND_FN double nextafter(double x, double to) { return neighbour(x, to); }
