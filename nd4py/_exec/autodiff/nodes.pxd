from nd4py._core.array.array_base cimport mark_written, prepare_write

cdef tuple constants(tuple operands)
cdef bint is_tracked(object x) noexcept
