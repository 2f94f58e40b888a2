"""Run numbered tasks on the threads that the gate allows."""

from cython.parallel cimport prange
from nd4py._core.threads cimport acquire_threads_over, current_core, leave_core, release_threads


cdef void run_tasks(Task task, void* work, Py_ssize_t n_tasks, Py_ssize_t size) noexcept nogil:
    """Call task(work, number) for every number below `n_tasks`; size: the elements that all of them visit together."""
    cdef int n_threads = acquire_threads_over(n_tasks, size)
    cdef int home
    cdef Py_ssize_t number
    if n_threads == 1:
        for number in range(n_tasks):
            task(work, number)
    else:
        home = current_core()
        for number in prange(n_tasks, num_threads=n_threads, schedule="dynamic"):
            leave_core(home)
            task(work, number)
    release_threads(n_threads)
