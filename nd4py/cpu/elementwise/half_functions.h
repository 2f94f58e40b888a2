// Elementary functions for float16 and bfloat16 results.  They are computed in float to 2^-18, tails of bfloat16 to
// 2^-15, which leaves them at most 0.51 units in the last place of the half type from the exact result.  Polynomials
// are short, and reductions have one step.  Arguments are halves too, or functions of halves that keep within their
// range.
// Included inside a namespace of each half type; `IS_WIDE` says that its range is that of float.  What is not here is
// found outside it, and is float's own.
// Design: a namespace, so that the rows' expressions find these functions by the names they use (compare
// argument_range.inc).

// e^r is 2^r with r in units of ln 2, |r| <= 1/2: (2^r - 1) / r to 2^-18.4 of 2^r, and to 2^-21 of itself.
ND_FN float power_slope(float r) {
  float p = fused(fused(0.009582852944731712f, r, 0.055906426161527634f), r, 0.24024099111557007f);
  return fused(p, r, 0.6931241750717163f);
}
ND_FN float whole_power_slope(float r) {
  return polynomial(r, 0.6931471228599548, 0.24022351205348969, 0.05550500378012657, 0.009666245430707932,
                    0.0013333536917343736);
}

ND_FN float at_most(float x, float bound) { return x > bound ? bound : x; }
ND_FN float at_least(float x, float bound) { return x < bound ? bound : x; }

// Where e^x is beyond the halves' range, and where it rounds to 0.
constexpr float EXP_TOP = IS_WIDE ? 89.0f : 40.0f, EXP_BOTTOM = IS_WIDE ? -104.0f : -40.0f;

// p 2^n, n the whole number in the low bits of `shifted`.
constexpr float SHIFT = 0x1.8p23f + (IS_WIDE ? 254.0f : 0.0f);
ND_FN float scaled(float p, float shifted) {
  if (IS_WIDE) return times_power(p, shifted);
  return from_bits<float>(bits_of(p) + (bits_of(shifted) << 23));
}

// e^x of EXP_BOTTOM <= x <= EXP_TOP.
ND_FN float exp_within(float x) {
  float shifted = fused(x, log2_e<float>, SHIFT), r = fused(x, log2_e<float>, SHIFT - shifted);
  return scaled(fused(r, power_slope(r), 1.0f), shifted);
}
ND_FN float exp(float x) {
  float y = exp_within(x);
  y = x > EXP_TOP ? ieee<float>::infinity : y;
  return x < EXP_BOTTOM ? 0.0f : y;
}

ND_FN float exp2(float x) {
  float shifted = x + SHIFT, r = x - (shifted - SHIFT), y = scaled(fused(r, power_slope(r), 1.0f), shifted);
  y = x > (IS_WIDE ? 128.0f : 60.0f) ? ieee<float>::infinity : y;
  return x < (IS_WIDE ? -150.0f : -60.0f) ? 0.0f : y;
}

// Twice 2^(n-1) (2^r - 1) + (2^(n-1) - 1/2).
ND_FN float expm1(float x) {
  constexpr float shift = 0x1.8p23f + 126.0f;
  float inside = at_most(at_least(x, -18.0f), EXP_TOP);
  float shifted = fused(inside, log2_e<float>, shift), r = fused(inside, log2_e<float>, shift - shifted);
  float power = power_of_two<float>(bits_of(shifted)), y = fused(power, r * whole_power_slope(r), power - 0.5f);
  return with_sign(y + y, x);
}

ND_FN float logistic(float x) {
  float t = exp_within(at_least(-magnitude(x), EXP_BOTTOM));
  return (x < 0.0f ? t : 1.0f) / (1.0f + t);
}

// x (1 + ...) / (1 + ...) for |x| <= 4.85, to 2^-19.1; beyond, 1 is nearest.
ND_FN float tanh(float x) {
  float inside = at_most(at_least(x, -4.85f), 4.85f), z = inside * inside;
  float top = inside * fused(z, fused(z, 0.0016612806357443333f, 0.11696003377437592f), 1.0f);
  float bottom = fused(z, fused(z, 6.613239384023473e-05f, 0.018437618389725685f), 0.4502842128276825f);
  return top / fused(z, bottom, 1.0f);
}

