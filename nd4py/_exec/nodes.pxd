from nd4py._core.array cimport NDArray

cdef void mark_written(NDArray array) noexcept
