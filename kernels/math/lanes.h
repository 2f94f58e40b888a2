// Vector registers of floats under the same functions as one float.  They serve what loops over one float cannot
// express: tables held in registers, which GCC would gather from memory, many times slower, and the lesser of two
// numbers in one instruction, where the second is chosen beside NaN.
#pragma once
#include "float_bits.h"

// ------------------------------------------------------------------------------------------ one float

template <class V, class C> ND_FN V all(C c) { return V{} + c; }
ND_FN float float_of_bits(unsigned int bits) { return from_bits<float>(bits); }
ND_FN float float_of_signed(unsigned int number) { return float(int(number)); }
ND_FN unsigned int signed_shift(unsigned int number, int count) { return unsigned(int(number) >> count); }
ND_FN unsigned long long signed_shift(unsigned long long number, int count) { return (long long)(number) >> count; }
ND_FN float lesser_of(float a, float b) { return a < b ? a : b; }
ND_FN float greater_of(float a, float b) { return a > b ? a : b; }
// Only the lowest bits of the index count.
ND_FN float looked_up(const float (&table)[32], unsigned int index) { return table[index & 31]; }
ND_FN float looked_up(const float (&table)[16], unsigned int index) { return table[index & 15]; }
ND_FN double looked_up(const double (&table)[16], unsigned long long index) { return table[index & 15]; }
ND_FN double double_of_bits(unsigned long long bits) { return from_bits<double>(bits); }

// ------------------------------------------------------------------------------------------ a register

#if defined(__AVX512F__)
#define ND_LANES 16
#elif defined(__AVX2__)
#define ND_LANES 8
#endif

#ifdef ND_LANES
typedef float float_lanes __attribute__((vector_size(4 * ND_LANES)));
typedef int int_lanes __attribute__((vector_size(4 * ND_LANES)));
typedef unsigned int word_lanes __attribute__((vector_size(4 * ND_LANES)));
typedef double double_lanes __attribute__((vector_size(4 * ND_LANES)));
typedef long long long_lanes __attribute__((vector_size(4 * ND_LANES)));
typedef unsigned long long long_word_lanes __attribute__((vector_size(4 * ND_LANES)));

ND_FN word_lanes bits_of(float_lanes x) { return (word_lanes)x; }
ND_FN float_lanes float_of_bits(word_lanes bits) { return (float_lanes)bits; }
ND_FN float_lanes float_of_signed(word_lanes numbers) {
  return __builtin_convertvector((int_lanes)numbers, float_lanes);
}
ND_FN long_word_lanes bits_of(double_lanes x) { return (long_word_lanes)x; }
ND_FN double_lanes double_of_bits(long_word_lanes bits) { return (double_lanes)bits; }
ND_FN long_word_lanes signed_shift(long_word_lanes numbers, int count) {
  return (long_word_lanes)((long_lanes)numbers >> count);
}
ND_FN word_lanes signed_shift(word_lanes numbers, int count) { return (word_lanes)((int_lanes)numbers >> count); }
#endif

#if defined(__AVX512F__)
ND_FN float_lanes fused(float_lanes a, float_lanes b, float_lanes c) { return _mm512_fmadd_ps(a, b, c); }
ND_FN double_lanes fused(double_lanes a, double_lanes b, double_lanes c) { return _mm512_fmadd_pd(a, b, c); }
ND_FN float_lanes lesser_of(float_lanes a, float_lanes b) { return _mm512_min_ps(a, b); }
ND_FN float_lanes greater_of(float_lanes a, float_lanes b) { return _mm512_max_ps(a, b); }
ND_FN bool are_all_below(float_lanes a, float bound) {
  return _mm512_cmp_ps_mask(a, _mm512_set1_ps(bound), _CMP_LT_OQ) == 0xffff;
}
ND_FN float_lanes looked_up(const float (&table)[32], word_lanes index) {
  return _mm512_permutex2var_ps(_mm512_load_ps(table), (__m512i)index, _mm512_load_ps(table + 16));
}
ND_FN float_lanes looked_up(const float (&table)[16], word_lanes index) {
  return _mm512_permutexvar_ps((__m512i)index, _mm512_load_ps(table));
}
ND_FN double_lanes looked_up(const double (&table)[16], long_word_lanes index) {
  return _mm512_permutex2var_pd(_mm512_load_pd(table), (__m512i)index, _mm512_load_pd(table + 8));
}
#elif defined(__AVX2__)
ND_FN float_lanes fused(float_lanes a, float_lanes b, float_lanes c) { return _mm256_fmadd_ps(a, b, c); }
ND_FN double_lanes fused(double_lanes a, double_lanes b, double_lanes c) { return _mm256_fmadd_pd(a, b, c); }
ND_FN float_lanes lesser_of(float_lanes a, float_lanes b) { return _mm256_min_ps(a, b); }
ND_FN float_lanes greater_of(float_lanes a, float_lanes b) { return _mm256_max_ps(a, b); }
ND_FN bool are_all_below(float_lanes a, float bound) {
  return _mm256_movemask_ps(_mm256_cmp_ps(a, _mm256_set1_ps(bound), _CMP_LT_OQ)) == 0xff;
}
ND_FN float_lanes looked_up_of_8(const float* table, word_lanes index) {
  return _mm256_permutevar8x32_ps(_mm256_load_ps(table), (__m256i)index);
}
// Chosen by a bit of the index, moved to where the sign is.
ND_FN float_lanes looked_up_of_16(const float* table, word_lanes index) {
  float_lanes first = looked_up_of_8(table, index), second = looked_up_of_8(table + 8, index);
  return _mm256_blendv_ps(first, second, (float_lanes)(index << 28));
}
ND_FN float_lanes looked_up(const float (&table)[16], word_lanes index) { return looked_up_of_16(table, index); }
ND_FN float_lanes looked_up(const float (&table)[32], word_lanes index) {
  float_lanes first = looked_up_of_16(table, index), second = looked_up_of_16(table + 16, index);
  return _mm256_blendv_ps(first, second, (float_lanes)(index << 27));
}
ND_FN double_lanes looked_up(const double (&table)[16], long_word_lanes index) {
  return _mm256_i64gather_pd(table, (__m256i)(index & 15), 8);
}
#endif
