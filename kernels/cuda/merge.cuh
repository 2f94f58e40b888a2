// Merging of accumulators across the threads of a warp or a block, in an order that never changes.  A Body has init()
// and merge(l, r).
#pragma once
#include "device.cuh"

// Of `width` neighbouring lanes, in the first of them; all lanes of the warp take part.
template <class Body, class A> ND_DEVICE A merge_lanes(A acc, int width) {
  for (int distance = width / 2; distance > 0; distance /= 2)
    acc = Body::merge(acc, from_lane_below(WHOLE_WARP, acc, distance, width));
  return acc;
}

// Of all threads of a block, in thread 0.
template <class Body, int Threads, class A> ND_DEVICE A merge_block(A acc) {
  constexpr int WARPS = Threads / WARP;
  __shared__ A of_warp[WARPS];
  acc = merge_lanes<Body>(acc, WARP);
  if (threadIdx.x % WARP == 0) of_warp[threadIdx.x / WARP] = acc;
  __syncthreads();
  if (threadIdx.x < WARP) {
    acc = threadIdx.x < WARPS ? of_warp[threadIdx.x] : Body::init();
    acc = merge_lanes<Body>(acc, WARPS);
  }
  __syncthreads();  // before `of_warp` is written again
  return acc;
}

// The same, in every thread.
template <class Body, int Threads, class A> ND_DEVICE A merge_everywhere(A acc) {
  __shared__ A result;
  acc = merge_block<Body, Threads>(acc);
  if (threadIdx.x == 0) result = acc;
  __syncthreads();
  acc = result;
  __syncthreads();  // before `result` is written again
  return acc;
}
