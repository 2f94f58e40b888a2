// Where a matrix lies: strides in bytes from row to row and from column to column.
#pragma once
#include <stddef.h>

typedef struct StridedMatrix {
  char* data;
  ptrdiff_t row_stride, column_stride;
} StridedMatrix;
