// Gathering and scattering by indices or by a mask.  T is a word of the element's size: what it means does not matter,
// but where elements are added.
#include "device.cuh"

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

constexpr int GATHER_THREADS = 256;
constexpr int MASK_BLOCK = 1024;  // elements of a mask that one block counts

// Index number i, counted from the front of n elements; one outside is noted, and is -1.
ND_DEVICE long long index_from_front(const GatherArguments& arguments, long long i) {
  const long long given = ((const long long*)arguments.indices)[i];
  const long long index = given < 0 ? given + arguments.n : given;
  if (index >= 0 && index < arguments.n) return index;
  // The smallest i wins, so that the error does not depend on the order of threads: ~0 - i grows as i falls.
  if (arguments.fault) atomicMax(arguments.fault, ~0ull - (unsigned long long)i);
  return -1;
}

// y[o, k, i] = x[o, indices[k], i]
template <class T> ND_DEVICE void take(const GatherArguments& arguments) {
  const long long size = arguments.outer * arguments.n_indices * arguments.inner;
  for (long long at = first_thread(); at < size; at += all_threads()) {
    const long long inner = at % arguments.inner, rest = at / arguments.inner;
    const long long k = rest % arguments.n_indices, outer = rest / arguments.n_indices;
    const long long index = index_from_front(arguments, k);
    if (index >= 0)
      ((T*)arguments.y)[at] = ((const T*)arguments.x)[(outer * arguments.n + index) * arguments.inner + inner];
  }
}

// y[o, k, i] = x[o, indices[o, k, i], i]
template <class T> ND_DEVICE void take_along(const GatherArguments& arguments) {
  const long long size = arguments.outer * arguments.n_indices * arguments.inner;
  for (long long at = first_thread(); at < size; at += all_threads()) {
    const long long inner = at % arguments.inner, outer = at / arguments.inner / arguments.n_indices;
    const long long index = index_from_front(arguments, at);
    if (index >= 0)
      ((T*)arguments.y)[at] = ((const T*)arguments.x)[(outer * arguments.n + index) * arguments.inner + inner];
  }
}

// Element (outer, k, inner) of x, and where its slice goes in y; index -1: it goes nowhere.
struct Sent {
  long long k, index, from, to;
};
ND_DEVICE Sent sent_element(const GatherArguments& arguments, long long at) {
  const long long inner = at % arguments.inner, rest = at / arguments.inner;
  const long long k = rest % arguments.n_indices, outer = rest / arguments.n_indices;
  const long long index = index_from_front(arguments, k);
  return Sent{k, index, at, (outer * arguments.n + index) * arguments.inner + inner};
}

// Whether one of the indices begin ... end is `index`.
ND_DEVICE bool is_named(const GatherArguments& arguments, long long index, long long begin, long long end) {
  for (long long k = begin; k < end; ++k)
    if (index_from_front(arguments, k) == index) return true;
  return false;
}

// y[o, indices[k], i] = x[o, k, i]; of equal indices the last one wins, as in a loop: only its thread writes, so the
// result never depends on the order of threads.
template <class T> ND_DEVICE void put(const GatherArguments& arguments) {
  const long long size = arguments.outer * arguments.n_indices * arguments.inner;
  for (long long at = first_thread(); at < size; at += all_threads()) {
    const Sent own = sent_element(arguments, at);
    if (own.index >= 0 && !is_named(arguments, own.index, own.k + 1, arguments.n_indices))
      ((T*)arguments.y)[own.to] = ((const T*)arguments.x)[own.from];
  }
}

// The same where no two indices are equal.
template <class T> ND_DEVICE void put_apart(const GatherArguments& arguments) {
  const long long size = arguments.outer * arguments.n_indices * arguments.inner;
  for (long long at = first_thread(); at < size; at += all_threads()) {
    const Sent own = sent_element(arguments, at);
    if (own.index >= 0) ((T*)arguments.y)[own.to] = ((const T*)arguments.x)[own.from];
  }
}

// y[k] = indices[k], counted from the front.
ND_DEVICE void numbers_from_front(const GatherArguments& arguments) {
  for (long long k = first_thread(); k < arguments.n_indices; k += all_threads())
    ((long long*)arguments.y)[k] = index_from_front(arguments, k);
}

