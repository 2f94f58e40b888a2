// Counts: Poisson, binomial and multinomial numbers.  Small means by inversion, large ones by rejection.
//
// Design: both kinds read the same position, so that an array of parameters may mix them.  The transformed rejection of
// Hoermann 1993 is compared with the exact probabilities, whose logarithms Loader's deviance keeps accurate up to means
// of 2^52, where log(k!) itself would have lost its digits.
#pragma once
#include "random_trials.h"

constexpr double SMALL_MEAN = 10;  // below it inversion; transformed rejection needs more
constexpr double NOTHING = 1e-18;  // probabilities below it are lost in the sums

// How many of the sums of probabilities p, p step(1), p step(1) step(2) ... lie at or below u.
template <class Step> ND_FN double invert_sums(double u, double p, Step step) {
  double sum = p;
  for (int k = 1;; ++k) {
    p *= step(k);
    if (u < sum || p < NOTHING) return k - 1;
    sum += p;
  }
}

// The same for a tile at once.
template <class Step> inline void invert_tile(const double* u, double* p, double* count, Step step) {
  double sum[TILE_BLOCKS];
  bool is_open = true;
  for (ptrdiff_t j = 0; j < TILE_BLOCKS; ++j) sum[j] = p[j], count[j] = 0;
  for (int k = 1; is_open; ++k) {
    double n_open = 0;
    for (ptrdiff_t j = 0; j < TILE_BLOCKS; ++j) {
      p[j] *= step(k, j);
      double above = (u[j] >= sum[j]) & (p[j] >= NOTHING) ? 1 : 0;
      sum[j] += p[j];
      count[j] += above;
      n_open += above;
    }
    is_open = n_open > 0;
  }
}

// Calls use(i, n, u) for each tile of elements i ... i + n - 1, one position for each.
template <class Use> inline void for_each_position(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last, Use use) {
  for (ptrdiff_t i = first; i < last; i += TILE_BLOCKS) {
    PhiloxTile tile(draw->seed, draw->offset + i);
    double u[TILE_BLOCKS];
    for (ptrdiff_t j = 0; j < TILE_BLOCKS; ++j) u[j] = uniform_of(tile.word[1][j], tile.word[0][j]);
    use(i, last - i < TILE_BLOCKS ? last - i : TILE_BLOCKS, u);
  }
}

// ------------------------------------------------------------------------------------------ Poisson

// Parameter: mean.  PTRS of Hoermann 1993, "The transformed rejection method for generating Poisson random variables",
// https://doi.org/10.1016/0167-6687(93)90997-4.
struct PoissonTrial {
  static constexpr int FIELDS = 5, PARTS = 1;
  enum { MEAN, A, B, INVERSE_ALPHA, QUICK };

  static void prepare(const double* p, double* field) {
    double b = 0.931 + 2.53 * sqrt(p[0]);
    field[MEAN] = p[0];
    field[A] = -0.059 + 0.02483 * b;
    field[B] = b;
    field[INVERSE_ALPHA] = 1.1239 + 1.1328 / (b - 3.4);
    field[QUICK] = 0.9277 - 3.6224 / (b - 2);
  }

  template <ptrdiff_t stride> static bool attempt(const double* field, const double* u, double* value) {
    double mean = field[MEAN * stride], a = field[A * stride], b = field[B * stride];
    double side = u[0] - 0.5, edge = 0.5 - absolute(side), v = u[stride];
    double k = floor((2 * a / edge + b) * side + mean + 0.43), inside = k < 0 ? 0 : k;
    double hat = v * field[INVERSE_ALPHA * stride] / (a / (edge * edge) + b);
    double log_share = -0.91893853320467274178 - deviance(inside + 1, mean) - stirling_rest(inside);
    bool is_quick = (edge >= 0.07) & (v <= field[QUICK * stride]);
    *value = k;
    return is_quick | ((k >= 0) & (portable_log(hat * mean / sqrt(inside + 1)) <= log_share));
  }
};

ND_LOOP inline void fill_poisson(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last) {
  auto is_small = [=](ptrdiff_t i) { return parameter(draw, 0, i) < SMALL_MEAN; };
  if (has_arrays(draw) || is_small(first))
    for_each_position(draw, first, last, [=](ptrdiff_t i, ptrdiff_t n, const double* u) {
      double mean[TILE_BLOCKS], p[TILE_BLOCKS], count[TILE_BLOCKS];
      read<TILE_BLOCKS>(draw, 0, i, n, mean);
      for (ptrdiff_t j = 0; j < TILE_BLOCKS; ++j) p[j] = mean[j] < SMALL_MEAN ? portable_exp(-mean[j]) : 1;
      invert_tile(u, p, count, [&](int k, ptrdiff_t j) { return mean[j] / k; });
      for (ptrdiff_t j = 0; j < n; ++j)
        if (mean[j] < SMALL_MEAN) ((int64_t*)draw->out)[i + j] = (int64_t)count[j];
    });
  if (has_arrays(draw) || !is_small(first))
    fill_by_trials<PoissonTrial, int64_t>(draw, first, last, [=](ptrdiff_t i) { return !is_small(i); });
}

// ------------------------------------------------------------------------------------------ binomial

// Parameters: n, probability.  BTRS of Hoermann 1993, "The generation of binomial random variates",
// https://doi.org/10.1080/00949659308811496, for the rarer of the two outcomes.
struct BinomialTrial {
  static constexpr int FIELDS = 11, PARTS = 1;
  enum { N, P, Q, A, B, C, QUICK, ALPHA, MODE, START, SIGN };

