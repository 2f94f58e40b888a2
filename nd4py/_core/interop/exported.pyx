"""Buffers of other objects, and whether somebody other than this library can write them.

Design: an operation may read such memory later than its call where nobody else can write it until then.  That is so
where the memory belongs to bytes, or to an object that only our buffer refers to: a NumPy array, bytearray or
array.array whose one reference is ours and that has no weak ones.  Who holds no reference can get none: ours cannot be
reached from Python, and what we export ourselves is counted (`share`).  So "yes" holds for good, and only "no" is asked
again, since names are deleted.  A view of NumPy's counts where it alone refers to the array that owns the memory, which
only we refer to then: so there is no other view either.

A read-only array that somebody else holds proves nothing: its owner can be made writable again, and views made before
are writable still.  Nor does a library whose arrays never change: those of JAX and Arrow may lie over NumPy's memory,
and a mapped file may be written as a file.  Without the GIL the count of an object tells something to the thread that
made it alone, and only while no other thread has a reference (`nd_references`).  Who keeps an address without a
reference to what it belongs to goes unnoticed.
"""

from cpython.buffer cimport PyBUF_STRIDED_RO, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytearray cimport PyByteArray_CheckExact
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_CheckExact, PyBytes_GET_SIZE
from cpython.object cimport PyObject, PyTypeObject
from nd4py._mem.free_threads cimport references

import sys
from weakref import getweakrefcount

import numpy

cdef extern from *:
    """
    #define nd_exporter(view) ((view)->obj)
    """
    PyObject* exporter_of "nd_exporter"(const Py_buffer* view)       # borrowed, or NULL
    PyTypeObject* Py_TYPE(PyObject* item)
    Py_buffer* PyMemoryView_GET_BUFFER(object view)

cdef enum:
    LONGEST_WALK = 64                    # NumPy's views refer to the owner itself; others may not

cdef PyTypeObject* numpy_type = <PyTypeObject*>numpy.ndarray


cdef class Exported:
    """Holds a buffer of another object until the last array over it is gone."""

    def __dealloc__(self):
        PyBuffer_Release(&self.view)


cdef bint is_fixed(Exported exported) except -1:
    """Whether nobody but our own arrays can write the memory of a buffer, now or later."""
    cdef PyObject* exporter = exporter_of(&exported.view)
    cdef size_t address = <size_t>exported.view.buf
    if not exported.is_fixed and exporter != NULL:
        exported.is_fixed = is_ours_alone(exporter, address) or is_of_bytes(<object>exporter, address)
    return exported.is_fixed


cdef bint is_of_bytes(object item, size_t address) except -1:
    """Whether the memory of an object is that of bytes, whoever holds them."""
    cdef PyObject* source
    cdef size_t start
    for _ in range(LONGEST_WALK):
        if PyBytes_CheckExact(item):
            start = <size_t>PyBytes_AS_STRING(item)
            return start <= address <= start + PyBytes_GET_SIZE(item)
        if Py_TYPE(<PyObject*>item) == numpy_type:
            item = item.base
        elif type(item) is memoryview:
            source = exporter_of(PyMemoryView_GET_BUFFER(item))
            if source == NULL:
                return False
            item = <object>source
        else:
            return False
    return False


cdef bint is_ours_alone(PyObject* exporter, size_t address) except -1:
    """Whether one reference, which a buffer of ours has, is all there is to the owner of some memory."""
    if references(exporter) != 1:
        return False
    cdef object item = <object>exporter  # from here on two
    cdef object base
    for _ in range(LONGEST_WALK):
        if PyByteArray_CheckExact(item):
            return True
        if getweakrefcount(item):
            return False
        if Py_TYPE(<PyObject*>item) != numpy_type:
            return is_typed_array(item)
        base = item.base
        if base is None:
            return owns(item, address)
        if Py_TYPE(<PyObject*>base) != numpy_type or references(<PyObject*>base) != 2:
            return False                 # that of the view and ours here
        item = base
        base = None
    return False


cdef bint is_typed_array(object item) except -1:
    """Whether it is an array.array: whoever has one has imported the module, which nd4py's import does not."""
    module = sys.modules.get("array")
    return module is not None and Py_TYPE(<PyObject*>item) == <PyTypeObject*>module.array


cdef bint owns(object owner, size_t address) except -1:
    """Whether memory belongs to a NumPy array, and to nothing that only NumPy's conventions connect with it."""
    cdef Py_buffer view
    flags = owner.flags
    if not flags.owndata or flags.writebackifcopy:
        return False
    PyObject_GetBuffer(owner, &view, PyBUF_STRIDED_RO)
    cdef size_t start = <size_t>view.buf
    cdef bint is_inside = start <= address <= start + view.len
    PyBuffer_Release(&view)
    return is_inside
