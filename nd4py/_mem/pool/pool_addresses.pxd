cdef bint note_class(void* block, int number) noexcept nogil
cdef int forget_class(void* block) noexcept nogil
