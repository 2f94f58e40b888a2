cdef Py_ssize_t smallest                 # elements from which on operations are put off

cdef bint is_combining() noexcept
