// Loops over bits: bytes packed and unpacked, bits counted, and whole lines joined by and, or, exclusive or.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <type_traits>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

// Joining is the same for all integers: words of any size will do.
#pragma GCC push_options
#pragma GCC optimize("O3")

namespace bits {

// Bit i of a byte says whether element i of eight differs from 0; the first one is the highest bit where `is_big`.
static inline uint8_t packed_byte(const uint8_t* x, ptrdiff_t n, bool is_big) {
  uint8_t byte = 0;
  for (ptrdiff_t i = 0; i < n; ++i) byte |= (uint8_t)((x[i] != 0) << (is_big ? 7 - i : i));
  return byte;
}

#if defined(__x86_64__)
// Whole groups of 32 elements; how many elements they are.
__attribute__((target("avx2"))) static ptrdiff_t pack_wide(const uint8_t* x, ptrdiff_t n, uint8_t* y, bool is_big) {
  const __m256i zero = _mm256_setzero_si256();
  const __m256i turned =
      _mm256_set_epi64x(0x08090A0B0C0D0E0F, 0x0001020304050607, 0x08090A0B0C0D0E0F, 0x0001020304050607);
  ptrdiff_t i = 0;
  for (; i + 32 <= n; i += 32) {
    __m256i elements = _mm256_loadu_si256((const __m256i*)(x + i));
    if (is_big) elements = _mm256_shuffle_epi8(elements, turned);
    const uint32_t found = ~(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(elements, zero));
    memcpy(y + i / 8, &found, 4);
  }
  return i;
}

// Whole groups of four bytes; how many bytes they are.
__attribute__((target("avx2"))) static ptrdiff_t unpack_wide(const uint8_t* x, ptrdiff_t n, uint8_t* y, bool is_big) {
  const __m256i spread = _mm256_setr_epi64x(0x0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
  const __m256i bits = _mm256_set1_epi64x(is_big ? 0x0102040810204080 : (long long)0x8040201008040201);
  const __m256i ones = _mm256_set1_epi8(1);
  ptrdiff_t i = 0;
  for (; i + 4 <= n; i += 4) {
    int32_t bytes;
    memcpy(&bytes, x + i, 4);
    const __m256i found = _mm256_and_si256(_mm256_shuffle_epi8(_mm256_set1_epi32(bytes), spread), bits);
    _mm256_storeu_si256((__m256i*)(y + 8 * i), _mm256_and_si256(_mm256_cmpeq_epi8(found, bits), ones));
  }
  return i;
}
#endif

static void pack(const uint8_t* x, ptrdiff_t n, uint8_t* y, bool is_big) {
  ptrdiff_t i = 0;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) i = pack_wide(x, n, y, is_big);
#endif
#if defined(__SSE2__)
  const __m128i zero = _mm_setzero_si128();
  for (; i + 16 <= n; i += 16) {
    uint64_t words[2];
    memcpy(words, x + i, 16);
    if (is_big) words[0] = __builtin_bswap64(words[0]), words[1] = __builtin_bswap64(words[1]);
    const __m128i elements = _mm_set_epi64x((long long)words[1], (long long)words[0]);
    const uint16_t found = (uint16_t)~_mm_movemask_epi8(_mm_cmpeq_epi8(elements, zero));
    memcpy(y + i / 8, &found, 2);
  }
#endif
  for (; i < n; i += 8) y[i / 8] = packed_byte(x + i, n - i < 8 ? n - i : 8, is_big);
}

static void unpack(const uint8_t* x, ptrdiff_t n, uint8_t* y, bool is_big) {
  const uint64_t ones = 0x0101010101010101u, places = is_big ? 0x0102040810204080u : 0x8040201008040201u;
  ptrdiff_t i = 0;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) i = unpack_wide(x, n, y, is_big);
#endif
  for (; i < n; ++i) {
    const uint64_t word = ((((x[i] * ones) & places) + 0x7F7F7F7F7F7F7F7Fu) >> 7) & ones;
    memcpy(y + 8 * i, &word, 8);
  }
}

#if defined(__x86_64__)
__attribute__((target("popcnt")))  // every instruction set that loops are built for has it
#endif
static inline uint8_t ones_of(uint64_t x) {
  return (uint8_t)__builtin_popcountll(x);
}

template <class T>
#if defined(__x86_64__)
__attribute__((target("popcnt")))
#endif
static void count(const char* x, ptrdiff_t n, uint8_t* y) {
  using U = std::make_unsigned_t<T>;
  for (ptrdiff_t i = 0; i < n; ++i) {
    const T value = ((const T*)x)[i];
    y[i] = (uint8_t)__builtin_popcountll((uint64_t)(value < 0 ? (U)(0 - (U)value) : (U)value));
  }
}

enum Joining { AND, OR, XOR };

template <int J, class W> static inline W join(W l, W r) {
  return J == AND ? (W)(l & r) : J == OR ? (W)(l | r) : (W)(l ^ r);
}

// y = y joined with x, byte by byte; the two do not overlap.
template <int J> static void join_rows(const char* __restrict x, ptrdiff_t n_bytes, char* __restrict y) {
  ptrdiff_t i = 0;
  for (; i + 8 <= n_bytes; i += 8) {
    uint64_t l, r;
    memcpy(&l, y + i, 8);
    memcpy(&r, x + i, 8);
    l = join<J>(l, r);
    memcpy(y + i, &l, 8);
  }
  for (; i < n_bytes; ++i) y[i] = (char)join<J>((uint8_t)y[i], (uint8_t)x[i]);
}

