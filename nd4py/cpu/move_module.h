// Conversions between dtypes, and copies that transpose.
#include "loop_module.h"
#include "gen/dtypes_hash.gen.h"

namespace {
#include "cast_loops.inc"
#include "plane_loops.inc"
#include "gen/move_table.gen.h"

const MoveTable MOVES = {CASTS, PLANES};
}  // namespace

ND_EXPORT(ND_DTYPES_HASH, &MOVES)
