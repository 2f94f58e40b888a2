from nd4py._core.array cimport NDArray

cdef object call_row(int op, tuple operands, const double* params, object out)
cdef NDArray convert(NDArray x, int number)
cdef int write(NDArray target, object value) except -1
cdef NDArray untracked(NDArray x)
