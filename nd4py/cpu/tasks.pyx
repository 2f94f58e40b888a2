"""Run numbered tasks on threads that the gate has allowed: the one place where parallel regions begin.

Design: one thread needs no region.  libgomp makes two system calls for a region even of one thread, which take longer
than to add up 30,000 numbers (1.3 us on an EPYC of Zen 5 in a virtual machine).
"""

from cython.parallel cimport prange
from nd4py._core.threads cimport (
    acquire_threads, acquire_threads_for, acquire_threads_over, current_core, leave_core, release_threads,
)


cdef void share_evenly(Task task, void* work, Py_ssize_t n_tasks, int n_threads) noexcept nogil:
    """Call task(work, number) for every number below `n_tasks`: each thread does neighbours, the same ones each time,
    which it may find in its own cache.  With as many tasks as threads, the number is the thread's."""
    cdef int home
    cdef Py_ssize_t number
    if n_threads == 1 or n_tasks == 1:
        for number in range(n_tasks):
            task(work, number)
        return
    home = current_core()
    for number in prange(n_tasks, num_threads=n_threads, schedule="static"):
        leave_core(home)
        task(work, number)


cdef void take_turns(Task task, void* work, Py_ssize_t n_tasks, int n_threads) noexcept nogil:
    """The same for tasks of unequal length: a thread that is done takes the next one."""
    cdef int home
    cdef Py_ssize_t number
    if n_threads == 1 or n_tasks == 1:
        for number in range(n_tasks):
            task(work, number)
        return
    home = current_core()
    for number in prange(n_tasks, num_threads=n_threads, schedule="dynamic"):
        leave_core(home)
        task(work, number)


cdef void share_among(Task task, void* work, Py_ssize_t n_tasks, Py_ssize_t wanted) noexcept nogil:
    """Share tasks evenly among as many threads as are wanted and may be had now."""
    cdef int n_threads = acquire_threads(wanted)
    share_evenly(task, work, n_tasks, n_threads)
    release_threads(n_threads)


cdef void share_by_time(Task task, void* work, Py_ssize_t n_tasks, double nanoseconds) noexcept nogil:
    """Share tasks evenly among as many threads as is worth while for what one would need `nanoseconds` for."""
    cdef int n_threads = acquire_threads_for(n_tasks, nanoseconds)
    share_evenly(task, work, n_tasks, n_threads)
    release_threads(n_threads)


cdef void run_tasks(Task task, void* work, Py_ssize_t n_tasks, Py_ssize_t size) noexcept nogil:
    """Tasks that visit `size` elements together, with a few operations for each, take turns."""
    cdef int n_threads = acquire_threads_over(n_tasks, size)
    take_turns(task, work, n_tasks, n_threads)
    release_threads(n_threads)
