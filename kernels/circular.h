// sin, cos, tan, their inverses, erf, erfc and gelu as the CPU loops call them, at most 1 unit in last place from the
// exact result for float, 2 for double.  Included inside the loops' namespace, before scalar.h, after <math.h>.
#pragma once

#if defined(__FMA__) || defined(__aarch64__)
#include "trigonometric.h"
#include "inverse_trigonometric.h"
#include "error_function.h"
#else
#include "unfused_trigonometric.h"
#endif
