// The extension module around one build of the sorting loops: it hands out the table and nothing else.
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "../../kernels/scalar.h"
#include "../../kernels/types.h"
#include "sort_loops.h"

#define ND_JOIN_(a, b) a##b
#define ND_JOIN(a, b) ND_JOIN_(a, b)
#define ND_TEXT_(a) #a
#define ND_TEXT(a) ND_TEXT_(a)

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
#include "gen/sort_table.gen.h"

const SortTable SORT_TABLE = {ND_SORT_HASH, DTYPE_LOOPS, {ITEM_LOOPS<int32_t>, ITEM_LOOPS<int64_t>}};
}  // namespace

PyMODINIT_FUNC ND_JOIN(PyInit__sort_, ND_ISA)(void) {
  static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_sort_" ND_TEXT(ND_ISA), nullptr, 0, nullptr};
  PyObject* module = PyModule_Create(&definition);
  if (!module) return nullptr;
  PyObject* capsule = PyCapsule_New((void*)&SORT_TABLE, "nd4py.sort_loops", nullptr);
  if (!capsule || PyModule_AddObject(module, "table", capsule) < 0) {
    Py_XDECREF(capsule);
    Py_DECREF(module);
    return nullptr;
  }
  return module;
}
