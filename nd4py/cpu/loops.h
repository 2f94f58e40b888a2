// What an instruction-set build of the loops offers to the Cython drivers.
#pragma once
#include <cstddef>
#include <cstdint>

#define ND_N_DTYPES 15

// p: operands (inputs, then outputs), s: their strides in bytes, n: elements, params: the row's scalars in order.
typedef void (*MapLoop)(char** p, const ptrdiff_t* s, ptrdiff_t n, const double* params);
typedef void (*CastLoop)(const char* from, ptrdiff_t from_stride, char* to, ptrdiff_t to_stride, ptrdiff_t n);

struct ReduceLoops {
  ptrdiff_t acc_size;  // bytes of one accumulator
  void (*init)(char* acc, ptrdiff_t n);
  void (*along)(const char* x, ptrdiff_t stride, ptrdiff_t n, char* acc);  // n elements into one accumulator
  // n_rows rows of n_columns into n_columns accumulators
  void (*across)(const char* x, ptrdiff_t row_stride, ptrdiff_t n_rows, ptrdiff_t column_stride, ptrdiff_t n_columns,
                 char* acc);
  void (*merge)(char* into, const char* from, ptrdiff_t n);
  void (*finish)(const char* acc, ptrdiff_t n, ptrdiff_t count, char* y, ptrdiff_t y_stride);
};

struct ArgReduceLoops {  // accumulator: the best value and its index
  ptrdiff_t acc_size;
  void (*init)(char* acc, ptrdiff_t n);
  void (*along)(const char* x, ptrdiff_t stride, ptrdiff_t n, int64_t first, char* acc);
  void (*merge)(char* into, const char* from, ptrdiff_t n);
  void (*finish)(const char* acc, ptrdiff_t n, char* y, ptrdiff_t y_stride);
};

struct ConvLoops;  // conv_loops.h

struct LoopTable {
  const char* hash;  // of the rows it was built from
  const char* isa;
  const void* const (*rows)[ND_N_DTYPES];  // MapLoop, ReduceLoops* or ArgReduceLoops*
  const CastLoop (*cast)[ND_N_DTYPES];     // [from][to]
  const ConvLoops* conv;                   // float32, float64
};
