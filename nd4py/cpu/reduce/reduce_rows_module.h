// Extension modules of other reductions: of those that choose an element, and of those whose steps are no mergers.
#include "loop_module.h"

namespace {
#include "vector_functions.inc"
#include ND_FUNCTORS
#include "cast_loops.inc"
#include "reduce_lanes.inc"
#include "fused_rows.gen.h"
#include "quotients.inc"
#include "fused_runs.inc"
#include "reduce_loops.inc"
#include ND_TABLE
}  // namespace

ND_EXPORT(ND_TABLE_HASH, ROWS)
