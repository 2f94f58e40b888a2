// The determinant of a factorized matrix.  It is carried as a fraction and a power of two, so that no partial product
// overflows.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>

struct Determinant {  // (re + i im) * 2^exponent
  double re, im;
  int64_t exponent;
};

namespace nd_determinant {

inline void normalize(Determinant& d) {
  const double largest = std::fmax(std::fabs(d.re), std::fabs(d.im));
  if (largest == 0 || !std::isfinite(largest)) return;
  int shift;
  std::frexp(largest, &shift);
  d.re = std::ldexp(d.re, -shift);
  d.im = std::ldexp(d.im, -shift);
  d.exponent += shift;
}

constexpr double LARGE = 1e75, SMALL = 1e-75;  // two factors between them have a product in range

inline void keep_in_range(Determinant& d) {
  const double largest = std::fmax(std::fabs(d.re), std::fabs(d.im));
  if (!(largest < LARGE && largest > SMALL)) normalize(d);
}

inline void multiply(Determinant& d, double re, double im) {
  Determinant factor = {re, im, 0};
  keep_in_range(factor);
  const double product = d.re * factor.re - d.im * factor.im;
  d.im = im == 0 && d.im == 0 ? 0 : d.re * factor.im + d.im * factor.re;
  d.re = product;
  d.exponent += factor.exponent;
  keep_in_range(d);
}

template <class T> Determinant of_diagonal(const T* a, ptrdiff_t n, const int* pivots, bool is_complex) {
  Determinant d = {1, 0, 0};
  const ptrdiff_t width = is_complex ? 2 : 1;
  for (ptrdiff_t i = 0; i < n; ++i) {
    const T* element = a + i * (n + 1) * width;
    multiply(d, element[0], is_complex ? element[1] : T(0));
    if (pivots[i] != i + 1) d.re = -d.re, d.im = is_complex ? -d.im : d.im;
  }
  return d;
}

template <class T> void store(const Determinant& d, T* y, bool is_complex) {
  const int shift = int(d.exponent > 100000 ? 100000 : d.exponent < -100000 ? -100000 : d.exponent);
  y[0] = T(std::ldexp(d.re, shift));
  if (is_complex) y[1] = T(std::ldexp(d.im, shift));
}

template <class T> void store_logarithm(const Determinant& d, T* sign, T* logarithm, bool is_complex) {
  const double size = is_complex ? std::hypot(d.re, d.im) : std::fabs(d.re);
  sign[0] = T(size == 0 ? 0 : d.re / size);
  if (is_complex) sign[1] = T(size == 0 ? 0 : d.im / size);
  logarithm[0] = T(std::log(size) + double(d.exponent) * 0.693147180559945309417232121458);
}

}  // namespace nd_determinant

// From the LU factors a (n, n) and their row exchanges, counted from 1.  A matrix found singular has determinant 0.
inline Determinant determinant_of(const char* a, ptrdiff_t n, const int* pivots, bool is_singular, bool is_double,
                                  bool is_complex) {
  if (is_singular) return {0, 0, 0};
  if (is_double) return nd_determinant::of_diagonal(reinterpret_cast<const double*>(a), n, pivots, is_complex);
  return nd_determinant::of_diagonal(reinterpret_cast<const float*>(a), n, pivots, is_complex);
}

inline void store_determinant(const Determinant& d, char* y, bool is_double, bool is_complex) {
  if (is_double)
    nd_determinant::store(d, reinterpret_cast<double*>(y), is_complex);
  else
    nd_determinant::store(d, reinterpret_cast<float*>(y), is_complex);
}

inline void store_sign_and_logarithm(const Determinant& d, char* sign, char* logarithm, bool is_double,
                                     bool is_complex) {
  if (is_double)
    nd_determinant::store_logarithm(d, reinterpret_cast<double*>(sign), reinterpret_cast<double*>(logarithm),
                                    is_complex);
  else
    nd_determinant::store_logarithm(d, reinterpret_cast<float*>(sign), reinterpret_cast<float*>(logarithm), is_complex);
}
