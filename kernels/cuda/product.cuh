// Tiled matrix products.  Operands are whatever can say what stands at a row and a column: matrices of any strides
// (matmul.cu), or images seen as matrices (conv.cu).
//
// A Source has `type Element`, `get(row, column)` (the compute type; 0 outside) and is made for one matrix of a batch.
// A block of 16 x 16 threads makes a tile of 64 x 64 results, 4 x 4 a thread; 16 columns of A and rows of B at a time
// stand in shared memory.  Sums run from the first to the last element of the depth, in the accumulator's type.
#pragma once
#include "device.cuh"

constexpr int PRODUCT_SIDE = 16, PRODUCT_EACH = 4, PRODUCT_TILE = PRODUCT_SIDE * PRODUCT_EACH, PRODUCT_DEPTH = 16;

// Tile (tile_row, tile_column) of a product; `put(row, column, sum)` receives the results inside the matrix.
template <class A, class Left, class Right, class Put>
ND_DEVICE void product_tile(const Left& left, const Right& right, long long rows, long long columns, long long depth,
                            long long tile_row, long long tile_column, Put put) {
  __shared__ A lefts[PRODUCT_DEPTH][PRODUCT_TILE + 1];
  __shared__ A rights[PRODUCT_DEPTH][PRODUCT_TILE + 1];
  const int thread = threadIdx.y * PRODUCT_SIDE + threadIdx.x;
  A sums[PRODUCT_EACH][PRODUCT_EACH];
  for (int i = 0; i < PRODUCT_EACH; ++i)
    for (int j = 0; j < PRODUCT_EACH; ++j) sums[i][j] = A(0);
  for (long long first = 0; first < depth; first += PRODUCT_DEPTH) {
    for (int i = thread; i < PRODUCT_TILE * PRODUCT_DEPTH; i += PRODUCT_SIDE * PRODUCT_SIDE) {
      const long long row = tile_row * PRODUCT_TILE + i / PRODUCT_DEPTH, k = first + i % PRODUCT_DEPTH;
      lefts[i % PRODUCT_DEPTH][i / PRODUCT_DEPTH] = row < rows && k < depth ? A(left.get(row, k)) : A(0);
    }
    for (int i = thread; i < PRODUCT_TILE * PRODUCT_DEPTH; i += PRODUCT_SIDE * PRODUCT_SIDE) {
      const long long column = tile_column * PRODUCT_TILE + i % PRODUCT_TILE, k = first + i / PRODUCT_TILE;
      rights[i / PRODUCT_TILE][i % PRODUCT_TILE] = column < columns && k < depth ? A(right.get(k, column)) : A(0);
    }
    __syncthreads();
    for (int k = 0; k < PRODUCT_DEPTH; ++k) {
      A own_left[PRODUCT_EACH], own_right[PRODUCT_EACH];
#pragma unroll
      for (int i = 0; i < PRODUCT_EACH; ++i) {
        own_left[i] = lefts[k][threadIdx.y + i * PRODUCT_SIDE];
        own_right[i] = rights[k][threadIdx.x + i * PRODUCT_SIDE];
      }
#pragma unroll
      for (int i = 0; i < PRODUCT_EACH; ++i)
#pragma unroll
        for (int j = 0; j < PRODUCT_EACH; ++j) sums[i][j] = A(sums[i][j] + own_left[i] * own_right[j]);
    }
    __syncthreads();  // before the tiles are filled again
  }
#pragma unroll
  for (int i = 0; i < PRODUCT_EACH; ++i)
#pragma unroll
    for (int j = 0; j < PRODUCT_EACH; ++j) {
      const long long row = tile_row * PRODUCT_TILE + threadIdx.y + i * PRODUCT_SIDE;
      const long long column = tile_column * PRODUCT_TILE + threadIdx.x + j * PRODUCT_SIDE;
      if (row < rows && column < columns) put(row, column, sums[i][j]);
    }
}

ND_DEVICE long long product_tiles(long long n) { return (n + PRODUCT_TILE - 1) / PRODUCT_TILE; }
