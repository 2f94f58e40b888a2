// Sorting and binary search of lines.  Sorted runs of a line are merged two by two: every thread finds the
// index of its own element among those of the other run, so nothing is shared and equal elements keep their order.
#include "device.cuh"

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

constexpr int SORT_THREADS = 256;
constexpr int FIRST_RUN = 32;  // elements whose indices are counted, not searched

// Whether a comes before b: numbers upwards, then NaN.
template <class C> ND_DEVICE bool is_below(C a, C b) {
  if constexpr (is_integer<C>)
    return a < b;
  else
    return a < b || (a == a && b != b);
}

template <class T> struct Order {
  using C = compute_of<T>;
  bool descending;
  ND_DEVICE bool comes_before(C a, C b) const { return descending ? is_below(b, a) : is_below(a, b); }
};

// How many of the n sorted elements of x come before `element`; with `or_equal` also those that equal it.
template <class T>
ND_DEVICE long long count_before(const T* x, long long n, compute_of<T> element, bool or_equal, Order<T> order) {
  long long low = 0, high = n;
  while (low < high) {
    const long long middle = low + (high - low) / 2;
    const auto other = stored<T>::get(x[middle]);
    const bool is_before = or_equal ? !order.comes_before(element, other) : order.comes_before(other, element);
    if (is_before)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// The element at index `from` of a line goes to index `to`, and with it where it stood first.
template <class T>
ND_DEVICE void move_element(const SortArguments& arguments, long long line, long long from, long long to) {
  const long long begin = line * arguments.n;
  ((T*)arguments.y)[begin + to] = ((const T*)arguments.x)[begin + from];
  if (!arguments.to_positions) return;
  const long long* positions = (const long long*)arguments.from_positions;
  ((long long*)arguments.to_positions)[begin + to] = positions ? positions[begin + from] : from;
}

// Runs of FIRST_RUN elements, sorted.
template <class T> ND_DEVICE void sort_runs(const SortArguments& arguments) {
  const Order<T> order{arguments.descending != 0};
  const long long n = arguments.n, size = arguments.n_lines * n;
  for (long long at = first_thread(); at < size; at += all_threads()) {
    const long long line = at / n, i = at % n, begin = i - i % FIRST_RUN;
    const long long end = begin + FIRST_RUN < n ? begin + FIRST_RUN : n;
    const T* x = (const T*)arguments.x + line * n;
    const auto own = stored<T>::get(x[i]);
    long long before = 0;
    for (long long k = begin; k < end; ++k) {
      const auto other = stored<T>::get(x[k]);
      before += order.comes_before(other, own) || (k < i && !order.comes_before(own, other));
    }
    move_element<T>(arguments, line, i, begin + before);
  }
}

// Sorted runs of `run` elements become runs of twice as many.
template <class T> ND_DEVICE void sort_merge(const SortArguments& arguments) {
  const Order<T> order{arguments.descending != 0};
  const long long n = arguments.n, size = arguments.n_lines * n, run = arguments.run;
  for (long long at = first_thread(); at < size; at += all_threads()) {
    const long long line = at / n, i = at % n, own = i / run * run;
    const bool is_second = i / run % 2;
    const long long other = is_second ? own - run : own + run, both = is_second ? other : own;
    const long long rest = other < n ? n - other : 0;
    const T* x = (const T*)arguments.x + line * n;
    // Of equal elements those of the first run come first.
    const long long before =
        count_before<T>(x + other, rest < run ? rest : run, stored<T>::get(x[i]), is_second, order);
    move_element<T>(arguments, line, i, both + (i - own) + before);
  }
}

// Where queries belong in one sorted line: before the elements that equal them, or behind.
template <class T> ND_DEVICE void search(const SearchArguments& arguments) {
  const Order<T> order{false};
  for (long long at = first_thread(); at < arguments.n_queries; at += all_threads()) {
    const auto query = stored<T>::get(((const T*)arguments.queries)[at]);
    ((long long*)arguments.y)[at] =
        count_before<T>((const T*)arguments.x, arguments.n, query, arguments.is_right != 0, order);
  }
}
