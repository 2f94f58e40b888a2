// Reductions of lines (tensors along dimensions).  Where a line lies stands in a record among the arguments, which the
// hardware keeps in constant memory: the threads of a block, which all read the same field, get it in one step.
//
// A Body says what is computed: the accumulator before any element, a step with an element, two accumulators merged,
// and the result.  Which elements meet in which accumulator depends on the length of a line and on the variant alone,
// never on the device or on where the line lies in memory: results repeat bit for bit.
#include "merge.cuh"
#include "operands.cuh"
#include "row_body.cuh"

constexpr int REDUCE_THREADS = 256, COLUMNS = 32, COLUMN_ROWS = REDUCE_THREADS / COLUMNS;

// ------------------------------------------------------------------------------------------ sources

// Where elements come from: an array; offsets in bytes.
template <class T> struct ArraySource {
  const char* x;
  ND_DEVICE explicit ArraySource(const ReduceArguments& arguments) : x(arguments.x) {}
  template <int N> ND_DEVICE bool is_aligned(long long offset) const {
    return (unsigned long long)(x + offset) % (N * sizeof(T)) == 0;
  }
  ND_DEVICE T at(long long offset) const { return *(const T*)(x + offset); }
  template <int N> ND_DEVICE packet<T, N, true> several(long long offset) const {
    return *(const packet<T, N, true>*)(x + offset);
  }
};

// What a chain makes of several arrays, as elements of type T; `offset` is that of an array of the results.
template <class Chain, class T> struct ChainSource {
  const ReduceArguments& arguments;
  ND_DEVICE explicit ChainSource(const ReduceArguments& arguments) : arguments(arguments) {}
  ND_DEVICE void find_addresses(long long offset, char** addresses) const {
#pragma unroll
    for (int k = 0; k < Chain::n_in; ++k)
      addresses[k] = arguments.operands[k] +
                     (arguments.constant >> k & 1 ? 0 : offset / (long long)sizeof(T) * Chain::itemsize(k));
  }
  // Packets of N elements, each aligned to its size.
  template <int N> ND_DEVICE bool is_aligned(long long offset) const {
    char* addresses[Chain::n_in];
    find_addresses(offset, addresses);
    bool is_aligned = true;
    for (int k = 0; k < Chain::n_in; ++k)
      is_aligned &= (arguments.constant >> k & 1) || (unsigned long long)addresses[k] % (N * Chain::itemsize(k)) == 0;
    return is_aligned;
  }
  ND_DEVICE T at(long long offset) const {
    char* addresses[Chain::n_in];
    find_addresses(offset, addresses);
    return Chain::template made<1, false>(addresses, arguments.constant, arguments.values).element[0];
  }
  template <int N> ND_DEVICE packet<T, N, true> several(long long offset) const {
    char* addresses[Chain::n_in];
    find_addresses(offset, addresses);
    return Chain::template made<N, true>(addresses, arguments.constant, arguments.values);
  }
};

// ------------------------------------------------------------------------------------------ bodies

// A row of the table.  T: element, A: accumulator, R: result, as stored.
template <class Op, class T, class A, class R, class From = ArraySource<T>> struct RowReduction {
  using Source = From;
  using Element = T;
  using Accumulator = A;
  using Result = R;
  static constexpr bool has_final_value = Op::has_final_value;
  ND_DEVICE static A init() { return Op::template init<A>(); }
  ND_DEVICE static A step(A acc, T x, long long) { return Op::template step<A>(acc, (A)stored<T>::get(x)); }
  ND_DEVICE static A merge(A l, A r) { return Op::template merge<A>(l, r); }
  ND_DEVICE static bool is_final(A acc) { return Op::template is_final<A>(acc); }
  ND_DEVICE static R finish(A acc, long long n) {
    return stored<R>::put(convert<compute_of<R>>(Op::template finish<A>(acc, (A)n)));
  }
};

// The best element so far and its index; index -1: none was seen.
template <class C> struct Best {
  C value;
  long long index;
};

