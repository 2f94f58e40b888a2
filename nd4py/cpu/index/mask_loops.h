// Loops over the elements that a boolean mask selects.
//
// Design: a mask is packed into one bit per element first, 64 at a time; the counts of its chunks then say where each
// chunk's elements go, so that chunks are independent.  Rejected: an index array, 64 times larger than the bits.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "strided_lines.h"
#include "loops.h"

namespace nd_mask {

constexpr ptrdiff_t CHUNK = 32768;  // elements of one task, a multiple of 64
constexpr ptrdiff_t BUFFER = 4096;  // elements converted to bool together, a multiple of 64
constexpr int DENSE = 30;           // selected elements of 64 from which a store for each costs less than a search

inline int count_bits(uint64_t word) {
  word -= (word >> 1) & 0x5555555555555555;
  word = (word & 0x3333333333333333) + ((word >> 2) & 0x3333333333333333);
  return (int)((((word + (word >> 4)) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101) >> 56);
}

// A bit for each of 64 bytes that is not 0.
inline uint64_t pack_word(const char* flag) {
  uint64_t word = 0;
#if defined(__SSE2__)
  for (int i = 0; i < 4; ++i) {
    const __m128i is_zero = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i*)flag + i), _mm_setzero_si128());
    word |= (uint64_t)(~_mm_movemask_epi8(is_zero) & 0xffff) << (16 * i);
  }
#else
  for (int i = 0; i < 64; ++i) word |= (uint64_t)(flag[i] != 0) << i;
#endif
  return word;
}

inline int64_t pack_bytes(const char* flag, ptrdiff_t n, uint64_t* words) {
  int64_t count = 0;
  char rest[64] = {0};
  for (; n >= 64; n -= 64, flag += 64) count += count_bits(*words++ = pack_word(flag));
  if (n > 0) {
    memcpy(rest, flag, n);
    count += count_bits(*words = pack_word(rest));
  }
  return count;
}

struct Mask {  // an array of any dtype, whose elements that are not 0 are selected
  const char* data;
  CastLoop to_bool;
  bool is_packable;  // its elements are bytes one after the other
  Lines lines;
  ptrdiff_t size;
  uint64_t* words;  // where the bits go
  int64_t* counts;  // where the number of selected elements of each chunk goes
};

inline int64_t pack_chunk(const Mask* mask, ptrdiff_t first, ptrdiff_t n, uint64_t* words) {
  if (mask->is_packable) return pack_bytes(mask->data + first, n, words);
  char buffer[BUFFER];
  int64_t count = 0;
  for (ptrdiff_t done = 0; done < n; done += BUFFER) {
    const ptrdiff_t part = std::min(n - done, BUFFER);
    char* to = buffer;
    each_line(mask->lines, first + done, part, [&](ptrdiff_t at, ptrdiff_t, ptrdiff_t line) {
      mask->to_bool(mask->data + at, mask->lines.strides[0][mask->lines.ndim - 1], to, 1, line);
      to += line;
    });
    count += pack_bytes(buffer, part, words + done / 64);
  }
  return count;
}

// Up to 64 bits from number `first`.
inline uint64_t bits_from(const uint64_t* words, ptrdiff_t first, ptrdiff_t n) {
  const int shift = (int)(first % 64);
  uint64_t bits = words[first / 64] >> shift;
  if (shift + n > 64 && shift > 0) bits |= words[first / 64 + 1] << (64 - shift);
  return n < 64 ? bits & (((uint64_t)1 << n) - 1) : bits;
}

struct Masked {  // an array beside its packed mask
  const uint64_t* words;
  const int64_t* starts;  // selected elements before each chunk, and in all
  ptrdiff_t size;
  // For elements that are read or written:
  Lines lines;
  ptrdiff_t item;
  char *x, *values;
  ptrdiff_t value_step;  // 0 writes one value everywhere
  // For their indices:
  int ndim;
  const ptrdiff_t* shape;
  int64_t* coordinates[MAX_AXES];  // an array for each axis
};

// The selected ones of up to 64 elements, written to `y`; returns where the next ones go.
template <int SIZE> char* select_bits(uint64_t bits, const char* x, ptrdiff_t stride, char* y, const char* y_end) {
  if (stride == SIZE && bits == ~(uint64_t)0) {
    memcpy(y, x, 64 * SIZE);
    return y + 64 * SIZE;
  }
  if (stride == SIZE && y_end - y >= 64 * SIZE && count_bits(bits) > DENSE) {
    for (int i = 0; i < 64; ++i) {  // written whether selected or not: no branch to mispredict
      memcpy(y, x + i * SIZE, SIZE);
      y += ((bits >> i) & 1) * SIZE;
    }
    return y;
  }
  for (; bits; bits &= bits - 1, y += SIZE) memcpy(y, x + __builtin_ctzll(bits) * stride, SIZE);
  return y;
}

