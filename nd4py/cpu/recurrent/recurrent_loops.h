// Loops of recurrent layers of one instruction set, as the Cython driver sees them.  All arrays are C-contiguous.
#pragma once
#include <stddef.h>

enum {
  RECURRENT_OPERANDS = 16,
  RECURRENT_ROWS = 48,  // sequences that are worked on together: their gates stay in L2
};

// One call, of sizes in elements.  The operands, of which some may be NULL:
//
// forward      0 z (batch, length, gates * units), the gates before what comes from the bias and from the step before
//              1 rw (units, gates * units)   2 peepholes (3, units) of an LSTM, bias (units) of a GRU's products
//              3 h, 4 c (batch, units) before the first step   5 mask (batch, length)   6 bias (gates * units)
//              7 y (batch, length, units)   8 h, 9 c after the last step
//              10 gates, as z   11 cells of an LSTM, candidate products of a GRU, as y   12 h before each step, as y
// gradient     0 dy   1 dh, 2 dc after the last step   3 rw   4 peepholes   5 c before the first step   6 mask
//              7 gates   8 cells   9 h before each step
//              10 dz   11 dh, 12 dc before the first step   13 of the candidate products of a GRU, as y
typedef struct Recurrence {
  ptrdiff_t batch, length, units, gates;
  ptrdiff_t option;         // GRU: 1 where the reset gate acts behind the product; simple: 1 for relu
  ptrdiff_t packed_bytes;   // of rw, shared by threads; 0 where it is read as it lies
  ptrdiff_t scratch_bytes;  // of one thread
  char* operands[RECURRENT_OPERANDS];
} Recurrence;

// Steps first_step to end_step (of a gradient in the order in which it takes them) of at most RECURRENT_ROWS sequences,
// first to end.  What one step leaves for the next stays in the scratch memory.
typedef void (*RecurrentRun)(const Recurrence* call, const char* packed, char* scratch, ptrdiff_t first, ptrdiff_t end,
                             ptrdiff_t first_step, ptrdiff_t end_step);

typedef struct RecurrentLoop {
  void (*plan)(Recurrence* call);
  void (*pack)(const Recurrence* call, char* packed);
  RecurrentRun run;
} RecurrentLoop;

// LSTM, GRU, simple.
typedef struct RecurrentLoops {
  RecurrentLoop forward[3];
  RecurrentLoop gradient[3];
} RecurrentLoops;
