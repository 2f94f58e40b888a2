// Arrays that change their type: one that lost its memory, or has none yet, is no NDArray, so that no operation on
// arrays need ever ask.
#pragma once
#include <Python.h>

static PyTypeObject* nd_array_type;

static inline void nd_become(PyObject* array, PyTypeObject* type) { Py_SET_TYPE(array, type); }

// Objects of `changed` are objects of `type` that changed: they have its layout, and end by `end`.
static inline void nd_graft(PyTypeObject* type, PyTypeObject* changed, destructor end) {
  nd_array_type = type;
  changed->tp_basicsize = type->tp_basicsize;
  changed->tp_weaklistoffset = type->tp_weaklistoffset;
  changed->tp_flags |= Py_TPFLAGS_HAVE_GC;
  changed->tp_traverse = type->tp_traverse;
  changed->tp_clear = type->tp_clear;
  changed->tp_free = type->tp_free;
  changed->tp_dealloc = end;
}

// As what it once was.
static inline void nd_end_as_array(PyObject* array) {
  nd_become(array, nd_array_type);
  nd_array_type->tp_dealloc(array);
}
