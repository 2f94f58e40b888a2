from cpython.object cimport PyObject

cdef PyObject* calling_code(int* instruction)
cdef str call_site_of(PyObject* code, int instruction)
