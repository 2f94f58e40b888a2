// Argument structs of kernels, which take them by value, as the host fills them.  Plain types in a layout without
// holes: the build makes the same structs in ctypes of this text (nd4py/cuda/launch/kernel_arguments.py), and a test
// compares the two.  Strides are in bytes unless a comment says otherwise; axes come innermost first.
#pragma once

#define ND_MAX_RANK 8      // axes left after neighbours were joined
#define ND_MAX_OPERANDS 8  // inputs and outputs together
#define ND_MAX_PARAMS 16   // words of scalars: of a row, one each, and of operands, two each
#define ND_MAX_CHAIN_OPERANDS 16
#define ND_MAX_CHAIN_VALUES 32  // words of a chain's scalars: operands, of 8 or 16 bytes, and what its rows take

// Division by an axis' size in one multiplication: n / size = (high(n * multiplier) + n) >> shift for n < 2^31.
struct Divisor {
  unsigned int size, multiplier, shift;
};

// ------------------------------------------------------------------------------------------ map.cu

// Operands without gaps; a bit of `constant` marks those that are one element at all indices.  An input whose address
// is null is a scalar that comes by value: that of input k lies 2 k + 2 words before the end of `params`, in 16 bytes.
struct DenseArguments {
  char* operands[ND_MAX_OPERANDS];
  double params[ND_MAX_PARAMS];  // the row's scalars from the front, operands' from the end
  long long n;                   // elements
  long long constant;
};

// Operands with any strides.  Where an axis is walked in packets, its size counts packets and its strides are those of
// packets; `constant` then marks operands whose stride along the innermost axis is 0.
struct StridedArguments {
  char* operands[ND_MAX_OPERANDS];
  double params[ND_MAX_PARAMS];
  long long n;  // elements, or packets
  long long constant;
  long long rank;
  long long sizes[ND_MAX_RANK];
  long long strides[ND_MAX_OPERANDS][ND_MAX_RANK];
  Divisor axes[ND_MAX_RANK];
};

// Two axes in tiles of 32 x 32: axis 0 lies densely in the outputs, axis 1 in the operands marked in `transposed`.
struct TiledArguments {
  char* operands[ND_MAX_OPERANDS];
  double params[ND_MAX_PARAMS];
  long long n_tiles;
  long long transposed;
  long long rank;                                   // all axes; 2 at least
  long long sizes[2];                               // of axes 0 and 1, in elements
  long long strides[ND_MAX_OPERANDS][ND_MAX_RANK];  // of axes 0 and 1 per element
  Divisor axes[ND_MAX_RANK];                        // of axes 0 and 1 in tiles
};

// ------------------------------------------------------------------------------------------ chain.cu

// As DenseArguments and StridedArguments.  Scalars come by value: another one needs neither a copy nor another kernel.
struct DenseChainArguments {
  char* operands[ND_MAX_CHAIN_OPERANDS];
  double values[ND_MAX_CHAIN_VALUES];
  long long n;
  long long constant;
};

struct StridedChainArguments {
  char* operands[ND_MAX_CHAIN_OPERANDS];
  double values[ND_MAX_CHAIN_VALUES];
  long long n;
  long long constant;
  long long rank;
  long long sizes[ND_MAX_RANK];
  long long strides[ND_MAX_CHAIN_OPERANDS][ND_MAX_RANK];
  Divisor axes[ND_MAX_RANK];
};

// ------------------------------------------------------------------------------------------ reduce.cu

struct TadAxis {
  long long stride;
  Divisor divisor;
  int padding;
};

// Lines of a tensor along some of its dimensions: where each begins, and where its elements stand.
struct Tad {
  long long n_lines, length;
  long long line_rank, element_rank;
  TadAxis line_axes[ND_MAX_RANK], element_axes[ND_MAX_RANK];
};

struct ReduceArguments {
  const char* x;
  char* y;             // results, one after the other
  char* accumulators;  // n_lines x n_pieces of them, or null where a line is one piece
  long long piece;     // elements of a piece
  long long n_pieces;
  Tad tad;
  int width;  // lanes that work on one line together, a power of two; the kernel for lines only
  int padding;
  // A chain's, in place of x: without gaps in the order of x, but for those whose bit of `constant` is set, which are
  // one element.
  char* operands[ND_MAX_CHAIN_OPERANDS];
  double values[ND_MAX_CHAIN_VALUES];
  long long constant;
};

