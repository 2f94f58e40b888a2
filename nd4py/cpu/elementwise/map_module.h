// Extension module of the elementwise loops.
#include "loop_module.h"

#include <tuple>

namespace {
#include "vector_functions.inc"
#include ND_FUNCTORS
#include "map_loops.inc"
#include "half_loops.inc"
#include ND_TABLE
}  // namespace

ND_EXPORT(ND_TABLE_HASH, ROWS)
