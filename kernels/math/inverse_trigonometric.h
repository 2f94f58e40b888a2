// asin, acos, atan and atan2 for float and double: at most 1 and 2 units in last place from the exact result.
// Float keeps the roundings of roots, quotients and differences as corrections, which leaves little more than the last
// rounding; double may be off by 2 units and mostly does without.  atan2 of float is computed in double, where
// quotients neither overflow nor lose digits. Coefficients are minimax fits (Remez, 60 digits), given with the largest
// relative error of the function. Included inside a namespace, before scalar.h.
#pragma once
#include "float_bits.h"

template <class C> constexpr C half_pi = sizeof(C) == 4 ? C(0x1.921fb6p0) : C(0x1.921fb54442d18p0);
template <class C> constexpr C half_pi_low = sizeof(C) == 4 ? C(-0x1.777a5cp-25) : C(0x1.1a62633145c07p-54);

// ------------------------------------------------------------------------------------------ inverse sine and cosine

// (asin(x) / x - 1) / x^2 of z = x^2, for |x| <= 1/2: 2^-27.6 and 2^-55.9.
ND_FN float arcsine_rest(float z) {
  return polynomial(z, 0.16666752405142268, 0.07495300313359761, 0.04547011134633096, 0.02418049306984512,
                    0.04216512329147668);
}
ND_FN double arcsine_rest(double z) {
  return polynomial(z, 0.16666666666665408, 0.07500000000337004, 0.04464285682833602, 0.030381959136669807,
                    0.022371758057232138, 0.017359704663894544, 0.013885236434703855, 0.012169205302955441,
                    0.006528002605169866, 0.019528190924185593, -0.016224137632182518, 0.0319121921362864);
}

// What the rounding of a root lost, doubled; the addition keeps 0 / 0 away.
ND_FN float lost_of_root(float root, float square) { return fused(-root, root, square) / (root + 1e-30f); }
ND_FN double lost_of_root(double, double) { return 0; }

// asin(x) = arc and acos(x) = pi/2 - arc for |x| <= 1/2.  Beyond, by Cody & Waite 1980, the angle between |x| and 1 is
// arc = 2 asin(sqrt((1 - |x|) / 2)).  arc = first + (lost + first z rest).
template <class C> struct arc {
  C first, lost, z, rest;
  bool is_outer;
};
template <class C> ND_FN arc<C> arc_of(C x) {
  C size = magnitude(x), square = fused(size, C(-0.5), C(0.5)), root = __builtin_sqrt(square);
  bool is_outer = size > C(0.5);
  C z = is_outer ? square : x * x;
  return {is_outer ? root + root : x, is_outer ? lost_of_root(root, square) : C(0), z, arcsine_rest(z), is_outer};
}

// base - arc, where base is not less than the arc.
template <class C> ND_FN C complement(C base, C base_low, arc<C> a) {
  C difference = base - a.first, lost = (((base - difference) - a.first) + base_low) - a.lost;
  return difference + fused(a.first * a.z, -a.rest, lost);
}
template <class C> ND_FN C sum(arc<C> a) { return a.first + fused(a.first * a.z, a.rest, a.lost); }

template <class C> ND_FN C arcsine(C x) {
  arc<C> a = arc_of(x);
  C outer = complement(half_pi<C>, half_pi_low<C>, a), inner = sum(a);
  return with_sign(a.is_outer ? outer : inner, x);
}
template <class C> ND_FN C arccosine(C x) {
  arc<C> a = arc_of(x);
  C turns = a.is_outer ? C(2) : C(1), left = complement(turns * half_pi<C>, turns * half_pi_low<C>, a), right = sum(a);
  return a.is_outer & (x > 0) ? right : left;
}

// ------------------------------------------------------------------------------------------ inverse tangent

// (atan(x) / x - 1) / x^2 of z = x^2, for |x| <= 1: 2^-28.5 and 2^-57.6.
ND_FN float arctangent_rest(float z) {
  float more = polynomial(z, -0.1426401436328888, 0.10950861126184464, -0.08399205654859543, 0.057878799736499786,
                          -0.031093431636691093, 0.010866197757422924, -0.001782122883014381);
  return fused(z, fused(z, more, 0.1999852955341339f), -0.33333298563957214f);
}
ND_FN double arctangent_rest(double z) {
  return polynomial(z, -0.3333333333333307, 0.19999999999951468, -0.14285714282575512, 0.1111111100703746,
                    -0.09090907003179542, 0.07692279841344349, -0.06666404073162407, 0.058805279006256726,
                    -0.05253518907662522, 0.04722323331806594, -0.042191816584561254, 0.036641961784170916,
                    -0.029903932944211585, 0.021984937766074384, -0.013900633472825148, 0.007196551145253992,
                    -0.0028849412408186417, 0.0008313292711664616, -0.00015216234752595453, 1.3225212200248976e-05);
}

