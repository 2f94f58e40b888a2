// Extension module of the scan loops.
#include "loop_module.h"

namespace {
#include "vector_functions.inc"
#include ND_FUNCTORS
#include "cast_loops.inc"
#include "reduce_lanes.inc"
#include "scan_loops.inc"
#include ND_TABLE
}  // namespace

ND_EXPORT(ND_TABLE_HASH, ROWS)
