// Reductions and scans.
#include "loop_module.h"

namespace {
#include "gen/functors.gen.h"
#include "cast_loops.inc"
#include "reduce_lanes.inc"
#include "reduce_loops.inc"
#include "reduce_places.inc"
#include "scan_loops.inc"
#include "gen/reduce_table.gen.h"
}  // namespace

ND_EXPORT(ND_TABLE_HASH, ROWS)
