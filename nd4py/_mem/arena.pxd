cdef class ArenaBlock:
    cdef char* data
    cdef readonly size_t size            # bytes
    cdef size_t backed                   # bytes from the start that can be written


cdef ArenaBlock block_in_ram(size_t size)
cdef ArenaBlock block_in_file(object path, size_t size)
cdef int back(ArenaBlock block, size_t n_bytes) except -1
