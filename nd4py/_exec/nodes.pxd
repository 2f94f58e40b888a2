from nd4py._core.array cimport NDArray

cdef NDArray untracked(NDArray x)
cdef void mark_written(NDArray array) noexcept
