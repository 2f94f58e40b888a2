// Elements that index arrays name.
//
// Design: an index array is read in blocks, from any integer dtype and any layout, and turned into byte offsets of the
// array it indexes; a block of offsets stays in L1.  What no index array names, the rest, is walked in lines. Rejected:
// one int64 array of positions for the whole result, whose memory costs more than the gathered elements themselves.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "lines.h"
#include "loops.h"

namespace nd_index {

constexpr ptrdiff_t BLOCK = 1024;        // indices whose offsets are worked out together
constexpr ptrdiff_t TASK_ITEMS = 16384;  // elements of one task
constexpr ptrdiff_t LINE_ITEMS = 256;    // elements of a line that is cut, at least

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
  int64_t buffer[BLOCK];
  for (ptrdiff_t first = 0; first < count; first += BLOCK) {
    const ptrdiff_t n = count - first < BLOCK ? count - first : BLOCK;
    const int64_t* at = read_indices(*index, first, n, buffer);
    for (ptrdiff_t i = 0; i < n; ++i)
      if (at[i] < index->low || at[i] >= index->size) return *value = at[i], first + i;
  }
  return -1;
}

// An index counted from the front; one that is out of range becomes `size` or more.
inline uint64_t from_front(int64_t at, const Index& index) { return (uint64_t)(at + ((at >> 63) & -index.low)); }

// Byte offsets of `n` elements of the selection from number `first`; false when an index is out of range.
inline bool find_offsets(const Selection& selection, ptrdiff_t first, ptrdiff_t n, int64_t* offset) {
  int64_t buffer[BLOCK];
  bool is_bad = false;
  if (selection.has_base) {
    int64_t* to = offset;
    each_line(selection.base, first, n, [&](ptrdiff_t at, ptrdiff_t, ptrdiff_t line) {
      const ptrdiff_t stride = selection.base.strides[0][selection.base.ndim - 1];
      for (ptrdiff_t i = 0; i < line; ++i) to[i] = at + i * stride;
      to += line;
    });
  } else {
    memset(offset, 0, n * sizeof(int64_t));
  }
  for (ptrdiff_t k = 0; k < selection.n_indices; ++k) {
    const Index& index = selection.index[k];
    const int64_t* at = read_indices(index, first, n, buffer);
    for (ptrdiff_t i = 0; i < n; ++i) {
      const uint64_t position = from_front(at[i], index);
      is_bad |= position >= (uint64_t)index.size;
      offset[i] += (int64_t)(position * (uint64_t)index.stride);
    }
  }
  return !is_bad;
}

struct Move {  // from or to the elements of a selection
  const Selection* selection;
  Lines rest;            // the axes that no index array names: of the array, and of the values
  ptrdiff_t n_rest;      // their elements
  char *x, *values;      // the array that is indexed; what is read from it or written to it
  ptrdiff_t value_step;  // bytes between the values of neighbours in the selection
  ptrdiff_t item;        // bytes of an element
  MapLoop add;           // what adds values to the array; null to write them
  bool is_get;           // array to values
  // How it is cut into tasks, by plan_move.
  bool is_by_line;  // inner loop along the rest, not along the selection
  bool is_direct;   // one index array and no rest
  ptrdiff_t block, rest_block, n_blocks, n_tasks;
  bool* has_bad;  // set when an index is out of range
};

// Choose the inner loop and the tasks.  is_ordered: a task has the whole selection, so that the last of two values for
// one element wins, and sums are added up in order.
inline void plan_move(Move* move, bool is_ordered) {
  const Selection& selection = *move->selection;
  Lines& rest = move->rest;
  const int last = rest.ndim - 1;
  // A short run of elements is moved as one of a larger size.
  const ptrdiff_t run = move->item * rest.shape[last];
  if (!move->add && rest.strides[0][last] == move->item && rest.strides[1][last] == move->item &&
      (run == 2 || run == 4 || run == 8 || run == 16)) {
    move->item = run;
    move->n_rest /= rest.shape[last];
    rest.shape[last] = 1;
    if (last > 0) --rest.ndim;
  }
  const ptrdiff_t line = rest.shape[rest.ndim - 1];
  ptrdiff_t step = selection.n_indices ? selection.index[selection.n_indices - 1].stride : 0;
  ptrdiff_t rest_step = rest.strides[0][rest.ndim - 1];
  move->is_by_line = line > 1 && (rest_step < 0 ? -rest_step : rest_step) <= (step < 0 ? -step : step);
  move->is_direct = selection.n_indices == 1 && !selection.has_base && move->n_rest == 1 && !move->add;
  const ptrdiff_t room = TASK_ITEMS / (move->is_by_line ? (move->n_rest > 0 ? move->n_rest : 1) : 1);
  move->block = is_ordered || room > selection.count ? selection.count : (room > 0 ? room : 1);
  if (move->block == 0) move->block = 1;
  const ptrdiff_t least = move->is_by_line ? LINE_ITEMS : 1, rest_room = TASK_ITEMS / move->block;
  move->rest_block = rest_room > least ? rest_room : least;
  move->n_blocks = (selection.count + move->block - 1) / move->block;
  move->n_tasks = move->n_blocks * ((move->n_rest + move->rest_block - 1) / move->rest_block);
}

template <bool IS_GET, int SIZE>
void move_points(char* x, const int64_t* offset, ptrdiff_t n, char* values, ptrdiff_t step) {
  for (ptrdiff_t i = 0; i < n; ++i)
    if (IS_GET)
      memcpy(values + i * step, x + offset[i], SIZE);
    else
      memcpy(x + offset[i], values + i * step, SIZE);
}

