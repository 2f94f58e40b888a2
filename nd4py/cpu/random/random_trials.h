// Rejection sampling (kernels/math/trials.h) in tiles.
//
// Design: each element has a position of its own, and attempt k at it reads the blocks (position, k), whoever computes
// it.  A tile of 64 slots works on 64 elements at once, in SIMD code, and a slot whose element is accepted takes the
// next one, so that no slot idles.  Rejecting element by element was 3 to 5 times slower.
#pragma once
#include "random_loops.h"
#include "trials.h"

constexpr int SLOTS = (int)TILE_BLOCKS;

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
      store<T>(draw, slots.position[j] - draw->offset, slots.value[j]);
      if (!take_next(j)) slots.move(--n, j);
    }
  }
}

template <class Trial> inline void fill_by_trials(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last) {
  fill_by_trials<Trial, double>(draw, first, last, [](ptrdiff_t) { return true; });
}

// Without a shape below 1 the boost is 0, which changes no number, so it may be left out.
inline bool needs_boost(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last) {
  bool is_small = false;
  for (ptrdiff_t i = first; i < (draw->values[0] ? last : first + 1); ++i) is_small |= parameter(draw, 0, i) < 1;
  return is_small;
}
ND_LOOP inline void fill_gamma(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last) {
  if (needs_boost(draw, first, last))
    fill_by_trials<GammaTrial<true, false>>(draw, first, last);
  else
    fill_by_trials<GammaTrial<false, false>>(draw, first, last);
}
// For beta numbers.  One loop for all shapes: it is compiled for every instruction set.
ND_LOOP inline void fill_log_gamma(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last) {
  fill_by_trials<GammaTrial<true, true>>(draw, first, last);
}

// Beta numbers from the logarithms of gamma numbers, parameters 0 and 1.
ND_LOOP inline void fill_share(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last) {
  const double *x = draw->values[0], *y = draw->values[1];
  for (ptrdiff_t i = first; i < last; ++i) store<double>(draw, i, share_of(x[i], y[i]));
}

ND_LOOP inline void fill_truncated_normal(const RandomDraw* draw, ptrdiff_t first, ptrdiff_t last) {
  fill_by_trials<TruncatedNormalTrial>(draw, first, last);
}
