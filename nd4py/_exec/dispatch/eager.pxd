from nd4py._core.array.array cimport NDArray


cdef object recorded(int op, tuple operands, const double* params, list outputs)
cdef object run_row(int op, tuple operands, const double* params, object out, int number, int ndim,
                    const Py_ssize_t* shape)
cdef bint is_apart_and_alike(NDArray a, object other) noexcept
