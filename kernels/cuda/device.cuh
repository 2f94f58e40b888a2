// Common definitions of all .cu files: names that g++ has and NVRTC lacks, how a kernel is declared, elements as they
// are stored and computed with, and values passed between the lanes of a warp.
#pragma once
#ifdef __CUDACC_RTC__
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
#endif
#include "scalar.h"
#include "types.h"
#include "complex_math.h"
#include "launch_arguments.cuh"

// A kernel takes one struct by value, which the hardware keeps in constant memory; `...` names the function to call.
// The simulator of the tests has its own definitions of these two.
#ifndef ND_KERNEL
#define ND_KERNEL(name, threads, Arguments, ...)                                                               \
  extern "C" __global__ void __launch_bounds__(threads) name(const __grid_constant__ Arguments nd_arguments) { \
    __VA_ARGS__(nd_arguments);                                                                                 \
  }
#define ND_DYNAMIC_SHARED(name) extern __shared__ __align__(16) unsigned char name[]
#endif

#define ND_DEVICE __device__ __forceinline__

[[maybe_unused]] constexpr unsigned WHOLE_WARP = 0xffffffffu;
[[maybe_unused]] constexpr int WARP = 32;

// ------------------------------------------------------------------------------------------ types

template <class A, class B> constexpr bool is_same = false;
template <class A> constexpr bool is_same<A, A> = true;

template <bool Condition, class A, class B> struct choose {
  using type = A;
};
template <class A, class B> struct choose<false, A, B> {
  using type = B;
};

// How an element lies in memory and what it is computed with.
template <class T> struct stored {
  using compute = T;
  ND_DEVICE static T get(T v) { return v; }
  ND_DEVICE static T put(T v) { return v; }
};
template <> struct stored<nd_half> {
  using compute = float;
#ifdef __CUDA_ARCH__
  ND_DEVICE static float get(nd_half v) {
    float f;
    asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(v.bits));
    return f;
  }
  ND_DEVICE static nd_half put(float v) {
    nd_half h;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h.bits) : "f"(v));
    return h;
  }
#else
  ND_DEVICE static float get(nd_half v) { return load(v); }
  ND_DEVICE static nd_half put(float v) { return store_half(v); }
#endif
};
template <> struct stored<nd_bfloat16> {
  using compute = float;
  ND_DEVICE static float get(nd_bfloat16 v) { return load(v); }
  ND_DEVICE static nd_bfloat16 put(float v) { return store_bfloat16(v); }
};
template <class T> using compute_of = typename stored<T>::compute;

// Where a result of type R lies when elements of type T are worked on: halves are computed in float and stored as
// halves; truth values and other types are stored as they are.
template <class T, class R> using stored_result = typename choose<is_same<R, compute_of<T>>, T, R>::type;

template <class C> constexpr bool is_integer = !is_same<C, float> && !is_same<C, double> && !is_complex<C>;

// A value of another compute type.  A real number outside an integer's range saturates and NaN becomes 0, as on the
// CPU.
template <class To, class From> ND_DEVICE To convert(From v) {
  if constexpr (is_same<To, From>)
    return v;
  else if constexpr (is_same<To, bool>)
    return v != From(0);
  else if constexpr (is_complex<From> && !is_complex<To>)
    return convert<To>(v.re);
  else if constexpr (is_complex<From>)
    return To((typename real_of<To>::type)v.re, (typename real_of<To>::type)v.im);
  else if constexpr (is_complex<To>)
    return To(convert<typename real_of<To>::type>(v));
  else if constexpr (!is_integer<From> && is_integer<To>) {
    constexpr To least = is_signed<To> ? To(1ull << (8 * sizeof(To) - 1)) : To(0);
    constexpr To most = is_signed<To> ? To((1ull << (8 * sizeof(To) - 1)) - 1) : To(~0ull);
    const From low = (From)least, high = (From)most;
    To inside = (To)(v > low && v < high ? v : From(0));
    return v >= high ? most : (v <= low ? least : inside);
  } else
    return (To)v;
}

// A number as its element of type `To` is made of: halves of doubles are rounded once.
template <class To, class From> ND_DEVICE compute_of<To> passed(From v) {
  if constexpr (!is_same<compute_of<To>, To> && is_same<From, double>)
    return rounded_to_odd(v);
  else if constexpr (!is_same<compute_of<To>, To> && is_complex<From>)
    return passed<To>(v.re);
  else
    return convert<compute_of<To>>(v);
}

// 16 bytes, whatever they are.
struct Word16 {
  unsigned long long half[2];
};

// Several elements; read and written by one instruction where they are known to be aligned to their size.
template <class T, int N, bool Aligned = false> struct __align__(Aligned ? N * sizeof(T) : alignof(T)) packet {
  T element[N];
};

// ------------------------------------------------------------------------------------------ indices

// n / axis.size; n < 2^31 (Granlund & Montgomery 1994, https://doi.org/10.1145/773473.178249, round-up form).
ND_DEVICE unsigned divide(unsigned n, const Divisor& axis) { return (__umulhi(n, axis.multiplier) + n) >> axis.shift; }

ND_DEVICE long long first_thread() { return (long long)blockIdx.x * blockDim.x + threadIdx.x; }
ND_DEVICE long long all_threads() { return (long long)gridDim.x * blockDim.x; }

// ------------------------------------------------------------------------------------------ warps

// A value of any size from another lane: word by word.
template <class T, class Shuffle> ND_DEVICE T by_words(T value, Shuffle shuffle) {
  constexpr int N = (sizeof(T) + 3) / 4;
  unsigned words[N] = {};
  memcpy(words, &value, sizeof(T));
  for (int i = 0; i < N; ++i) words[i] = shuffle(words[i]);
  memcpy(&value, words, sizeof(T));
  return value;
}
template <class T> ND_DEVICE T from_lane_below(unsigned lanes, T value, int distance, int width) {
  return by_words(value, [=](unsigned word) { return __shfl_down_sync(lanes, word, distance, width); });
}
template <class T> ND_DEVICE T from_lane_above(unsigned lanes, T value, int distance, int width) {
  return by_words(value, [=](unsigned word) { return __shfl_up_sync(lanes, word, distance, width); });
}
template <class T> ND_DEVICE T from_lane(unsigned lanes, T value, int lane, int width) {
  return by_words(value, [=](unsigned word) { return __shfl_sync(lanes, word, lane, width); });
}
