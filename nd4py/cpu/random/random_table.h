// Table of distributions: their names and loops.  A row is all that a new one needs.
#pragma once
#include "random_continuous.h"
#include "random_counts.h"
#include "random_integers.h"
#include "random_trials.h"

typedef void (*FillLoop)(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last);

struct Distribution {
  const char* name;
  FillLoop narrow, wide;         // for elements of at most 4 bytes, and of 8
  int narrow_lanes, wide_lanes;  // elements made of one block
};

const Distribution DISTRIBUTIONS[] = {
    {"uniform", fill_uniform<float>, fill_uniform<double>, 4, 2},
    {"normal", fill_normal<float>, fill_normal<double>, 4, 2},
    {"exponential", fill_exponential, fill_exponential, 2, 2},
    {"laplace", fill_laplace, fill_laplace, 2, 2},
    {"gumbel", fill_gumbel, fill_gumbel, 2, 2},
    {"bernoulli", fill_bernoulli, nullptr, 4, 4},
    {"truncated_normal", fill_truncated_normal, fill_truncated_normal, 1, 1},
    {"gamma", fill_gamma, fill_gamma, 1, 1},
    {"poisson", nullptr, fill_poisson, 1, 1},
    {"binomial", nullptr, fill_binomial, 1, 1},
};
constexpr int N_DISTRIBUTIONS = sizeof DISTRIBUTIONS / sizeof *DISTRIBUTIONS;
