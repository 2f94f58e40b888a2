cdef void* pool_allocate(size_t n_bytes) noexcept nogil
cdef void pool_release(void* block, size_t n_bytes) noexcept nogil
cdef bint pool_commit(size_t n_bytes) noexcept nogil
cdef void pool_uncommit(size_t n_bytes) noexcept nogil
