// Rejection: numbers that are proposed and drawn again until one is accepted.
//
// Design: each element has a position of its own, and attempt k at it reads the blocks (position, k), whoever computes
// it.  A tile of 64 slots works on 64 elements at once, in SIMD code, and a slot whose element is accepted takes the
// next one, so that no slot idles.  Rejecting element by element was 3 to 5 times slower.
#pragma once
#include "random_loops.h"

constexpr ptrdiff_t SLOTS = TILE_BLOCKS;

// A Trial is a type with
//   FIELDS, PARTS             numbers kept for an element, blocks read by an attempt;
//   prepare(p, field)         makes the fields from the parameters;
//   attempt(field, u, &value) makes a proposal from uniform numbers u[0], ... two for each part; whether to accept it.
// It reads fields and uniform numbers at a distance of `stride` doubles.
template <class Trial> struct Slots {
  double field[Trial::FIELDS][SLOTS];
  uint64_t position[SLOTS];
  uint32_t attempt[SLOTS];
  double u[2 * Trial::PARTS][SLOTS], value[SLOTS];
  double is_accepted[SLOTS];  // 1 or 0, as wide as the numbers they are compared from

  void draw_uniform(const RandomDraw* draw) {
    for (int part = 0; part < Trial::PARTS; ++part) {
      PhiloxTile tile(draw->seed, position, attempt, draw->part + part);
      for (int k = 0; k < 2; ++k)
        for (ptrdiff_t j = 0; j < SLOTS; ++j)
          u[2 * part + k][j] = open_uniform_of(tile.word[2 * k + 1][j], tile.word[2 * k][j]);
    }
  }

  void try_all() {
    for (ptrdiff_t j = 0; j < SLOTS; ++j)
      is_accepted[j] = Trial::template attempt<SLOTS>(&field[0][j], &u[0][j], &value[j]) ? 1 : 0;
  }

  void prepare(const RandomDraw* draw, ptrdiff_t element, ptrdiff_t begin, ptrdiff_t end) {
    double parameters[4], made[Trial::FIELDS];
    for (int k = 0; k < 4; ++k) parameters[k] = parameter(draw, k, element);
    Trial::prepare(parameters, made);
    for (int k = 0; k < Trial::FIELDS; ++k)
      for (ptrdiff_t j = begin; j < end; ++j) field[k][j] = made[k];
  }

  void move(ptrdiff_t from, ptrdiff_t to) {
    for (int k = 0; k < Trial::FIELDS; ++k) field[k][to] = field[k][from];
    position[to] = position[from];
    attempt[to] = attempt[from];
  }
};

// Elements first ... last - 1 for which takes(i) holds.
template <class Trial, class T, class Takes>
inline void fill_by_trials(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last, Takes takes) {
  Slots<Trial> slots;
  bool differ = has_arrays(draw);
  ptrdiff_t next = first, n = 0;
  memset(slots.position, 0, sizeof slots.position);
  memset(slots.attempt, 0, sizeof slots.attempt);
  slots.prepare(draw, first, 0, SLOTS);
  auto take_next = [&](ptrdiff_t j) {
    while (differ && next < last && !takes(next)) ++next;
    if (next == last) return false;
    if (differ) slots.prepare(draw, next, j, j + 1);
    slots.position[j] = draw->offset + next++;
    slots.attempt[j] = 0;
    return true;
  };
  while (n < SLOTS && take_next(n)) ++n;
  while (n > 0) {
    slots.draw_uniform(draw);
    slots.try_all();
    for (ptrdiff_t j = n - 1; j >= 0; --j) {
      ++slots.attempt[j];
      if (slots.is_accepted[j] == 0) continue;
      ((T*)draw->out)[slots.position[j] - draw->offset] = (T)slots.value[j];
      if (!take_next(j)) slots.move(--n, j);
    }
  }
}

