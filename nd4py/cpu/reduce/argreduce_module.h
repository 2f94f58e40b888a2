// Extension module of the loops that find the index of the largest or smallest element.
#include "loop_module.h"

namespace {
#include "vector_functions.inc"
#include ND_FUNCTORS
#include "cast_loops.inc"
#include "reduce_lanes.inc"
#include "reduce_masks.inc"
#include "reduce_argmax.inc"
#include ND_TABLE
}  // namespace

ND_EXPORT(ND_TABLE_HASH, ROWS)