// ------------------------------------------------------------------------------------------ error function

// erf(x) / x of x^2, to 2^-19.6 for float16 and 2^-18 for bfloat16; beyond the bounds 1 is nearest.
ND_FN float erf(float x) {
  constexpr float bound = IS_WIDE ? 2.25f : 2.75f;
  float inside = at_most(at_least(x, -bound), bound), z = inside * inside;
  if (IS_WIDE)
    return inside * polynomial(z, 1.1283747866519285, -0.376024015084836, 0.11242642338713851, -0.026211732254766154,
                               0.004691421350692751, -0.0006055599430130269, 4.916288950265634e-05,
                               -1.841516809569935e-06);
  return inside * polynomial(z, 1.1283777800436887, -0.3760928868765988, 0.11269815377377469, -0.026631953874116425,
                             0.0050178682083175455, -0.0007465104928661867, 8.398154938823226e-05,
                             -6.607373011616076e-06, 3.1868382077036744e-07, -7.003585640433132e-09);
}

// 2^x / TAIL_UNIT of x <= 0, a normal number for all tails.
constexpr float TAIL_UNIT = IS_WIDE ? 0x1p-30f : 1.0f;
ND_FN float tail_power(float x) {
  constexpr float shift = 0x1.8p23f + (IS_WIDE ? 30.0f : 0.0f);
  float shifted = x + shift, r = x - (shifted - shift), p = fused(r, power_slope(r), 1.0f);
  return from_bits<float>(bits_of(p) + (bits_of(shifted) << 23));
}

// A tail is 2^p, where p is a polynomial: the logarithm of a tail is smooth, and no quotient is taken.  To 2^-18.2 for
// float16 and 2^-15.2 for bfloat16; beyond the bounds 0 is nearest.
ND_FN float erfc(float x) {
  float size = at_most(magnitude(x), IS_WIDE ? 9.55f : 4.1f);
  float p =
      IS_WIDE ? polynomial(size, -3.6127615018699544e-05, -1.6276178948784548, -0.9179258507188053, -0.1522187430413274,
                           0.034441071949841945, -0.005702018271153732, 0.0006553028129319147, -4.898153780904042e-05,
                           2.127408601145062e-06, -4.057518089651072e-08)
              : polynomial(size, 4.678803824376132e-06, -1.6281139124270338, -0.9169337951639993, -0.15261241409040693,
                           0.0340228977366439, -0.005259980711204757, 0.0004919518950396558, -2.0689054884227562e-05);
  float tail = tail_power(p) * TAIL_UNIT;
  return x < 0.0f ? 2.0f - tail : tail;
}

// |x|, at most the bound, which NaN gives as well; whole numbers are compared in fewer instructions.
ND_FN float size_at_most(float x, float bound) {
  word_of<float> size = bits_of(magnitude(x)), most = bits_of(bound);
  return from_bits<float>(size < most ? size : most);
}

// max(x, 0) - |x| (1 - Phi(|x|)), Phi the normal distribution function.
ND_FN float gelu(float x) {
  float size = size_at_most(x, IS_WIDE ? 13.6f : 5.9f);
  float p =
      IS_WIDE ? polynomial(size, -1.0000383508029316, -1.1508689139230732, -0.45902838630960696, -0.05376382925329986,
                           0.008588292396350082, -0.0010029385126075529, 8.123464062212016e-05, -4.27644979581774e-06,
                           1.3074160630672232e-07, -1.754479275244985e-09)
              : polynomial(size, -0.9999953022758543, -1.1512508524995277, -0.4584651303679277, -0.0539590558546069,
                           0.008507250155072511, -0.0009303226652222838, 6.15673977347444e-05, -1.832993209984457e-06);
  return with_sign(fused(-size, tail_power(p) * TAIL_UNIT, x < 0.0f ? 0.0f : x), x);
}

// ------------------------------------------------------------------------------------------ logarithms

// log(1 + f) for 1 + f in [sqrt(1/2), sqrt(2)), to 2^-19.5.
ND_FN float log_near_one(float f) {
  float p = polynomial(f, -0.5000084638595581, 0.33319219946861267, -0.2491905242204666, 0.20449134707450867,
                       -0.1858772486448288, 0.11949540674686432);
  return fused(f * f, p, f);
}

