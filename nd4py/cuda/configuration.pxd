cdef class Configuration:
    cdef unsigned int n_blocks


cdef Configuration limits
