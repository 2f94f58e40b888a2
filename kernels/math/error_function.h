// erf and erfc for float and double, gelu for double (gelu.h has it for float): at most 1 and 2 units in last place
// from the exact result.
// erfc(x) = exp(-x^2) g(x) for x >= 0, where g varies slowly: W. J. Cody 1969, "Rational Chebyshev approximations for
// the error function".  gelu(x) is x times the normal distribution function, x erfc(-x / sqrt(2)) / 2.
// Design: float is computed in double, whose roundings then do not matter.  In double, polynomials in
// t = (x - 3) / (x + 3), which maps all of x >= 0 into [-1, 1) (Shepherd & Laframboise 1981, "Chebyshev approximation
// of (1 + 2x) exp(x^2) erfc x in 0 <= x < infinity"), and factors as unevaluated sums of two numbers.
// Coefficients are minimax fits (Remez, 60 digits), given with the largest relative error of the function.
// Included inside a namespace, before scalar.h.
#pragma once
#include "exponential.h"
#include "float_bits.h"

constexpr double inverse_ln2 = 0x1.71547652b82fep0, ln2 = 0x1.62e42fefa39efp-1, ln2_rest = 0x1.abc9e3b39803fp-56;
constexpr double root_half = 0.7071067811865476, root_half_rest = -4.833646656726457e-17;

ND_FN double limited(double x, double limit) { return x > limit ? limit : x; }

// ------------------------------------------------------------------------------------------ float

// exp(-x) for 0 <= x < 700, to 2^-28.
ND_FN double short_exp_of_minus(double x) {
  double shifted = fused(x, -inverse_ln2, 0x1.8p52), r = fused(shifted - 0x1.8p52, -ln2, -x);
  double power = polynomial(r, 1.0, 1.0, 0.49999993447680285, 0.1666652063148339, 0.041668388066239175,
                            0.008368716900705378, 0.0013814597730753767);
  return from_bits<double>(bits_of(power) + (bits_of(shifted) << 52));
}

// exp(x^2) erfc(x) for 0 <= x <= 10.1: 2^-27.3.
ND_FN double short_scaled_erfc(double x) {
  double p = polynomial(x, 1.000000005715524, 1.2384963411237546, 0.7316968423464218, 0.22926408511300744,
                        0.03280643247267243);
  double q = polynomial(x, 1.0, 2.366876086758314, 2.4024211470272294, 1.3255420723740323, 0.4063863891460554,
                        0.05814718948454003);
  return p / q;
}

// erf(x) / x as a function of x^2 for |x| <= 3.95, where float(erf(x)) becomes 1: 2^-28.6.
ND_FN float erf(float x) {
  double size = limited(magnitude(double(x)), 3.95), z = size * size;
  double p = polynomial(z, 1.1283791697047358, 0.19261692318615378, 0.05564113095291963, 0.004205988532756937,
                        0.0004076321013538814, 6.6578033277949785e-06);
  double q = polynomial(z, 1.0, 0.5040357287789479, 0.11732198098684589, 0.016242264019659402, 0.0014123087062466312,
                        7.160529229279824e-05, 2.529400097989934e-07);
  return with_sign(float(limited(size * (p / q), 1.0)), x);
}

// 0 is the nearest float from 10.06 on.
ND_FN float erfc(float x) {
  double size = limited(magnitude(double(x)), 10.1);
  double power = short_exp_of_minus(size * size), scaled = short_scaled_erfc(size);
  return float(fused(power, x < 0 ? -scaled : scaled, x < 0 ? 2.0 : 0.0));
}

// ------------------------------------------------------------------------------------------ double

struct two_doubles {
  double high, low;
};

// exp(-high - low) without its power of 2, which stands in the low bits of `shifted`.
ND_FN two_doubles exp_of_minus(double high, double low, double shifted) {
  double n = shifted - 0x1.8p52, first = fused(n, -ln2, -high), second = fused(n, ln2_rest, low);
  double r = first - second, lost = (first - r) - second, sum = 1.0 + r;
  return {sum, (r - (sum - 1.0)) + fused(r * r, exp_rest(r), lost)};
}

