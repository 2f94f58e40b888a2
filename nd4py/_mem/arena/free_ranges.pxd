cdef class Ranges:
    # Free ranges of an address space, in order and never touching each other.
    cdef size_t* starts
    cdef size_t* ends                    # in one block with the starts
    cdef Py_ssize_t n, room

    cdef void clear(self) noexcept
    cdef bint take(self, size_t size, size_t* start) noexcept
    cdef bint take_at(self, size_t start, size_t size) except -1
    cdef size_t overlap(self, size_t start, size_t end) noexcept
    cdef int cut(self, size_t start, size_t end) except -1
    cdef void drop_behind(self, size_t end) noexcept
    cdef size_t give(self, size_t start, size_t end, size_t top) except? 0
    cdef void drop(self, Py_ssize_t i) noexcept
    cdef int grow(self) except -1
