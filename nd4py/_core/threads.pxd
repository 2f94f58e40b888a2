cdef enum:
    # Elements below which a region stays on one thread: a sleeping thread takes 40 us to wake, and 131,072 cheap
    # elements take 13 us.
    WORTH_WAKING = 131072

cdef int acquire_threads(Py_ssize_t n_tasks) noexcept nogil
cdef int current_core() noexcept nogil
cdef void leave_core(int home) noexcept nogil
cdef void release_threads(int n_threads) noexcept nogil