template <int SIZE>
void copy_line(const char* from, ptrdiff_t from_stride, char* to, ptrdiff_t to_stride, ptrdiff_t n) {
  const ptrdiff_t n_bytes = n * SIZE;
  if (from_stride != SIZE || to_stride != SIZE) {
    for (ptrdiff_t i = 0; i < n; ++i) memcpy(to + i * to_stride, from + i * from_stride, SIZE);
  } else if (n_bytes >= 8 && n_bytes <= 16) {  // two overlapping words: a call of memcpy costs more than the copy
    uint64_t head, tail;
    memcpy(&head, from, 8);
    memcpy(&tail, from + n_bytes - 8, 8);
    memcpy(to, &head, 8);
    memcpy(to + n_bytes - 8, &tail, 8);
  } else {
    memcpy(to, from, n_bytes);
  }
}

inline void add_lines(const Move& move, char* x, const int64_t* offset, ptrdiff_t n, char* values, ptrdiff_t line,
                      ptrdiff_t x_stride, ptrdiff_t value_stride) {
  const ptrdiff_t strides[3] = {x_stride, value_stride, x_stride};
  for (ptrdiff_t i = 0; i < n; ++i) {
    char* p[3] = {x + offset[i], values + i * move.value_step, x + offset[i]};
    move.add(p, strides, line, nullptr);
  }
}

// One block of the selection with the part [first, last) of the rest.
template <bool IS_GET, int SIZE>
void move_block(const Move& move, const int64_t* offset, ptrdiff_t n, char* values, ptrdiff_t first, ptrdiff_t last) {
  const ptrdiff_t x_stride = move.rest.strides[0][move.rest.ndim - 1];
  const ptrdiff_t value_stride = move.rest.strides[1][move.rest.ndim - 1];
  each_line(move.rest, first, last - first, [&](ptrdiff_t x_at, ptrdiff_t value_at, ptrdiff_t line) {
    char *x = move.x + x_at, *v = values + value_at;
    if (move.add)
      add_lines(move, x, offset, n, v, line, x_stride, value_stride);
    else if (!move.is_by_line)
      for (ptrdiff_t i = 0; i < line; ++i)
        move_points<IS_GET, SIZE>(x + i * x_stride, offset, n, v + i * value_stride, move.value_step);
    else
      for (ptrdiff_t i = 0; i < n; ++i)
        if (IS_GET)
          copy_line<SIZE>(x + offset[i], x_stride, v + i * move.value_step, value_stride, line);
        else
          copy_line<SIZE>(v + i * move.value_step, value_stride, x + offset[i], x_stride, line);
  });
}

// One index array and no rest: each element is moved as soon as its index is read.  False when one is out of range.
template <bool IS_GET, int SIZE> bool move_directly(const Move& move, ptrdiff_t first, ptrdiff_t n, char* values) {
  int64_t buffer[BLOCK];
  const Index& index = move.selection->index[0];
  const int64_t* at = read_indices(index, first, n, buffer);
  const uint64_t size = index.size, stride = index.stride;
  const int64_t wrap = -index.low;
  char* const x = move.x;
  const ptrdiff_t step = move.value_step;
  for (ptrdiff_t i = 0; i < n; ++i, values += step) {
    const uint64_t position = (uint64_t)(at[i] + ((at[i] >> 63) & wrap));
    if (__builtin_expect(position >= size, 0)) return false;
    char* element = x + position * stride;
    IS_GET ? memcpy(values, element, SIZE) : memcpy(element, values, SIZE);
  }
  return true;
}

template <bool IS_GET, int SIZE> void move_task(const Move& move, ptrdiff_t task) {
  int64_t offset[BLOCK];
  const ptrdiff_t first = task / move.n_blocks * move.rest_block;
  const ptrdiff_t last = first + move.rest_block < move.n_rest ? first + move.rest_block : move.n_rest;
  const ptrdiff_t start = task % move.n_blocks * move.block;
  const ptrdiff_t count = move.selection->count;
  const ptrdiff_t end = start + move.block < count ? start + move.block : count;
  for (ptrdiff_t i = start; i < end; i += BLOCK) {
    const ptrdiff_t n = end - i < BLOCK ? end - i : BLOCK;
    char* values = move.values + i * move.value_step;
    if (move.is_direct ? !move_directly<IS_GET, SIZE>(move, i, n, values)
                       : !find_offsets(*move.selection, i, n, offset)) {
      __atomic_store_n(move.has_bad, true, __ATOMIC_RELAXED);
      return;
    }
    if (!move.is_direct) move_block<IS_GET, SIZE>(move, offset, n, values, first, last);
  }
}

template <bool IS_GET> void move_task(const Move& move, ptrdiff_t task) {
  switch (move.item) {
    case 1:
      return move_task<IS_GET, 1>(move, task);
    case 2:
      return move_task<IS_GET, 2>(move, task);
    case 4:
      return move_task<IS_GET, 4>(move, task);
    case 8:
      return move_task<IS_GET, 8>(move, task);
    default:
      return move_task<IS_GET, 16>(move, task);
  }
}

inline void run_task(const Move* move, ptrdiff_t task) {
  move->is_get ? move_task<true>(*move, task) : move_task<false>(*move, task);
}

// Looks at the indices [first, last) alone.
inline void check_range(const Selection* selection, ptrdiff_t first, ptrdiff_t last, bool* has_bad) {
  int64_t offset[BLOCK];
  for (; first < last; first += BLOCK)
    if (!find_offsets(*selection, first, last - first < BLOCK ? last - first : BLOCK, offset))
      __atomic_store_n(has_bad, true, __ATOMIC_RELAXED);
}

}  // namespace nd_index
