// Matrix-product loops of one instruction set, as the Cython driver sees them.
#pragma once
#include <stddef.h>

#include "strided_matrix.h"

// c (m, n), rows c_stride bytes apart, = a (m, k) @ b (k, n); any strides.  scratch: of scratch_bytes for these sizes.
// An element's bits depend on its row of a and its column of b only.
typedef struct ProductLoop {
  size_t (*scratch_bytes)(ptrdiff_t m, ptrdiff_t n, ptrdiff_t k);
  void (*run)(ptrdiff_t m, ptrdiff_t n, ptrdiff_t k, const StridedMatrix* a, const StridedMatrix* b, char* c,
              ptrdiff_t c_stride, char* scratch);
  // The same, with the result written past the caches where every element is written once.
  void (*run_past_caches)(ptrdiff_t m, ptrdiff_t n, ptrdiff_t k, const StridedMatrix* a, const StridedMatrix* b,
                          char* c, ptrdiff_t c_stride, char* scratch);
  // Adds column[i] to the n elements of row i of c.
  void (*add_column)(ptrdiff_t m, ptrdiff_t n, const char* column, char* c, ptrdiff_t c_stride);
  // Adds n elements to those of c.
  void (*add)(ptrdiff_t n, const char* from, char* c);
} ProductLoop;
