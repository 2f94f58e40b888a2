// Extension module of the sorting and searching loops.
#include "loop_module.h"
#include "sort_loops.h"
#include "dtypes_hash.gen.h"

namespace {
#include "sort_vectors.inc"
#include "sort_network.inc"
#include "sort_quick.inc"
#include "sort_spread.inc"
#include "sort_elements.inc"
#include "sort_order.inc"
#include "sort_groups.inc"
#include "search_loops.inc"
#include "sort_lines.inc"
#include "sort_table.gen.h"

const SortTable SORT_TABLE = {DTYPE_LOOPS, {ITEM_LOOPS<int32_t>, ITEM_LOOPS<int64_t>}};
}  // namespace

ND_EXPORT(ND_DTYPES_HASH, &SORT_TABLE)
