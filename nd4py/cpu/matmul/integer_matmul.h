// Matrix products of integers and bools, with any strides.  Integers wrap, so one loop per width serves both signs.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "strided_matrix.h"

// c (m, n), row-major with rows c_stride bytes apart, = a (m, k) @ b (k, n).
typedef void (*IntegerMatmul)(ptrdiff_t m, ptrdiff_t n, ptrdiff_t k, const StridedMatrix* a, const StridedMatrix* b,
                              char* c, ptrdiff_t c_stride);

namespace nd_integer_matmul {

struct Add {
  template <class T> static void step(T& sum, T a, T b) { sum = T(sum + T(uint64_t(a) * b)); }
};
struct Or {
  template <class T> static void step(T& sum, T a, T b) { sum = T(sum | (a & b)); }
};

constexpr ptrdiff_t BLOCK_ELEMENTS = 512;  // elements of a row of c that stay in L1 while k runs

template <class T, class Step> void add_row(T a, const char* b, ptrdiff_t stride, ptrdiff_t n, T* c) {
  if (stride == ptrdiff_t(sizeof(T))) {
    const T* row = reinterpret_cast<const T*>(b);
    for (ptrdiff_t j = 0; j < n; ++j) Step::step(c[j], a, row[j]);
  } else {
    for (ptrdiff_t j = 0; j < n; ++j) Step::step(c[j], a, *reinterpret_cast<const T*>(b + j * stride));
  }
}

// Rows by one column, as sums that stay in registers.
template <class T, class Step>
void multiply_column(ptrdiff_t m, ptrdiff_t k, const StridedMatrix* a, const StridedMatrix* b, char* c,
                     ptrdiff_t c_stride) {
  const ptrdiff_t a_step = a->column_stride, b_step = b->row_stride;
  for (ptrdiff_t i = 0; i < m; ++i) {
    const char *x = a->data + i * a->row_stride, *y = b->data;
    T sum = 0;
    if (a_step == ptrdiff_t(sizeof(T)) && b_step == a_step)
      for (ptrdiff_t l = 0; l < k; ++l)
        Step::step(sum, reinterpret_cast<const T*>(x)[l], reinterpret_cast<const T*>(y)[l]);
    else
      for (ptrdiff_t l = 0; l < k; ++l)
        Step::step(sum, *reinterpret_cast<const T*>(x + l * a_step), *reinterpret_cast<const T*>(y + l * b_step));
    *reinterpret_cast<T*>(c + i * c_stride) = sum;
  }
}

template <class T, class Step>
void multiply(ptrdiff_t m, ptrdiff_t n, ptrdiff_t k, const StridedMatrix* a, const StridedMatrix* b, char* c,
              ptrdiff_t c_stride) {
  if (n == 1) return multiply_column<T, Step>(m, k, a, b, c, c_stride);
  for (ptrdiff_t i = 0; i < m; ++i)
    for (ptrdiff_t first = 0; first < n; first += BLOCK_ELEMENTS) {
      const ptrdiff_t count = n - first < BLOCK_ELEMENTS ? n - first : BLOCK_ELEMENTS;
      T* row = reinterpret_cast<T*>(c + i * c_stride) + first;
      memset(row, 0, count * sizeof(T));
      for (ptrdiff_t l = 0; l < k; ++l)
        add_row<T, Step>(*reinterpret_cast<const T*>(a->data + i * a->row_stride + l * a->column_stride),
                         b->data + l * b->row_stride + first * b->column_stride, b->column_stride, count, row);
    }
}

}  // namespace nd_integer_matmul

// The loop for elements of this many bytes, or for bool.
inline IntegerMatmul integer_matmul(ptrdiff_t itemsize, bool is_bool) {
  using namespace nd_integer_matmul;
  if (is_bool) return multiply<uint8_t, Or>;
  switch (itemsize) {
    case 1:
      return multiply<uint8_t, Add>;
    case 2:
      return multiply<uint16_t, Add>;
    case 4:
      return multiply<uint32_t, Add>;
    default:
      return multiply<uint64_t, Add>;
  }
}
