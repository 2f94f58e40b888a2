cdef bint begin_region() noexcept nogil
cdef bint joins_region(bint is_for_main) noexcept nogil
cdef bint goes_on() noexcept nogil
cdef void look_for_signals() noexcept nogil
cdef int raise_if_stopped() except -1
