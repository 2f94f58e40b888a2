// Extension module of the matrix-product loops.
#include "loop_module.h"
#include "product_loops.h"
#include "dtypes_hash.gen.h"

namespace {
#include "product_loops.inc"
#include "product_pairs.inc"

// In the order of the dtypes.
const ProductLoop PRODUCTS[4] = {
    nd_product::make_product<float, nd_half>(),
    nd_product::make_bfloat16_product(),
    nd_product::make_product<float, float>(),
    nd_product::make_product<double, double>(),
};
}  // namespace

ND_EXPORT(ND_DTYPES_HASH, PRODUCTS)
