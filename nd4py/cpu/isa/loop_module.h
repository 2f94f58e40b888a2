// Frame of every loop module: functions of one element, vector width, module definition.  It is compiled once per
// instruction set; the module hands out its family's table and nothing else.
#pragma once
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <math.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>
#if defined(__AVX__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <nmmintrin.h>  // what the baseline has, read in a tenth of the time
#endif

#include "loops.h"

// Functions and loops stand in an anonymous namespace, so that no copy made for one instruction set can be linked into
// another's, and so that exp, log ... of one element are our own.
namespace {
#include "elementary.h"
#include "scalar.h"
#include "types.h"
#include "complex_math.h"
}  // namespace

#define ND_JOIN_(a, b, c, d) a##b##c##d
#define ND_JOIN(a, b, c, d) ND_JOIN_(a, b, c, d)
#define ND_TEXT_(a) #a
#define ND_TEXT(a) ND_TEXT_(a)

#if defined(__AVX512F__)
constexpr int VECTOR_BYTES = 64, VECTOR_REGISTERS = 32;
#elif defined(__AVX__)
constexpr int VECTOR_BYTES = 32, VECTOR_REGISTERS = 16;
#elif defined(__aarch64__)
constexpr int VECTOR_BYTES = 16, VECTOR_REGISTERS = 32;
#else
constexpr int VECTOR_BYTES = 16, VECTOR_REGISTERS = 16;
#endif

// Marks a template over a dtype T as a loop of its family's table (nd4py/_spec/render/loop_headers.py).
#define ND_LOOP

#define ND_EXPORT(HASH, TABLE)                                                                                      \
  static const FamilyTable FAMILY_TABLE = {HASH, TABLE};                                                            \
  PyMODINIT_FUNC ND_JOIN(PyInit__, ND_FAMILY, _, ND_ISA)(void) {                                                    \
    static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_" ND_TEXT(ND_FAMILY) "_" ND_TEXT(ND_ISA), nullptr, 0, \
                                     nullptr};                                                                      \
    PyObject* module = PyModule_Create(&definition);                                                                \
    if (!module) return nullptr;                                                                                    \
    PyObject* capsule = PyCapsule_New((void*)&FAMILY_TABLE, "nd4py.loops", nullptr);                                \
    if (!capsule || PyModule_AddObject(module, "table", capsule) < 0) {                                             \
      Py_XDECREF(capsule);                                                                                          \
      Py_DECREF(module);                                                                                            \
      return nullptr;                                                                                               \
    }                                                                                                               \
    return module;                                                                                                  \
  }
