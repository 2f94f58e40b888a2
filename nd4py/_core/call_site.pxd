from cpython.object cimport PyObject

cdef PyObject* calling_code(int* instruction)
cdef str place_of_call(PyObject* code, int instruction)
