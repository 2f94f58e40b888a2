// Continuous distributions made from one or two uniform numbers: a formula over each tile.
#pragma once
#include "random_loops.h"

// x[k] = formula(x[k], parameter 0, parameter 1) for a tile of elements i ... i + n - 1, and whatever beyond them.
template <ptrdiff_t size, class T, class Formula>
inline void apply_formula(const RandomDraw* draw, ptrdiff_t i, ptrdiff_t n, T* x, Formula formula) {
  if (has_arrays(draw)) {
    double p[size], q[size];
    read<size>(draw, 0, i, n, p);
    read<size>(draw, 1, i, n, q);
    for (ptrdiff_t k = 0; k < size; ++k) x[k] = formula(x[k], p[k], q[k]);
  } else {
    double p = draw->scalars[0], q = draw->scalars[1];
    for (ptrdiff_t k = 0; k < size; ++k) x[k] = formula(x[k], p, q);
  }
}

// Parameters: low, high.  Rounding must not reach the excluded end.
template <class T> ND_LOOP void fill_uniform(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last) {
  for_each_tile<T>(draw, first, last, [=](ptrdiff_t i, ptrdiff_t n, const PhiloxTile& tile) {
    T u[TILE<T>];
    uniform_tile(tile, u);
    apply_formula<TILE<T>>(draw, i, n, u, [](T u, double low, double high) {
      T start = (T)low, end = (T)high, x = start + (T)(high - low) * u;
      return x < end ? x : start < end ? next_below(end) : start;
    });
    memcpy((T*)draw->out + i, u, n * sizeof(T));
  });
}

// Parameters: mean, standard deviation.
template <class T> ND_LOOP void fill_normal(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last) {
  for_each_tile<T>(draw, first, last, [=](ptrdiff_t i, ptrdiff_t n, const PhiloxTile& tile) {
    T z[TILE<T>];
    normal_tile(tile, z);
    apply_formula<TILE<T>>(draw, i, n, z,
                           [](T z, double mean, double deviation) { return (T)mean + (T)deviation * z; });
    memcpy((T*)draw->out + i, z, n * sizeof(T));
  });
}

// Elements location + scale * standard(u, low word), computed in double precision; parameters: location, scale.
template <class Standard>
inline void fill_location_scale(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last, Standard standard) {
  for_each_tile<double>(draw, first, last, [=](ptrdiff_t i, ptrdiff_t n, const PhiloxTile& tile) {
    double rows[2][TILE_BLOCKS], x[TILE<double>];
    for (ptrdiff_t k = 0; k < 2; ++k)
      for (ptrdiff_t j = 0; j < TILE_BLOCKS; ++j)
        rows[k][j] = standard(open_uniform_of(tile.word[2 * k + 1][j], tile.word[2 * k][j]), tile.word[2 * k][j]);
    interleave<2>(rows, x);
    apply_formula<TILE<double>>(draw, i, n, x,
                                [](double x, double location, double scale) { return location + scale * x; });
    if (draw->itemsize == sizeof(float)) {
      float rounded[TILE<double>];
      for (ptrdiff_t k = 0; k < TILE<double>; ++k) rounded[k] = (float)x[k];
      memcpy((float*)draw->out + i, rounded, n * sizeof(float));
    } else {
      memcpy((double*)draw->out + i, x, n * sizeof(double));
    }
  });
}

ND_LOOP inline void fill_exponential(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last) {
  fill_location_scale(draw, first, last, [](double u, nd_word) { return -portable_log(u); });
}

// The sign is a bit that the uniform number leaves free.
ND_LOOP inline void fill_laplace(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last) {
  fill_location_scale(draw, first, last, [](double u, nd_word low) {
    return double_of(bits_of(-portable_log(u)) ^ (nd_wide)(low & 1) << 63);
  });
}

// -log(-log(1 - u)): small u, which have the most digits, make the long upper tail.
ND_LOOP inline void fill_gumbel(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last) {
  fill_location_scale(draw, first, last, [](double u, nd_word) { return -portable_log(-portable_log_of_rest(u)); });
}

// Parameter: the probability of true, compared with 32 random bits; where they are equal, the next 32 decide.
ND_LOOP inline void fill_bernoulli(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last) {
  constexpr ptrdiff_t size = 4 * TILE_BLOCKS;
  for_each_tile<float>(draw, first, last, [=](ptrdiff_t i, ptrdiff_t n, const PhiloxTile& tile) {
    uint32_t words[size];
    double p[size];
    bool is_true[size], is_tie = false;
    interleave<4>(tile.word, words);
    read<size>(draw, 0, i, n, p);
    for (ptrdiff_t k = 0; k < size; ++k) {
      double distance = p[k] * 0x1p32 - (double)words[k];  // of p 2^32 above the random bits
      is_true[k] = distance >= 1;
      is_tie |= (distance > 0) & (distance < 1);
    }
    for (ptrdiff_t k = 0; is_tie && k < n; ++k) {
      double distance = p[k] * 0x1p32 - (double)words[k];
      if (distance > 0 && distance < 1)
        is_true[k] = distance * 0x1p32 > philox_block(draw->seed, draw->offset + (i + k) / 4, 1).word[(i + k) % 4];
    }
    memcpy((bool*)draw->out + i, is_true, n);
  });
}