using Vector = uint64_t __attribute__((vector_size(32), aligned(1), may_alias));

// Blocks of 128 bytes joined to the four vectors of `sums`.
#define BIT_BLOCKS(name, target_of)                                                                 \
  template <int J> target_of static void name(const char* x, ptrdiff_t n_blocks, char* sums) {      \
    Vector a = ((Vector*)sums)[0], b = ((Vector*)sums)[1];                                          \
    Vector c = ((Vector*)sums)[2], d = ((Vector*)sums)[3];                                          \
    for (ptrdiff_t i = 0; i < n_blocks; ++i) {                                                      \
      const Vector* v = (const Vector*)(x + 128 * i);                                               \
      if (J == AND) a &= v[0], b &= v[1], c &= v[2], d &= v[3];                                     \
      if (J == OR) a |= v[0], b |= v[1], c |= v[2], d |= v[3];                                      \
      if (J == XOR) a ^= v[0], b ^= v[1], c ^= v[2], d ^= v[3];                                     \
    }                                                                                               \
    ((Vector*)sums)[0] = a, ((Vector*)sums)[1] = b, ((Vector*)sums)[2] = c, ((Vector*)sums)[3] = d; \
  }
BIT_BLOCKS(join_blocks, )
#if defined(__x86_64__)
BIT_BLOCKS(join_blocks_wide, __attribute__((target("avx2"))))
#endif
#undef BIT_BLOCKS

// All elements of a line as one element.
template <int J> static void join_line(const char* x, ptrdiff_t n, ptrdiff_t itemsize, char* y) {
  constexpr ptrdiff_t BLOCK = 128;
  const ptrdiff_t n_bytes = n * itemsize;
  uint64_t sums[BLOCK / 8];
  if (n_bytes < BLOCK) {
    memcpy(y, x, (size_t)itemsize);
    for (ptrdiff_t i = 1; i < n; ++i) join_rows<J>(x + i * itemsize, itemsize, y);
    return;
  }
  memcpy(sums, x, BLOCK);
  const ptrdiff_t n_blocks = n_bytes / BLOCK - 1;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) {
    join_blocks_wide<J>(x + BLOCK, n_blocks, (char*)sums);
  } else
#endif
    join_blocks<J>(x + BLOCK, n_blocks, (char*)sums);
  ptrdiff_t i = BLOCK + n_blocks * BLOCK;
  memcpy(y, sums, (size_t)itemsize);
  for (ptrdiff_t k = itemsize; k < BLOCK; k += itemsize) join_rows<J>((const char*)sums + k, itemsize, y);
  for (; i < n_bytes; i += itemsize) join_rows<J>(x + i, itemsize, y);
}

// (n, inner) elements as (inner): rows joined one after the other.
template <int J> static void join_lines(const char* x, ptrdiff_t n, ptrdiff_t inner, ptrdiff_t itemsize, char* y) {
  const ptrdiff_t row = inner * itemsize;
  if (inner == 1) return join_line<J>(x, n, itemsize, y);
  memcpy(y, x, (size_t)row);
  for (ptrdiff_t i = 1; i < n; ++i) join_rows<J>(x + i * row, row, y);
}

template <int J, class W> static void join_running_words(const W* x, ptrdiff_t n, W* y) {
  W sum = y[0] = x[0];
  for (ptrdiff_t i = 1; i < n; ++i) y[i] = sum = join<J>(sum, x[i]);
}

template <int J> static void join_running(const char* x, ptrdiff_t n, ptrdiff_t inner, ptrdiff_t itemsize, char* y) {
  if (inner == 1 && itemsize == 8) return join_running_words<J>((const uint64_t*)x, n, (uint64_t*)y);
  if (inner == 1 && itemsize == 4) return join_running_words<J>((const uint32_t*)x, n, (uint32_t*)y);
  if (inner == 1 && itemsize == 2) return join_running_words<J>((const uint16_t*)x, n, (uint16_t*)y);
  if (inner == 1) return join_running_words<J>((const uint8_t*)x, n, (uint8_t*)y);
  const ptrdiff_t row = inner * itemsize;
  memcpy(y, x, (size_t)row);
  for (ptrdiff_t i = 1; i < n; ++i) {
    memcpy(y + i * row, y + (i - 1) * row, (size_t)row);
    join_rows<J>(x + i * row, row, y + i * row);
  }
}

static void join_any(int how, bool is_running, const char* x, ptrdiff_t n, ptrdiff_t inner, ptrdiff_t itemsize,
                     char* y) {
  auto* run = is_running ? (how == AND  ? join_running<AND>
                            : how == OR ? join_running<OR>
                                        : join_running<XOR>)
                         : (how == AND  ? join_lines<AND>
                            : how == OR ? join_lines<OR>
                                        : join_lines<XOR>);
  run(x, n, inner, itemsize, y);
}

// The greatest common divisors of magnitudes, of all elements of a line or running.
static void divisors(const uint64_t* x, ptrdiff_t n, bool is_running, uint64_t* y) {
  uint64_t sum = 0;
  for (ptrdiff_t i = 0; i < n; ++i) {
    if (sum != 1 || x[i] == 0) sum = std::gcd(sum, x[i]);
    if (is_running)
      y[i] = sum;
    else if (sum == 1)
      break;
  }
  if (!is_running) y[0] = sum;
}

}  // namespace bits

#pragma GCC pop_options
