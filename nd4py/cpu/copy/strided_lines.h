// Lines of constant stride, in which one or two strided operands are walked in C order.
#pragma once
#include <cstddef>

constexpr int MAX_AXES = 32;  // MAX_NDIM of _core/layout/shape

struct Lines {
  int ndim;  // at least 1: the last axis is the line
  ptrdiff_t shape[MAX_AXES];
  ptrdiff_t strides[2][MAX_AXES];  // bytes
};

// Describe operands of one shape: axes of size 1 go, and neighbours are joined where every operand allows.
inline void join_lines(Lines* lines, int ndim, const ptrdiff_t* shape, const ptrdiff_t* first,
                       const ptrdiff_t* second) {
  int n = 0;
  for (int i = 0; i < ndim; ++i) {
    if (shape[i] == 1) continue;
    if (n > 0 && lines->strides[0][n - 1] == first[i] * shape[i] && lines->strides[1][n - 1] == second[i] * shape[i])
      lines->shape[--n] *= shape[i];
    else
      lines->shape[n] = shape[i];
    lines->strides[0][n] = first[i];
    lines->strides[1][n++] = second[i];
  }
  if (n == 0) {
    lines->shape[0] = 1;
    lines->strides[0][0] = lines->strides[1][0] = 0;
    n = 1;
  }
  lines->ndim = n;
}

// Call visit(offset in the first operand, in the second, elements) for the lines of elements [first, first + n).
template <class Visit> inline void each_line(const Lines& lines, ptrdiff_t first, ptrdiff_t n, Visit visit) {
  const int last = lines.ndim - 1;
  ptrdiff_t index[MAX_AXES], at[2] = {0, 0}, rest = first;
  if (n <= 0) return;
  for (int i = last; i >= 0; --i) {
    index[i] = rest % lines.shape[i];
    rest /= lines.shape[i];
    for (int k = 0; k < 2; ++k) at[k] += index[i] * lines.strides[k][i];
  }
  for (;;) {
    const ptrdiff_t left = lines.shape[last] - index[last], line = left < n ? left : n;
    visit(at[0], at[1], line);
    if ((n -= line) <= 0) return;
    for (int k = 0; k < 2; ++k) at[k] -= index[last] * lines.strides[k][last];
    index[last] = 0;
    for (int i = last - 1;; --i) {
      for (int k = 0; k < 2; ++k) at[k] += lines.strides[k][i];
      if (++index[i] < lines.shape[i]) break;
      for (int k = 0; k < 2; ++k) at[k] -= lines.shape[i] * lines.strides[k][i];
      index[i] = 0;
    }
  }
}
