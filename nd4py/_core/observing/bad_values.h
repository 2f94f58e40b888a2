// NaN and infinity among floating numbers, told by their bits.
#pragma once
#include <stddef.h>
#include <stdint.h>

namespace nd_bad {

constexpr int NANS = 1, INFINITIES = 2;
constexpr ptrdiff_t BLOCK = 4096;  // numbers that are looked at together, which compilers make vectors of

// Arrays of up to 32 axes of elements of so many numbers each: one, or two where they are complex.
struct Elements {
  const char* data;
  int ndim;
  const ptrdiff_t* shape;
  const ptrdiff_t* strides;
  int n_parts;
};

template <class Bits>
static bool is_bad(Bits bits, Bits infinity, int kinds) {
  const Bits magnitude = bits & (Bits) ~((Bits)1 << (8 * sizeof(Bits) - 1));
  return magnitude > infinity ? (kinds & NANS) != 0 : magnitude == infinity && (kinds & INFINITIES) != 0;
}

// The position of the first bad one of n numbers, or -1.
template <class Bits>
static ptrdiff_t first_of(const Bits* x, ptrdiff_t n, Bits infinity, int kinds) {
  const Bits last = infinity & (Bits)-infinity;  // of the exponent: one more carries an exponent of ones into the sign
  for (ptrdiff_t first = 0; first < n; first += BLOCK) {
    const ptrdiff_t end = first + BLOCK < n ? first + BLOCK : n;
    Bits found = 0;
    for (ptrdiff_t i = first; i < end; i++) found |= (Bits)((x[i] & infinity) + last);
    if (!(found >> (8 * sizeof(Bits) - 1))) continue;
    for (ptrdiff_t i = first; i < end; i++) {
      if (is_bad(x[i], infinity, kinds)) return i;
    }
  }
  return -1;
}

// The position of the first bad element in C order, or -1; `bits` are those of the bad number then.
template <class Bits>
static ptrdiff_t find(const Elements* x, Bits infinity, int kinds, uint64_t* bits) {
  ptrdiff_t index[32] = {0}, size = 1;
  for (int i = 0; i < x->ndim; i++) size *= x->shape[i];
  if (size == 0) return -1;
  const ptrdiff_t n = x->ndim ? x->shape[x->ndim - 1] : 1, item = x->n_parts * (ptrdiff_t)sizeof(Bits);
  const ptrdiff_t step = x->ndim ? x->strides[x->ndim - 1] : item;
  const char* line = x->data;
  for (ptrdiff_t first = 0; first < size; first += n) {
    for (ptrdiff_t i = 0; i < n; i += step == item ? n : 1) {
      const Bits* numbers = (const Bits*)(line + i * step);
      const ptrdiff_t k = first_of(numbers, x->n_parts * (step == item ? n : 1), infinity, kinds);
      if (k >= 0) {
        *bits = numbers[k];
        return first + i + k / x->n_parts;
      }
    }
    for (int i = x->ndim - 2; i >= 0; i--) {
      line += x->strides[i];
      if (++index[i] < x->shape[i]) break;
      line -= index[i] * x->strides[i];
      index[i] = 0;
    }
  }
  return -1;
}

}  // namespace nd_bad
