// Random numbers with the same bits as the CPU's.  Element i depends on the seed, the offset and i alone (philox.h).
// Built without contraction, so that the formulas round alike everywhere.
#include "device.cuh"
#include "counts.h"
#include "philox.h"
#include "trials.h"

// Element i of a draw depends on seed, offset and i alone.
struct RandomArguments {
  char* y;
  long long n;
  unsigned long long seed, offset;  // offset: number of the first block
  double params[4];                 // of the distribution
  const char* values[4];            // parameters of each element, or null for one of all
  const char* table;                // rows of probabilities
  unsigned long long low, span;     // integers: first value, how many values (0: 2^64); tables: rows, columns
};

constexpr int RANDOM_THREADS = 256;

// Parameter `k` of an element: its own, or the one of all.
ND_DEVICE double parameter(const RandomArguments& arguments, int k, long long i) {
  const double* values = (const double*)arguments.values[k];
  return values ? values[i < arguments.n ? i : arguments.n - 1] : arguments.params[k];
}

// ------------------------------------------------------------------------------------------ distributions

// A body makes the elements first, first + 1 ... of one block of random bits: `lanes` of them.

// Parameters: low, high.  Rounding must not reach the excluded end.
template <class T> struct Uniform {
  using Result = T;
  static constexpr int lanes = 16 / sizeof(T);
  ND_DEVICE static void draw(const RandomArguments& arguments, const PhiloxBlock& block, long long first, T* y) {
    uniform_lanes(block, y);
    for (int k = 0; k < lanes; ++k) {
      const double low = parameter(arguments, 0, first + k), high = parameter(arguments, 1, first + k);
      const T start = (T)low, end = (T)high, x = start + (T)(high - low) * y[k];
      y[k] = x < end ? x : start < end ? next_below(end) : start;
    }
  }
};

// Parameters: mean, standard deviation.
template <class T> struct Normal {
  using Result = T;
  static constexpr int lanes = 16 / sizeof(T);
  ND_DEVICE static void draw(const RandomArguments& arguments, const PhiloxBlock& block, long long first, T* y) {
    normal_lanes(block, y);
    for (int k = 0; k < lanes; ++k)
      y[k] = (T)parameter(arguments, 0, first + k) + (T)parameter(arguments, 1, first + k) * y[k];
  }
};

// location + scale * Standard::of(u, low word), computed in double precision from two words for each element;
// parameters: location, scale.
template <class T, class Standard> struct LocationScale {
  using Result = T;
  static constexpr int lanes = 2;
  ND_DEVICE static void draw(const RandomArguments& arguments, const PhiloxBlock& block, long long first, T* y) {
    for (int k = 0; k < lanes; ++k) {
      const nd_word low = block.word[2 * k];
      const double x = Standard::of(open_uniform_of(block.word[2 * k + 1], low), low);
      y[k] = (T)(parameter(arguments, 0, first + k) + parameter(arguments, 1, first + k) * x);
    }
  }
};
struct Exponential {
  ND_DEVICE static double of(double u, nd_word) { return -portable_log(u); }
};
struct Laplace {  // the sign is a bit that the uniform number leaves free
  ND_DEVICE static double of(double u, nd_word low) {
    return double_of(bits_of(-portable_log(u)) ^ (nd_wide)(low & 1) << 63);
  }
};
struct Gumbel {
  ND_DEVICE static double of(double u, nd_word) { return -portable_log(-portable_log_of_rest(u)); }
};

// Parameter: the probability of true, compared with 32 random bits; where they are equal, the next 32 decide.
struct Bernoulli {
  using Result = bool;
  static constexpr int lanes = 4;
  ND_DEVICE static void draw(const RandomArguments& arguments, const PhiloxBlock& block, long long first, bool* y) {
    for (int k = 0; k < lanes; ++k) {
      const double distance = parameter(arguments, 0, first + k) * 0x1p32 - (double)block.word[k];
      y[k] = distance >= 1;
      if (distance > 0 && distance < 1) {
        const nd_wide position = arguments.offset + (nd_wide)first / lanes;
        y[k] = distance * 0x1p32 > philox_block(arguments.seed, position, 1).word[k];
      }
    }
  }
};

