// Convolution and pooling loops of one instruction set, as the Cython drivers see them.  All arrays are C-contiguous.
#pragma once
#include <stddef.h>

// Sizes of one call, in elements.  x: (images, groups, channels, depth, height, width)
// w: (groups, filters, channels, kernel_d, kernel_h, kernel_w)   y: (images, groups, filters, out_d, out_h, out_w).
// n_axes: 3 of volumes.  Images, of 2, have a depth of 1, and so has what their windows are made of, without padding.
// Pooling has images in one group, filters == channels and no w.
typedef struct WindowShape {
  ptrdiff_t n_axes;
  ptrdiff_t images, groups, channels, depth, height, width;
  ptrdiff_t filters, kernel_d, kernel_h, kernel_w;
  ptrdiff_t stride_d, stride_h, stride_w, pad_front, pad_top, pad_left, dilation_d, dilation_h, dilation_w;
  ptrdiff_t out_d, out_h, out_w;
} WindowShape;

// How one convolution is cut.  Everything follows from the shape, so no result depends on the number of threads.
typedef struct ConvPlan {
  WindowShape shape;
  ptrdiff_t taps;                  // channels * kernel_d * kernel_h * kernel_w
  ptrdiff_t band_rows, n_bands;    // output rows worked on at a time
  ptrdiff_t phase_rows;            // rows that a packed band keeps per row phase
  ptrdiff_t band_planes;           // planes packed at a time
  ptrdiff_t n_turns;               // orders that the planes of a channel may lie in
  ptrdiff_t group_slices;          // slices packed side by side
  ptrdiff_t part_slices, n_parts;  // weight gradient: slices per partial sum, and how many sums
  ptrdiff_t block, n_blocks;       // matrix rows per register tile
  ptrdiff_t n_filter_parts;        // forward: parts that the filters of a band are cut into
  ptrdiff_t n_marks;               // of tiles of 2 x 2: bytes in the last operand, for each image or for all
  ptrdiff_t y_height, y_width;     // of tiles of 2 x 2: of their results, `shape` being that of the tiles
  ptrdiff_t spread_h, spread_w;    // depthwise: how far apart the packed rows and columns lie, with zeros between
  ptrdiff_t n_tasks;
  ptrdiff_t n_prepared, n_finished;  // pieces of `prepare` and `finish`
  size_t shared_bytes;               // made once by `prepare`, read by every task
  size_t scratch_bytes;              // of one thread
} ConvPlan;

// Pieces `first` to `end` of what comes before or after the tasks.
typedef void (*ConvStep)(const ConvPlan* plan, char* const* operands, char* shared, ptrdiff_t first, ptrdiff_t end);

// One direction of the convolution.  operands: forward x, w, bias or NULL, y;  input gradient dy, w, dx;
// weight gradient x, dy, dw, dbias or NULL.  Those in tiles of 2 x 2 have one more, bytes that they make 1 where a
// result is not finite, of an image, or of the weights: this has to be computed without tiles.
typedef struct ConvLoop {
  void (*plan)(const WindowShape* shape, ConvPlan* plan);
  ConvStep prepare;
  void (*run)(const ConvPlan* plan, char* const* operands, char* shared, char* scratch, ptrdiff_t first, ptrdiff_t end);
  ConvStep finish;
} ConvLoop;

// Pools planes first to end (an image's channel each).  operands: x, y forward;  x, dy, dx for the gradient.
typedef void (*PoolLoop)(const WindowShape* shape, char* const* operands, ptrdiff_t first, ptrdiff_t end);

// Filters of a group of one channel for which its packed planes stay in the cache.
enum { MOST_DEPTHWISE_FILTERS = 4 };

typedef struct ConvLoops {
  ConvLoop forward, input_gradient, weight_gradient;
  ConvLoop depthwise, depthwise_input_gradient, depthwise_weight_gradient;
  ConvLoop winograd, winograd_input_gradient, winograd_weight_gradient;  // of float32
  PoolLoop max_pool, max_pool_gradient, average_pool, average_pool_gradient;
} ConvLoops;
