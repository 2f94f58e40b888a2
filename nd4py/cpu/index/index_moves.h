// Loops that read or write elements through index arrays, or join values to them.
//
// Design: the axes that no index array names, the rest, are walked in lines, beside blocks of the selection.
#pragma once
#include "index_joins.h"

namespace nd_index {

constexpr ptrdiff_t TASK_ITEMS = 16384;     // elements of one task
constexpr ptrdiff_t ORDERED_BLOCK = 16384;  // of the selection, between two questions whether to go on
constexpr ptrdiff_t LINE_ITEMS = 256;       // elements of a line that is cut, at least
constexpr ptrdiff_t LONG_FILL = 16;         // elements of one value, from which on they are copied together
constexpr ptrdiff_t TILE_ELEMENTS = 16;     // elements of a line with gaps: as many cache lines stay in L1 meanwhile

struct Move {  // from or to the elements of a selection
  const Selection* selection;
  Lines rest;              // the axes that no index array names: of the array, and of the values
  ptrdiff_t n_rest;        // their elements
  char *x, *values;        // the array that is indexed; what is read from it or written to it
  ptrdiff_t value_step;    // bytes between the values of neighbours in the selection
  ptrdiff_t item;          // bytes of an element
  MapLoop join;            // what joins values to elements of the array; null to write them
  JoinPoints join_points;  // the same of single elements, where there is a loop for it
  bool is_get;             // array to values
  // How it is cut into tasks, by plan_move.
  bool is_by_line;  // inner loop along the rest, not along the selection
  ptrdiff_t tile;   // elements of a line that are moved before the next element of the selection
  bool is_direct;   // one index array and no rest
  bool is_packed;   // and no gaps
  ptrdiff_t block, rest_block, n_blocks, n_tasks;
  bool* has_bad;  // set when an index is out of range
};

inline ptrdiff_t magnitude(ptrdiff_t stride) { return stride < 0 ? -stride : stride; }

// A short run of elements is moved as one of a larger size.
inline void join_run(Move* move) {
  Lines& rest = move->rest;
  const int last = rest.ndim - 1;
  const ptrdiff_t run = move->item * rest.shape[last];
  const bool is_size = run == 2 || run == 4 || run == 8 || run == 16;
  if (move->join || !is_size || rest.strides[0][last] != move->item || rest.strides[1][last] != move->item) return;
  move->item = run;
  move->n_rest /= rest.shape[last];
  rest.shape[last] = 1;
  if (last > 0) --rest.ndim;
}

// Along the rest where its elements lie closer together, in the array or in the values, than those of the selection.
inline void choose_loop(Move* move) {
  const Selection& selection = *move->selection;
  const int last = move->rest.ndim - 1;
  const ptrdiff_t line = move->rest.shape[last], step = move->value_step;
  const ptrdiff_t x_stride = move->rest.strides[0][last], value_stride = move->rest.strides[1][last];
  const ptrdiff_t index_stride = selection.n_indices ? selection.index[selection.n_indices - 1].stride : 0;
  const bool is_closer = magnitude(x_stride) <= magnitude(index_stride) || magnitude(value_stride) < magnitude(step);
  const bool is_contiguous = x_stride == move->item && (value_stride == move->item || value_stride == 0);
  move->is_by_line = line > 1 && is_closer;
  move->tile = is_contiguous || move->join || !move->is_by_line ? line : TILE_ELEMENTS;
  move->is_direct = selection.n_indices == 1 && !selection.has_base && move->n_rest == 1;
  if (move->join && !move->join_points) move->is_direct = false;
  move->is_packed = move->is_direct && selection.index[0].stride == move->item && step == move->item;
}

// Cut the work into tasks of a part of the selection with a part of the rest.  is_ordered: the blocks of the selection
// shall be moved one after the other, so that the last of two values for one element wins, and sums are added up in
// order.
inline void plan_move(Move* move, bool is_ordered) {
  const ptrdiff_t count = move->selection->count;
  move->n_tasks = move->n_blocks = 0;
  if (count == 0 || move->n_rest == 0) return;
  join_run(move);
  choose_loop(move);
  const bool is_whole_line = move->is_by_line && move->tile == move->rest.shape[move->rest.ndim - 1];
  const ptrdiff_t taken = is_whole_line ? move->n_rest : move->is_by_line ? TILE_ELEMENTS : 1;  // of the rest, together
  move->block = std::min(count, is_ordered ? ORDERED_BLOCK : std::max<ptrdiff_t>(TASK_ITEMS / taken, 1));
  const ptrdiff_t together = is_ordered ? count : move->block;
  move->rest_block = std::max<ptrdiff_t>(TASK_ITEMS / together, is_whole_line ? LINE_ITEMS : 1);
  move->n_blocks = (count + move->block - 1) / move->block;
  move->n_tasks = move->n_blocks * ((move->n_rest + move->rest_block - 1) / move->rest_block);
}

// ahead: bytes to the elements that come next.
template <bool IS_GET, int SIZE>
void move_points(char* x, const int64_t* offset, ptrdiff_t n, char* values, ptrdiff_t step, ptrdiff_t ahead) {
  for (ptrdiff_t i = 0; i < n; ++i)
    if (IS_GET) {
      __builtin_prefetch(x + ahead + offset[i]);
      memcpy(values + i * step, x + offset[i], SIZE);
    } else
      memcpy(x + offset[i], values + i * step, SIZE);
}

template <int SIZE>
void copy_line(const char* from, ptrdiff_t from_stride, char* to, ptrdiff_t to_stride, ptrdiff_t n) {
  const ptrdiff_t n_bytes = n * SIZE;
  if (from_stride == 0 && to_stride == SIZE && n >= LONG_FILL) {  // what is written already, behind itself
    memcpy(to, from, SIZE);
    for (ptrdiff_t done = 1; done < n; done *= 2) memcpy(to + done * SIZE, to, std::min(done, n - done) * SIZE);
  } else if (from_stride != SIZE || to_stride != SIZE) {
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

template <bool IS_GET, int SIZE>
void move_lines(char* x, ptrdiff_t x_stride, const int64_t* offset, ptrdiff_t n, char* values, ptrdiff_t value_stride,
                ptrdiff_t step, ptrdiff_t line) {
  for (ptrdiff_t i = 0; i < n; ++i)
    if (IS_GET)
      copy_line<SIZE>(x + offset[i], x_stride, values + i * step, value_stride, line);
    else
      copy_line<SIZE>(values + i * step, value_stride, x + offset[i], x_stride, line);
}

inline void join_lines_at(const Move& move, char* x, const int64_t* offset, ptrdiff_t n, char* values, ptrdiff_t line,
                          ptrdiff_t x_stride, ptrdiff_t value_stride) {
  if (line == 1 && move.join_points) {
    move.join_points(x, WHOLE_MEMORY, offset, n, values, move.value_step);
    return;
  }
  const ptrdiff_t strides[3] = {x_stride, value_stride, x_stride};
  for (ptrdiff_t i = 0; i < n; ++i) {
    char* p[3] = {x + offset[i], values + i * move.value_step, x + offset[i]};
    move.join(p, strides, line, nullptr);
  }
}

// One block of the selection with the part [first, last) of the rest.
template <bool IS_GET, int SIZE>
void move_block(const Move& move, const int64_t* offset, ptrdiff_t n, char* values, ptrdiff_t first, ptrdiff_t last) {
  const ptrdiff_t x_stride = move.rest.strides[0][move.rest.ndim - 1];
  const ptrdiff_t value_stride = move.rest.strides[1][move.rest.ndim - 1];
  each_line(move.rest, first, last - first, [&](ptrdiff_t x_at, ptrdiff_t value_at, ptrdiff_t line) {
    char *x = move.x + x_at, *v = values + value_at;
    if (move.join)
      join_lines_at(move, x, offset, n, v, line, x_stride, value_stride);
    else if (!move.is_by_line)
      for (ptrdiff_t i = 0; i < line; ++i)
        move_points<IS_GET, SIZE>(x + i * x_stride, offset, n, v + i * value_stride, move.value_step, x_stride);
    else
      for (ptrdiff_t done = 0; done < line; done += move.tile)
        move_lines<IS_GET, SIZE>(x + done * x_stride, x_stride, offset, n, v + done * value_stride, value_stride,
                                 move.value_step, std::min(line - done, move.tile));
  });
}

// One index array and no rest: each element is moved as soon as its index is read.  False when one is out of range.
template <bool IS_GET, int SIZE, bool IS_PACKED>
bool move_directly(const Move& move, ptrdiff_t first, ptrdiff_t n, char* values) {
  int64_t buffer[BLOCK_INDICES];
  const Index& index = move.selection->index[0];
  const int64_t* at = read_indices(index, first, n, buffer);
  const uint64_t size = index.size, stride = IS_PACKED ? SIZE : index.stride;
  const ptrdiff_t step = IS_PACKED ? SIZE : move.value_step;
  const int64_t wrap = -index.low;
  char* const x = move.x;
  for (ptrdiff_t i = 0; i < n; ++i) {
    const uint64_t position = (uint64_t)(at[i] + ((at[i] >> 63) & wrap));
    if (__builtin_expect(position >= size, 0)) return false;
    IS_GET ? memcpy(values + i * step, x + position * stride, SIZE)
           : memcpy(x + position * stride, values + i * step, SIZE);
  }
  return true;
}

inline bool join_directly(const Move& move, ptrdiff_t first, ptrdiff_t n, const char* values) {
  int64_t buffer[BLOCK_INDICES];
  const Index& index = move.selection->index[0];
  const Elements all = {(uint64_t)index.size, index.stride, -index.low};
  return move.join_points(move.x, all, read_indices(index, first, n, buffer), n, values, move.value_step);
}

template <bool IS_GET, int SIZE> void move_task(const Move& move, ptrdiff_t task) {
  int64_t offset[BLOCK_INDICES];
  const ptrdiff_t first = task / move.n_blocks * move.rest_block;
  const ptrdiff_t last = std::min(first + move.rest_block, move.n_rest);
  const ptrdiff_t start = task % move.n_blocks * move.block;
  const ptrdiff_t count = move.selection->count;
  const ptrdiff_t end = std::min(start + move.block, count);
  for (ptrdiff_t i = start; i < end; i += BLOCK_INDICES) {
    const ptrdiff_t n = std::min(end - i, BLOCK_INDICES);
    char* values = move.values + i * move.value_step;
    const bool is_in_range = move.join && move.is_direct ? join_directly(move, i, n, values)
                             : move.is_packed            ? move_directly<IS_GET, SIZE, true>(move, i, n, values)
                             : move.is_direct            ? move_directly<IS_GET, SIZE, false>(move, i, n, values)
                                                         : find_offsets(*move.selection, i, n, offset);
    if (!is_in_range) {
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

inline void run_task(void* context, ptrdiff_t task) {
  const Move* move = (const Move*)context;
  move->is_get ? move_task<true>(*move, task) : move_task<false>(*move, task);
}

}  // namespace nd_index
