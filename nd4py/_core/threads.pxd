cdef int acquire_threads(Py_ssize_t n_tasks) noexcept nogil
cdef void release_threads(int n_threads) noexcept nogil
