from nd4py._core.upcalls cimport device_upcalls, upcalls

cpdef bint is_elsewhere(object item) except -1
cpdef object rules_for(object operands)
cdef bint is_any_elsewhere(tuple operands, object out) except -1
cdef object call_elsewhere(int op, tuple operands, tuple params, object out)
cdef object operator_elsewhere(int op, tuple operands, object out)
cdef object reduce_elsewhere(int op, object x, object axis, object dtype, bint keepdims, bint is_held)
cdef object argreduce_elsewhere(int op, object x, object axis, bint keepdims)
cdef bint is_default_watched() noexcept
cdef int check_left(int op, object left, object right) except -1
cdef object join_elsewhere(str name, list arrays, object axis, bint is_new_axis)