// p 2^n in two steps, of which the second rounds a subnormal result; n stands in the low bits of `shifted`.
ND_FN double raised(double p, double shifted) {
  unsigned long long n = bits_of(shifted) + 2046, half = n >> 1 & 2047;
  return p * from_bits<double>(half << 52) * from_bits<double>((n - half) << 52);
}

// constant + low + t rest, where the constant is the greater part.
ND_FN two_doubles with_constant(double constant, double low, double t, double rest) {
  double sum = fused(t, rest, constant);
  return {sum, fused(t, rest, constant - sum) + low};
}

// (1 + 2x) exp(x^2) erfc(x) of t for 0 <= x <= 27.3: 2^-57.5.  The first coefficient has two parts.
ND_FN two_doubles scaled_erfc(double t) {
  double rest =
      polynomial(t, -0.13562110612458106, -0.04756229435345232, 0.12964515870274526, -0.11927366341520822,
                 0.06830802734455764, -0.02377051492109554, 0.002529391805836453, 0.0018886903888528364,
                 -0.0007798321705455311, -0.00010516000145576628, 0.00012509873056516666, 4.950300886946586e-06,
                 -2.0098105230649186e-05, -7.334909752301339e-07, 3.4659842354712345e-06, 3.595065396524767e-07,
                 -6.056536842993007e-07, -1.4285005598605083e-07, 9.002271597082149e-08, 4.036832138556916e-08,
                 -6.030944627361604e-09, -6.265143973949419e-09, -9.687263659628073e-10);
  return with_constant(1.2530080582697296, 4.8367609851253e-17, t, rest);
}

// The same over 2 sqrt(2): (a + sqrt(1/2)) exp(a^2 / 2) erfc(a sqrt(1/2)) / 2, of t with a = x sqrt(2).
ND_FN two_doubles scaled_normal_tail(double t) {
  double rest =
      polynomial(t, -0.04794930190635584, -0.016815810433058388, 0.045836485433358665, -0.04216960810892778,
                 0.024150534672406413, -0.008404146146501333, 0.0008942750490923214, 0.0006677528907598489,
                 -0.0002757123079900846, -3.717967506947977e-05, 4.422908035022908e-05, 1.750195663036856e-06,
                 -7.105753248796431e-06, -2.593282212621808e-07, 1.2254104781936907e-06, 1.2710475603458837e-07,
                 -2.1413091360932596e-07, -5.050512164030725e-08, 3.182783646189919e-08, 1.4272356898426939e-08,
                 -2.132260921483983e-09, -2.215062894544834e-09, -3.424964912432511e-10);
  return with_constant(0.44300524744195724, 1.9595111882744382e-17, t, rest);
}

// (high + low) / (divisor + divisor_low).
ND_FN two_doubles quotient_of(double high, double low, double divisor, double divisor_low) {
  double inverse = 1.0 / divisor, quotient = high * inverse;
  double rest = fused(quotient, -divisor_low, fused(quotient, -divisor, high) + low);
  return {quotient, rest * inverse};
}

// erfc(size) for 0 <= size <= 28; 0 is the nearest double from 27.3 on.
ND_FN double erfc_tail(double size) {
  double square = size * size, square_low = fused(size, size, -square);
  double shifted = fused(square, -inverse_ln2, 0x1.8p52);
  two_doubles e = exp_of_minus(square, square_low, shifted);
  double twice = size + size, divisor = 1.0 + twice, part = divisor - twice;
  double divisor_low = (twice - (divisor - part)) + (1.0 - part);
  two_doubles p = scaled_erfc((size - 3.0) / (size + 3.0)), q = quotient_of(p.high, p.low, divisor, divisor_low);
  return raised(fused(q.high, e.high, fused(q.high, e.low, q.low * e.high)), shifted);
}

// erf(x) / x - 1 as a function of x^2 for |x| <= 1/2: 2^-57.8.
ND_FN double near_erf_rest(double z) {
  return polynomial(z, 0.12837916709551256, -0.37612638903183465, 0.11283791670924816, -0.026866170632716322,
                    0.005223977370332408, -0.0008548297524748163, 0.0001205332432388663, -1.4845583855142763e-05,
                    1.4723215353501653e-06);
}

