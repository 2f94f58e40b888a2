cdef bint note_place(void* block, int number) noexcept nogil
cdef int forget_place(void* block) noexcept nogil
