// Loops that join values to single elements through indices, for the rows of two operands that are cheap.
//
// Design: one call of a row's loop for each element takes longer than these rows themselves.
#pragma once
#include "index_offsets.h"

// Whole numbers wrap around, as in the loops of the table.
#pragma GCC push_options
#pragma GCC optimize("wrapv")

#include "scalar.h"
#include "point_rows.gen.h"

namespace nd_index {

struct Elements {  // that indices name
  uint64_t size;   // of which there are so many
  int64_t stride;  // bytes from one to the next
  int64_t wrap;    // added to an index below 0
};
// Offsets that are known to be right, as indices of bytes.
constexpr Elements WHOLE_MEMORY = {UINT64_MAX, 1, 0};

// `n` values, `step` bytes apart, joined to elements of `x` in order; false where an index is out of range.
typedef bool (*JoinPoints)(char* x, const Elements& all, const int64_t* at, ptrdiff_t n, const char* values,
                           ptrdiff_t step);

template <class Op, class T>
bool join_points(char* x, const Elements& all, const int64_t* at, ptrdiff_t n, const char* values, ptrdiff_t step) {
  for (ptrdiff_t i = 0; i < n; ++i) {
    const uint64_t position = (uint64_t)(at[i] + ((at[i] >> 63) & all.wrap));
    if (__builtin_expect(position >= all.size, 0)) return false;
    T* element = (T*)(x + position * all.stride);
    Op::apply((const T*)nullptr, element, *element, *(const T*)(values + i * step));
  }
  return true;
}

template <class Op> JoinPoints points_of(char kind, ptrdiff_t item) {
  if (kind == 'f') return item == 8 ? join_points<Op, double> : item == 4 ? join_points<Op, float> : nullptr;
  if (kind == 'i') return item == 8 ? join_points<Op, int64_t> : item == 4 ? join_points<Op, int32_t> : nullptr;
  if (kind == 'u') return item == 8 ? join_points<Op, uint64_t> : item == 4 ? join_points<Op, uint32_t> : nullptr;
  return nullptr;
}

// The loop of a row for elements of a kind and size, or null.
inline JoinPoints points_of(int row, char kind, ptrdiff_t item) {
#define ND_POINTS(number, op) \
  if (row == number) return points_of<ops::op>(kind, item);
  ND_POINT_ROWS(ND_POINTS)
#undef ND_POINTS
  return nullptr;
}

}  // namespace nd_index

#pragma GCC pop_options
