from nd4py._core.array.array cimport NDArray

cpdef object fresh(object x, bint is_empty=*)
cdef NDArray host_empty(object shape, object dtype)
cdef NDArray host_zeros(object shape, object dtype)
cdef NDArray host_ones(object shape, object dtype)
cdef NDArray host_like(object x, object dtype)
cdef NDArray zeroed(NDArray y)
