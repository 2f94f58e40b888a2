// The extension module around one build of the loops: it hands out the table and nothing else.
#define ND_JOIN_(a, b) a##b
#define ND_JOIN(a, b) ND_JOIN_(a, b)
#define ND_TEXT_(a) #a
#define ND_TEXT(a) ND_TEXT_(a)

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <math.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#ifdef ND_LIBMVEC
#include "../../kernels/simd_math.h"
#endif
#include "loops.h"
#include "conv_loops.h"

namespace {
using ::sqrt, ::exp, ::exp2, ::expm1, ::log, ::log1p, ::log2, ::log10, ::sinh, ::cosh, ::tanh, ::asinh, ::acosh,
    ::atanh;
#include "../../kernels/circular.h"
#include "../../kernels/scalar.h"
#include "../../kernels/types.h"
#include "../../kernels/complex_math.h"
#include "gen/functors.gen.h"
#include "loops.inc"

const LoopTable LOOPS = {ND_TABLE_HASH, ND_TEXT(ND_ISA), ROWS, CASTS, CONV, PLANES};
}  // namespace

PyMODINIT_FUNC ND_JOIN(PyInit__isa_, ND_ISA)(void) {
  static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_isa_" ND_TEXT(ND_ISA), nullptr, 0, nullptr};
  PyObject* module = PyModule_Create(&definition);
  if (!module) return nullptr;
  PyObject* capsule = PyCapsule_New((void*)&LOOPS, "nd4py.loops", nullptr);
  if (!capsule || PyModule_AddObject(module, "table", capsule) < 0) {
    Py_XDECREF(capsule);
    Py_DECREF(module);
    return nullptr;
  }
  return module;
}
