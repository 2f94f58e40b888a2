// log, log1p, log2, log10.  x = 2^k (1 + f) with 1 + f near 1; log(1 + f) = f + g, |g| < f^2, so that the leading term
// is exact.  float: g / f^2 is a polynomial.  double: by s = f / (2 + f), after Muller, Elementary Functions, and
// K. C. Ng's log of fdlibm, http://www.netlib.org/fdlibm/e_log.c.
#pragma once
#include "float_bits.h"

// log(1 + f) - f + more for sqrt(1/2) <= 1 + f <= sqrt(2), error 7.8e-10 relative to log(1 + f).  The last steps go by
// Horner's rule, which rounds less often.
ND_FN float log1p_rest(float f, float more) {
  float p = polynomial(f, 0.33333313, -0.25000012, 0.20002075, -0.16667858, 0.14220193, -0.12408094, 0.11886433,
                       -0.11661482, 0.06733526);
  return fused(f * f, fused(f, p, -0.5f), more);
}

// The same; series of 2 atanh(s) less 2 s has an error of 1.3e-18 relative to it.
ND_FN double log1p_rest(double f, double more) {
  double s = f / (2.0 + f), z = s * s, half = 0.5 * f * f;
  double p = polynomial(z, 0.6666666666666735, 0.3999999999941068, 0.2857142874318471, 0.2222219849723537,
                        0.1818356807194803, 0.1531395827896714, 0.14796847680814096);
  return fused(s, fused(z, p, half), more - half);
}

// Where the argument of a logarithm is no positive number.
template <class C> ND_FN C log_or_special(C x, C y) {
  y = x == ieee<C>::infinity ? x : y;
  C special = x == C(0) ? -ieee<C>::infinity : ieee<C>::nan;
  return x > C(0) ? y : special;
}

// k ln 2 + log(1 + f) + more.  For k = 1 and -1, where the two nearly cancel, the last sum is exact.
template <class C> ND_FN C log_sum(C k, C f, C more) {
  return fused(k, ln2_high<C>, f + log1p_rest(f, fused(k, ln2_low<C>, more)));
}

template <class C> ND_FN C log_of(C x) {
  split<C> s = split_positive(x);
  return log_or_special(x, log_sum(s.k, s.f, C(0)));
}

// What a small f_low adds to log(1 + f).
template <class C> ND_FN C log1p_more(C f, C f_low) {
  return f_low * fused(f, fused(f, C(0.8), C(-1)), C(1));  // nearly 1 / (1 + f)
}

template <class C> ND_FN C log1p_of(C x) {
  C u = C(1) + x, u_low = x - (u - C(1));
  split<C> s = split_normal(u);
  C f_low = x < C(1 << 30) ? u_low * s.scale : C(0);
  C y = log_or_special(u, log_sum(s.k, s.f, log1p_more(s.f, f_low)));
  return magnitude(x) < ieee<C>::least_normal * C(1 << 30) ? x : y;
}

// log2(1 + f) = c f + f p(f) with c near log2(e), so that p is small; error of float 4.7e-9 relative to it.
ND_FN float log2_near_one(float f) {
  float p =
      polynomial(f, 0.48089823, -0.3606982, 0.2885689, -0.23958531, 0.20455623, -0.19126347, 0.18651341, -0.10989651);
  return fused(f, 0x1.715476p0f, f * fused(f, fused(f, p, -0.72134733f), 1.9198348e-08f));
}
ND_FN double log2_near_one(double f) {
  return f + fused(f, 0x1.c551d94ae0bf8p-2, log2_e<double> * log1p_rest(f, 0.0));  // log2(e) - 1
}

template <class C> ND_FN C log2_of(C x) {
  split<C> s = split_positive(x);
  return log_or_special(x, s.k + log2_near_one(s.f));
}

// k log10(2) + log10(1 + f); log10(1 + f) = c f + f p(f) likewise, error of float 4.5e-9 relative to it.
ND_FN float log10_sum(float k, float f) {
  float p = polynomial(f, -1.0121497e-08, -0.21714719, 0.1447648, -0.108580776, 0.08686755, -0.07212667, 0.061586592,
                       -0.05755119, 0.05608122, -0.03306127);
  return fused(k, 0x1.344p-2f, fused(f, 0x1.bcb7b2p-2f, fused(f, p, k * 0x1.3509f8p-18f)));
}
ND_FN double log10_sum(double k, double f) {
  constexpr double log10_e = 0x1.bcb7b1526e50ep-2, less_half = -0x1.0d213ab646bc7p-4;
  double small = fused(k, 0x1.ef3fde623e256p-35, fused(f, less_half, log10_e * log1p_rest(f, 0.0)));
  return fused(k, 0x1.34413509p-2, fused(f, 0.5, small));
}

template <class C> ND_FN C log10_of(C x) {
  split<C> s = split_positive(x);
  return log_or_special(x, log10_sum(s.k, s.f));
}

ND_FN float log(float x) { return log_of(x); }
ND_FN double log(double x) { return log_of(x); }
ND_FN float log1p(float x) { return log1p_of(x); }
ND_FN double log1p(double x) { return log1p_of(x); }
ND_FN float log2(float x) { return log2_of(x); }
ND_FN double log2(double x) { return log2_of(x); }
ND_FN float log10(float x) { return log10_of(x); }
ND_FN double log10(double x) { return log10_of(x); }
