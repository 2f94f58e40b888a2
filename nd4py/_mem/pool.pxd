cdef void* pool_allocate(size_t n_bytes) noexcept nogil
cdef void pool_release(void* block, size_t n_bytes) noexcept nogil
