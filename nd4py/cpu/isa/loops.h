// Loop tables of one instruction set, as the Cython drivers see them.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ND_N_DTYPES 15

// p: operands (inputs, then outputs), s: their strides in bytes, n: elements, params: the row's scalars in order.
typedef void (*MapLoop)(char** p, const ptrdiff_t* s, ptrdiff_t n, const double* params);
// n_rows by n_columns elements of one size, whatever they are; strides in bytes
typedef void (*StridedCopyLoop)(const char* x, ptrdiff_t x_row, ptrdiff_t x_column, char* y, ptrdiff_t y_row,
                                ptrdiff_t y_column, ptrdiff_t n_rows, ptrdiff_t n_columns);
typedef void (*CastLoop)(const char* from, ptrdiff_t from_stride, char* to, ptrdiff_t to_stride, ptrdiff_t n);

// One step of a pass that keeps an accumulator of a block of elements in registers (fused_runs.inc).
typedef struct FusedStep {
  ptrdiff_t code;    // one of the codes below, or FUSED_ROWS + 4 * a row's number + FUSED_SECOND + FUSED_VALUE
  char* at;          // the other operand
  ptrdiff_t stride;  // bytes of it from one block to the next
} FusedStep;
enum {
  FUSED_LOAD = 0,
  FUSED_STORE = 1,
  FUSED_SECOND = 1,  // the accumulator is the row's second operand
  FUSED_VALUE = 2,   // the other operand is one value throughout
  FUSED_STREAM = 3,  // store past the caches
  FUSED_FETCH = 4,   // ask for the `stride` bytes at the operand, which are read later
  FUSED_JOINS = 8,   // + the number of how a reduction joins elements: into its lanes
  FUSED_ROWS = 32,
};
// The steps, and the one behind the last, are changed on the way.
typedef void (*FusedLoop)(FusedStep* steps, ptrdiff_t n_steps, ptrdiff_t n_blocks);
// The same in parts: a negative number of blocks prepares the steps.  lanes: of a reduction, or NULL.
typedef void (*FusedBlocks)(FusedStep* steps, ptrdiff_t n_steps, ptrdiff_t n_blocks, void* lanes);

// How the vectors of rows lie that are taken together, because they are short (short_row_runs.inc).
enum {
  FUSED_VECTORS = 8,  // of an accumulator
  SHORT_ROW_ELEMENTS = 2048,
  SHORT_ROW_VECTORS = SHORT_ROW_ELEMENTS / 8 + FUSED_VECTORS,  // one row of the widest, and as many as are taken again
  ROW_BEGINS = 1,
  ROW_ENDS = 2,
};
typedef struct RowVector {
  int32_t offset;  // bytes from the first row of its period
  uint16_t mask;   // its elements that belong to the row
  uint8_t row;     // of its period
  uint8_t ends;
} RowVector;
typedef struct ShortRows {
  ptrdiff_t line_bytes;               // of a row
  ptrdiff_t per_row, rows_of_period;  // vectors of a row; rows after which vectors lie alike, eight vectors or more
  RowVector vectors[SHORT_ROW_VECTORS];
} ShortRows;

// How the elements of a line are taken (reduce_lanes.inc).
enum {
  REDUCED_SHORT = 256,     // elements below which the lanes of several lines are joined together
  REDUCED_SEGMENT = 4096,  // elements that are joined before the next ones are read
};

typedef struct ReduceLoops {
  ptrdiff_t acc_size;  // bytes of one accumulator
  void (*init)(char* acc, ptrdiff_t n);
  // n_lines lines of n elements into n_lines accumulators
  void (*along)(const char* x, ptrdiff_t line_stride, ptrdiff_t n_lines, ptrdiff_t stride, ptrdiff_t n, char* acc);
  // n_rows rows of n_columns into n_columns accumulators
  void (*across)(const char* x, ptrdiff_t row_stride, ptrdiff_t n_rows, ptrdiff_t column_stride, ptrdiff_t n_columns,
                 char* acc);
  void (*merge)(char* into, const char* from, ptrdiff_t n);
  void (*finish)(const char* acc, ptrdiff_t n, ptrdiff_t count, char* y, ptrdiff_t y_stride);
  // One line of n elements that `steps`, which `run` goes through, leave in an accumulator, whose last step joins them;
  // those behind its last whole block lie at `rest`.  The last segment has REDUCED_SHORT elements at least.  NULL:
  // there is no such pass.
  void (*fused)(FusedBlocks run, FusedStep* steps, ptrdiff_t n_steps, const char* rest, ptrdiff_t n, char* acc);
  ptrdiff_t join;  // the code of that last step
  ptrdiff_t wide;  // columns that `across` takes at once: of up to half as many, several dense rows are reduced as one
  // n rows whose lanes lie side by side, a vector each, into n accumulators; at most as many as there are lanes.  NULL
  // where `fused` is.
  void (*join_rows)(const char* lanes, ptrdiff_t n, char* acc);
} ReduceLoops;

