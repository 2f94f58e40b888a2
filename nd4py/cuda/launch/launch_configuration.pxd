cdef class Configuration:
    cdef unsigned int n_blocks, n_threads
    cdef Py_ssize_t n_by_steps


cdef Configuration limits
