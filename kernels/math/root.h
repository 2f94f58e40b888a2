// cbrt and hypot by Newton's method for inverse roots: neither a division nor the hardware's square root, which on
// AVX-512 takes as long as 20 other operations.  The first guess divides the exponent by treating the bits as a number
// (Blinn, Floating-Point Tricks, 1997); the last step works on the root itself, with an exact rest.
#pragma once
#include "float_bits.h"

// bits * -1/3 as an integer, plus a constant: x^(-1/3) within 3.4 %, as e = 1 - x y^3 is in +-0.102.
ND_FN float inverse_cbrt_guess(float x) {
  return from_bits<float>(int(fused(float(int(bits_of(x))), -1.0f / 3.0f, 1419900344.0f)));
}
ND_FN double inverse_cbrt_guess(double x) {
  constexpr double bias = 0x1p52, constant = 1363.9319779468726 * 0x1p40;  // the bits without their last 12
  double number = from_bits<double>((bits_of(x) >> 12) | 0x4330000000000000);
  return from_bits<double>(bits_of(fused(number, -1.0 / 3.0, constant + bias * (4.0 / 3.0))) << 12);
}

// (1 - e)^(-1/3) = 1 + e p(e), error 4.7e-5 (float), 1.9e-10 (double) for |e| <= 0.102.
ND_FN float inverse_cbrt_series(float e) { return polynomial(e, 0.33463650481402296, 0.2236528806223232); }
ND_FN double inverse_cbrt_series(double e) {
  return polynomial(e, 0.3333333455410931, 0.22222225415917593, 0.1728299554333481, 0.1440178554707688,
                    0.12667076583073844, 0.11307763798890992);
}

template <class C> constexpr C cbrt_small = sizeof(C) == 4 ? C(0x1p-80) : C(0x1p-900);

template <class C> ND_FN C cbrt_of(C x) {
  constexpr C up = sizeof(C) == 4 ? C(0x1p48) : C(0x1p108), down = sizeof(C) == 4 ? C(0x1p-16) : C(0x1p-36);
  C a = magnitude(x);
  bool is_small = a < cbrt_small<C>;
  C v = is_small ? a * up : a, y = inverse_cbrt_guess(v), e = fused(v * y, -(y * y), C(1));
  y = fused(y * e, inverse_cbrt_series(e), y);
  C square = y * y, root = v * square, cube = root * root, cube_low = fused(root, root, -cube);
  C rest = fused(-root, cube_low, fused(-root, cube, v));
  root = fused(C(1.0 / 3.0) * square, rest, root);
  root = is_small ? root * down : root;
  return with_sign(a < ieee<C>::infinity ? root : a, x);
}

// x^(-1/2) likewise; e = 1 - x y^2 in +-0.0682, errors 2.5e-5 and 8.8e-10.
ND_FN float inverse_root_guess(float x) { return from_bits<float>(0x5f37474b - (bits_of(x) >> 1)); }
ND_FN double inverse_root_guess(double x) { return from_bits<double>(0x5fe6e8e96f415c00 - (bits_of(x) >> 1)); }
ND_FN float inverse_root_series(float e) { return polynomial(e, 0.5010648511462108, 0.37619421104936923); }
ND_FN double inverse_root_series(double e) {
  return polynomial(e, 0.5000000030379939, 0.3749978906674852, 0.3124951223203801, 0.27490297650616524,
                    0.24797999527865217);
}

// The larger operand is scaled to [2, 4), or less if it is subnormal, so that no square leaves the range.
template <class C> ND_FN C hypot_of(C x, C y) {
  constexpr int digits = ieee<C>::mantissa_bits;
  C a = magnitude(x), b = magnitude(y), top = a > b ? a : b, less = a > b ? b : a;
  signed_word_of<C> exponent = bits_of(top) & bits_of(ieee<C>::infinity), least = word_of<C>(1) << digits;
  exponent = exponent > least ? exponent : least;
  C scale = from_bits<C>(((2 * ieee<C>::bias + 1) << digits) - exponent);
  C p = top * scale, q = less * scale, square = q * q;
  C v = fused(p, p, square), guess = inverse_root_guess(v), e = fused(v * guess, -guess, C(1));
  C inverse = fused(guess * e, inverse_root_series(e), guess), root = v * inverse;
  C rest = fused(-root, root, v);
  if (sizeof(C) == 4) rest += fused(p, p, square - v);  // what v lost: without it the error can reach 1.03 ulp
  root = fused(C(0.5) * inverse, rest, root);
  bool is_infinite = (a == ieee<C>::infinity) | (b == ieee<C>::infinity);
  return is_infinite ? ieee<C>::infinity : C(0.5) * root * from_bits<C>(exponent);
}

ND_FN float cbrt(float x) { return cbrt_of(x); }
ND_FN double cbrt(double x) { return cbrt_of(x); }
ND_FN float hypot(float x, float y) { return hypot_of(x, y); }
ND_FN double hypot(double x, double y) { return hypot_of(x, y); }
