// Extension module of sums and products, and of fused loops.
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
#include "short_row_runs.inc"
#include ND_TABLE

// float32 and float64
const ReduceTable REDUCTIONS = {ROWS,
                                {fused_run<float>, fused_run<double>},
                                {fused_blocks<float>, fused_blocks<double>},
                                sizeof(accumulator<float>),
                                {ROW_RUNS<float>, ROW_RUNS<double>}};
}  // namespace

ND_EXPORT(ND_TABLE_HASH, &REDUCTIONS)
