// Distributions of counts (kernels/math/counts.h) in tiles.
#pragma once
#include "counts.h"
#include "random_trials.h"

// invert_sums for a tile at once.
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

// Rows of `span` counts that add up to scalar 0; the table holds the shares.
ND_SERIAL_LOOP inline void fill_multinomial(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last) {
  for (ptrdiff_t row = first; row < last; ++row) {
    uint64_t start = row * draw->span;
    multinomial_at(draw->seed, draw->offset + start, draw->scalars[0], draw->table, draw->span,
                   (long long*)draw->out + start);
  }
}
