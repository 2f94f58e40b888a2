// Conversions between dtypes, copies that transpose, and copies past the caches.
#include "loop_module.h"
#include "gen/dtypes_hash.gen.h"

namespace {
#include "cast_loops.inc"
#include "stream_loops.inc"
#include "plane_loops.inc"
#include "gen/move_table.gen.h"

const MoveTable MOVES = {CASTS, PLANES, STREAMED_PLANES, stream, finish_streams};
}  // namespace

ND_EXPORT(ND_DTYPES_HASH, &MOVES)