// Where the best element stands.  NaN is better than any number; the first of equals wins.
template <class Op, class T> struct ArgBody {
  using C = compute_of<T>;
  using Source = ArraySource<T>;
  using Element = T;
  using Accumulator = Best<C>;
  using Result = long long;
  static constexpr bool has_final_value = false;
  ND_DEVICE static bool wins(C x, C over) { return Op::template better<C>(x, over) | ((x != x) & (over == over)); }
  ND_DEVICE static Accumulator init() { return Accumulator{C(0), -1}; }
  ND_DEVICE static Accumulator step(Accumulator acc, T x, long long index) {
    const C value = stored<T>::get(x);
    return acc.index < 0 || wins(value, acc.value) ? Accumulator{value, index} : acc;
  }
  ND_DEVICE static Accumulator merge(Accumulator l, Accumulator r) {
    if (l.index < 0 || r.index < 0) return l.index < 0 ? r : l;
    const bool is_same = !wins(l.value, r.value) && !wins(r.value, l.value);
    return wins(r.value, l.value) || (is_same && r.index < l.index) ? r : l;
  }
  ND_DEVICE static bool is_final(Accumulator) { return false; }
  ND_DEVICE static long long finish(Accumulator acc, long long) { return acc.index; }
};

// ------------------------------------------------------------------------------------------ lines

ND_DEVICE long long offset_in(const TadAxis* axes, long long rank, long long i) {
  if (rank == 1) return i * axes[0].stride;
  long long offset = 0;
  unsigned rest = (unsigned)i;
  for (int axis = 0; axis < (int)rank; ++axis) {
    const unsigned next = divide(rest, axes[axis].divisor);
    offset += (rest - next * axes[axis].divisor.size) * axes[axis].stride;
    rest = next;
  }
  return offset;
}
ND_DEVICE long long line_offset(const Tad& tad, long long line) {
  return offset_in(tad.line_axes, tad.line_rank, line);
}
ND_DEVICE long long element_offset(const Tad& tad, long long i) {
  return offset_in(tad.element_axes, tad.element_rank, i);
}

// 16 bytes; of bytes only 8 where their accumulators are wide, for 16 of those do not all fit into registers.
template <class Body>
constexpr int PER_PACKET =
    sizeof(typename Body::Element) == 1 && sizeof(typename Body::Accumulator) > 4 ? 8
                                                                                  : 16 / sizeof(typename Body::Element);

// Steps `worker`, worker + n_workers ... through the packets of elements begin ... end of a line.  Every element of a
// packet has an accumulator of its own; a packet that lies densely and aligned is read at once.
template <class Body>
ND_DEVICE typename Body::Accumulator reduce_packets(const Tad& tad, const typename Body::Source& source, long long line,
                                                    long long begin, long long end, int worker, int n_workers) {
  using T = typename Body::Element;
  using A = typename Body::Accumulator;
  constexpr int N = PER_PACKET<Body>;
  A acc[N];
  for (int k = 0; k < N; ++k) acc[k] = Body::init();
  const bool is_packed = tad.element_rank == 1 && tad.element_axes[0].stride == sizeof(T) &&
                         source.template is_aligned<N>(line + begin * (long long)sizeof(T));
  for (long long first = begin + (long long)worker * N; first < end; first += (long long)n_workers * N) {
    if (is_packed && first + N <= end) {
      const packet<T, N, true> elements = source.template several<N>(line + first * (long long)sizeof(T));
#pragma unroll
      for (int k = 0; k < N; ++k) acc[k] = Body::step(acc[k], elements.element[k], first + k);
    } else {
#pragma unroll
      for (int k = 0; k < N; ++k)
        if (first + k < end) acc[k] = Body::step(acc[k], source.at(line + element_offset(tad, first + k)), first + k);
    }
    if constexpr (Body::has_final_value)
      if (Body::is_final(acc[0])) break;
  }
#pragma unroll
  for (int n = N / 2; n > 0; n /= 2)
    for (int k = 0; k < n; ++k) acc[k] = Body::merge(acc[k], acc[k + n]);
  return acc[0];
}

template <class Body>
ND_DEVICE void put_result(const ReduceArguments& arguments, long long line, long long n,
                          typename Body::Accumulator acc) {
  ((typename Body::Result*)arguments.y)[line] = Body::finish(acc, n);
}

// A whole line's result, or one piece's accumulator.
template <class Body>
ND_DEVICE void put_piece(const ReduceArguments& arguments, const Tad& tad, long long line, long long piece,
                         typename Body::Accumulator acc) {
  if (arguments.accumulators)
    ((typename Body::Accumulator*)arguments.accumulators)[line * arguments.n_pieces + piece] = acc;
  else
    put_result<Body>(arguments, line, tad.length, acc);
}