// x = 2^k (1 + f): -k 2^23 and f.  The sign of k lets the zero of log1p(-0) keep its own.
struct halved {
  float less_k, f;
};
ND_FN halved split_power(float x) {
  word_of<float> bits = bits_of(x), less_k = (0x3f3504f3u + 0x7fffffu - bits) & 0xff800000u;
  return {float(int(less_k)), from_bits<float>(bits + less_k) - 1.0f};
}

// Of 0, negative numbers, infinity and NaN where y is the logarithm of any other x.
ND_FN float unless_special(float x, float y) {
  y = x > 0.0f ? y : x == 0.0f ? -ieee<float>::infinity : ieee<float>::nan;
  return x < ieee<float>::infinity ? y : x;
}

// The logarithm whose unit is `per_unit` natural ones; `per_power` is that of 2.
ND_FN float log_to(float x, float per_unit, float per_power) {
  bool is_tiny = IS_WIDE && x < ieee<float>::least_normal;
  halved s = split_power(is_tiny ? x * 0x1p23f : x);
  if (IS_WIDE) s.less_k += is_tiny ? 23.0f * 0x1p23f : 0.0f;
  return unless_special(x, fused(s.less_k, per_power * -0x1p-23f, log_near_one(s.f) * per_unit));
}
ND_FN float log(float x) { return log_to(x, 1.0f, 0.6931471805599453f); }
ND_FN float log2(float x) { return log_to(x, 1.4426950408889634f, 1.0f); }
ND_FN float log10(float x) { return log_to(x, 0.4342944819032518f, 0.3010299956639812f); }

ND_FN float log1p(float x) {
  float sum = 1.0f + x;
  halved s = split_power(sum);
  float y = fused(s.less_k, 0.6931471805599453f * -0x1p-23f, log_near_one(s.less_k == 0.0f ? x : s.f));
  return unless_special(sum, y);
}

// 2^(y log2 |x|), the logarithm to 2^-24 of itself, because y multiplies its error.
ND_FN float power(float x, float y) {
  float size = magnitude(x);
  bool is_tiny = IS_WIDE && size < ieee<float>::least_normal;
  halved s = split_power(is_tiny ? size * 0x1p23f : size);
  if (IS_WIDE) s.less_k += is_tiny ? 23.0f * 0x1p23f : 0.0f;
  float log2 = fused(s.f,
                     polynomial(s.f, 1.4426950036428456, -0.7213473471600637, 0.48091064552225604, -0.3607036543877491,
                                0.287916131190737, -0.23894536749459247, 0.2157173723141827, -0.20726684859995056,
                                0.12582865897632386),
                     s.less_k * -0x1p-23f);
  float t = y * log2, inside = IS_WIDE ? t : at_most(at_least(t, -60.0f), 60.0f);
  float shifted = inside + SHIFT, r = inside - (shifted - SHIFT);
  return power_or_special(x, y, t, scaled(fused(r, whole_power_slope(r), 1.0f), shifted));
}

ND_FN float softplus(float x) {
  float t = exp_within(at_least(-magnitude(x), EXP_BOTTOM));
  bool is_near = t < 0.41421356f;
  float f = is_near ? t : fused(t, 0.5f, -0.5f), start = is_near ? 0.0f : 0.6931471805599453f;
  return (x > 0.0f ? x : 0.0f) + (start + log_near_one(f));
}

// ------------------------------------------------------------------------------------------ angles

// The sine of n pi + r, |r| <= pi / 2 + 2^-9: 2^-19.8.  The low bits of `shifted` hold n.
ND_FN float turned_sine(float r, float shifted) {
  float z = r * r, p = polynomial(z, -0.16665850579738617, 0.008314225822687149, -0.00018540574819780886);
  return negated_if(bits_of(shifted) & 1, r * fused(z, p, 1.0f));
}

// x - n pi; the product with the leading part of pi and the difference are exact where x is a half.
ND_FN float less_half_turns(float x, float n) { return fused(n, -0x1.4442d2p-23f, fused(n, -0x1.921fb4p1f, x)); }

