cdef object matmul(object x1, object x2)
cdef object inplace_matmul(object x1, object x2)