// ------------------------------------------------------------------------------------------ kernels

// Short lines: `width` lanes of a warp share one, so that a warp works on several.
template <class Body> ND_DEVICE void reduce_lines(const ReduceArguments& arguments) {
  const Tad& tad = arguments.tad;
  const typename Body::Source source(arguments);
  const int lane = threadIdx.x % arguments.width;
  const long long lines_of_grid = all_threads() / arguments.width;
  // All lanes of a warp stay until its last line is done: they exchange values.
  const long long first_of_warp = first_thread() / WARP * WARP / arguments.width;
  for (long long base = 0; first_of_warp + base < tad.n_lines; base += lines_of_grid) {
    const long long line = first_thread() / arguments.width + base;
    typename Body::Accumulator acc = Body::init();
    if (line < tad.n_lines)
      acc = reduce_packets<Body>(tad, source, line_offset(tad, line), 0, tad.length, lane, arguments.width);
    acc = merge_lanes<Body>(acc, arguments.width);
    if (lane == 0 && line < tad.n_lines) put_result<Body>(arguments, line, tad.length, acc);
  }
}

// Long lines: a block works on one, or on a piece of one.
template <class Body> ND_DEVICE void reduce_blocks(const ReduceArguments& arguments) {
  const Tad& tad = arguments.tad;
  const typename Body::Source source(arguments);
  for (long long i = blockIdx.x; i < tad.n_lines * arguments.n_pieces; i += gridDim.x) {
    const long long line = i / arguments.n_pieces, piece = i % arguments.n_pieces, begin = piece * arguments.piece;
    const long long end = begin + arguments.piece < tad.length ? begin + arguments.piece : tad.length;
    auto acc = reduce_packets<Body>(tad, source, line_offset(tad, line), begin, end, threadIdx.x, REDUCE_THREADS);
    acc = merge_block<Body, REDUCE_THREADS>(acc);
    if (threadIdx.x == 0) put_piece<Body>(arguments, tad, line, piece, acc);
  }
}

// Lines that lie side by side: neighbouring threads read neighbouring lines.  Blocks of 32 x 8 threads.
template <class Body> ND_DEVICE void reduce_columns(const ReduceArguments& arguments) {
  using A = typename Body::Accumulator;
  __shared__ A rows[COLUMN_ROWS][COLUMNS];
  const Tad& tad = arguments.tad;
  const typename Body::Source source(arguments);
  const long long n_groups = (tad.n_lines + COLUMNS - 1) / COLUMNS;
  for (long long i = blockIdx.x; i < n_groups * arguments.n_pieces; i += gridDim.x) {
    const long long line = i % n_groups * COLUMNS + threadIdx.x, piece = i / n_groups, begin = piece * arguments.piece;
    const long long end = begin + arguments.piece < tad.length ? begin + arguments.piece : tad.length;
    A acc = Body::init();
    if (line < tad.n_lines) {
      const long long first = line_offset(tad, line);
#pragma unroll 4
      for (long long k = begin + threadIdx.y; k < end; k += COLUMN_ROWS)
        acc = Body::step(acc, source.at(first + element_offset(tad, k)), k);
    }
    rows[threadIdx.y][threadIdx.x] = acc;
    __syncthreads();
    if (threadIdx.y == 0 && line < tad.n_lines) {
      for (int row = 1; row < COLUMN_ROWS; ++row) acc = Body::merge(acc, rows[row][threadIdx.x]);
      put_piece<Body>(arguments, tad, line, piece, acc);
    }
    __syncthreads();  // before `rows` is written again
  }
}

// The pieces of lines: one warp joins those of one line, in their order.
template <class Body> ND_DEVICE void reduce_merge(const ReduceArguments& arguments) {
  using A = typename Body::Accumulator;
  const Tad& tad = arguments.tad;
  const int lane = threadIdx.x % WARP;
  for (long long line = first_thread() / WARP; line < tad.n_lines; line += all_threads() / WARP) {
    const A* pieces = (const A*)arguments.accumulators + line * arguments.n_pieces;
    A acc = Body::init();
    for (long long i = lane; i < arguments.n_pieces; i += WARP) acc = Body::merge(acc, pieces[i]);
    acc = merge_lanes<Body>(acc, WARP);
    if (lane == 0) put_result<Body>(arguments, line, tad.length, acc);
  }
}