// y[o, indices[k], i] += x[o, k, i], in the order of k: the thread of the first of equal indices adds them all. Indices
// count from the front, and `order` brings equal ones together, in the order of k.
template <class T> ND_DEVICE void add_at(const GatherArguments& arguments) {
  using C = compute_of<T>;
  const long long* indices = (const long long*)arguments.indices;
  const long long* order = (const long long*)arguments.order;
  const long long size = arguments.outer * arguments.n_indices * arguments.inner;
  for (long long at = first_thread(); at < size; at += all_threads()) {
    const long long inner = at % arguments.inner, rest = at / arguments.inner;
    const long long outer = rest / arguments.n_indices;
    long long j = rest % arguments.n_indices;
    const long long index = indices[order[j]];
    if (index < 0 || (j > 0 && indices[order[j - 1]] == index)) continue;  // -1 goes nowhere
    const long long to = (outer * arguments.n + index) * arguments.inner + inner;
    C sum = stored<T>::get(((const T*)arguments.y)[to]);
    for (; j < arguments.n_indices && indices[order[j]] == index; ++j) {
      const long long from = (outer * arguments.n_indices + order[j]) * arguments.inner + inner;
      sum = C(sum + stored<T>::get(((const T*)arguments.x)[from]));
    }
    ((T*)arguments.y)[to] = stored<T>::put(sum);
  }
}

// ------------------------------------------------------------------------------------------ masks

// Whether element i is chosen, and how many of the block's elements before it are; `all` of the block.
ND_DEVICE bool count_before(const MaskArguments& arguments, long long i, int* before, int* all) {
  constexpr int WARPS = MASK_BLOCK / WARP;
  __shared__ int of_warp[WARPS];
  const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
  const bool is_set = i < arguments.n && ((const bool*)arguments.mask)[i];
  const unsigned votes = __ballot_sync(WHOLE_WARP, is_set);
  if (lane == 0) of_warp[warp] = __popc(votes);
  __syncthreads();
  *before = __popc(votes & ((1u << lane) - 1));
  *all = 0;
  for (int k = 0; k < WARPS; ++k) {
    if (k < warp) *before += of_warp[k];
    *all += of_warp[k];
  }
  __syncthreads();  // before `of_warp` is written again
  return is_set;
}

// counts[b]: elements of block b that are chosen.  Blocks of MASK_BLOCK threads.
ND_DEVICE void mask_count(const MaskArguments& arguments) {
  for (long long block = blockIdx.x; block < arguments.n_blocks; block += gridDim.x) {
    int before, all;
    count_before(arguments, block * MASK_BLOCK + threadIdx.x, &before, &all);
    if (threadIdx.x == 0) arguments.counts[block] = all;
  }
}

// counts[b] = elements chosen in the blocks before b, counts[n_blocks] = all.  One block of MASK_BLOCK threads.
ND_DEVICE void mask_sum(const MaskArguments& arguments) {
  __shared__ long long sums[2][MASK_BLOCK];
  long long before = 0;
  for (long long first = 0; first < arguments.n_blocks; first += MASK_BLOCK) {
    const long long i = first + threadIdx.x;
    const long long own = i < arguments.n_blocks ? arguments.counts[i] : 0;
    int from = 0;
    sums[0][threadIdx.x] = own;
    for (int distance = 1; distance < MASK_BLOCK; distance *= 2, from = 1 - from) {
      __syncthreads();
      const long long left = threadIdx.x >= distance ? sums[from][threadIdx.x - distance] : 0;
      sums[1 - from][threadIdx.x] = sums[from][threadIdx.x] + left;
    }
    __syncthreads();
    if (i < arguments.n_blocks) arguments.counts[i] = before + sums[from][threadIdx.x] - own;
    before += sums[from][MASK_BLOCK - 1];
    __syncthreads();  // before `sums` is written again
  }
  if (threadIdx.x == 0) arguments.counts[arguments.n_blocks] = before;
}

// The chosen elements, one after the other.
template <class T> ND_DEVICE void mask_compress(const MaskArguments& arguments) {
  for (long long block = blockIdx.x; block < arguments.n_blocks; block += gridDim.x) {
    int before, all;
    const long long i = block * MASK_BLOCK + threadIdx.x;
    if (count_before(arguments, i, &before, &all))
      ((T*)arguments.y)[arguments.counts[block] + before] = ((const T*)arguments.x)[i];
  }
}

// Where the chosen elements stand.
ND_DEVICE void mask_indices(const MaskArguments& arguments) {
  for (long long block = blockIdx.x; block < arguments.n_blocks; block += gridDim.x) {
    int before, all;
    const long long i = block * MASK_BLOCK + threadIdx.x;
    if (count_before(arguments, i, &before, &all)) ((long long*)arguments.y)[arguments.counts[block] + before] = i;
  }
}

// The other way: y[i] receives the next element of x wherever the mask is set.
template <class T> ND_DEVICE void mask_expand(const MaskArguments& arguments) {
  for (long long block = blockIdx.x; block < arguments.n_blocks; block += gridDim.x) {
    int before, all;
    const long long i = block * MASK_BLOCK + threadIdx.x;
    if (count_before(arguments, i, &before, &all))
      ((T*)arguments.y)[i] = ((const T*)arguments.x)[arguments.counts[block] + before];
  }
}
