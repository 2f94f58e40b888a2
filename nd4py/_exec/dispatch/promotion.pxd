from nd4py._core.lazy.deferred cimport is_array

cdef int promote_operands(int op, tuple operands) except -1
cdef int broadcast_shape(int op, tuple operands, Py_ssize_t* shape) except -1
