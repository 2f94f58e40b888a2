// Rejection sampling, the same on either device.  Numbers are proposed and drawn again until one is accepted: element
// by element here, in tiles on the CPU (nd4py/cpu/random/random_trials.h).
//
// A Trial is a type with
//   FIELDS, PARTS             numbers kept for an element, blocks read by an attempt;
//   prepare(p, field)         makes the fields from the parameters;
//   attempt(field, u, &value) makes a proposal from uniform numbers u[0], ... two for each part; whether to accept it.
// It reads fields and uniform numbers at a distance of `stride` doubles.
#pragma once
#include "philox.h"

// The number of a trial with parameters `p` at one position: attempt k reads the blocks (position, k, part ...).
template <class Trial> ND_FN double accepted_at(nd_wide seed, nd_wide position, nd_word first_part, const double* p) {
  double field[Trial::FIELDS], u[2 * Trial::PARTS], value;
  Trial::prepare(p, field);
  for (nd_word attempt = 0;; ++attempt) {
    for (int part = 0; part < Trial::PARTS; ++part) {
      PhiloxBlock block = philox_block(seed, position, attempt, first_part + (nd_word)part);
      for (int k = 0; k < 2; ++k) u[2 * part + k] = open_uniform_of(block.word[2 * k + 1], block.word[2 * k]);
    }
    if (Trial::template attempt<1>(field, u, &value)) return value;
  }
}

ND_FN double normal_from(double u, double turn) {
  double sine, cosine;
  portable_sincos(turn, &sine, &cosine);
  return sqrt(-2 * portable_log(u)) * cosine;
}

// ------------------------------------------------------------------------------------------ gamma

// Parameters: shape, scale.  Marsaglia & Tsang 2000, "A simple method for generating gamma variables",
// https://doi.org/10.1145/358407.358414; below shape 1 the number for shape + 1 times u^(1 / shape), their section 6.
// IsLogarithm gives the logarithm, which does not underflow for small shapes.
template <bool IsBoosted, bool IsLogarithm> struct GammaTrial {
  static constexpr int FIELDS = 4, PARTS = 2;

  ND_FN static void prepare(const double* p, double* field) {
    double shape = p[0] < 1 ? p[0] + 1 : p[0], d = shape - 1.0 / 3.0;
    field[0] = d;
    field[1] = 1 / sqrt(9 * d);
    field[2] = p[1];
    field[3] = p[0] < 1 ? 1 / p[0] : 0;
  }

  template <int stride> ND_FN static bool attempt(const double* field, const double* u, double* value) {
    double d = field[0], z = normal_from(u[0], u[stride]), root = 1 + field[stride] * z;
    double v = root > 0 ? root * root * root : 1;
    double boost = IsBoosted ? portable_log(u[3 * stride]) * field[3 * stride] : 0;
    if (IsLogarithm)
      *value = portable_log(d * v) + boost;
    else
      *value = field[2 * stride] * (d * v) * (IsBoosted ? portable_exp(boost) : 1);
    return (root > 0) & (portable_log(u[2 * stride]) < z * z / 2 - deviance(d, d * v));
  }
};

// x / (x + y) from the logarithms of x and y: a beta number from two gamma numbers.
ND_FN double share_of(double log_x, double log_y) {
  double distance = log_y - log_x, ratio = portable_exp(distance < 0 ? distance : -distance);
  return (distance < 0 ? 1 : ratio) / (1 + ratio);
}

// ------------------------------------------------------------------------------------------ truncated normal

// Parameters: low, high, mean, standard deviation.  Robert 1995, "Simulation of truncated normal variables",
// https://doi.org/10.1007/BF00143942: proposals are normal around the mean, uniform on a short interval, and
// exponential in a tail, where the interval lies above 0 after a change of sign.
struct TruncatedNormalTrial {
  static constexpr int FIELDS = 10, PARTS = 1;
  enum { LOWER, UPPER, IS_NORMAL, IS_UNIFORM, NEAREST, RATE, SHIFT, FACTOR, LOW, HIGH };

  ND_FN static void prepare(const double* p, double* field) {
    double a = (p[0] - p[2]) / p[3], b = (p[1] - p[2]) / p[3];
    bool is_flipped = b <= 0;
    double nearer = is_flipped ? -b : a, lower = nearer < 1e300 ? nearer : 1e300;
    double upper = is_flipped ? -a : b, width = upper - lower, start = lower > 0 ? lower : 0;
    double root = lower < 1e8 ? sqrt(lower * lower + 4) : lower;
    // Where uniform proposals are accepted more often than the others.
    double tail_width = 3.2974425414002562937 / (lower + root) * portable_exp(-lower / (lower + root));
    bool is_tail = lower >= 0;
    field[LOWER] = lower;
    field[UPPER] = upper;
    field[IS_UNIFORM] = is_tail ? width <= tail_width : width < 2.5066282746310005024;
    field[IS_NORMAL] = !is_tail && !field[IS_UNIFORM];
    field[NEAREST] = start;
    field[RATE] = (start + (is_tail ? root : 2)) / 2;
    field[SHIFT] = p[2];
    field[FACTOR] = is_flipped ? -p[3] : p[3];
    field[LOW] = p[0];
    field[HIGH] = p[1];
  }

  template <int stride> ND_FN static bool attempt(const double* f, const double* u, double* value) {
    double lower = f[LOWER * stride], upper = f[UPPER * stride], rate = f[RATE * stride];
    bool is_normal = f[IS_NORMAL * stride] != 0, is_uniform = f[IS_UNIFORM * stride] != 0;
    double nearest = f[NEAREST * stride], log_u = portable_log(u[0]), log_accept = portable_log(u[stride]);
    double sine, cosine;
    portable_sincos(u[stride], &sine, &cosine);
    double between = lower + (upper - lower) * u[0];
    double x = is_normal ? sqrt(-2 * log_u) * cosine : is_uniform ? between : lower - log_u / rate;
    double bound = is_uniform ? (nearest - x) * (nearest + x) / 2 : -(x - rate) * (x - rate) / 2;
    double scaled = f[SHIFT * stride] + f[FACTOR * stride] * x;
    double low = f[LOW * stride], high = f[HIGH * stride];
    *value = scaled < low ? low : scaled > high ? high : scaled;
    return (x >= lower) & (x <= upper) & (is_normal | (log_accept <= bound));
  }
};
