// asin, acos, atan and atan2 for float and double: at most 1 and 2 units in last place from the exact result.
// Design: float is computed in double, whose roundings then do not matter; the polynomials are short, and half as many
// lanes cost less than the corrections that float would need.
// Coefficients are minimax fits (Remez, 60 digits), given with the largest relative error of the function.
// Included inside a namespace, before scalar.h.
#pragma once
#include "float_bits.h"

constexpr double half_pi = 0x1.921fb54442d18p0, half_pi_low = 0x1.1a62633145c07p-54;

// ------------------------------------------------------------------------------------------ inverse sine and cosine

// (asin(x) / x - 1) / x^2 of z = x^2, for |x| <= 1/2: 2^-27.6 for float, 2^-55.9 for double.
template <class C> ND_FN double arcsine_rest(double z) {
  if constexpr (sizeof(C) == 4) {
    return polynomial(z, 0.16666752405142268, 0.07495300313359761, 0.04547011134633096, 0.02418049306984512,
                      0.04216512329147668);
  } else {
    return polynomial(z, 0.16666666666665408, 0.07500000000337004, 0.04464285682833602, 0.030381959136669807,
                      0.022371758057232138, 0.017359704663894544, 0.013885236434703855, 0.012169205302955441,
                      0.006528002605169866, 0.019528190924185593, -0.016224137632182518, 0.0319121921362864);
  }
}

// Beyond 1/2, asin(x) = pi/2 - 2 asin(sqrt((1 - x) / 2)): Cody & Waite 1980.
template <class C> ND_FN double arcsine(double x) {
  double size = magnitude(x), outer = fused(size, -0.5, 0.5);
  bool is_outer = size > 0.5;
  double z = is_outer ? outer : x * x, root = is_outer ? __builtin_sqrt(outer) : size;
  double cube = root * z, rest = arcsine_rest<C>(z);
  double far = fused(root, -2.0, half_pi), lost = fused(root, -2.0, half_pi - far) + half_pi_low;
  far += fused(cube, rest * -2.0, lost);
  return with_sign(is_outer ? far : fused(cube, rest, root), x);
}

template <class C> ND_FN double arccosine(double x) {
  double size = magnitude(x), outer = fused(size, -0.5, 0.5);
  bool is_outer = size > 0.5;
  double z = is_outer ? outer : x * x, root = is_outer ? __builtin_sqrt(outer) : x;
  double cube = root * z, rest = arcsine_rest<C>(z), sum = fused(cube, rest, root);
  double inner = (half_pi - root) + fused(cube, -rest, half_pi_low);
  double left = fused(root, -2.0, 2 * half_pi) + fused(cube, rest * -2.0, 2 * half_pi_low);
  return is_outer ? (x < 0 ? left : sum + sum) : inner;
}

// ------------------------------------------------------------------------------------------ inverse tangent

// (atan(x) / x - 1) / x^2 of z = x^2, for |x| <= 1: 2^-25.8 for float, 2^-57.6 for double.
template <class C> ND_FN double arctangent_rest(double z) {
  if constexpr (sizeof(C) == 4) {
    return polynomial(z, -0.3333315273839039, 0.1999377288247068, -0.1421105562686495, 0.10666005654370371,
                      -0.07552216004915786, 0.043211876830153574, -0.016367935670659854, 0.0029206936858428545);
  } else {
    return polynomial(z, -0.3333333333333307, 0.19999999999951468, -0.14285714282575512, 0.1111111100703746,
                      -0.09090907003179542, 0.07692279841344349, -0.06666404073162407, 0.058805279006256726,
                      -0.05253518907662522, 0.04722323331806594, -0.042191816584561254, 0.036641961784170916,
                      -0.029903932944211585, 0.021984937766074384, -0.013900633472825148, 0.007196551145253992,
                      -0.0028849412408186417, 0.0008313292711664616, -0.00015216234752595453, 1.3225212200248976e-05);
  }
}

// base (pi/2) + atan(quotient), |quotient| <= 1.
template <class C> ND_FN double arctangent_beside(double base, double quotient) {
  double z = quotient * quotient;
  double more = fused(quotient * z, arctangent_rest<C>(z), base * half_pi_low);
  return fused(base, half_pi, quotient + more);
}

// Beyond 1, atan(x) = pi/2 - atan(1 / x).
template <class C> ND_FN double arctangent(double x) {
  double size = magnitude(x);
  bool is_outer = size > 1;
  double quotient = (is_outer ? -1.0 : size) / (is_outer ? size : 1.0);
  return with_sign(arctangent_beside<C>(is_outer ? 1.0 : 0.0, quotient), x);
}

// Equal sizes are taken apart because 0 / 0 and infinity / infinity are NaN.
template <class C> ND_FN double arctangent2(double y, double x) {
  double height = magnitude(y), width = magnitude(x);
  bool is_steep = height > width, is_left = with_sign(1.0, x) < 0;
  double ratio = (is_steep ? width : height) / (is_steep ? height : width);
  double quotient = height == width ? (height == 0 ? 0.0 : 1.0) : ratio;
  double base = is_steep ? 1.0 : is_left ? 2.0 : 0.0;
  return with_sign(arctangent_beside<C>(base, is_steep != is_left ? -quotient : quotient), y);
}

#define ND_INVERSE_FUNCTION(name, core)                       \
  ND_FN float name(float x) { return float(core<float>(x)); } \
  ND_FN double name(double x) { return core<double>(x); }
ND_INVERSE_FUNCTION(asin, arcsine)
ND_INVERSE_FUNCTION(acos, arccosine)
ND_INVERSE_FUNCTION(atan, arctangent)
#undef ND_INVERSE_FUNCTION
ND_FN float atan2(float y, float x) { return float(arctangent2<float>(y, x)); }
ND_FN double atan2(double y, double x) { return arctangent2<double>(y, x); }
