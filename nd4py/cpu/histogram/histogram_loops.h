// Histogram loops: the number of elements, or the sum of weights, in each bin.
#pragma once
#include <cstddef>
#include <cstdint>

// A table has a slot for what lies below the bins, one for each bin, and one for what lies above them; where an element
// is the number of its bin it has the bins alone.
struct HistogramWork {
  const char* x;
  const double* weights;  // one for each element, or NULL
  const double* edges;    // n_bins + 1, rising; NULL where an element is the number of its bin
  double scale;           // bins per unit of x where all are of one width, else 0
  ptrdiff_t n_bins, n_slots;
  ptrdiff_t n_tables;  // elements take turns between two: adding to one slot twice has to wait for the first sum
};

// Add elements first to last to the tables of one task, of int64_t or double.
typedef void (*CountLoop)(const HistogramWork* work, ptrdiff_t first, ptrdiff_t last, char* tables);

namespace nd_histogram {

constexpr ptrdiff_t TILE_ELEMENTS = 64;  // elements whose slots are found before they are counted

// Slots of elements i to i + n; `tile` is room for them.
struct Positions {
  static const int64_t* slots(const HistogramWork* work, ptrdiff_t i, ptrdiff_t, int64_t*) {
    return reinterpret_cast<const int64_t*>(work->x) + i;
  }
};

// Bin k holds edges[k] <= x < edges[k + 1], the last one its upper edge too.  The bin that the distance from the first
// edge suggests is moved to where the edges say, so that rounding decides nothing.
template <class T> struct Even {
  static int64_t slot(double x, const double* edges, double scale, ptrdiff_t last) {
    if (!(x >= edges[0] && x <= edges[last + 1])) return 0;
    ptrdiff_t k = ptrdiff_t((x - edges[0]) * scale);
    k = k > last ? last : k;
    while (k > 0 && x < edges[k]) --k;
    while (k < last && x >= edges[k + 1]) ++k;
    return k + 1;
  }
  static const int64_t* slots(const HistogramWork* work, ptrdiff_t i, ptrdiff_t n, int64_t* tile) {
    const T* x = reinterpret_cast<const T*>(work->x) + i;
    for (ptrdiff_t j = 0; j < n; ++j) tile[j] = slot(x[j], work->edges, work->scale, work->n_bins - 1);
    return tile;
  }
};

// How many edges are <= x, by halving; the elements of a tile go through it side by side, because each step of one
// waits for the step before.  NaN is below all edges.
template <class T> struct Uneven {
  static const int64_t* slots(const HistogramWork* work, ptrdiff_t i, ptrdiff_t n, int64_t* tile) {
    const T* x = reinterpret_cast<const T*>(work->x) + i;
    const double *edges = work->edges, last = edges[work->n_bins];
    for (ptrdiff_t j = 0; j < n; ++j) tile[j] = 0;
    ptrdiff_t left = work->n_bins + 1;
    for (; left > 1; left -= left / 2)
      for (ptrdiff_t j = 0; j < n; ++j) tile[j] += edges[tile[j] + left / 2 - 1] <= x[j] ? left / 2 : 0;
    for (ptrdiff_t j = 0; j < n; ++j) tile[j] += (edges[tile[j]] <= x[j]) - (x[j] == last);
    return tile;
  }
};

struct One {
  using Total = int64_t;
  static int64_t of(const HistogramWork*, ptrdiff_t) { return 1; }
};
struct Weight {
  using Total = double;
  static double of(const HistogramWork* work, ptrdiff_t i) { return work->weights[i]; }
};

template <class Bins, class Amount>
void count(const HistogramWork* work, ptrdiff_t first, ptrdiff_t last, char* tables) {
  using Total = typename Amount::Total;
  Total* even = reinterpret_cast<Total*>(tables);
  Total* odd = even + (work->n_tables - 1) * work->n_slots;
  int64_t tile[TILE_ELEMENTS];
  for (ptrdiff_t i = first; i < last; i += TILE_ELEMENTS) {
    const ptrdiff_t n = last - i < TILE_ELEMENTS ? last - i : TILE_ELEMENTS;
    const int64_t* slot = Bins::slots(work, i, n, tile);
    ptrdiff_t j = 0;
    for (; j + 1 < n; j += 2) {
      even[slot[j]] += Amount::of(work, i + j);
      odd[slot[j + 1]] += Amount::of(work, i + j + 1);
    }
    if (j < n) even[slot[j]] += Amount::of(work, i + j);
  }
}

template <class Bins> CountLoop loop_of(const HistogramWork* work) {
  return work->weights == nullptr ? &count<Bins, One> : &count<Bins, Weight>;
}

template <class Total> void merge(const HistogramWork* work, const Total* tables, ptrdiff_t n_tables, Total* y) {
  for (ptrdiff_t k = 0; k < work->n_bins; ++k) {
    Total sum = 0;
    for (ptrdiff_t t = 0; t < n_tables; ++t) sum += tables[t * work->n_slots + k];
    y[k] = sum;
  }
}

}  // namespace nd_histogram

// The loop for elements that are numbers of bins, or reals of this many bytes.
inline CountLoop count_loop(const HistogramWork* work, ptrdiff_t itemsize) {
  using namespace nd_histogram;
  if (work->edges == nullptr) return loop_of<Positions>(work);
  if (work->scale == 0) return itemsize == 4 ? loop_of<Uneven<float>>(work) : loop_of<Uneven<double>>(work);
  return itemsize == 4 ? loop_of<Even<float>>(work) : loop_of<Even<double>>(work);
}

// y = the bins of all tables, added in order.
inline void merge_tables(const HistogramWork* work, const char* tables, ptrdiff_t n_tables, char* y) {
  using namespace nd_histogram;
  const ptrdiff_t below = work->edges == nullptr ? 0 : 1;
  if (work->weights == nullptr)
    merge(work, reinterpret_cast<const int64_t*>(tables) + below, n_tables, reinterpret_cast<int64_t*>(y));
  else
    merge(work, reinterpret_cast<const double*>(tables) + below, n_tables, reinterpret_cast<double*>(y));
}
