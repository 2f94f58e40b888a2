// Loops of attention of one instruction set, as the Cython driver sees them.
#pragma once
#include <stdbool.h>
#include <stddef.h>

enum { ATTENTION_OPERANDS = 10, ATTENTION_AXES = 3 };

// One call, of sizes in elements.  Operands (batch, heads, length, size) whose last axis has no gaps, by their strides
// in bytes along the first three axes:
//
// 0 q   1 k   2 v   3 y   4 dy   5 dq   6 dk   7 dv
// 8 mask (batch, heads, queries, keys), bytes of any strides, or NULL
// 9 the logarithm of what each query's weights were divided by, (batch, heads, queries) without gaps, or NULL
typedef struct Attention {
  ptrdiff_t batch, heads, n_queries, n_keys, size, value_size;
  ptrdiff_t n_parts;  // of the queries of a head, worked on apart; 1 for gradients
  bool is_causal;     // a query sees the keys up to its own, where the last one is that of the last query
  double scale;
  ptrdiff_t scratch_bytes;  // of one thread
  ptrdiff_t mask_step;      // bytes of the mask from key to key
  ptrdiff_t strides[27];    // ATTENTION_AXES for each operand but the last
  char* operands[ATTENTION_OPERANDS];
} Attention;

typedef struct AttentionLoop {
  void (*plan)(Attention* call);
  void (*run)(const Attention* call, char* scratch, ptrdiff_t task);  // of batch * heads * n_parts
} AttentionLoop;

typedef struct AttentionLoops {
  AttentionLoop forward, gradient;
} AttentionLoops;