// These hold up to SHORT_ANGLE, which no float16 exceeds.
constexpr float SHORT_ANGLE = 0x1p16f;
ND_FN float short_sin(float x) {
  float shifted = fused(x, 0x1.45f306p-2f, 0x1.8p23f);
  return turned_sine(less_half_turns(x, shifted - 0x1.8p23f), shifted);
}
ND_FN float short_cos(float x) {
  float shifted = fused(x, 0x1.45f306p-2f, 0.5f) + 0x1.8p23f;
  return turned_sine(less_half_turns(x, (shifted - 0x1.8p23f) - 0.5f), shifted);
}

// r p(r^2) / q(r^2), and -1 over it in odd quarters; p / q as in near_tan, to 2^-22.
ND_FN float short_tan(float x) {
  float shifted = fused(x, 0x1.45f306p-1f, 0x1.8p23f), r = less_half_turns(x, 0.5f * (shifted - 0x1.8p23f)), z = r * r;
  float p = r * fused(z, -0.09580183829517641f, 0.9999999859468673f);
  float q = fused(z, fused(z, 0.009716879035678453f, -0.42913584210770506f), 1.0f);
  unsigned int odd = bits_of(shifted) & 1;
  return negated_if(odd, odd ? q : p) / (odd ? p : q);
}

#define ND_ANGLE_FUNCTION(name) \
  ND_FN float name(float x) { return !IS_WIDE || magnitude(x) <= SHORT_ANGLE ? short_##name(x) : far_##name(x); }
ND_ANGLE_FUNCTION(sin)
ND_ANGLE_FUNCTION(cos)
ND_ANGLE_FUNCTION(tan)
#undef ND_ANGLE_FUNCTION

// ------------------------------------------------------------------------------------------ two operands

// The square root of x^2 + y^2.  Squares of bfloat16 leave the range of float, so the larger operand is brought to
// [2, 4) there, or less if it is subnormal.
ND_FN float hypot(float x, float y) {
  float a = magnitude(x), b = magnitude(y), half_scale = 1.0f;
  bool is_infinite = (a == ieee<float>::infinity) | (b == ieee<float>::infinity);
  if (IS_WIDE) {
    int exponent = bits_of(a > b ? a : b) & bits_of(ieee<float>::infinity), least = 1 << 23;
    exponent = exponent > least ? exponent : least;
    float scale = from_bits<float>((255u << 23) - exponent);
    a *= scale, b *= scale;
    half_scale = 0.5f * from_bits<float>(exponent);
  }
  float root = __builtin_sqrtf(fused(a, a, b * b)) * half_scale;
  return is_infinite ? ieee<float>::infinity : root;
}

// atan(q) / q of z = q^2, |q| <= 1, to 2^-20.4 for float16 and 2^-17.6 for bfloat16.
ND_FN float arctangent_slope(float z) {
  if (IS_WIDE)
    return fused(z,
                 polynomial(z, -0.33308899972420625, 0.19618308860743983, -0.12251499804837691, 0.05877023804161975,
                            -0.0139550943361881),
                 1.0f);
  return fused(z,
               polynomial(z, -0.3332849191869001, 0.19897873015603237, -0.13544575010286974, 0.0848410187523924,
                          -0.03779670287117675, 0.00810636223270614),
               1.0f);
}

// The quotient's arctangent is taken from the next whole quarter turn or added to it; 0 / 0 counts as 0 and infinity /
// infinity as 1.  Nothing but 0 is below the least half.
constexpr float LEAST_HALF = IS_WIDE ? 0x1p-133f : 0x1p-24f;
ND_FN float atan2(float y, float x) {
  float height = magnitude(y), width = magnitude(x);
  bool is_steep = height > width;
  float least = is_steep ? width : height, most = at_least(is_steep ? height : width, LEAST_HALF);
  float quotient = least == most ? 1.0f : least / most;
  word_of<float> is_left = bits_of(x) >> 31;
  quotient = from_bits<float>(bits_of(quotient) ^ (word_of<float>(is_steep) ^ is_left) << 31);
  float base = is_steep ? 0x1.921fb6p0f : is_left ? 0x1.921fb6p1f : 0.0f;
  return with_sign(fused(quotient, arctangent_slope(quotient * quotient), base), y);
}
