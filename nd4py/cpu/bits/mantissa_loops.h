// Mantissas and exponents of real numbers, in one pass: two results of different sizes, for which rows have no loops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#pragma GCC push_options
#pragma GCC optimize("O3")

namespace bits {

// x = mantissa * 2^exponent with 0.5 <= |mantissa| < 1; zeros, infinities and NaN are their own mantissas, with 0.
template <class T>
static inline __attribute__((always_inline)) void part_all(const T* __restrict x, ptrdiff_t n, T* __restrict mantissa,
                                                           int32_t* __restrict exponent) {
  using U = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  using S = std::make_signed_t<U>;
  constexpr int BITS = sizeof(T) == 8 ? 52 : 23, BIAS = sizeof(T) == 8 ? 1022 : 126;
  constexpr U ONE = U(1) << BITS, MASK = (sizeof(T) == 8 ? U(0x7ff) : U(0xff)) << BITS;
  for (ptrdiff_t i = 0; i < n; ++i) {
    U given, word;
    memcpy(&given, x + i, sizeof given);
    const S magnitude = (S)(given << 1 >> 1);  // signed: AVX2 compares no others
    const S tiny = -(S)(magnitude < (S)ONE), none = -(S)((magnitude == 0) | (magnitude >= (S)MASK));
    const U power = U(BIAS + 1 + (tiny & (BITS + 2))) << BITS;  // of 2, that makes subnormal numbers normal
    T factor;
    memcpy(&factor, &power, sizeof factor);
    const T normal = x[i] * factor;
    memcpy(&word, &normal, sizeof word);
    const S found = (S)((word & MASK) >> BITS) - BIAS - (tiny & (BITS + 2));
    exponent[i] = (int32_t)(found & ~none);
    word = (given & (U)none) | (((word & ~MASK) | U(BIAS) << BITS) & (U)~none);
    memcpy(mantissa + i, &word, sizeof word);
  }
}

template <class T> static void parts_plain(const T* x, ptrdiff_t n, T* mantissa, int32_t* exponent) {
  part_all<T>(x, n, mantissa, exponent);
}
#if defined(__x86_64__)
template <class T>
__attribute__((target("avx2"))) static void parts_wide(const T* x, ptrdiff_t n, T* mantissa, int32_t* exponent) {
  part_all<T>(x, n, mantissa, exponent);
}

// Sixteen or eight numbers at a time, by the instructions for this; what they call a class are zeros, infinities, NaN.
#define WIDEST __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw")))
WIDEST static ptrdiff_t part_vectors(const double* x, ptrdiff_t n, double* mantissa, int32_t* exponent) {
  ptrdiff_t i = 0;
  for (; i + 8 <= n; i += 8) {
    const __m512d given = _mm512_loadu_pd(x + i), power = _mm512_add_pd(_mm512_getexp_pd(given), _mm512_set1_pd(1));
    const __mmask8 has_some = (__mmask8)~_mm512_fpclass_pd_mask(given, 0x9f);
    _mm512_storeu_pd(mantissa + i,
                     _mm512_mask_getmant_pd(given, has_some, given, _MM_MANT_NORM_p5_1, _MM_MANT_SIGN_src));
    _mm256_storeu_si256((__m256i*)(exponent + i), _mm512_maskz_cvtpd_epi32(has_some, power));
  }
  return i;
}
WIDEST static ptrdiff_t part_vectors(const float* x, ptrdiff_t n, float* mantissa, int32_t* exponent) {
  ptrdiff_t i = 0;
  for (; i + 16 <= n; i += 16) {
    const __m512 given = _mm512_loadu_ps(x + i), power = _mm512_add_ps(_mm512_getexp_ps(given), _mm512_set1_ps(1));
    const __mmask16 has_some = (__mmask16)~_mm512_fpclass_ps_mask(given, 0x9f);
    _mm512_storeu_ps(mantissa + i,
                     _mm512_mask_getmant_ps(given, has_some, given, _MM_MANT_NORM_p5_1, _MM_MANT_SIGN_src));
    _mm512_storeu_si512(exponent + i, _mm512_maskz_cvtps_epi32(has_some, power));
  }
  return i;
}
template <class T> static void parts_widest(const T* x, ptrdiff_t n, T* mantissa, int32_t* exponent) {
  const ptrdiff_t i = part_vectors(x, n, mantissa, exponent);
  part_all<T>(x + i, n - i, mantissa + i, exponent + i);
}
#undef WIDEST
#endif

template <class T> static void part(const char* x, ptrdiff_t n, char* mantissa, int32_t* exponent) {
  auto* run = parts_plain<T>;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
    run = parts_widest<T>;
  else if (__builtin_cpu_supports("avx2"))
    run = parts_wide<T>;
#endif
  run((const T*)x, n, (T*)mantissa, exponent);
}

}  // namespace bits

#pragma GCC pop_options
