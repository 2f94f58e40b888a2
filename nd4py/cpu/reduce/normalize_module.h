// Reductions that look at their elements twice, and normalizing by what they find.
#include "loop_module.h"
#include "dtypes_hash.gen.h"

namespace {
#include "vector_functions.inc"
#include "reduce_lanes.inc"
#include "reduce_moments.inc"
#include "reduce_normalize.inc"
}  // namespace

ND_EXPORT(ND_DTYPES_HASH, &MEASURES)
