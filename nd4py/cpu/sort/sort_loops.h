// Sorting loops of one instruction set, as the Cython drivers see them.  All arrays are C-contiguous.
//
// Design: elements are sorted as keys, signed integers of 4 or 8 bytes in the order of the elements (NaN last, -0 and
// 0 one key, the complement when descending), so that two sorting loops serve all dtypes.  For positions, the leading
// bits of the key and the position are packed into one integer; no two are equal, so sorting them is stable.  Rejected:
// a radix sort, slower than quicksort by vectors, and loops that move pairs.
//
// A long line is shared by workers: each spreads its part of the items into buckets, then sorts some of the buckets.
// There is one stable order, so that no result depends on how many workers there are.
#pragma once
#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SORT_BUCKETS = 256, SPREAD_BYTES = 384 };

// One line on its way to order.  Items are what is moved: keys, or keys packed with their positions.
typedef struct SortLine {
  ptrdiff_t n;
  const char* keys;
  ptrdiff_t key_bytes;      // 4 or 8
  int64_t lowest, highest;  // of the keys
  int64_t varying;          // the bits in which keys differ
  int64_t nan_key;          // of a floating dtype
  bool has_twins;           // different elements have one key: NaNs, or zeros of both signs

  bool is_packed;
  int shift, index_bits;  // packed: ((key - lowest) >> shift) << index_bits | position; without positions 0 bits
  int idle_bits;          // trailing bits that all keys have in common: no loss if shifted out
  ptrdiff_t item_bytes;   // 4 or 8
  char* items;            // as they come
  char* sorted;           // spread into buckets, then sorted

  uint8_t* bucket;                       // of every item
  ptrdiff_t start[SORT_BUCKETS + 1];     // of every bucket in `sorted`
  alignas(8) char spread[SPREAD_BYTES];  // how items find their buckets
} SortLine;

static inline int sort_bit_width(uint64_t x) { return x ? 64 - __builtin_clzll(x) : 0; }

// Bits that tell keys between line->lowest and line->highest apart.
static inline int sort_key_bits(SortLine* line) {
  line->idle_bits = line->varying ? __builtin_ctzll(line->varying) : 0;
  return sort_bit_width((uint64_t)line->highest - (uint64_t)line->lowest) - line->idle_bits;
}

// How keys are packed with positions, and into how many bytes.
static inline void choose_packing(SortLine* line) {
  line->index_bits = sort_bit_width(line->n - 1);
  const int bits = sort_key_bits(line) + line->index_bits;
  line->is_packed = true;
  line->shift = line->idle_bits + (bits > 63 ? bits - 63 : 0);
  line->item_bytes = bits > 31 ? 8 : 4;
}

// Whether keys of 8 bytes fit into items of 4; if so they are packed, without positions.
static inline bool choose_narrowing(SortLine* line) {
  if (line->key_bytes == 4 || sort_key_bits(line) > 31) return false;
  line->is_packed = true;
  line->index_bits = 0;
  line->shift = line->idle_bits;
  line->item_bytes = 4;
  return true;
}

typedef struct KeyRange {
  int64_t lowest, highest, varying;
  bool has_twins;
} KeyRange;

// Where the groups of equal elements are written; members may be NULL.
typedef struct SortGroups {
  char* keys;
  int64_t* start;    // of each group in the sorted line
  int64_t* first;    // position in x of each group's first element
  int64_t* inverse;  // group of every element of x
} SortGroups;

// Loops over items first to end of a line, for one width of items.
typedef struct ItemLoops {
  int (*direction)(const char* items, ptrdiff_t n);  // 1: ascending, -1: strictly descending, 0: neither
  void (*choose_spread)(SortLine* line);
  void (*classify)(const SortLine* line, ptrdiff_t first, ptrdiff_t end, ptrdiff_t* counts);
  void (*scatter)(const SortLine* line, ptrdiff_t first, ptrdiff_t end, ptrdiff_t* next);
  void (*sort)(const SortLine* line, ptrdiff_t first, ptrdiff_t end, char* from, char* other);
  void (*pack)(const SortLine* line, ptrdiff_t first, ptrdiff_t end);
  void (*unpack)(const SortLine* line, ptrdiff_t first, ptrdiff_t end, int64_t* positions);
  void (*widen)(const SortLine* line, const char* items, ptrdiff_t n, char* keys);  // of items without positions
  void (*reverse)(const SortLine* line);                                            // sorted = items from last to first
  ptrdiff_t (*count_groups)(const SortLine* line, ptrdiff_t first, ptrdiff_t end);
  void (*write_groups)(const SortLine* line, ptrdiff_t first, ptrdiff_t end, ptrdiff_t group, const SortGroups* groups);
} ItemLoops;

// Loops over lines of one dtype, and over a sorted array x of one dtype, NaN last, with m queries of the same dtype:
// all that .inc files of this folder mark with ND_LOOP.
#include "sort_dtype_loops.gen.h"

typedef struct SortTable {
  const SortLoops* const* dtypes;  // NULL for a dtype without order
  ItemLoops items[2];              // of 4 and of 8 bytes
} SortTable;
