cdef int promoted_number(int op, tuple operands, object backend) except -1
