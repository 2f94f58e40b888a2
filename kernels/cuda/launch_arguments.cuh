// Argument structs of kernels, which take them by value, as the host fills them: those that Cython or several files of
// kernels read.  The others stand in the file of their kernels.  Plain types in a layout without holes: the build makes
// the same structs in ctypes of all these texts (nd4py/cuda/launch/kernel_arguments.py), and a test compares the two.
// Strides are in bytes unless a comment says otherwise; axes come innermost first.
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

// Images (images, groups, channels, depth, height, width), w (groups, filters, channels, kernel_d, kernel_h, kernel_w)
// and y (images, groups, filters, out_d, out_h, out_w), all without gaps.  Images that are no volumes have a depth of
// 1, and so has what their windows are made of.  Pooling has one group, filters == channels, a depth of 1 and no w.
struct WindowArguments {
  const char *x, *w, *bias;  // what is read; pooling gradients: x and dy in place of w
  char* y;
  long long images, groups, channels, depth, height, width;
  long long filters, kernel_d, kernel_h, kernel_w;
  long long stride_d, stride_h, stride_w, pad_front, pad_top, pad_left, dilation_d, dilation_h, dilation_w;
  long long out_d, out_h, out_w;
};
