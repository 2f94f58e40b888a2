// Philox 4x32-10, a counter-based random number generator: Salmon, Moraes, Dror & Shaw, "Parallel random numbers: as
// easy as 1, 2, 3", SC 2011, https://doi.org/10.1145/2063384.2063405.  A block of 128 random bits is a function of a
// key and a counter, so any element of a draw can be computed alone, by any thread, on either device.
#pragma once
#include "scalar.h"
#include "portable_math.h"

struct PhiloxKey {
  nd_word word[2];
};
struct PhiloxBlock {
  nd_word word[4];
};

ND_FN nd_word high_word(nd_wide x) { return (nd_word)(x >> 32); }

ND_FN void philox_round(nd_word* c0, nd_word* c1, nd_word* c2, nd_word* c3, const PhiloxKey& key) {
  nd_wide first = 0xD2511F53ull * *c0, second = 0xCD9E8D57ull * *c2;
  *c0 = high_word(second) ^ *c1 ^ key.word[0];
  *c2 = high_word(first) ^ *c3 ^ key.word[1];
  *c1 = (nd_word)second;
  *c3 = (nd_word)first;
}

ND_FN PhiloxKey next_key(const PhiloxKey& key) {
  return PhiloxKey{{key.word[0] + 0x9E3779B9u, key.word[1] + 0xBB67AE85u}};
}

ND_FN PhiloxBlock philox(PhiloxBlock block, PhiloxKey key) {
  for (int round = 0; round < 10; ++round, key = next_key(key))
    philox_round(&block.word[0], &block.word[1], &block.word[2], &block.word[3], key);
  return block;
}

ND_FN PhiloxKey key_of(nd_wide seed) { return PhiloxKey{{(nd_word)seed, high_word(seed)}}; }

// The seed is the key; `attempt` counts the numbers that were rejected at this position, `part` the blocks that one
// attempt reads.
ND_FN PhiloxBlock philox_block(nd_wide seed, nd_wide position, nd_word attempt, nd_word part = 0) {
  return philox(PhiloxBlock{{(nd_word)position, high_word(position), attempt, part}}, key_of(seed));
}

ND_FN nd_wide wide_of(nd_word high, nd_word low) { return (nd_wide)high << 32 | low; }

// ------------------------------------------------------------------------------------------ real numbers

// A multiple of 2^-24 in [0, 1): every one is exact and equally likely.
ND_FN float uniform_of(nd_word word) { return (float)(word >> 8) * 0x1p-24f; }
// A multiple of 2^-53 in [0, 1).
ND_FN double uniform_of(nd_word high, nd_word low) { return (double)high * 0x1p-32 + (double)(low >> 11) * 0x1p-53; }
// An odd multiple of 2^-53 in (0, 1), so that the logarithm of it and of what is missing to 1 are finite.  The lowest
// 12 bits of `low` stay free.
ND_FN double open_uniform_of(nd_word high, nd_word low) {
  return (double)high * 0x1p-32 + ((double)(low >> 12) * 0x1p-52 + 0x1p-53);
}

// The greatest number below x, which is finite.
ND_FN float next_below(float x) {
  unsigned int bits = float_to_bits(x);
  return bits_to_float(x > 0 ? bits - 1 : x < 0 ? bits + 1 : 0x80000001u);
}
ND_FN double next_below(double x) {
  nd_wide bits = bits_of(x);
  return double_of(x > 0 ? bits - 1 : x < 0 ? bits + 1 : 0x8000000000000001ull);
}

ND_FN void uniform_lanes(const PhiloxBlock& block, float* u) {
  for (int k = 0; k < 4; ++k) u[k] = uniform_of(block.word[k]);
}
ND_FN void uniform_lanes(const PhiloxBlock& block, double* u) {
  for (int k = 0; k < 2; ++k) u[k] = uniform_of(block.word[2 * k + 1], block.word[2 * k]);
}

// Two standard normal numbers from a radius variable in (0, 1] and a turn in [0, 1): Box & Muller 1958.
template <class C> ND_FN void box_muller(C u, C turn, C* z0, C* z1) {
  C radius = sqrt(C(-2) * portable_log(u)), sine, cosine;
  portable_sincos(turn, &sine, &cosine);
  *z0 = radius * cosine;
  *z1 = radius * sine;
}

// All bits of a word make the radius variable, so that tails reach 6.6 (float) and 8.5 (double) standard deviations.
ND_FN void normal_pair(nd_word w0, nd_word w1, float* z0, float* z1) {
  box_muller(((float)w0 + 1.0f) * 0x1p-32f, uniform_of(w1), z0, z1);
}
ND_FN void normal_pair(nd_word w0, nd_word w1, nd_word w2, nd_word w3, double* z0, double* z1) {
  box_muller(uniform_of(w1, w0) + 0x1p-53, uniform_of(w3, w2), z0, z1);
}

ND_FN void normal_lanes(const PhiloxBlock& block, float* z) {
  for (int k = 0; k < 4; k += 2) normal_pair(block.word[k], block.word[k + 1], z + k, z + k + 1);
}
ND_FN void normal_lanes(const PhiloxBlock& block, double* z) {
  normal_pair(block.word[0], block.word[1], block.word[2], block.word[3], z, z + 1);
}

// ------------------------------------------------------------------------------------------ whole numbers

// The high half of the 128-bit product; the low half goes to `low`.
ND_FN nd_wide multiply_wide(nd_wide x, nd_wide y, nd_wide* low) {
  *low = x * y;
#ifdef __CUDACC__
  return __umul64hi(x, y);
#else
  return (nd_wide)((unsigned __int128)x * y >> 64);
#endif
}

// A number in [0, span), each equally likely: Lemire 2019, "Fast random integer generation in an interval",
// https://doi.org/10.1145/3230636.  The high half of the product of random bits and span; products whose low half is
// below 2^bits mod span are drawn again.  `random` are the bits of this lane of attempt 0; span 0 means 2^64.
ND_FN nd_wide bounded(nd_wide random, int lane, nd_wide seed, nd_wide position, nd_wide span) {
  if (span == 0) return random;
  for (nd_word attempt = 1;; ++attempt) {
    nd_wide low, high = multiply_wide(random, span, &low);
    if (low >= span || low >= (0 - span) % span) return high;
    PhiloxBlock block = philox_block(seed, position, attempt);
    random = wide_of(block.word[2 * lane + 1], block.word[2 * lane]);
  }
}

// The same for 0 < span <= 2^32, from the 32 bits of a lane.
ND_FN nd_wide bounded_word(nd_word random, int lane, nd_wide seed, nd_wide position, nd_wide span) {
  for (nd_word attempt = 1;; ++attempt) {
    nd_wide product = random * span;
    if ((nd_word)product >= span || (nd_word)product >= 0x100000000ull % span) return product >> 32;
    random = philox_block(seed, position, attempt).word[lane];
  }
}

// The first of `n_columns` sums that lies above a mark: the column of a row of cumulated probabilities it falls in.
ND_FN nd_wide column_of(const double* row, nd_wide n_columns, double mark) {
  nd_wide begin = 0;
  for (nd_wide width = n_columns; width > 0;) {
    nd_wide half = width / 2, is_right = row[begin + half] <= mark;
    begin = is_right ? begin + half + 1 : begin;
    width = is_right ? width - half - 1 : half;
  }
  return begin;
}