// Values for the selected ones of up to 64 elements; returns the next value.
template <int SIZE>
const char* write_bits(uint64_t bits, char* x, ptrdiff_t stride, const char* value, ptrdiff_t step) {
  if (bits == ~(uint64_t)0) {
    for (int i = 0; i < 64; ++i, value += step) memcpy(x + i * stride, value, SIZE);
    return value;
  }
  for (; bits; bits &= bits - 1, value += step) memcpy(x + __builtin_ctzll(bits) * stride, value, SIZE);
  return value;
}

template <bool IS_GET, int SIZE> void masked_chunk(const Masked& masked, ptrdiff_t chunk) {
  ptrdiff_t position = chunk * CHUNK;
  const ptrdiff_t n = std::min(masked.size - position, CHUNK);
  const ptrdiff_t stride = masked.lines.strides[0][masked.lines.ndim - 1];
  char* values = masked.values + masked.starts[chunk] * masked.value_step;
  const char* end = masked.values + masked.starts[chunk + 1] * masked.value_step;
  each_line(masked.lines, position, n, [&](ptrdiff_t at, ptrdiff_t, ptrdiff_t line) {
    for (ptrdiff_t i = 0; i < line; i += 64) {
      const ptrdiff_t part = std::min<ptrdiff_t>(line - i, 64);
      const uint64_t bits = bits_from(masked.words, position + i, part);
      char* x = masked.x + at + i * stride;
      if (bits == 0) continue;
      if (IS_GET)
        values = select_bits<SIZE>(bits, x, stride, values, end);
      else
        values = (char*)write_bits<SIZE>(bits, x, stride, values, masked.value_step);
    }
    position += line;
  });
}

template <bool IS_GET> void masked_chunk(const Masked& masked, ptrdiff_t chunk) {
  switch (masked.item) {
    case 1:
      return masked_chunk<IS_GET, 1>(masked, chunk);
    case 2:
      return masked_chunk<IS_GET, 2>(masked, chunk);
    case 4:
      return masked_chunk<IS_GET, 4>(masked, chunk);
    case 8:
      return masked_chunk<IS_GET, 8>(masked, chunk);
    default:
      return masked_chunk<IS_GET, 16>(masked, chunk);
  }
}

// The indices of a chunk's selected elements along each axis, in C order.
inline void find_coordinates(const Masked& masked, ptrdiff_t chunk) {
  const ptrdiff_t first = chunk * CHUNK, last = std::min(first + CHUNK, masked.size);
  const ptrdiff_t start = masked.starts[chunk], end = masked.starts[chunk + 1];
  int64_t* positions = masked.coordinates[0];
  int64_t* to = positions + start;
  for (ptrdiff_t at = first; at < last; at += 64)
    for (uint64_t bits = masked.words[at / 64]; bits; bits &= bits - 1) *to++ = at + __builtin_ctzll(bits);
  for (int axis = masked.ndim - 1; axis > 0; --axis) {
    int64_t row = 0, row_end = 0;  // of the position before: they ascend, so most need no division
    for (ptrdiff_t i = start; i < end; ++i) {
      if (positions[i] >= row_end) {
        row = positions[i] / masked.shape[axis];
        row_end = (row + 1) * masked.shape[axis];
      }
      masked.coordinates[axis][i] = positions[i] - row_end + masked.shape[axis];
      positions[i] = row;
    }
  }
}

// Tasks: what is done to chunk number `chunk` of a Mask or a Masked.
inline void pack_task(void* context, ptrdiff_t chunk) {
  const Mask* mask = (const Mask*)context;
  const ptrdiff_t first = chunk * CHUNK, n = std::min(mask->size - first, CHUNK);
  mask->counts[chunk] = pack_chunk(mask, first, n, mask->words + first / 64);
}
inline void select_task(void* context, ptrdiff_t chunk) { masked_chunk<true>(*(const Masked*)context, chunk); }
inline void write_task(void* context, ptrdiff_t chunk) { masked_chunk<false>(*(const Masked*)context, chunk); }
inline void coordinates_task(void* context, ptrdiff_t chunk) { find_coordinates(*(const Masked*)context, chunk); }

}  // namespace nd_mask
