// Elementwise kernels: one skeleton for rows of the table, casts, copies, fills and chains of rows.
//
// A Body says what happens to one element: n_in inputs of type In (the one numbered `condition` is a bool), n_out
// outputs of type Out, and `apply(params, y, x, condition)`.  Threads walk the whole range in strides of the grid, so
// any grid gives the same result.
#include "operands.cuh"
#include "row_body.cuh"

// ------------------------------------------------------------------------------------------ bodies

// The value's bytes stand where the scalars would.
template <class T> struct FillBody {
  using In = T;
  using Out = T;
  static constexpr int n_in = 0, n_out = 1, condition = -1;
  ND_DEVICE static void apply(const double* params, Out* y, const In*, bool) { memcpy((void*)y, params, sizeof(T)); }
};

// ------------------------------------------------------------------------------------------ packets

// Elements of a packet: 16 bytes of the widest operand.
template <class Body>
constexpr int PACKET = 16 / (sizeof(typename Body::In) > sizeof(typename Body::Out) ? sizeof(typename Body::In)
                                                                                    : sizeof(typename Body::Out));

// One packet of every operand; offsets in bytes.
template <class Body, int N, bool Aligned>
ND_DEVICE void run_packet(char* const* operands, const long long* offsets, long long constant, const double* params) {
  using In = typename Body::In;
  using Out = typename Body::Out;
  packet<In, N, Aligned> x[Body::n_in + 1];
  packet<bool, N, Aligned> flags;
  packet<Out, N, Aligned> y[Body::n_out];
#pragma unroll
  for (int k = 0; k < Body::n_in; ++k) {
    const double* value = value_of_input(params, k);
    if (k == Body::condition)
      load_operand(operands[k], offsets[k], constant >> k & 1, value, flags);
    else
      load_operand(operands[k], offsets[k], constant >> k & 1, value, x[k]);
  }
#pragma unroll
  for (int j = 0; j < N; ++j) {
    In element[Body::n_in + 1];
    Out result[Body::n_out];
#pragma unroll
    for (int k = 0; k < Body::n_in; ++k)
      if (k != Body::condition) element[k] = x[k].element[j];
    Body::apply(params, result, element, Body::condition >= 0 ? flags.element[j] : false);
#pragma unroll
    for (int k = 0; k < Body::n_out; ++k) y[k].element[j] = result[k];
  }
#pragma unroll
  for (int k = 0; k < Body::n_out; ++k)
    *(packet<Out, N, Aligned>*)(operands[Body::n_in + k] + offsets[Body::n_in + k]) = y[k];
}

template <class Body> ND_DEVICE long long element_bytes(int k) {
  return k >= Body::n_in ? sizeof(typename Body::Out) : k == Body::condition ? 1 : sizeof(typename Body::In);
}

// ------------------------------------------------------------------------------------------ dense operands

template <class Body, int N, bool Aligned>
ND_DEVICE void dense_packet(const DenseArguments& arguments, long long first) {
  long long offsets[Body::n_in + Body::n_out];
#pragma unroll
  for (int k = 0; k < Body::n_in + Body::n_out; ++k)
    offsets[k] = arguments.constant >> k & 1 ? 0 : first * element_bytes<Body>(k);
  run_packet<Body, N, Aligned>(arguments.operands, offsets, arguments.constant, arguments.params);
}

// N elements at a time; the rest one by one.
template <class Body, int N, bool Aligned> ND_DEVICE void map_dense(const DenseArguments& arguments) {
  const long long n_packets = arguments.n / N;
  for (long long i = first_thread(); i < n_packets; i += all_threads())
    dense_packet<Body, N, Aligned>(arguments, i * N);
  if constexpr (N > 1)
    for (long long i = n_packets * N + first_thread(); i < arguments.n; i += all_threads())
      dense_packet<Body, 1, false>(arguments, i);
}

// ------------------------------------------------------------------------------------------ strided operands

template <class Body, int N, bool Wide> ND_DEVICE void map_strided(const StridedArguments& arguments) {
  constexpr int OPERANDS = Body::n_in + Body::n_out;
  for (long long i = first_thread(); i < arguments.n; i += all_threads()) {
    long long offsets[OPERANDS];
    find_offsets<OPERANDS, Wide>(arguments, i, offsets);
    run_packet<Body, N, (N > 1)>(arguments.operands, offsets, arguments.constant, arguments.params);
  }
}

// ------------------------------------------------------------------------------------------ transposed operands

constexpr int TILE = 32, TILE_ROWS = 8;

// Blocks of 32 x 8 threads.  Turned inputs are read along axis 1 and taken along axis 0 out of shared memory, whose
// rows are one element longer than the tile so that a column lies in different banks.
template <class Body> ND_DEVICE void map_tiled(const TiledArguments& arguments) {
  using In = typename Body::In;
  using Out = typename Body::Out;
  using Rows = In[TILE][TILE + 1];
  constexpr int OPERANDS = Body::n_in + Body::n_out;
  ND_DYNAMIC_SHARED(room);
  Rows* tiles = (Rows*)room;
  for (long long tile = blockIdx.x; tile < arguments.n_tiles; tile += gridDim.x) {
    unsigned rest = (unsigned)tile;
    long long index[2], offsets[OPERANDS];
#pragma unroll
    for (int k = 0; k < OPERANDS; ++k) offsets[k] = 0;
    for (int axis = 0; axis < (int)arguments.rank; ++axis) {
      const unsigned next = divide(rest, arguments.axes[axis]);
      const long long at = (long long)(rest - next * arguments.axes[axis].size) * (axis < 2 ? TILE : 1);
      rest = next;
      if (axis < 2) index[axis] = at;
#pragma unroll
      for (int k = 0; k < OPERANDS; ++k) offsets[k] += at * arguments.strides[k][axis];
    }
    const long long left0 = arguments.sizes[0] - index[0], left1 = arguments.sizes[1] - index[1];
#pragma unroll
    for (int k = 0; k < Body::n_in; ++k)
      if (k != Body::condition && (arguments.transposed >> k & 1))
        for (int row = threadIdx.y; row < TILE; row += TILE_ROWS)
          if (row < left0 && threadIdx.x < left1)
            tiles[k][row][threadIdx.x] =
                *(const In*)(arguments.operands[k] + offsets[k] + row * arguments.strides[k][0] +
                             threadIdx.x * arguments.strides[k][1]);
    __syncthreads();
    for (int row = threadIdx.y; row < TILE; row += TILE_ROWS) {
      if (threadIdx.x >= left0 || row >= left1) continue;
      In x[Body::n_in + 1];
      Out y[Body::n_out];
      bool flag = false;
#pragma unroll
      for (int k = 0; k < Body::n_in; ++k) {
        const long long offset = offsets[k] + threadIdx.x * arguments.strides[k][0] + row * arguments.strides[k][1];
        const double* value = value_of_input(arguments.params, k);
        const char* operand = arguments.operands[k];
        if (k == Body::condition)
          flag = operand ? *(const bool*)(operand + offset) : value_at<bool>(value);
        else if (!operand)
          x[k] = value_at<In>(value);
        else
          x[k] = arguments.transposed >> k & 1 ? tiles[k][threadIdx.x][row] : *(const In*)(operand + offset);
      }
      Body::apply(arguments.params, y, x, flag);
#pragma unroll
      for (int k = Body::n_in; k < OPERANDS; ++k)
        *(Out*)(arguments.operands[k] + offsets[k] + threadIdx.x * arguments.strides[k][0] +
                row * arguments.strides[k][1]) = y[k - Body::n_in];
    }
    __syncthreads();  // before the tiles are filled again
  }
}