  // log(pmf(k)) and a constant.  (k + 1) (n - k + 1) under the root, whose logarithm the caller adds.
  static double log_share(double n, double k, double p, double q) {
    return -deviance(k + 1, p) - deviance(n - k + 1, q) - stirling_rest(k) - stirling_rest(n - k);
  }

  static void prepare(const double* parameters, double* field) {
    double n = parameters[0], given = parameters[1], p = given > 0.5 ? 1 - given : given, q = 1 - p;
    double deviation = sqrt(n * p * q), b = 1.15 + 2.53 * deviation, mode = floor((n + 1) * p);
    field[N] = n;
    field[P] = (n + 2) * p;
    field[Q] = (n + 2) * q;
    field[A] = -0.0873 + 0.0248 * b + 0.01 * p;
    field[B] = b;
    field[C] = n * p + 0.5;
    field[QUICK] = 0.92 - 4.2 / b;
    field[ALPHA] = (2.83 + 5.1 / b) * deviation;
    field[MODE] = log_share(n, mode, field[P], field[Q]) + portable_log((mode + 1) * (n - mode + 1)) / 2;
    field[START] = given > 0.5 ? n : 0;
    field[SIGN] = given > 0.5 ? -1 : 1;
  }

  template <ptrdiff_t stride> static bool attempt(const double* field, const double* u, double* value) {
    double n = field[N * stride], a = field[A * stride], b = field[B * stride];
    double side = u[0] - 0.5, edge = 0.5 - absolute(side), v = u[stride];
    double k = floor((2 * a / edge + b) * side + field[C * stride]);
    bool is_inside = (k >= 0) & (k <= n);
    double inside = is_inside ? k : 0;
    double hat = v * field[ALPHA * stride] / (a / (edge * edge) + b) / sqrt((inside + 1) * (n - inside + 1));
    double share = log_share(n, inside, field[P * stride], field[Q * stride]) - field[MODE * stride];
    bool is_quick = (edge >= 0.07) & (v <= field[QUICK * stride]);
    *value = field[START * stride] + field[SIGN * stride] * k;
    return is_inside & (is_quick | (portable_log(hat) <= share));
  }
};

// The rarer outcome's probability; the mean of its count says which method is used.
ND_FN double rarer(double p) { return p > 0.5 ? 1 - p : p; }
ND_FN bool is_small_binomial(double n, double p) { return n * rarer(p) < SMALL_MEAN; }
// The probability of none, for p <= 1/2.
ND_FN double none_of(double n, double p) { return portable_exp(n * portable_log_of_rest(p)); }

ND_LOOP inline void fill_binomial(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last) {
  auto is_small = [=](ptrdiff_t i) { return is_small_binomial(parameter(draw, 0, i), parameter(draw, 1, i)); };
  if (has_arrays(draw) || is_small(first))
    for_each_position(draw, first, last, [=](ptrdiff_t i, ptrdiff_t n, const double* u) {
      double total[TILE_BLOCKS], given[TILE_BLOCKS], odds[TILE_BLOCKS], p[TILE_BLOCKS], count[TILE_BLOCKS];
      read<TILE_BLOCKS>(draw, 0, i, n, total);
      read<TILE_BLOCKS>(draw, 1, i, n, given);
      for (ptrdiff_t j = 0; j < TILE_BLOCKS; ++j) {
        p[j] = is_small_binomial(total[j], given[j]) ? none_of(total[j], rarer(given[j])) : 1;
        odds[j] = rarer(given[j]) / (1 - rarer(given[j]));
      }
      invert_tile(u, p, count, [&](int k, ptrdiff_t j) { return (total[j] - (k - 1)) / k * odds[j]; });
      for (ptrdiff_t j = 0; j < n; ++j)
        if (is_small_binomial(total[j], given[j]))
          ((int64_t*)draw->out)[i + j] = (int64_t)(given[j] > 0.5 ? total[j] - count[j] : count[j]);
    });
  if (has_arrays(draw) || !is_small(first))
    fill_by_trials<BinomialTrial, int64_t>(draw, first, last, [=](ptrdiff_t i) { return !is_small(i); });
}

// ------------------------------------------------------------------------------------------ multinomial

inline double binomial_at(uint64_t seed, uint64_t position, double n, double p) {
  double parameters[2] = {n, p}, field[BinomialTrial::FIELDS], u[2], value;
  if (is_small_binomial(n, p)) {
    PhiloxBlock block = philox_block(seed, position, 0);
    double odds = rarer(p) / (1 - rarer(p));
    double count = invert_sums(uniform_of(block.word[1], block.word[0]), none_of(n, rarer(p)),
                               [=](int k) { return (n - (k - 1)) / k * odds; });
    return p > 0.5 ? n - count : count;
  }
  BinomialTrial::prepare(parameters, field);
  for (uint32_t attempt = 0;; ++attempt) {
    PhiloxBlock block = philox_block(seed, position, attempt);
    for (int k = 0; k < 2; ++k) u[k] = open_uniform_of(block.word[2 * k + 1], block.word[2 * k]);
    if (BinomialTrial::attempt<1>(field, u, &value)) return value;
  }
}

// Rows of `span` counts that add up to scalar 0: each is binomial in what those before it left.  The table holds the
// probability of each category among it and those after it.
ND_LOOP inline void fill_multinomial(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last) {
  ptrdiff_t n_columns = (ptrdiff_t)draw->span;
  for (ptrdiff_t row = first; row < last; ++row) {
    int64_t* counts = (int64_t*)draw->out + row * n_columns;
    double left = draw->scalars[0];
    for (ptrdiff_t k = 0; k < n_columns; ++k) {
      double count = left > 0 ? binomial_at(draw->seed, draw->offset + row * n_columns + k, left, draw->table[k]) : 0;
      counts[k] = (int64_t)count;
      left -= count;
    }
  }
}
