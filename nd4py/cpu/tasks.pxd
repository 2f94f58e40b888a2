ctypedef void (*Task)(void* work, Py_ssize_t number) noexcept nogil

cdef void run_tasks(Task task, void* work, Py_ssize_t n_tasks, Py_ssize_t size) noexcept nogil
