// Extension module of two-pass reductions and normalization.
#include "loop_module.h"
#include "dtypes_hash.gen.h"

namespace {
#include "vector_functions.inc"
#include "reduce_lanes.inc"
#include "reduce_moments.inc"
#include "reduce_normalize.inc"
}  // namespace

ND_EXPORT(ND_DTYPES_HASH, &MEASURES)
