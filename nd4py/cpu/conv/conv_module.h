// Extension module of the convolution and pooling loops.
#include "loop_module.h"
#include "conv_loops.h"
#include "dtypes_hash.gen.h"

namespace {
#include "conv_loops.inc"
}  // namespace

ND_EXPORT(ND_DTYPES_HASH, CONV)
