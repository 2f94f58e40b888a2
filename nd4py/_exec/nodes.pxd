from nd4py._core.array cimport NDArray

cdef tuple constants(tuple operands)
cdef bint is_tracked(object x) noexcept
cpdef void mark_written(object array) noexcept
