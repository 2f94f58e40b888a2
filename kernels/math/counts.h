// Counts: Poisson and binomial numbers, the same on either device.  Small means by inversion, large ones by rejection.
//
// Design: both kinds read the same position, so that an array of parameters may mix them.  The transformed rejection of
// Hoermann 1993 is compared with the exact probabilities, whose logarithms Loader's deviance keeps accurate up to means
// of 2^52, where log(k!) itself would have lost its digits.
#pragma once
#include "trials.h"

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

// The uniform number of attempt 0 at a position, which inversion reads.
ND_FN double uniform_at(nd_wide seed, nd_wide position) {
  PhiloxBlock block = philox_block(seed, position, 0);
  return uniform_of(block.word[1], block.word[0]);
}

// ------------------------------------------------------------------------------------------ Poisson

// Parameter: mean.  PTRS of Hoermann 1993, "The transformed rejection method for generating Poisson random variables",
// https://doi.org/10.1016/0167-6687(93)90997-4.
struct PoissonTrial {
  static constexpr int FIELDS = 5, PARTS = 1;
  enum { MEAN, A, B, INVERSE_ALPHA, QUICK };

  ND_FN static void prepare(const double* p, double* field) {
    double b = 0.931 + 2.53 * sqrt(p[0]);
    field[MEAN] = p[0];
    field[A] = -0.059 + 0.02483 * b;
    field[B] = b;
    field[INVERSE_ALPHA] = 1.1239 + 1.1328 / (b - 3.4);
    field[QUICK] = 0.9277 - 3.6224 / (b - 2);
  }

  template <int stride> ND_FN static bool attempt(const double* field, const double* u, double* value) {
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

struct MeanStep {
  double mean;
  ND_FN double operator()(int k) const { return mean / k; }
};
ND_FN double poisson_at(nd_wide seed, nd_wide position, double mean) {
  if (mean < SMALL_MEAN) return invert_sums(uniform_at(seed, position), portable_exp(-mean), MeanStep{mean});
  return accepted_at<PoissonTrial>(seed, position, 0, &mean);
}

// ------------------------------------------------------------------------------------------ binomial

// Parameters: n, probability.  BTRS of Hoermann 1993, "The generation of binomial random variates",
// https://doi.org/10.1080/00949659308811496, for the rarer of the two outcomes.
struct BinomialTrial {
  static constexpr int FIELDS = 11, PARTS = 1;
  enum { N, P, Q, A, B, C, QUICK, ALPHA, MODE, START, SIGN };

  // log(pmf(k)) and a constant.  (k + 1) (n - k + 1) under the root, whose logarithm the caller adds.
  ND_FN static double log_share(double n, double k, double p, double q) {
    return -deviance(k + 1, p) - deviance(n - k + 1, q) - stirling_rest(k) - stirling_rest(n - k);
  }

  ND_FN static void prepare(const double* parameters, double* field) {
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

  template <int stride> ND_FN static bool attempt(const double* field, const double* u, double* value) {
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

struct OddsStep {
  double n, odds;
  ND_FN double operator()(int k) const { return (n - (k - 1)) / k * odds; }
};
ND_FN double binomial_at(nd_wide seed, nd_wide position, double n, double p) {
  if (is_small_binomial(n, p)) {
    double odds = rarer(p) / (1 - rarer(p));
    double count = invert_sums(uniform_at(seed, position), none_of(n, rarer(p)), OddsStep{n, odds});
    return p > 0.5 ? n - count : count;
  }
  double parameters[2] = {n, p};
  return accepted_at<BinomialTrial>(seed, position, 0, parameters);
}

// A row of `n_columns` counts that add up to n, from as many positions: each is binomial in what those before it left.
// `shares` holds the probability of each category among it and those after it.
ND_FN void multinomial_at(nd_wide seed, nd_wide position, double n, const double* shares, nd_wide n_columns,
                          long long* counts) {
  for (nd_wide k = 0; k < n_columns; ++k) {
    double count = n > 0 ? binomial_at(seed, position + k, n, shares[k]) : 0;
    counts[k] = (long long)count;
    n -= count;
  }
}
