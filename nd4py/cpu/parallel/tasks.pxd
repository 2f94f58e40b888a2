from nd4py._mem.workspace.held_memory cimport Hold, holds

ctypedef void (*Task)(void* work, Py_ssize_t number) noexcept nogil

cdef void share_evenly(Task task, void* work, Py_ssize_t n_tasks, int n_threads) noexcept nogil
cdef void take_turns(Task task, void* work, Py_ssize_t n_tasks, int n_threads) noexcept nogil
cdef void share_among(Task task, void* work, Py_ssize_t n_tasks, Py_ssize_t wanted) noexcept nogil
cdef void share_in_turns(Task task, void* work, Py_ssize_t n_tasks, Py_ssize_t wanted) noexcept nogil
cdef void share_by_time(Task task, void* work, Py_ssize_t n_tasks, double nanoseconds) noexcept nogil
cdef void run_tasks(Task task, void* work, Py_ssize_t n_tasks, Py_ssize_t size) noexcept nogil
