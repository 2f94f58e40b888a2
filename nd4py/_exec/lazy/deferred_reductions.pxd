from nd4py._core.array.array cimport NDArray

cdef object defer_reduction(object x, int op, int number, int first, int end, const bint* is_reduced, int wanted,
                            bint keepdims)
cdef object reduce_deferred(object x, int op, int number, const bint* is_reduced)
cdef NDArray new_result(int number, NDArray x, const bint* is_reduced)
cdef bint gets_values(object x) except -1
cdef bint is_base_shared(object x) noexcept
