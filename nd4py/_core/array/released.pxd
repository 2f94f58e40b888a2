from cpython.object cimport PyObject

cdef int fail_array(PyObject* array, object error) except -1
