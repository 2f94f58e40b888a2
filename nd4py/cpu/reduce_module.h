// Reductions and scans.
#include "loop_module.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace {
#include "vector_functions.inc"
#include "gen/functors.gen.h"
#include "cast_loops.inc"
#include "reduce_lanes.inc"
#include "gen/fused_rows.gen.h"
#include "fused_runs.inc"
#include "reduce_loops.inc"
#include "reduce_places.inc"
#include "reduce_measures.inc"
#include "scan_loops.inc"
#include "gen/reduce_table.gen.h"
#include "reduce_normalize.inc"
}  // namespace

ND_EXPORT(ND_TABLE_HASH, &MEASURES)
