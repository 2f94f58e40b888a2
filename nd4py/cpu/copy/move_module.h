// Extension module of the conversion and copy loops.  Some copies transpose, others go past the caches.
#include "loop_module.h"
#include "dtypes_hash.gen.h"

namespace {
#include "cast_loops.inc"
#include "stream_loops.inc"
#include "strided_copy_loops.inc"
#include "move_table.gen.h"

const MoveTable MOVES = {CASTS, STRIDED_COPIES, STREAMED_COPIES, stream, finish_streams};
}  // namespace

ND_EXPORT(ND_DTYPES_HASH, &MOVES)
