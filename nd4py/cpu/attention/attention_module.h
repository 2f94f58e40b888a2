// Extension module of the attention loops.
#include "loop_module.h"
#include "attention_loops.h"
#include "strided_matrix.h"
#include "dtypes_hash.gen.h"

namespace {
#include "vector_functions.inc"
#undef ND_INLINE
#include "product_tiles.inc"
#include "product_packing.inc"
#include "attention_blocks.inc"
#include "attention_forward.inc"
#include "attention_gradient.inc"

template <class T> constexpr AttentionLoops make_attention_loops() {
  using namespace nd_attention;
  return {{plan_forward<T>, run_forward<T>}, {plan_gradient<T>, run_gradient<T>}};
}

const AttentionLoops ATTENTION[2] = {make_attention_loops<float>(), make_attention_loops<double>()};
}  // namespace

ND_EXPORT(ND_DTYPES_HASH, ATTENTION)
