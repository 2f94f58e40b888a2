from nd4py._core.array cimport NDArray

cpdef void mark_written(NDArray array) noexcept
