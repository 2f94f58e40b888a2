// Extension module of the sorting and searching loops.
#include "loop_module.h"
#include "sort_loops.h"

namespace {
#include "sort_table.gen.h"

const SortTable SORT_TABLE = {DTYPE_LOOPS, {ITEM_LOOPS<int32_t>, ITEM_LOOPS<int64_t>}};
}  // namespace

ND_EXPORT(ND_LOOPS_HASH, &SORT_TABLE)