// The same to 2^-25.8, for float computed in double.
ND_FN double short_arctangent_rest(double z) {
  return polynomial(z, -0.3333315273839039, 0.1999377288247068, -0.1421105562686495, 0.10666005654370371,
                    -0.07552216004915786, 0.043211876830153574, -0.016367935670659854, 0.0029206936858428545);
}

// base (pi/2) + atan(quotient), |quotient| <= 1.
template <class C> ND_FN double arctangent_beside(double base, double quotient) {
  double z = quotient * quotient, rest = sizeof(C) == 4 ? short_arctangent_rest(z) : arctangent_rest(z);
  double more = fused(quotient * z, rest, base * half_pi_low<double>);
  return fused(base, half_pi<double>, quotient + more);
}

// Beyond 1, atan(x) = pi/2 - atan(1 / x).  What the rounding of -1 / x lost counts with the slope 1 / (1 + z), or about
// 1 - z / 2.
ND_FN float arctangent(float x) {
  float size = magnitude(x);
  bool is_outer = size > 1.0f;
  float inside = size > 1e30f ? 1e30f : size, quotient = (is_outer ? -1.0f : size) / (is_outer ? inside : 1.0f);
  float z = quotient * quotient, slope = fused(z, -0.5f, 1.0f), error = fused(quotient, inside, 1.0f) * slope;
  float lost = is_outer ? fused(quotient, error, half_pi_low<float>) : 0.0f;
  float base = is_outer ? half_pi<float> : 0.0f, total = base + quotient;
  float rest = arctangent_rest(z), product = z * rest, product_lost = fused(z, rest, -product);
  float more = fused(quotient, product, fused(quotient, product_lost, lost)) + ((base - total) + quotient);
  return with_sign(total + more, x);
}
ND_FN double arctangent(double x) {
  double size = magnitude(x);
  bool is_outer = size > 1;
  double quotient = (is_outer ? -1.0 : size) / (is_outer ? size : 1.0);
  return with_sign(arctangent_beside<double>(is_outer ? 1.0 : 0.0, quotient), x);
}

// 0 / 0 and infinity / infinity are taken apart.
ND_FN double ratio_of(double least, double most, double) {
  double ratio = least / most, equal = most == 0.0 ? 0.0 : 1.0;
  return least == most ? equal : ratio;
}
// Of numbers that were float: 1e-300 changes none but 0, and beside an infinity as small as 1e200 all vanish.
ND_FN double ratio_of(double least, double most, float) {
  return (least > 1e200 ? 1e200 : least) / ((most > 1e200 ? 1e200 : most) + 1e-300);
}

// The quotient is negated to the left or above 45 degrees, where the base is 1.0: bit 52 of 0.0, 1.0 and 2.0 tells.
// Moving signs as bits costs gcc much less than combining comparisons.
template <class C> ND_FN double arctangent2(C y, C x) {
  double height = magnitude(double(y)), width = magnitude(double(x));
  bool is_steep = height > width;
  double quotient = ratio_of(is_steep ? width : height, is_steep ? height : width, C(0));
  double base = is_steep ? 1.0 : 1.0 - with_sign(1.0, double(x));
  quotient = from_bits<double>(bits_of(quotient) ^ ((bits_of(base) << 11 ^ bits_of(double(x))) & 1ull << 63));
  return with_sign(arctangent_beside<C>(base, quotient), double(y));
}

ND_FN float asin(float x) { return arcsine(x); }
ND_FN double asin(double x) { return arcsine(x); }
ND_FN float acos(float x) { return arccosine(x); }
ND_FN double acos(double x) { return arccosine(x); }
ND_FN float atan(float x) { return arctangent(x); }
ND_FN double atan(double x) { return arctangent(x); }
ND_FN float atan2(float y, float x) { return float(arctangent2(y, x)); }
ND_FN double atan2(double y, double x) { return arctangent2(y, x); }
