// Small matrix products and short dot products, not worth a call of BLAS.
#pragma once
#include <cstddef>

// n sums of k products: step bytes from one sum's operand to the next, stride bytes from element to element.
struct DotOperand {
  const char* data;
  ptrdiff_t step, stride;
};

// c (m, n), row-major without gaps, = a (m, k) @ b (k, n), where k and n are those of the function; strides in bytes.
typedef void (*SmallProduct)(ptrdiff_t m, const char* a, ptrdiff_t a_row, ptrdiff_t a_column, const char* b,
                             ptrdiff_t b_row, ptrdiff_t b_column, char* c);

namespace nd_small_products {

template <class T> struct Pair {
  T re, im;
};

template <class T, class A> T dot(const char* a, ptrdiff_t a_stride, const char* b, ptrdiff_t b_stride, ptrdiff_t k) {
  A total = 0;
  for (ptrdiff_t l = 0; l < k; ++l, a += a_stride, b += b_stride)
    total += A(*reinterpret_cast<const T*>(a)) * *reinterpret_cast<const T*>(b);
  return T(total);
}

template <class T> Pair<T> pair_dot(const char* a, ptrdiff_t a_stride, const char* b, ptrdiff_t b_stride, ptrdiff_t k) {
  double re = 0, im = 0;
  for (ptrdiff_t l = 0; l < k; ++l, a += a_stride, b += b_stride) {
    const Pair<T> x = *reinterpret_cast<const Pair<T>*>(a), y = *reinterpret_cast<const Pair<T>*>(b);
    re += double(x.re) * y.re - double(x.im) * y.im;
    im += double(x.re) * y.im + double(x.im) * y.re;
  }
  return {T(re), T(im)};
}

// K: the number of products where it is known, else 0.
template <class T, ptrdiff_t K> void dots(const DotOperand& a, const DotOperand& b, T* c, ptrdiff_t n, ptrdiff_t k) {
  const char *x = a.data, *y = b.data;
  for (ptrdiff_t i = 0; i < n; ++i, x += a.step, y += b.step)
    c[i] = dot<T, double>(x, a.stride, y, b.stride, K ? K : k);
}

template <class T> void dots_of(const DotOperand& a, const DotOperand& b, char* c, ptrdiff_t n, ptrdiff_t k) {
  T* y = reinterpret_cast<T*>(c);
  if (k == 2)
    dots<T, 2>(a, b, y, n, k);
  else if (k == 3)
    dots<T, 3>(a, b, y, n, k);
  else
    dots<T, 0>(a, b, y, n, k);
}

template <class T> void pair_dots(const DotOperand& a, const DotOperand& b, char* c, ptrdiff_t n, ptrdiff_t k) {
  const char *x = a.data, *y = b.data;
  for (ptrdiff_t i = 0; i < n; ++i, x += a.step, y += b.step)
    reinterpret_cast<Pair<T>*>(c)[i] = pair_dot<T>(x, a.stride, y, b.stride, k);
}

template <class T, int K, int N>
void multiply(ptrdiff_t m, const char* a, ptrdiff_t a_row, ptrdiff_t a_column, const char* b, ptrdiff_t b_row,
              ptrdiff_t b_column, char* c) {
  T right[K][N];
  for (int l = 0; l < K; ++l)
    for (int j = 0; j < N; ++j) right[l][j] = *reinterpret_cast<const T*>(b + l * b_row + j * b_column);
  T* y = reinterpret_cast<T*>(c);
  for (ptrdiff_t i = 0; i < m; ++i, a += a_row, y += N) {
    T row[N] = {};
    for (int l = 0; l < K; ++l) {
      const T left = *reinterpret_cast<const T*>(a + l * a_column);
      for (int j = 0; j < N; ++j) row[j] += left * right[l][j];
    }
    for (int j = 0; j < N; ++j) y[j] = row[j];
  }
}

template <class T>
constexpr SmallProduct by_size[3][3] = {{multiply<T, 2, 2>, multiply<T, 2, 3>, multiply<T, 2, 4>},
                                        {multiply<T, 3, 2>, multiply<T, 3, 3>, multiply<T, 3, 4>},
                                        {multiply<T, 4, 2>, multiply<T, 4, 3>, multiply<T, 4, 4>}};

}  // namespace nd_small_products

// The function for real matrices (m, k) @ (k, n), or nullptr where BLAS is faster.
inline SmallProduct small_product(ptrdiff_t m, ptrdiff_t k, ptrdiff_t n, bool is_double) {
  using namespace nd_small_products;
  if (m > 16 || k < 2 || k > 4 || n < 2 || n > 4) return nullptr;
  return is_double ? by_size<double>[k - 2][n - 2] : by_size<float>[k - 2][n - 2];
}

// c (n), without gaps, of single or double precision, real or complex.
inline void short_dots(const DotOperand& a, const DotOperand& b, char* c, ptrdiff_t n, ptrdiff_t k, bool is_double,
                       bool is_complex) {
  using namespace nd_small_products;
  if (is_complex)
    is_double ? pair_dots<double>(a, b, c, n, k) : pair_dots<float>(a, b, c, n, k);
  else
    is_double ? dots_of<double>(a, b, c, n, k) : dots_of<float>(a, b, c, n, k);
}
