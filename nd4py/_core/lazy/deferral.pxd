cdef Py_ssize_t smallest                 # elements from which on operations are deferred

cdef bint is_combining() noexcept
