from cpython.buffer cimport Py_buffer


cdef class Exported:
    cdef Py_buffer view
    cdef bint is_fixed                   # nobody else can write the memory; once that holds, it does for good


cdef bint is_fixed(Exported exported) except -1
