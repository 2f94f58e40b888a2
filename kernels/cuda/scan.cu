// Scans along lines, and their gradients.
//
// Where a row's accumulators merge, a block walks along a line: every thread steps through some elements, the threads'
// totals are joined by doubling distances, and each thread steps through its elements again from what stands before
// them.  Long lines are cut in pieces: their totals first, then the running totals of the pieces, then the elements.
// Where accumulators do not merge, one thread walks along each line; so it does where lines lie side by side, and
// neighbouring threads read neighbouring elements.
#include "device.cuh"

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

constexpr int SCAN_THREADS = 128, SCAN_EACH = 8;  // elements of a thread in one round

template <class Op, class T, class A, class R> struct RowScan {
  using Element = T;
  using Accumulator = A;
  using Result = R;
  ND_DEVICE static A init() { return Op::template init<A>(); }
  ND_DEVICE static A step(A acc, T x) { return Op::template step<A>(acc, (A)stored<T>::get(x)); }
  ND_DEVICE static A merge(A l, A r) { return Op::template merge<A>(l, r); }
  ND_DEVICE static R result(A acc) { return stored<R>::put(convert<compute_of<R>>(acc)); }
  ND_DEVICE static A value(T x) { return (A)stored<T>::get(x); }
  ND_DEVICE static A pull_acc(A g, A acc, A x, A y) { return Op::template pull_acc<A>(g, acc, x, y); }
  ND_DEVICE static A pull_x(A g, A acc, A x, A y) { return Op::template pull_x<A>(g, acc, x, y); }
};

struct ScanLine {
  const char* x;
  char* y;
};

ND_DEVICE ScanLine scan_line(const ScanArguments& arguments, long long line) {
  const long long outer = line / arguments.inner, inner = line % arguments.inner;
  return ScanLine{arguments.x + outer * arguments.x_outer + inner * arguments.x_inner,
                  arguments.y + outer * arguments.y_outer + inner * arguments.y_inner};
}

// ------------------------------------------------------------------------------------------ one thread a line

template <class Body> ND_DEVICE void scan_each(const ScanArguments& arguments) {
  using T = typename Body::Element;
  using R = typename Body::Result;
  for (long long line = first_thread(); line < arguments.n_lines; line += all_threads()) {
    const ScanLine at = scan_line(arguments, line);
    typename Body::Accumulator acc = Body::init();
    char* y = at.y;
    if (arguments.has_initial) {
      *(R*)y = Body::result(acc);
      y += arguments.y_stride;
    }
    for (long long i = 0; i < arguments.n; ++i) {
      acc = Body::step(acc, *(const T*)(at.x + i * arguments.x_stride));
      *(R*)(y + i * arguments.y_stride) = Body::result(acc);
    }
  }
}

// ------------------------------------------------------------------------------------------ one block a line

// What the threads before each one hold, joined; the total of all goes to `total`.
template <class Body, class A> ND_DEVICE A join_before(A own, A* total) {
  constexpr int WARPS = SCAN_THREADS / WARP;
  __shared__ A of_warp[WARPS];
  const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
  A running = own;
  for (int distance = 1; distance < WARP; distance *= 2) {
    const A before = from_lane_above(WHOLE_WARP, running, distance, WARP);
    if (lane >= distance) running = Body::merge(before, running);
  }
  if (lane == WARP - 1) of_warp[warp] = running;
  __syncthreads();
  A before_warp = Body::init(), all = Body::init();
  for (int i = 0; i < WARPS; ++i) {
    if (i == warp) before_warp = all;
    all = Body::merge(all, of_warp[i]);
  }
  __syncthreads();  // before `of_warp` is written again
  *total = all;
  const A before_lane = from_lane_above(WHOLE_WARP, running, 1, WARP);
  return lane == 0 ? before_warp : Body::merge(before_warp, before_lane);
}

