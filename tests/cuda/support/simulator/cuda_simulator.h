// CUDA C++ as g++ can compile it, so that an unchanged .cu file runs on the CPU.  Stands before the file's text.
//
// The threads of a block are fibers of one operating system's thread, which the runtime (cuda_simulator.cpp) switches
// at barriers and warp functions.  Math functions are those of the C library.  Missing, because no kernel uses it:
// cooperative groups, asynchronous copies, tensor cores, textures.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <cmath>
#include <math.h>

#define __CUDACC__ 1  // the kernels' headers take the branches that nvcc and NVRTC take
#define __global__
#define __device__
#define __host__
#define __shared__ static thread_local
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))

namespace simulator {
struct Index {
  unsigned x, y, z;
};

// What the running thread sees.
struct Current {
  Index thread, block, block_size, grid_size;
  unsigned char* dynamic_shared;
};
extern Current current;

// One kernel of a module, under its own name in the module's symbols.
struct Kernel {
  const char* name;
  size_t argument_bytes;
  unsigned max_threads;
  void (*run)(const void* arguments);
  void* (*own_thread_local)();  // some thread-local of the module, by which its shared memory is found
};

// `site` tells the places of a program apart.
void wait_for_block(const void* site);
void wait_for_warp(const void* site, unsigned lanes);
uint64_t shuffle(const void* site, unsigned lanes, uint64_t value, unsigned bytes, int source_lane);
unsigned ballot(const void* site, unsigned lanes, bool vote);
unsigned own_lane();

inline thread_local char own_variable;
inline void* own_thread_local() { return &own_variable; }

template <class T> T from_bits(uint64_t bits) {
  T value;
  memcpy(&value, &bits, sizeof(T));
  return value;
}
template <class T> uint64_t to_bits(T value) {
  uint64_t bits = 0;
  memcpy(&bits, &value, sizeof(T));
  return bits;
}
template <class T> T shuffled(const void* site, unsigned lanes, T value, int source_lane) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "CUDA shuffles 4 or 8 bytes");
  return from_bits<T>(shuffle(site, lanes, to_bits(value), sizeof(T), source_lane));
}
template <class T> T shuffle_to(const void* site, unsigned lanes, T value, int lane, int width = 32) {
  return shuffled(site, lanes, value, (own_lane() & ~(width - 1)) + (lane & (width - 1)));
}
template <class T> T shuffle_up(const void* site, unsigned lanes, T value, int distance, int width = 32) {
  const int lane = own_lane(), first = lane & ~(width - 1);
  return shuffled(site, lanes, value, lane - distance < first ? lane : lane - distance);
}
template <class T> T shuffle_down(const void* site, unsigned lanes, T value, int distance, int width = 32) {
  const int lane = own_lane(), end = (lane & ~(width - 1)) + width;
  return shuffled(site, lanes, value, lane + distance >= end ? lane : lane + distance);
}
template <class T> T shuffle_xor(const void* site, unsigned lanes, T value, int mask, int width = 32) {
  const int lane = own_lane(), end = (lane & ~(width - 1)) + width;
  return shuffled(site, lanes, value, (lane ^ mask) >= end ? lane : lane ^ mask);
}
}  // namespace simulator

#define threadIdx (simulator::current.thread)
#define blockIdx (simulator::current.block)
#define blockDim (simulator::current.block_size)
#define gridDim (simulator::current.grid_size)
#define warpSize 32

#define ND_SITE          \
  ([]() -> const void* { \
    static char site;    \
    return &site;        \
  }())
#define __syncthreads() simulator::wait_for_block(ND_SITE)
#define __syncwarp(lanes) simulator::wait_for_warp(ND_SITE, lanes)
#define __shfl_sync(...) simulator::shuffle_to(ND_SITE, __VA_ARGS__)
#define __shfl_up_sync(...) simulator::shuffle_up(ND_SITE, __VA_ARGS__)
#define __shfl_down_sync(...) simulator::shuffle_down(ND_SITE, __VA_ARGS__)
#define __shfl_xor_sync(...) simulator::shuffle_xor(ND_SITE, __VA_ARGS__)
#define __ballot_sync(lanes, vote) simulator::ballot(ND_SITE, lanes, vote)
#define __any_sync(lanes, vote) (simulator::ballot(ND_SITE, lanes, vote) != 0)
#define __all_sync(lanes, vote) (simulator::ballot(ND_SITE, lanes, !(vote)) == 0)

// No other thread runs between their reading and writing: their accesses are not announced to the runtime.
#define ND_ATOMIC(function, next)                                                                  \
  template <class T> __attribute__((no_sanitize("thread"), noinline)) T function(T* address, T v) { \
    const T before = *address;                                                                       \
    *address = next;                                                                                 \
    return before;                                                                                 \
  }
ND_ATOMIC(atomicAdd, T(before + v))
ND_ATOMIC(atomicMin, before < v ? before : v)
ND_ATOMIC(atomicMax, before > v ? before : v)
ND_ATOMIC(atomicExch, v)
template <class T> __attribute__((no_sanitize("thread"), noinline)) T atomicCAS(T* address, T expected, T v) {
  const T before = *address;
  *address = before == expected ? v : before;
  return before;
}
inline void __threadfence() {}

inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((uint64_t)a * b >> 32); }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)((unsigned __int128)a * b >> 64);
}
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __ffs(unsigned x) { return __builtin_ffs((int)x); }
inline int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }

// The same functions as CUDA's in the global namespace, for float too.
using std::acos, std::acosh, std::asin, std::asinh, std::atan, std::atan2, std::atanh, std::cbrt, std::copysign;
using std::cos, std::cosh, std::erf, std::erfc, std::exp, std::exp2, std::expm1, std::fma, std::fmod, std::hypot;
using std::log, std::log10, std::log1p, std::log2, std::nextafter, std::pow, std::rint, std::sin, std::sinh;
using std::sqrt, std::tan, std::tanh;

#define ND_KERNEL(kernel, threads, Arguments, ...)                                                                   \
  static void kernel##_run(const void* arguments) { __VA_ARGS__(*(const Arguments*)arguments); }                     \
  extern "C" {                                                                                                       \
  extern __attribute__((visibility("default"))) const simulator::Kernel kernel;                                      \
  const simulator::Kernel kernel = {#kernel, sizeof(Arguments), threads, kernel##_run, simulator::own_thread_local}; \
  }
#define ND_DYNAMIC_SHARED(name) unsigned char* const name = simulator::current.dynamic_shared