ND_FN double erfc(double x) {
  double size = magnitude(x), tail = erfc_tail(limited(size, 28.0)), outer = x < 0 ? 2.0 - tail : tail;
  double most = 1.0 - x, inner = most + fused(-x, near_erf_rest(x * x), (1.0 - most) - x);
  return size < 0.5 ? inner : outer;
}

// (Phi(x) - 1/2) / x as a function of x^2 for |x| <= 1/2, where Phi is the normal distribution function: 2^-58.4.
ND_FN double near_normal(double z) {
  return polynomial(z, 0.3989422804014327, -0.06649038006690493, 0.009973557009992102, -0.0011873282140831237,
                    0.00011543466566000117, -9.44446866475683e-06, 6.650794179910024e-07, -3.901695088317113e-08);
}

ND_FN double gelu(double x) {
  double size = limited(magnitude(x), x > 0 ? 10.0 : 39.0), half = size * 0.5, square = size * half;
  double shifted = fused(square, -inverse_ln2, 0x1.8p52);
  two_doubles e = exp_of_minus(square, fused(size, half, -square), shifted);
  two_doubles p = scaled_normal_tail((size - 4.242640687119285) / (size + 4.242640687119285));
  double product = size * p.high, product_low = fused(size, p.low, fused(size, p.high, -product));
  double divisor = size + root_half, part = divisor - size;
  double divisor_low = (size - (divisor - part)) + (root_half - part) + root_half_rest;
  two_doubles q = quotient_of(product, product_low, divisor, divisor_low);
  double high = q.high * e.high, low = fused(q.high, e.low, q.low * e.high) + fused(q.high, e.high, -high);
  double power = from_bits<double>((bits_of(shifted) + 1023) << 52);
  double above = fused(low, -power, fused(high, -power, x));
  double outer = x > 0 ? above : raised(high + low, shifted);
  double z = x * x, inner = fused(z, near_normal(z), x * 0.5);
  return with_sign(size < 0.5 ? inner : outer, x);
}

// x exp(x^2) erfc(x) of t = (x - 2.5) / (x + 2.5) for 1 <= x <= 6: 2^-54.2.
ND_FN double middle_erfc(double t) {
  return polynomial(t, 0.527015910152859, 0.12468998543328405, -0.175368866395541, 0.14133148570113413,
                    -0.07144479755523048, 0.01837729720979528, 0.0017871293062444006, -0.002628996671182017,
                    0.0001317446275050373, 0.0003804972624813127, -2.7172089933320712e-05, -6.603848449050553e-05,
                    -4.802823147427559e-07, 1.2360311861874128e-05, 1.6063047187596657e-06, -1.8379809176666375e-06);
}

// erf(x) / x - 1 as a function of x^2 for |x| <= 1: 2^-56.9.
ND_FN double erf_rest(double z) {
  return polynomial(z, 0.12837916709551256, -0.3761263890318352, 0.112837916709442, -0.026866170643113415,
                    0.005223977606130842, -0.0008548325929766244, 0.0001205529358693695, -1.4924712439534808e-05,
                    1.6447132699786545e-06, -1.6206318752968687e-07, 1.3710988704188445e-08, -7.779462971758002e-10);
}

// Beyond 1, erfc is so much smaller than erf that it needs no second parts.
ND_FN double erf(double x) {
  double size = limited(magnitude(x), 6.0), square = size * size, shifted = fused(square, -inverse_ln2, 0x1.8p52);
  double r = fused(shifted - 0x1.8p52, -ln2, -square), power = 1.0 + fused(r * r, exp_rest(r), r);
  double t = (size - 2.5) / (size + 2.5);
  double tail = from_bits<double>(bits_of(power) + (bits_of(shifted) << 52)) * (middle_erfc(t) / size);
  double inner = fused(size, erf_rest(square), size), outer = fused(tail, -1.0, 1.0);
  return with_sign(size < 1.0 ? inner : outer, x);
}
