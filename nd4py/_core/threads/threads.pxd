cdef int acquire_threads(Py_ssize_t n_tasks) noexcept nogil
cdef int acquire_threads_for(Py_ssize_t n_tasks, double nanoseconds) noexcept nogil
cdef int acquire_threads_over(Py_ssize_t n_tasks, Py_ssize_t n_elements) noexcept nogil
cdef void start_region(int n_threads) noexcept nogil
cdef double active_waiting() noexcept nogil
cdef int current_core() noexcept nogil
cdef void leave_core(int home) noexcept nogil
cdef void release_threads(int n_threads) noexcept nogil
cdef int most_lent() noexcept nogil
cdef void count_lent(int n_threads) noexcept nogil
cdef bint begin_region() noexcept nogil
cdef bint joins_region(bint is_for_main) noexcept nogil
cdef bint goes_on() noexcept nogil
cdef void look_for_signals() noexcept nogil
cdef int raise_if_stopped() except -1
