from nd4py._core.array.array cimport NDArray

cdef NDArray host_empty(object shape, object dtype)
cdef NDArray host_zeros(object shape, object dtype)
cdef NDArray host_ones(object shape, object dtype)
cdef NDArray host_like(object x, object dtype)
cdef NDArray zeroed(NDArray y)
