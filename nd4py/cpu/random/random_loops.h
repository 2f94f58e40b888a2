// Frame of the loops that fill arrays with random numbers.  Element i depends on the seed, the offset and i alone, so
// the range may be cut anywhere at a multiple of TILE_ELEMENTS, and given to any thread.
//
// Design: the loops are compiled for several instruction sets by `target_clones` and chosen when the module is loaded.
// They give the same bits on each (portable_math.h), so no choice by hand is needed, and the extension modules per
// instruction set that the arithmetic uses, with their tables, would only be more parts.  They are SIMD code only where
// all short loops inside them are unrolled, at -O3 (setup.py).
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "philox.h"

// flatten: what a loop calls has to be compiled for the instruction set of the loop.  The choice is made before
// ThreadSanitizer can be called, which builds with it would do.
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12 && \
    !defined(__SANITIZE_THREAD__)
#define ND_LOOP __attribute__((flatten, target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
// Of elements that wait for each other, or for memory, where longer vectors gain nothing.
#define ND_SERIAL_LOOP __attribute__((flatten, target_clones("arch=x86-64-v3", "default")))
#else
#define ND_LOOP __attribute__((flatten))
#define ND_SERIAL_LOOP ND_LOOP
#endif

struct RandomDraw {
  char* out;
  uint64_t seed, offset;    // offset: position of the first block
  uint32_t part;            // number of the first block that an attempt reads at a position
  const double* values[4];  // parameters: one number per element, or NULL for one number for all
  double scalars[4];
  uint64_t low, span;   // integers: first value, how many values (0: 2^64); tables: rows, columns
  const double* table;  // probabilities, in rows
  int itemsize;         // of `out`
};

// Parameter `k` of element i.
inline double parameter(const RandomDraw* draw, int k, ptrdiff_t i) {
  return draw->values[k] ? draw->values[k][i] : draw->scalars[k];
}

// Element i of `out`: whole numbers where T says so, floats or doubles otherwise.
template <class T> inline void store(const RandomDraw* draw, ptrdiff_t i, double x) {
  if constexpr (std::is_integral_v<T>)
    ((T*)draw->out)[i] = (T)x;
  else if (draw->itemsize == sizeof(float))
    ((float*)draw->out)[i] = (float)x;
  else
    ((double*)draw->out)[i] = x;
}

inline bool has_arrays(const RandomDraw* draw) {
  return draw->values[0] || draw->values[1] || draw->values[2] || draw->values[3];
}

// Blocks made together, words apart, so that the rounds become SIMD code: 0.4 ns per float with AVX-512, 1.1 ns with
// AVX2, where 16 blocks took 2.1 ns and one at a time 4.3 ns.
constexpr ptrdiff_t TILE_BLOCKS = 64;
constexpr ptrdiff_t TILE_ELEMENTS = 4 * TILE_BLOCKS;

struct PhiloxTile {
  uint32_t word[4][TILE_BLOCKS];

  // Consecutive positions, attempt 0.
  PhiloxTile(uint64_t seed, uint64_t position) {
    for (ptrdiff_t j = 0; j < TILE_BLOCKS; ++j) {
      word[0][j] = (uint32_t)(position + j);
      word[1][j] = (uint32_t)((position + j) >> 32);
      word[2][j] = word[3][j] = 0;
    }
    scramble(seed);
  }

  // Block number `part` of an attempt at each position.
  PhiloxTile(uint64_t seed, const uint64_t* position, const uint32_t* attempt, uint32_t part) {
    for (ptrdiff_t j = 0; j < TILE_BLOCKS; ++j) {
      word[0][j] = (uint32_t)position[j];
      word[1][j] = (uint32_t)(position[j] >> 32);
      word[2][j] = attempt[j];
      word[3][j] = part;
    }
    scramble(seed);
  }

  PhiloxBlock block(ptrdiff_t j) const { return PhiloxBlock{{word[0][j], word[1][j], word[2][j], word[3][j]}}; }

 private:
  void scramble(uint64_t seed) {
    PhiloxKey key = key_of(seed);
    for (int round = 0; round < 10; ++round, key = next_key(key))
      for (ptrdiff_t j = 0; j < TILE_BLOCKS; ++j) philox_round(&word[0][j], &word[1][j], &word[2][j], &word[3][j], key);
  }
};

// Numbers of type T in one block, and in a tile.
template <class T> constexpr ptrdiff_t LANES = sizeof(PhiloxBlock) / sizeof(T);
template <class T> constexpr ptrdiff_t TILE = LANES<T> * TILE_BLOCKS;

// Rows of lanes to elements: element j * lanes + k is row k, column j.
template <ptrdiff_t lanes, class T> inline void interleave(const T (*rows)[TILE_BLOCKS], T* elements) {
  for (ptrdiff_t j = 0; j < TILE_BLOCKS; ++j)
    for (ptrdiff_t k = 0; k < lanes; ++k) elements[lanes * j + k] = rows[k][j];
}

inline void uniform_tile(const PhiloxTile& tile, float* u) {
  float rows[4][TILE_BLOCKS];
  for (ptrdiff_t k = 0; k < 4; ++k)
    for (ptrdiff_t j = 0; j < TILE_BLOCKS; ++j) rows[k][j] = uniform_of(tile.word[k][j]);
  interleave<4>(rows, u);
}
inline void uniform_tile(const PhiloxTile& tile, double* u) {
  double rows[2][TILE_BLOCKS];
  for (ptrdiff_t k = 0; k < 2; ++k)
    for (ptrdiff_t j = 0; j < TILE_BLOCKS; ++j) rows[k][j] = uniform_of(tile.word[2 * k + 1][j], tile.word[2 * k][j]);
  interleave<2>(rows, u);
}
inline void normal_tile(const PhiloxTile& tile, float* z) {
  float rows[4][TILE_BLOCKS];
  for (ptrdiff_t k = 0; k < 4; k += 2)
    for (ptrdiff_t j = 0; j < TILE_BLOCKS; ++j)
      normal_pair(tile.word[k][j], tile.word[k + 1][j], &rows[k][j], &rows[k + 1][j]);
  interleave<4>(rows, z);
}
inline void normal_tile(const PhiloxTile& tile, double* z) {
  double rows[2][TILE_BLOCKS];
  for (ptrdiff_t j = 0; j < TILE_BLOCKS; ++j)
    normal_pair(tile.word[0][j], tile.word[1][j], tile.word[2][j], tile.word[3][j], &rows[0][j], &rows[1][j]);
  interleave<2>(rows, z);
}

// Calls use(i, n, tile) for each tile of elements i ... i + n - 1.
template <class T, class Use>
inline void for_each_tile(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last, Use use) {
  for (ptrdiff_t i = first; i < last; i += TILE<T>)
    use(i, last - i < TILE<T> ? last - i : TILE<T>, PhiloxTile(draw->seed, draw->offset + i / LANES<T>));
}

// Parameter `k` of the elements i ... i + n - 1, and whatever beyond them.
template <ptrdiff_t size> inline void read(const RandomDraw* draw, int k, ptrdiff_t i, ptrdiff_t n, double* into) {
  if (draw->values[k] && n == size)
    memcpy(into, draw->values[k] + i, size * sizeof(double));
  else
    for (ptrdiff_t j = 0; j < size; ++j) into[j] = parameter(draw, k, j < n ? i + j : i);
}
