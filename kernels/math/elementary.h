// Elementary functions of real numbers for the CPU loops.  exp, log, sin ... are at most 1 unit in last place from the
// exact result for float, 2 for double.  Included inside the loops' namespace, before scalar.h, so that its functions
// and the rows' expressions find these before those of the C library.
// Design: our own, because the C library's vector functions (libmvec) are up to 4 units off, and not even the same in
// a loop's vector body and its tail.  Without hardware for fused multiply-add the C library's scalar functions serve.
#pragma once

#include "neighbours.h"

// Of the C library, which the functions of complex numbers of the same name would hide.
using ::sqrt;

#if defined(__FMA__) || defined(__aarch64__)
#include "error_function.h"
#include "exponential.h"
#include "gelu.h"
#include "hyperbolic.h"
#include "inverse_hyperbolic.h"
#include "inverse_trigonometric.h"
#include "logarithm.h"
#include "power.h"
#include "root.h"
#include "softplus.h"
#include "trigonometric.h"
#else
#include "unfused.h"
#include "unfused_trigonometric.h"
#endif