// The elements of one piece in rounds; `put(index, acc)` receives every running result.
template <class Body, class Put>
ND_DEVICE typename Body::Accumulator scan_piece(const ScanArguments& arguments, const char* x, long long begin,
                                                long long end, typename Body::Accumulator start, Put put) {
  using T = typename Body::Element;
  using A = typename Body::Accumulator;
  for (long long first = begin; first < end; first += SCAN_THREADS * SCAN_EACH) {
    const long long own = first + (long long)threadIdx.x * SCAN_EACH;
    A acc = Body::init(), total;
    for (int k = 0; k < SCAN_EACH; ++k)
      if (own + k < end) acc = Body::step(acc, *(const T*)(x + (own + k) * arguments.x_stride));
    acc = Body::merge(start, join_before<Body>(acc, &total));
    for (int k = 0; k < SCAN_EACH; ++k)
      if (own + k < end) {
        acc = Body::step(acc, *(const T*)(x + (own + k) * arguments.x_stride));
        put(own + k, acc);
      }
    start = Body::merge(start, total);
  }
  return start;
}

// Whole lines, or pieces of lines that begin with what `totals` says stands before them.
template <class Body> ND_DEVICE void scan_blocks(const ScanArguments& arguments) {
  using R = typename Body::Result;
  using A = typename Body::Accumulator;
  for (long long i = blockIdx.x; i < arguments.n_lines * arguments.n_pieces; i += gridDim.x) {
    const long long line = i / arguments.n_pieces, piece = i % arguments.n_pieces, begin = piece * arguments.piece;
    const long long end = begin + arguments.piece < arguments.n ? begin + arguments.piece : arguments.n;
    const ScanLine at = scan_line(arguments, line);
    char* y = at.y + (arguments.has_initial ? arguments.y_stride : 0);
    const A start = arguments.totals ? ((const A*)arguments.totals)[i] : Body::init();
    if (arguments.has_initial && piece == 0 && threadIdx.x == 0) *(R*)at.y = Body::result(A(Body::init() + A(0)));
    scan_piece<Body>(arguments, at.x, begin, end, start,
                     [=](long long index, A acc) { *(R*)(y + index * arguments.y_stride) = Body::result(acc); });
  }
}

// What each piece comes to by itself.
template <class Body> ND_DEVICE void scan_totals(const ScanArguments& arguments) {
  using A = typename Body::Accumulator;
  for (long long i = blockIdx.x; i < arguments.n_lines * arguments.n_pieces; i += gridDim.x) {
    const long long line = i / arguments.n_pieces, begin = i % arguments.n_pieces * arguments.piece;
    const long long end = begin + arguments.piece < arguments.n ? begin + arguments.piece : arguments.n;
    const ScanLine at = scan_line(arguments, line);
    const A total = scan_piece<Body>(arguments, at.x, begin, end, Body::init(), [](long long, A) {});
    if (threadIdx.x == 0) ((A*)arguments.totals)[i] = total;
  }
}

// The totals of a line's pieces become what stands before each piece.
template <class Body> ND_DEVICE void scan_carry(const ScanArguments& arguments) {
  using A = typename Body::Accumulator;
  for (long long line = first_thread(); line < arguments.n_lines; line += all_threads()) {
    A* totals = (A*)arguments.totals + line * arguments.n_pieces;
    A before = Body::init();
    for (long long i = 0; i < arguments.n_pieces; ++i) {
      const A own = totals[i];
      totals[i] = before;
      before = Body::merge(before, own);
    }
  }
}

// ------------------------------------------------------------------------------------------ gradients

// y[i] = step(y[i - 1], x[i]): what reaches y[i] from the steps behind it is carried towards the beginning of the line.
template <class Body> ND_DEVICE void scan_pull(const ScanGradientArguments& arguments) {
  using T = typename Body::Element;
  using R = typename Body::Result;
  using A = typename Body::Accumulator;
  const T* x = (const T*)arguments.x;
  const R *g = (const R*)arguments.g, *y = (const R*)arguments.y;
  T* dx = (T*)arguments.dx;
  const auto real = [](R v) { return (A)stored<R>::get(v); };
  for (long long line = first_thread(); line < arguments.n_lines; line += all_threads()) {
    const long long first = line / arguments.inner * arguments.n * arguments.inner + line % arguments.inner;
    A carry = A(0);
    for (long long i = arguments.n - 1; i >= 0; --i) {
      const long long at = first + i * arguments.inner;
      carry = carry + real(g[at]);
      A own = carry;
      if (i > 0) {
        const A before = real(y[at - arguments.inner]), element = Body::value(x[at]), result = real(y[at]);
        own = Body::pull_x(carry, before, element, result);
        carry = Body::pull_acc(carry, before, element, result);
      }
      dx[at] = stored<T>::put(convert<compute_of<T>>(own));
    }
  }
}
