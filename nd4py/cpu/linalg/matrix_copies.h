// Copies of matrices between row-major and column-major order.  Arrays hold rows, LAPACK wants columns; copies look for
// NaN and infinity.
#pragma once
#include <cstddef>
#include <cstdint>

namespace nd_matrix_copies {

struct Pair {
  double re, im;
};

constexpr ptrdiff_t TILE = 16;  // 16 x 16 of the widest elements are 4 KiB: source and target stay in L1

template <class T>
void transpose(const T* x, ptrdiff_t x_stride, T* y, ptrdiff_t y_stride, ptrdiff_t rows, ptrdiff_t columns) {
  for (ptrdiff_t i0 = 0; i0 < rows; i0 += TILE) {
    const ptrdiff_t i1 = i0 + TILE < rows ? i0 + TILE : rows;
    for (ptrdiff_t j0 = 0; j0 < columns; j0 += TILE) {
      const ptrdiff_t j1 = j0 + TILE < columns ? j0 + TILE : columns;
      for (ptrdiff_t j = j0; j < j1; ++j)
        for (ptrdiff_t i = i0; i < i1; ++i) y[j * y_stride + i] = x[i * x_stride + j];
    }
  }
}

// An element is finite unless all bits of its exponent are set.
template <class Bits> bool is_finite(const Bits* x, ptrdiff_t n, Bits exponent) {
  Bits found = 0;
  for (ptrdiff_t i = 0; i < n; ++i) found |= Bits((x[i] & exponent) == exponent);
  return !found;
}

}  // namespace nd_matrix_copies

// y[j * y_stride + i] = x[i * x_stride + j] for elements of 4, 8 or 16 bytes; strides count elements.
inline void transpose_matrix(const char* x, ptrdiff_t x_stride, char* y, ptrdiff_t y_stride, ptrdiff_t rows,
                             ptrdiff_t columns, ptrdiff_t itemsize) {
  using namespace nd_matrix_copies;
  if (itemsize == 4)
    transpose(reinterpret_cast<const uint32_t*>(x), x_stride, reinterpret_cast<uint32_t*>(y), y_stride, rows, columns);
  else if (itemsize == 8)
    transpose(reinterpret_cast<const uint64_t*>(x), x_stride, reinterpret_cast<uint64_t*>(y), y_stride, rows, columns);
  else
    transpose(reinterpret_cast<const Pair*>(x), x_stride, reinterpret_cast<Pair*>(y), y_stride, rows, columns);
}

// Whether n real numbers, of 4 or 8 bytes, hold neither NaN nor infinity.
inline bool all_finite(const char* x, ptrdiff_t n, bool is_double) {
  using namespace nd_matrix_copies;
  if (is_double) return is_finite(reinterpret_cast<const uint64_t*>(x), n, uint64_t(0x7FF0000000000000));
  return is_finite(reinterpret_cast<const uint32_t*>(x), n, uint32_t(0x7F800000));
}
