cdef class ArenaBlock:
    cdef char* data
    cdef readonly size_t size            # bytes
    cdef readonly size_t backed          # bytes from the start that can be written

    cdef int back(self, size_t n_bytes) except -1
    cdef void shrink(self, size_t n_bytes) noexcept


cdef ArenaBlock block_in_ram(size_t size)
cdef ArenaBlock block_of_addresses(size_t size)
cdef ArenaBlock block_in_file(object path, size_t size)
