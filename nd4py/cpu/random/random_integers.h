// Random integers, permutations, samples and categories.
#pragma once
#include "random_loops.h"

// Calls use(i, x) with a number x in [0, span(i)) for each element; spans may be 1 ... 2^32.
template <class Span, class Use>
inline void for_each_word(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last, Span span, Use use) {
  for_each_tile<float>(draw, first, last, [=](ptrdiff_t i, ptrdiff_t n, const PhiloxTile& tile) {
    uint32_t words[TILE<float>];
    uint64_t spans[TILE<float>], products[TILE<float>], is_close = 0;
    interleave<4>(tile.word, words);
    for (ptrdiff_t k = 0; k < TILE<float>; ++k) spans[k] = span(i + k);
    for (ptrdiff_t k = 0; k < TILE<float>; ++k) {
      products[k] = words[k] * spans[k];
      is_close |= (uint64_t)((uint32_t)products[k] < spans[k]);
    }
    for (ptrdiff_t k = 0; is_close && k < n; ++k) {
      uint64_t position = draw->offset + (i + k) / 4;
      products[k] = bounded_word(words[k], (int)(k % 4), draw->seed, position, spans[k]) << 32;
    }
    for (ptrdiff_t k = 0; k < n; ++k) use(i + k, products[k] >> 32);
  });
}

// The same for any span; 0 means 2^64.
template <class Span, class Use>
inline void for_each_wide(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last, Span span, Use use) {
  for_each_tile<uint64_t>(draw, first, last, [=](ptrdiff_t i, ptrdiff_t n, const PhiloxTile& tile) {
    uint64_t rows[2][TILE_BLOCKS], words[TILE<uint64_t>];
    for (ptrdiff_t k = 0; k < 2; ++k)
      for (ptrdiff_t j = 0; j < TILE_BLOCKS; ++j) rows[k][j] = wide_of(tile.word[2 * k + 1][j], tile.word[2 * k][j]);
    interleave<2>(rows, words);
    for (ptrdiff_t k = 0; k < n; ++k)
      use(i + k, bounded(words[k], (int)(k % 2), draw->seed, draw->offset + (i + k) / 2, span(i + k)));
  });
}

constexpr uint64_t WORD_SPAN = 1ull << 32;

// T is unsigned; as integers wrap around, its bits are right for the signed type of that size too.
template <class T> ND_LOOP void fill_words(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last) {
  T* out = (T*)draw->out;
  uint64_t low = draw->low, n_values = draw->span;
  for_each_word(
      draw, first, last, [=](ptrdiff_t) { return n_values; }, [=](ptrdiff_t i, uint64_t x) { out[i] = (T)(low + x); });
}
ND_LOOP inline void fill_wides(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last) {
  uint64_t low = draw->low, n_values = draw->span;
  for_each_wide(
      draw, first, last, [=](ptrdiff_t) { return n_values; },
      [=](ptrdiff_t i, uint64_t x) {
        x += low;
        if (draw->itemsize == sizeof x)
          ((uint64_t*)draw->out)[i] = x;
        else  // which few ask for: the lowest bytes
          memcpy(draw->out + i * draw->itemsize, &x, draw->itemsize);
      });
}

// Fisher & Yates, inside out: element i goes to a random index up to i, whose element moves to i.
// Here elements first to last of n, after those before.
ND_LOOP inline void fill_permutation(const RandomDraw* draw, ptrdiff_t n, ptrdiff_t first, ptrdiff_t last) {
  int64_t* out = (int64_t*)draw->out;
  auto span = [](ptrdiff_t i) { return (uint64_t)i + 1; };
  auto use = [=](ptrdiff_t i, uint64_t chosen) {
    out[i] = out[chosen];
    out[chosen] = i;
  };
  if ((uint64_t)n <= WORD_SPAN)
    for_each_word(draw, first, last, span, use);
  else
    for_each_wide(draw, first, last, span, use);
}

// `n` different numbers of 0 ... population - 1 in random order: the first n steps of Fisher & Yates on a virtual list,
// of which only the numbers that were moved are remembered.  `moved` is a hash table of `n_slots` (a power of two,
// more than 2 n) pairs (index + 1, number there), zero at first.  Here steps first to last, after those before.
ND_LOOP inline void fill_sample(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last, uint64_t* moved,
                                uint64_t n_slots) {
  int64_t* out = (int64_t*)draw->out;
  uint64_t population = draw->span;
  auto find = [=](uint64_t index) {
    uint64_t slot = (index + 1) * 0x9E3779B97F4A7C15ull >> 32 & (n_slots - 1);
    while (moved[2 * slot] && moved[2 * slot] != index + 1) slot = (slot + 1) & (n_slots - 1);
    return moved + 2 * slot;
  };
  auto span = [=](ptrdiff_t i) { return population - (uint64_t)i; };
  auto use = [=](ptrdiff_t i, uint64_t step) {
    uint64_t here = (uint64_t)i, there = here + step, *entry = find(here);
    uint64_t number = *entry ? entry[1] : here;
    entry = find(there);
    out[i] = (int64_t)(*entry ? entry[1] : there);
    entry[0] = there + 1;
    entry[1] = number;
  };
  for_each_wide(draw, first, last, span, use);
}

// The column of a row of cumulated probabilities (low rows, span columns) in which a uniform number falls.
ND_SERIAL_LOOP inline void fill_categorical(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last) {
  int64_t* out = (int64_t*)draw->out;
  const uint64_t n_rows = draw->low, n_columns = draw->span;
  const double* table = draw->table;
  for_each_tile<double>(draw, first, last, [=](ptrdiff_t i, ptrdiff_t n, const PhiloxTile& tile) {
    double u[TILE<double>];
    uniform_tile(tile, u);
    for (ptrdiff_t k = 0; k < n; ++k) {
      const double* row = table + (i + k) % n_rows * n_columns;
      out[i + k] = (int64_t)column_of(row, n_columns, u[k] * row[n_columns - 1]);
    }
  });
}
