// Philox 4x32-10, a counter-based random number generator: Salmon, Moraes, Dror & Shaw, "Parallel random numbers: as
// easy as 1, 2, 3", SC 2011, https://doi.org/10.1145/2063384.2063405.  A block of 128 random bits is a function of a
// key and a counter, so any element of a draw can be computed alone, by any thread, on either device.
#pragma once
#include "scalar.h"

typedef unsigned int nd_word;
typedef unsigned long long nd_wide;

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

// The seed is the key; `attempt` counts the numbers that were rejected at this position.
ND_FN PhiloxBlock philox_block(nd_wide seed, nd_wide position, nd_word attempt) {
  return philox(PhiloxBlock{{(nd_word)position, high_word(position), attempt, 0}}, key_of(seed));
}

ND_FN nd_wide wide_word(const PhiloxBlock& block, int lane) {
  return (nd_wide)block.word[2 * lane + 1] << 32 | block.word[2 * lane];
}

// ------------------------------------------------------------------------------------------ real numbers

// Multiples of 2^-24 and 2^-53 in [0, 1): every one is exact and equally likely.
ND_FN void uniform_lanes(const PhiloxBlock& block, float* u) {
  for (int k = 0; k < 4; ++k) u[k] = (float)(block.word[k] >> 8) * 0x1p-24f;
}
ND_FN void uniform_lanes(const PhiloxBlock& block, double* u) {
  for (int k = 0; k < 2; ++k) u[k] = (double)(wide_word(block, k) >> 11) * 0x1p-53;
}

// Two standard normal numbers from a radius variable in (0, 1] and a turn in [0, 1): Box & Muller 1958.
template <class C> ND_FN void box_muller(C u, C turn, C* z) {
  C radius = sqrt(C(-2) * log(u)), angle = C(6.283185307179586) * turn;
  z[0] = radius * cos(angle);
  z[1] = radius * sin(angle);
}

// All bits of a word make the radius variable, so that tails reach 6.6 (float) and 8.5 (double) standard deviations.
ND_FN void normal_lanes(const PhiloxBlock& block, float* z) {
  for (int k = 0; k < 4; k += 2)
    box_muller(((float)block.word[k] + 1.0f) * 0x1p-32f, (float)(block.word[k + 1] >> 8) * 0x1p-24f, z + k);
}
ND_FN void normal_lanes(const PhiloxBlock& block, double* z) {
  double u = (double)((wide_word(block, 0) >> 11) + 1) * 0x1p-53;
  box_muller(u, (double)(wide_word(block, 1) >> 11) * 0x1p-53, z);
}

// ------------------------------------------------------------------------------------------ whole numbers

// The high half of the 128-bit product; the low half goes to `low`.
ND_FN nd_wide multiply_wide(nd_wide x, nd_wide y, nd_wide* low) {
  nd_wide x0 = (nd_word)x, x1 = x >> 32, y0 = (nd_word)y, y1 = y >> 32;
  nd_wide cross = x1 * y0 + high_word(x0 * y0);
  nd_wide middle = x0 * y1 + (nd_word)cross;
  *low = x * y;
  return x1 * y1 + high_word(cross) + high_word(middle);
}

// A number in [0, span), each equally likely; span 0 means 2^64.  Lemire 2019, "Fast random integer generation in an
// interval", https://doi.org/10.1145/3230636: products whose low half is below 2^64 mod span are drawn again.  `block`
// is that of attempt 0 at this position.
ND_FN nd_wide bounded(PhiloxBlock block, int lane, nd_wide seed, nd_wide position, nd_wide span) {
  if (span == 0) return wide_word(block, lane);
  for (nd_word attempt = 1;; ++attempt) {
    nd_wide low, high = multiply_wide(wide_word(block, lane), span, &low);
    if (low >= span || low >= (0 - span) % span) return high;
    block = philox_block(seed, position, attempt);
  }
}
