cdef class ArenaBlock:
    cdef char* data
    cdef readonly size_t size            # bytes
    cdef readonly size_t reach           # nothing behind it has memory
    cdef readonly size_t backed          # bytes before it that have memory: all but the holes

    cdef int back(self, size_t start, size_t end) except -1
    cdef size_t missing(self, size_t start, size_t end) noexcept
    cdef Py_ssize_t release(self, size_t start, size_t end) except -1
    cdef void shrink(self, size_t n_bytes) noexcept


cdef ArenaBlock block_in_ram(size_t size)
cdef ArenaBlock block_of_addresses(size_t size)
cdef ArenaBlock block_of_most_addresses(size_t size)
cdef ArenaBlock block_in_file(object path, size_t size)