// ------------------------------------------------------------------------------------------ scan.cu

// Lines of n elements: line = (outer, inner); inner lines stand side by side.
struct ScanArguments {
  const char* x;
  char* y;
  char* totals;  // n_lines x n_pieces accumulators, or null where a line is one piece
  long long n_lines, n, inner;
  long long x_outer, x_inner, x_stride;
  long long y_outer, y_inner, y_stride;
  long long piece, n_pieces;
  long long has_initial;  // the value before the first element comes first
};

// The gradient of a scan; all arrays are (outer, n, inner) without gaps.
struct ScanGradientArguments {
  const char *g, *x, *y;
  char* dx;
  long long n_lines, n, inner;
};

// ------------------------------------------------------------------------------------------ gather.cu

// x, y: (outer, n or n_indices, inner) elements of one size without gaps.  `fault`, 0 before and perhaps null, receives
// 2^64 - 1 - i for the first index i that is out of range.
struct GatherArguments {
  const char* x;
  const char* indices;  // int64, counted from the end where negative
  char* y;
  const char* order;  // add_at: the positions of the indices in the order of what they name
  unsigned long long* fault;
  long long outer, n, n_indices, inner;
};

// Elements where a mask is set, in order.  counts: of each block of MASK_BLOCK elements, then their running sums.
struct MaskArguments {
  const char* x;
  const char* mask;
  char* y;
  long long* counts;
  long long n, n_blocks;
};

// ------------------------------------------------------------------------------------------ random.cu

// Element i of a draw depends on seed, offset and i alone.
struct RandomArguments {
  char* y;
  long long n;
  unsigned long long seed, offset;  // offset: number of the first block
  double params[4];                 // of the distribution
  const char* values[4];            // parameters of each element, or null for one of all
  const char* table;                // rows of probabilities
  unsigned long long low, span;     // integers: first value, how many values (0: 2^64); tables: rows, columns
};

// ------------------------------------------------------------------------------------------ shuffle.cu

// Step i of a shuffle draws an index; all arrays hold n numbers, int64.
struct ShuffleArguments {
  const char* drawn;  // the index that each step draws
  const char* order;  // the steps, those that drew the same index one after the other
  char* neighbours;   // of each step: the next one in time that drew its index, or the one before it; -1 for none
  char* movers;       // of each index: the step that takes its element away, or brought it; -1 for none
  char* y;
  long long n;
};

// ------------------------------------------------------------------------------------------ sort.cu

// Lines of n elements without gaps.  The positions that elements had, int64, move with them: from_positions is null
// where they still stand there, to_positions where they are not wanted.
struct SortArguments {
  const char* x;
  char* y;
  const char* from_positions;
  char* to_positions;
  long long n_lines, n;
  long long run;  // elements of the sorted runs that are merged
  long long descending;
};

// Queries in one sorted line of n elements; y: int64.
struct SearchArguments {
  const char *x, *queries;
  char* y;
  long long n, n_queries;
  long long is_right;  // behind the elements that equal a query, not before them
};

// ------------------------------------------------------------------------------------------ product.cuh, pool.cu

// C = A B of batches of matrices; strides in elements.  Batch axes come innermost first.
struct ProductArguments {
  const char *a, *b;
  char* c;
  long long rows, columns, depth;
  long long a_row, a_column, b_row, b_column, c_row;  // columns of C stand side by side
  long long batch, batch_rank;
  long long a_batch[ND_MAX_RANK], b_batch[ND_MAX_RANK], c_batch;
  Divisor batch_axes[ND_MAX_RANK];
};

// Images (images, groups, channels, height, width), w (groups, filters, channels, kernel_h, kernel_w) and
// y (images, groups, filters, out_h, out_w), all without gaps.  Pooling has one group, filters == channels and no w.
struct WindowArguments {
  const char *x, *w, *bias;  // what is read; pooling gradients: x and dy in place of w
  char* y;
  long long images, groups, channels, height, width;
  long long filters, kernel_h, kernel_w;
  long long stride_h, stride_w, pad_top, pad_left, dilation_h, dilation_w;
  long long out_h, out_w;
};

// ------------------------------------------------------------------------------------------ normalize.cu

// Lines of n elements without gaps, one after the other.
struct NormalizeArguments {
  const char *x, *scale, *bias;  // scale and bias: n elements, or null
  char* y;
  long long n_lines, n;
  double epsilon;
};
