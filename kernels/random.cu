// Random numbers with the bits of the CPU's: element i depends on the seed, the offset and i alone (philox.h).  Built
// without contraction, so that the formulas round alike everywhere.
#include "device.cuh"
#include "philox.h"

constexpr int RANDOM_THREADS = 256;

ND_DEVICE float next_below(float x) {
  const unsigned bits = float_to_bits(x);
  return bits_to_float(x > 0 ? bits - 1 : x < 0 ? bits + 1 : 0x80000001u);
}
ND_DEVICE double next_below(double x) {
  const nd_wide bits = bits_of(x);
  return double_of(x > 0 ? bits - 1 : x < 0 ? bits + 1 : 0x8000000000000001ull);
}

// ------------------------------------------------------------------------------------------ distributions

// Parameters: low, high.  Rounding must not reach the excluded end.
template <class T> struct Uniform {
  using Result = T;
  static constexpr int lanes = 16 / sizeof(T);
  ND_DEVICE static void draw(const RandomArguments& arguments, const PhiloxBlock& block, nd_wide, T* y) {
    uniform_lanes(block, y);
    const T start = (T)arguments.params[0], end = (T)arguments.params[1];
    const T span = (T)(arguments.params[1] - arguments.params[0]);
    for (int k = 0; k < lanes; ++k) {
      const T x = start + span * y[k];
      y[k] = x < end ? x : start < end ? next_below(end) : start;
    }
  }
};

// Parameters: mean, standard deviation.
template <class T> struct Normal {
  using Result = T;
  static constexpr int lanes = 16 / sizeof(T);
  ND_DEVICE static void draw(const RandomArguments& arguments, const PhiloxBlock& block, nd_wide, T* y) {
    normal_lanes(block, y);
    for (int k = 0; k < lanes; ++k) y[k] = (T)arguments.params[0] + (T)arguments.params[1] * y[k];
  }
};

// place + scale * Standard::of(u, low word), computed in double precision from two words for each element; parameters:
// place, scale.
template <class T, class Standard> struct Placed {
  using Result = T;
  static constexpr int lanes = 2;
  ND_DEVICE static void draw(const RandomArguments& arguments, const PhiloxBlock& block, nd_wide, T* y) {
    for (int k = 0; k < lanes; ++k) {
      const nd_word low = block.word[2 * k];
      const double x = Standard::of(open_uniform_of(block.word[2 * k + 1], low), low);
      y[k] = (T)(arguments.params[0] + arguments.params[1] * x);
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
  ND_DEVICE static void draw(const RandomArguments& arguments, const PhiloxBlock& block, nd_wide position, bool* y) {
    for (int k = 0; k < lanes; ++k) {
      const double distance = arguments.params[0] * 0x1p32 - (double)block.word[k];
      y[k] = distance >= 1;
      if (distance > 0 && distance < 1) y[k] = distance * 0x1p32 > philox_block(arguments.seed, position, 1).word[k];
    }
  }
};

// Numbers low, low + 1 ... of which there are `span`, 1 to 2^32, in words of T's size.
template <class T> struct Integers {
  using Result = T;
  static constexpr int lanes = 4;
  ND_DEVICE static void draw(const RandomArguments& arguments, const PhiloxBlock& block, nd_wide position, T* y) {
    for (int k = 0; k < lanes; ++k)
      y[k] = (T)(arguments.low + bounded_word(block.word[k], k, arguments.seed, position, arguments.span));
  }
};

// The same for any span; 0 means 2^64.
template <class T> struct WideIntegers {
  using Result = T;
  static constexpr int lanes = 2;
  ND_DEVICE static void draw(const RandomArguments& arguments, const PhiloxBlock& block, nd_wide position, T* y) {
    for (int k = 0; k < lanes; ++k) {
      const nd_wide random = wide_of(block.word[2 * k + 1], block.word[2 * k]);
      y[k] = (T)(arguments.low + bounded(random, k, arguments.seed, position, arguments.span));
    }
  }
};

// ------------------------------------------------------------------------------------------ kernel

// One block of random bits for each thread and round.
template <class Body> ND_DEVICE void fill_random(const RandomArguments& arguments) {
  using R = typename Body::Result;
  constexpr int N = Body::lanes;
  for (long long i = first_thread(); i * N < arguments.n; i += all_threads()) {
    const nd_wide position = arguments.offset + (nd_wide)i;
    R y[N];
    Body::draw(arguments, philox_block(arguments.seed, position, 0), position, y);
    for (int k = 0; k < N; ++k)
      if (i * N + k < arguments.n) ((R*)arguments.y)[i * N + k] = y[k];
  }
}
