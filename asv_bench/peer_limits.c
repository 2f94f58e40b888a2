/* What this machine's memory and arithmetic give at most: the probes that `peer_limits.py` compiles and times.

Each probe does its work `n_rounds` times, every thread on a part of its own; nothing is shared, so no thread waits. */

#include <stddef.h>
#include <string.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif

#ifdef __AVX512F__
#define WIDTH 64
#elif defined(__AVX__)
#define WIDTH 32
#else
#define WIDTH 16
#endif
#define N_STREAMS 4 /* read side by side by one thread: more loads under way than the hardware prefetches of one */
#define N_CHAINS 16 /* sums under way at once: the latency of an FMA times two units, and some */

typedef float Floats __attribute__((vector_size(WIDTH)));
typedef double Doubles __attribute__((vector_size(WIDTH)));

/* `sum` is needed, and memory may have changed: each round reads and writes anew. */
static inline void forget(const Floats* sum) { __asm__ volatile("" ::"g"(sum) : "memory"); }

static inline void store_past_caches(Floats* to, Floats value) {
#if defined(__AVX512F__)
  _mm512_stream_ps((float*)to, (__m512)value);
#elif defined(__AVX__)
  _mm256_stream_ps((float*)to, (__m256)value);
#elif defined(__SSE2__)
  _mm_stream_ps((float*)to, (__m128)value);
#else
  *to = value;
#endif
}

/* Read `n` vectors that lie in N_STREAMS parts. */
static inline Floats read_vectors(const Floats* from, ptrdiff_t n) {
  Floats sum[N_STREAMS] = {0};
  const ptrdiff_t part = n / N_STREAMS;
  for (ptrdiff_t i = 0; i < part; ++i)
    for (int stream = 0; stream < N_STREAMS; ++stream) sum[stream] += from[stream * part + i];
  for (int stream = 1; stream < N_STREAMS; ++stream) sum[0] += sum[stream];
  return sum[0];
}

/* Copy what can be copied of `n_in` and `n_out` vectors; read or write the others. */
static inline Floats move_vectors(const Floats* from, Floats* to, ptrdiff_t n_in, ptrdiff_t n_out, int past_caches) {
  const ptrdiff_t n_copied = n_in < n_out ? n_in : n_out;
  const Floats zero = {0};
  if (past_caches) {
    for (ptrdiff_t i = 0; i < n_copied; ++i) store_past_caches(to + i, from[i]);
    for (ptrdiff_t i = n_copied; i < n_out; ++i) store_past_caches(to + i, zero);
  } else {
    for (ptrdiff_t i = 0; i < n_copied; ++i) to[i] = from[i];
    for (ptrdiff_t i = n_copied; i < n_out; ++i) to[i] = zero;
  }
  return read_vectors(from + n_copied, n_in - n_copied);
}

/* Every thread reads `n_in` vectors and writes `n_out`, `n_rounds` times. */
void probe_move(const Floats* from, Floats* to, ptrdiff_t n_in, ptrdiff_t n_out, int n_rounds, int n_threads,
                int past_caches) {
#pragma omp parallel for num_threads(n_threads) schedule(static, 1)
  for (int thread = 0; thread < n_threads; ++thread)
    for (int round = 0; round < n_rounds; ++round) {
      const Floats sum = move_vectors(from + thread * n_in, to + thread * n_out, n_in, n_out, past_caches);
      forget(&sum);
    }
}

#define PROBE_FMA(NAME, VECTOR, NUMBER)                                                                             \
  void NAME(VECTOR* sums, ptrdiff_t n_steps, int n_threads) {                                                       \
    _Pragma("omp parallel for num_threads(n_threads) schedule(static, 1)") for (int thread = 0; thread < n_threads; \
                                                                                ++thread) {                         \
      VECTOR sum[N_CHAINS], factor = sums[thread];                                                                  \
      for (int chain = 0; chain < N_CHAINS; ++chain) sum[chain] = factor + (NUMBER)chain;                           \
      for (ptrdiff_t step = 0; step < n_steps; ++step)                                                              \
        for (int chain = 0; chain < N_CHAINS; ++chain) sum[chain] = sum[chain] * factor + factor;                   \
      for (int chain = 0; chain < N_CHAINS; ++chain) sums[thread] += sum[chain];                                    \
    }                                                                                                               \
  }

/* 2 * N_CHAINS operations per number of a vector and step. */
PROBE_FMA(probe_fma_float, Floats, float)
PROBE_FMA(probe_fma_double, Doubles, double)

int probe_width(void) { return WIDTH; }
