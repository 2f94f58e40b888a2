cdef bint is_scalar(object item) noexcept
cdef int scalar_number(object item) noexcept
cdef int check_scalar(int op, object item, int number) except -1
cdef int store_scalar(object item, int number, char* to) except -1