// Numbers made at a position of their own: Number::at(arguments, position, element).
template <class T, class Number> struct Single {
  using Result = T;
  static constexpr int lanes = 1;
  ND_DEVICE static void draw(const RandomArguments& arguments, const PhiloxBlock&, long long i, T* y) {
    y[0] = (T)Number::at(arguments, arguments.offset + (nd_wide)i, i);
  }
};
template <class Trial> struct Tried {
  ND_DEVICE static double at(const RandomArguments& arguments, nd_wide position, long long i) {
    double p[4];
    for (int k = 0; k < 4; ++k) p[k] = parameter(arguments, k, i);
    return accepted_at<Trial>(arguments.seed, position, 0, p);
  }
};
struct Poisson {
  ND_DEVICE static double at(const RandomArguments& arguments, nd_wide position, long long i) {
    return poisson_at(arguments.seed, position, parameter(arguments, 0, i));
  }
};
struct Binomial {
  ND_DEVICE static double at(const RandomArguments& arguments, nd_wide position, long long i) {
    return binomial_at(arguments.seed, position, parameter(arguments, 0, i), parameter(arguments, 1, i));
  }
};
struct Beta {
  ND_DEVICE static double at(const RandomArguments& arguments, nd_wide position, long long i) {
    const double a[2] = {parameter(arguments, 0, i)}, b[2] = {parameter(arguments, 1, i)};
    const double log_x = accepted_at<GammaTrial<true, true>>(arguments.seed, position, 0, a);
    const double log_y = accepted_at<GammaTrial<true, true>>(arguments.seed, position, 2, b);
    return share_of(log_x, log_y);
  }
};

// The column of a row of cumulated probabilities; the table has `low` rows of `span` columns, which belong to elements
// in turn.
struct Categorical {
  using Result = long long;
  static constexpr int lanes = 2;
  ND_DEVICE static void draw(const RandomArguments& arguments, const PhiloxBlock& block, long long first,
                             long long* y) {
    double u[lanes];
    uniform_lanes(block, u);
    for (int k = 0; k < lanes; ++k) {
      const nd_wide row = (nd_wide)(first + k) % arguments.low;
      const double* sums = (const double*)arguments.table + row * arguments.span;
      y[k] = (long long)column_of(sums, arguments.span, u[k] * sums[arguments.span - 1]);
    }
  }
};

// ------------------------------------------------------------------------------------------ whole numbers

// Where numbers begin, and among how many they are, for element i.
struct SameRange {
  ND_DEVICE static nd_wide low(const RandomArguments& arguments, long long) { return arguments.low; }
  ND_DEVICE static nd_wide span(const RandomArguments& arguments, long long) { return arguments.span; }
};
struct FirstIndices {  // 0 ... i
  ND_DEVICE static nd_wide low(const RandomArguments&, long long) { return 0; }
  ND_DEVICE static nd_wide span(const RandomArguments&, long long i) { return (nd_wide)i + 1; }
};
struct LastIndices {  // i ... span - 1
  ND_DEVICE static nd_wide low(const RandomArguments&, long long i) { return (nd_wide)i; }
  ND_DEVICE static nd_wide span(const RandomArguments& arguments, long long i) { return arguments.span - (nd_wide)i; }
};

// Spans 1 to 2^32, in words of T's size.
template <class T, class Range> struct Integers {
  using Result = T;
  static constexpr int lanes = 4;
  ND_DEVICE static void draw(const RandomArguments& arguments, const PhiloxBlock& block, long long first, T* y) {
    const nd_wide position = arguments.offset + (nd_wide)first / lanes;
    for (int k = 0; k < lanes; ++k) {
      const nd_wide span = Range::span(arguments, first + k);
      y[k] = (T)(Range::low(arguments, first + k) + bounded_word(block.word[k], k, arguments.seed, position, span));
    }
  }
};

// The same for any span; 0 means 2^64.
template <class T, class Range> struct WideIntegers {
  using Result = T;
  static constexpr int lanes = 2;
  ND_DEVICE static void draw(const RandomArguments& arguments, const PhiloxBlock& block, long long first, T* y) {
    const nd_wide position = arguments.offset + (nd_wide)first / lanes;
    for (int k = 0; k < lanes; ++k) {
      const nd_wide random = wide_of(block.word[2 * k + 1], block.word[2 * k]);
      const nd_wide span = Range::span(arguments, first + k);
      y[k] = (T)(Range::low(arguments, first + k) + bounded(random, k, arguments.seed, position, span));
    }
  }
};

// ------------------------------------------------------------------------------------------ kernels

// One block of random bits for each thread and round.
template <class Body> ND_DEVICE void fill_random(const RandomArguments& arguments) {
  using R = typename Body::Result;
  constexpr int N = Body::lanes;
  for (long long i = first_thread(); i * N < arguments.n; i += all_threads()) {
    R y[N];
    Body::draw(arguments, philox_block(arguments.seed, arguments.offset + (nd_wide)i, 0), i * N, y);
    for (int k = 0; k < N; ++k)
      if (i * N + k < arguments.n) ((R*)arguments.y)[i * N + k] = y[k];
  }
}

// A row of `span` counts for each thread and round, which add up to parameter 0; the table holds the shares.
ND_DEVICE void multinomial_rows(const RandomArguments& arguments) {
  for (long long row = first_thread(); row < arguments.n; row += all_threads()) {
    const nd_wide start = (nd_wide)row * arguments.span;
    multinomial_at(arguments.seed, arguments.offset + start, arguments.params[0], (const double*)arguments.table,
                   arguments.span, (long long*)arguments.y + start);
  }
}
