// Elementwise loops.
#include "loop_module.h"

#include <tuple>

namespace {
#include "vector_functions.inc"
#include "gen/functors.gen.h"
#include "map_loops.inc"
#include "half_loops.inc"
#include "gen/map_table.gen.h"
}  // namespace

ND_EXPORT(ND_TABLE_HASH, ROWS)
