cdef class Configuration:
    cdef unsigned int n_blocks, n_threads


cdef Configuration limits
