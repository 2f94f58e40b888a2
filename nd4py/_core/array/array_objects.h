// Objects of arrays: those that ended are kept for the next ones, and some change their type.
#pragma once
#include <Python.h>
#include <cstring>

// Cython keeps objects for classes that have no base class, and ends objects of the others in two steps.
template <class Array> struct ArrayObjects {
  enum { MOST = 64 };
  static inline PyTypeObject* type;
  static inline Array* blank;                // how objects begin
  static inline void (*release)(PyObject*);  // gives back the memory of one that ends
  static inline PyObject* no_arguments;
  static inline newfunc first_new;  // Cython's
  static inline Array* kept[MOST];
  static inline int n_kept;

  static Array* fresh() {
#ifndef Py_GIL_DISABLED
    if (n_kept > 0) {
      Array* array = kept[--n_kept];
      std::memcpy((char*)array + sizeof(PyObject), (char*)blank + sizeof(PyObject), sizeof(Array) - sizeof(PyObject));
      PyObject_INIT((PyObject*)array, type);
      for (int i = 0; i < 4; ++i) Py_INCREF(Py_None);  // info, base, chain, node
      PyObject_GC_Track((PyObject*)array);
      return array;
    }
#endif
    return (Array*)first_new(type, no_arguments, NULL);
  }

  static PyObject* make(PyTypeObject* wanted, PyObject* arguments, PyObject* keywords) {
    return wanted == type ? (PyObject*)fresh() : first_new(wanted, arguments, keywords);
  }

  static void end(PyObject* object) {
    Array* array = (Array*)object;
    PyObject_GC_UnTrack(object);
    if (array->__pyx_base.__weakref__ != NULL) PyObject_ClearWeakRefs(object);
    PyObject *kind = NULL, *error, *trace;
    bool is_failing = PyErr_Occurred() != NULL;
    if (is_failing) PyErr_Fetch(&kind, &error, &trace);
    Py_SET_REFCNT(object, Py_REFCNT(object) + 1);  // while it is looked at for the last time
    release(object);
    Py_SET_REFCNT(object, Py_REFCNT(object) - 1);
    if (is_failing) PyErr_Restore(kind, error, trace);
    Py_CLEAR(array->__pyx_base.info);
    Py_CLEAR(array->__pyx_base.base);
    Py_CLEAR(array->__pyx_base.chain);
    Py_CLEAR(array->__pyx_base.node);
#ifndef Py_GIL_DISABLED
    if (Py_TYPE(object) == type && n_kept < MOST) {
      kept[n_kept++] = array;
      return;
    }
#endif
    Py_TYPE(object)->tp_free(object);
  }
};

template <class Array> static inline Array* nd_fresh(Array* /* of the class that is meant */) {
  return ArrayObjects<Array>::fresh();
}

template <class Array> static void nd_keep_objects(PyTypeObject* type, Array* blank, void (*release)(PyObject*)) {
  Py_INCREF((PyObject*)blank);
  ArrayObjects<Array>::no_arguments = PyTuple_New(0);
  ArrayObjects<Array>::blank = blank;
  ArrayObjects<Array>::release = release;
  ArrayObjects<Array>::type = type;
  ArrayObjects<Array>::first_new = type->tp_new;
  type->tp_new = ArrayObjects<Array>::make;
  type->tp_dealloc = ArrayObjects<Array>::end;
}

// Arrays that change their type: one that lost its memory, or has none yet, is no NDArray, so that no operation on
// arrays need ever ask.
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
