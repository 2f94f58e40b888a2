// Operands of elementwise kernels: their offsets, and loads of several elements at once.
#pragma once
#include "device.cuh"

template <class T, int N, bool Aligned>
ND_DEVICE void load_packet(const char* from, bool is_constant, packet<T, N, Aligned>& into) {
  if (is_constant) {
    const T value = *(const T*)from;
    for (T& element : into.element) element = value;
  } else {
    into = *(const packet<T, N, Aligned>*)from;
  }
}

// A scalar that comes by value: its bytes stand where a double would.
template <class T> ND_DEVICE T value_at(const double* slot) {
  T value;
  memcpy((void*)&value, slot, sizeof(T));
  return value;
}

// Where the value of input k lies among the scalars of a kernel of map.cu.
ND_DEVICE const double* value_of_input(const double* params, int k) { return params + ND_MAX_PARAMS - 2 * (k + 1); }

// Elements of an operand, or a scalar that comes by value where there is no address.
template <class T, int N, bool Aligned>
ND_DEVICE void load_operand(const char* operand, long long offset, bool is_constant, const double* value,
                            packet<T, N, Aligned>& into) {
  if (operand)
    load_packet(operand + offset, is_constant, into);
  else
    for (T& element : into.element) element = value_at<T>(value);
}

// Offsets of all operands at index i; Wide: indices of 2^31 and more.
template <int Operands, bool Wide, class Arguments>
ND_DEVICE void find_offsets(const Arguments& arguments, long long i, long long* offsets) {
#pragma unroll
  for (int k = 0; k < Operands; ++k) offsets[k] = 0;
  for (int axis = 0; axis < (int)arguments.rank; ++axis) {
    long long rest, index;
    if constexpr (Wide)
      rest = i / arguments.sizes[axis];
    else
      rest = divide((unsigned)i, arguments.axes[axis]);
    index = i - rest * arguments.sizes[axis];
    i = rest;
#pragma unroll
    for (int k = 0; k < Operands; ++k) offsets[k] += index * arguments.strides[k][axis];
  }
}

// ------------------------------------------------------------------------------------------ values of a chain

// The same bytes as another type of the same size: halves as words and back.
template <class T, class From> ND_DEVICE T element_of(From from) {
  static_assert(sizeof(T) == sizeof(From), "an element keeps its bytes");
  if constexpr (is_same<T, From>) {
    return from;
  } else {
    T element;
    memcpy((void*)&element, &from, sizeof(T));
    return element;
  }
}
