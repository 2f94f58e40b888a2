// Byte offsets of the elements that index arrays name.
//
// Design: an index array is read in blocks, from any integer dtype and any layout, and turned into byte offsets of the
// array it indexes; a block of offsets stays in L1.  Rejected: one int64 array of positions for the whole result, whose
// memory costs more than the gathered elements themselves.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "strided_lines.h"
#include "loops.h"

namespace nd_index {

constexpr ptrdiff_t BLOCK_INDICES = 1024;  // indices whose offsets are worked out together

struct Index {  // an index array, broadcast to the shape of the selection
  const char* data;
  CastLoop to_int64;  // null when its elements are int64
  Lines lines;
  int64_t low, size, stride;  // it may hold [low, size); bytes between neighbours on the axis it indexes
};

struct Selection {
  ptrdiff_t n_indices, count;  // index arrays; elements of the selection's shape
  bool has_base;               // each element of the selection starts from an offset of its own
  Lines base;
  Index index[MAX_AXES];
};

// `n` indices from number `first`, as int64: where they lie, or copied to `buffer`.
inline const int64_t* read_indices(const Index& index, ptrdiff_t first, ptrdiff_t n, int64_t* buffer) {
  if (!index.to_int64 && index.lines.ndim == 1 && index.lines.strides[0][0] == (ptrdiff_t)sizeof(int64_t))
    return (const int64_t*)index.data + first;
  each_line(index.lines, first, n, [&](ptrdiff_t at, ptrdiff_t, ptrdiff_t line) {
    const char* from = index.data + at;
    const ptrdiff_t stride = index.lines.strides[0][index.lines.ndim - 1];
    if (index.to_int64)
      index.to_int64(from, stride, (char*)buffer, sizeof(int64_t), line);
    else
      for (ptrdiff_t i = 0; i < line; ++i) buffer[i] = *(const int64_t*)(from + i * stride);
    buffer += line;
  });
  return buffer - n;
}

// The number of the first index outside [low, size), or -1.
inline ptrdiff_t find_bad(const Index* index, ptrdiff_t count, int64_t* value) {
  int64_t buffer[BLOCK_INDICES];
  for (ptrdiff_t first = 0; first < count; first += BLOCK_INDICES) {
    const ptrdiff_t n = std::min(count - first, BLOCK_INDICES);
    const int64_t* at = read_indices(*index, first, n, buffer);
    for (ptrdiff_t i = 0; i < n; ++i)
      if (at[i] < index->low || at[i] >= index->size) return *value = at[i], first + i;
  }
  return -1;
}

// An index counted from the front; one that is out of range becomes `size` or more.
inline uint64_t from_front(int64_t at, const Index& index) { return (uint64_t)(at + ((at >> 63) & -index.low)); }

// Add what `n` indices, `step` bytes apart, contribute to byte offsets; false when one is out of range.
inline bool add_offsets(const Index& index, const char* at, ptrdiff_t step, ptrdiff_t n, int64_t* offset) {
  const uint64_t size = index.size, stride = index.stride;
  bool is_bad = false;
  if (step == 0) {  // one index for a whole line
    const uint64_t position = from_front(*(const int64_t*)at, index);
    for (ptrdiff_t i = 0; i < n; ++i) offset[i] += (int64_t)(position * stride);
    return position < size;
  }
  for (ptrdiff_t i = 0; i < n; ++i) {
    const uint64_t position = from_front(*(const int64_t*)(at + i * step), index);
    is_bad |= position >= size;
    offset[i] += (int64_t)(position * stride);
  }
  return !is_bad;
}

// Byte offsets of `n` elements of the selection from number `first`; false when an index is out of range.
inline bool find_offsets(const Selection& selection, ptrdiff_t first, ptrdiff_t n, int64_t* offset) {
  int64_t buffer[BLOCK_INDICES];
  bool is_good = true;
  ptrdiff_t done = 0;
  memset(offset, 0, n * sizeof(int64_t));
  if (selection.has_base)
    each_line(selection.base, first, n, [&](ptrdiff_t at, ptrdiff_t, ptrdiff_t line) {
      const ptrdiff_t stride = selection.base.strides[0][selection.base.ndim - 1];
      for (ptrdiff_t i = 0; i < line; ++i) offset[done + i] = at + i * stride;
      done += line;
    });
  for (ptrdiff_t k = 0; k < selection.n_indices; ++k) {
    const Index& index = selection.index[k];
    if (index.to_int64) {
      const int64_t* at = read_indices(index, first, n, buffer);
      is_good &= add_offsets(index, (const char*)at, sizeof(int64_t), n, offset);
      continue;
    }
    done = 0;
    each_line(index.lines, first, n, [&](ptrdiff_t at, ptrdiff_t, ptrdiff_t line) {
      const ptrdiff_t step = index.lines.strides[0][index.lines.ndim - 1];
      is_good &= add_offsets(index, index.data + at, step, line, offset + done);
      done += line;
    });
  }
  return is_good;
}

#pragma GCC push_options
#pragma GCC optimize("O3", "wrapv")
// Whether all of `n` indices lie in [low, size): differences that are below 0 elsewhere, wrapped around or not.
inline bool are_in_range(const int64_t* at, ptrdiff_t n, int64_t low, int64_t size) {
  int64_t outside = 0;
  for (ptrdiff_t i = 0; i < n; ++i) outside |= (at[i] - low) | (size - 1 - at[i]);
  return outside >= 0;
}
#pragma GCC pop_options

// Looks at the indices [first, last) alone.
inline void check_range(const Selection* selection, ptrdiff_t first, ptrdiff_t last, bool* has_bad) {
  int64_t buffer[BLOCK_INDICES];
  for (; first < last; first += BLOCK_INDICES)
    for (ptrdiff_t k = 0; k < selection->n_indices; ++k) {
      const Index& index = selection->index[k];
      const ptrdiff_t n = std::min(last - first, BLOCK_INDICES);
      const int64_t* at = read_indices(index, first, n, buffer);
      if (!are_in_range(at, n, index.low, index.size)) __atomic_store_n(has_bad, true, __ATOMIC_RELAXED);
    }
}

}  // namespace nd_index
