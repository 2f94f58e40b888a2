cdef object binary(int op, object left, object right)
cdef object unary(int op, object x)
cdef object inplace(int op, object left, object right)