// Passes over short rows that keep an accumulator in registers; NULL where the instruction set has none.  Of the steps,
// `stride` is bytes from one row's value to the next.
typedef struct RowRuns {
  void (*find)(ptrdiff_t n, ShortRows* rows);  // rows of n elements
  // reduction: what the last step joins the elements of each row for, or NULL
  void (*run)(FusedStep* steps, ptrdiff_t n_steps, const ShortRows* rows, ptrdiff_t n_rows,
              const ReduceLoops* reduction, char* acc);
} RowRuns;

typedef struct ArgReduceLoops {  // accumulators: the best values, then their indices, of which `first` is that of the
                                 // first row
  ptrdiff_t acc_size;
  void (*init)(char* acc, ptrdiff_t n);
  void (*along)(const char* x, ptrdiff_t line_stride, ptrdiff_t n_lines, ptrdiff_t stride, ptrdiff_t n, int64_t first,
                char* acc);
  void (*across)(const char* x, ptrdiff_t row_stride, ptrdiff_t n_rows, ptrdiff_t column_stride, ptrdiff_t n_columns,
                 int64_t first, char* acc);
  void (*merge)(char* into, const char* from, ptrdiff_t n);
  void (*finish)(const char* acc, ptrdiff_t n, char* y, ptrdiff_t y_stride);
} ArgReduceLoops;

// Lines that are normalized along one axis.
typedef struct NormalizeLines {
  ptrdiff_t n;               // elements of a line
  ptrdiff_t x_step, y_step;  // bytes from one to the next
  double epsilon;            // added to a variance
  const void *scale, *bias;  // n elements for `along` and `short_lines`, or null
  bool streams;              // results go past the caches
} NormalizeLines;

typedef struct NormalizeLoops {
  ptrdiff_t itemsize;
  ptrdiff_t strip;              // columns of `across`
  const ReduceLoops* measures;  // whose accumulators `find_coefficients` reads
  // lines one after the other, in room for two of them; those below SHORT_ELEMENTS several at once, in room for 16
  void (*along)(const char* x, ptrdiff_t line_stride, ptrdiff_t n_lines, char* y, ptrdiff_t y_line_stride,
                const NormalizeLines* call, char* room);
  void (*short_lines)(const char* x, ptrdiff_t line_stride, ptrdiff_t n_lines, char* y, ptrdiff_t y_line_stride,
                      const NormalizeLines* call, char* room);
  // columns side by side, in room for n of the strip's rows
  void (*across)(const char* x, ptrdiff_t column_stride, ptrdiff_t n_columns, char* y, ptrdiff_t y_column_stride,
                 const NormalizeLines* call, char* room);
  void (*find_coefficients)(const char* acc, ptrdiff_t n, ptrdiff_t count, const NormalizeLines* call, char* known);
  void (*apply)(const char* x, ptrdiff_t n_rows, ptrdiff_t n_columns, char* y, const NormalizeLines* call,
                const char* known);
} NormalizeLoops;

typedef struct ScanLoops {
  ptrdiff_t acc_size;
  void (*init)(char* acc);
  // n elements after `before`; what they alone come to is put into `total`
  void (*along)(const char* x, ptrdiff_t x_stride, ptrdiff_t n, char* y, ptrdiff_t y_stride, const char* before,
                char* total);
  void (*sum_up)(const char* x, ptrdiff_t stride, ptrdiff_t n, char* total);  // the `total` of `along`, alone
  void (*merge)(char* into, const char* from);                                // NULL: lines are not cut
  // every column a line of its own: from the beginning, or from the accumulators before, which are kept up
  void (*across)(const char* x, ptrdiff_t x_row, ptrdiff_t x_column, ptrdiff_t n_rows, ptrdiff_t n_columns, char* y,
                 ptrdiff_t y_row, ptrdiff_t y_column, bool is_first, char* before);
  void (*initial)(char* y);  // the result before the first element
  // the gradient of a dense line from the end to the beginning; NULL where there is none
  void (*pull)(const char* g, const char* x, const char* y, ptrdiff_t n, char* gradient);
} ScanLoops;

// What one family's extension hands out for its instruction set.
typedef struct FamilyTable {
  const char* hash;  // of what it was built from: the rows, or the dtypes alone
  const void* table;
} FamilyTable;

// MapLoop, ReduceLoops*, ArgReduceLoops* or ScanLoops*; NULL where the row has no loop for a dtype.
typedef const void* RowLoops[ND_N_DTYPES];

typedef struct ReduceTable {
  const RowLoops* rows;
  FusedLoop fused[2];     // of float32 and float64
  FusedBlocks blocks[2];  // the same
  ptrdiff_t block_bytes;  // of a block of their elements
  RowRuns row_runs[2];    // the same
} ReduceTable;

// Of float32 and float64.
typedef struct MeasureTable {
  const ReduceLoops* variance[2];
  const ReduceLoops* log_sum_exp[2];
  const NormalizeLoops* normalize[3][2];  // softmax, log_softmax, standardize
} MeasureTable;

typedef struct MoveTable {
  const CastLoop (*cast)[ND_N_DTYPES];     // [from][to]
  const StridedCopyLoop* strided_copies;   // elements of 1, 2, 4, 8, 16 bytes
  const StridedCopyLoop* streamed_copies;  // the same, past the caches where that pays; finish_streams comes after
  void (*stream)(const char* from, char* to, ptrdiff_t n_bytes);
  void (*finish_streams)();
} MoveTable;
