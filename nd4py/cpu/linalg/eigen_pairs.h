// Eigenvalues and eigenvectors of a real matrix as complex numbers, from the form that LAPACK writes.
#pragma once
#include <cstddef>

namespace nd_eigen_pairs {

// Vector j of a real value is column j; a pair of conjugate values j, j + 1 has column j for the real part and column
// j + 1 for the imaginary one.
template <class T> void pair_up(const T* parts, const T* columns, ptrdiff_t n, T* values, T* vectors) {
  for (ptrdiff_t j = 0; j < n; ++j) {
    values[2 * j] = parts[j];
    values[2 * j + 1] = parts[n + j];
  }
  for (ptrdiff_t j = 0; vectors && j < n; ++j) {
    const bool is_pair = parts[n + j] != 0;
    for (ptrdiff_t i = 0; i < n; ++i) {
      T* vector = vectors + 2 * (i * n + j);
      vector[0] = columns[j * n + i];
      vector[1] = is_pair ? columns[(j + 1) * n + i] : T(0);
      if (is_pair) vector[2] = vector[0], vector[3] = -vector[1];
    }
    j += is_pair;
  }
}

}  // namespace nd_eigen_pairs

// parts: n real parts, then n imaginary ones.  columns: LAPACK's vectors.  values (n) and vectors (n, n), by rows, or
// none, are complex; all of them single or double precision.
inline void pair_up(const char* parts, const char* columns, ptrdiff_t n, char* values, char* vectors, bool is_double) {
  using nd_eigen_pairs::pair_up;
  if (is_double)
    pair_up(reinterpret_cast<const double*>(parts), reinterpret_cast<const double*>(columns), n,
            reinterpret_cast<double*>(values), reinterpret_cast<double*>(vectors));
  else
    pair_up(reinterpret_cast<const float*>(parts), reinterpret_cast<const float*>(columns), n,
            reinterpret_cast<float*>(values), reinterpret_cast<float*>(vectors));
}
