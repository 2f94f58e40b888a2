// Extension module of the recurrent loops.
#include "loop_module.h"
#include "recurrent_loops.h"
#include "strided_matrix.h"
#include "dtypes_hash.gen.h"

namespace {
#include "vector_functions.inc"
#undef ND_INLINE
#include "product_tiles.inc"
#include "product_packing.inc"
#include "recurrent_rows.inc"
#include "recurrent_lstm.inc"
#include "recurrent_gru.inc"
#include "recurrent_simple.inc"

template <class T> constexpr RecurrentLoops make_recurrent_loops() {
  using namespace nd_recurrent;
  return {{{plan_forward<T>, pack_forward<T>, lstm<T>},
           {plan_forward<T>, pack_forward<T>, gru<T>},
           {plan_forward<T>, pack_forward<T>, simple<T>}},
          {{plan_gradient<T>, pack_gradient<T>, lstm_gradient<T>},
           {plan_gradient<T>, pack_gradient<T>, gru_gradient<T>},
           {plan_gradient<T>, pack_gradient<T>, simple_gradient<T>}}};
}

const RecurrentLoops RECURRENT[2] = {make_recurrent_loops<float>(), make_recurrent_loops<double>()};
}  // namespace

ND_EXPORT(ND_DTYPES_HASH, RECURRENT)