template <class Trial, class T> inline void fill_by_trials(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last) {
  fill_by_trials<Trial, T>(draw, first, last, [](ptrdiff_t) { return true; });
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

  static void prepare(const double* p, double* field) {
    double shape = p[0] < 1 ? p[0] + 1 : p[0], d = shape - 1.0 / 3.0;
    field[0] = d;
    field[1] = 1 / sqrt(9 * d);
    field[2] = p[1];
    field[3] = p[0] < 1 ? 1 / p[0] : 0;
  }

  template <ptrdiff_t stride> static bool attempt(const double* field, const double* u, double* value) {
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

// Without a shape below 1 the boost is 0, which changes no number, so it may be left out.
inline bool needs_boost(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last) {
  bool is_small = false;
  for (ptrdiff_t i = first; i < (draw->values[0] ? last : first + 1); ++i) is_small |= parameter(draw, 0, i) < 1;
  return is_small;
}
template <class T> ND_LOOP void fill_gamma(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last) {
  if (needs_boost(draw, first, last))
    fill_by_trials<GammaTrial<true, false>, T>(draw, first, last);
  else
    fill_by_trials<GammaTrial<false, false>, T>(draw, first, last);
}
ND_LOOP inline void fill_log_gamma(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last) {
  if (needs_boost(draw, first, last))
    fill_by_trials<GammaTrial<true, true>, double>(draw, first, last);
  else
    fill_by_trials<GammaTrial<false, true>, double>(draw, first, last);
}

// x / (x + y) from the logarithms of x and y, parameters 0 and 1: a beta number from two gamma numbers.
template <class T> ND_LOOP void fill_share(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last) {
  const double *x = draw->values[0], *y = draw->values[1];
  for (ptrdiff_t i = first; i < last; ++i) {
    double distance = y[i] - x[i], ratio = portable_exp(distance < 0 ? distance : -distance);
    ((T*)draw->out)[i] = (T)((distance < 0 ? 1 : ratio) / (1 + ratio));
  }
}

// ------------------------------------------------------------------------------------------ truncated normal

// Parameters: low, high, mean, standard deviation.  Robert 1995, "Simulation of truncated normal variables",
// https://doi.org/10.1007/BF00143942: proposals are normal around the mean, uniform on a short interval, and
// exponential in a tail, where the interval lies above 0 after a change of sign.
struct TruncatedNormalTrial {
  static constexpr int FIELDS = 10, PARTS = 1;
  enum { LOWER, UPPER, IS_NORMAL, IS_UNIFORM, NEAREST, RATE, SHIFT, FACTOR, LOW, HIGH };

  static void prepare(const double* p, double* field) {
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

  template <ptrdiff_t stride> static bool attempt(const double* f, const double* u, double* value) {
    double lower = f[LOWER * stride], upper = f[UPPER * stride], rate = f[RATE * stride];
    bool is_normal = f[IS_NORMAL * stride] != 0, is_uniform = f[IS_UNIFORM * stride] != 0;
    double nearest = f[NEAREST * stride], log_u = portable_log(u[0]), log_accept = portable_log(u[stride]);
    double sine, cosine;
    portable_sincos(u[stride], &sine, &cosine);
    double between = lower + (upper - lower) * u[0];
    double x = is_normal ? sqrt(-2 * log_u) * cosine : is_uniform ? between : lower - log_u / rate;
    double bound = is_uniform ? (nearest - x) * (nearest + x) / 2 : -(x - rate) * (x - rate) / 2;
    double placed = f[SHIFT * stride] + f[FACTOR * stride] * x;
    double low = f[LOW * stride], high = f[HIGH * stride];
    *value = placed < low ? low : placed > high ? high : placed;
    return (x >= lower) & (x <= upper) & (is_normal | (log_accept <= bound));
  }
};

template <class T> ND_LOOP void fill_truncated_normal(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last) {
  fill_by_trials<TruncatedNormalTrial, T>(draw, first, last);
}
