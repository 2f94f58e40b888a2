from nd4py._core.array.array cimport NDArray

cpdef bint needs_copy(NDArray x) noexcept
cdef NDArray matmul(NDArray a, NDArray b)
