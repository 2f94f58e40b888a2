"""Threads of parallel work: the gate, which decides how many a piece of work may use, and signals, which end work.

Design of the gate: every parallel region asks `acquire_threads` and gives the answer back.  All callers draw on one
budget, so concurrent Python threads share the cores instead of each starting a full team; a caller inside a parallel
region, or in a child made by fork, runs alone (a forked child cannot wake the team it inherited: libgomp would wait for
ever).
libgomp ends the process where a thread cannot be made, so before a team grows the gate makes as many threads itself
(thread_proof.h), and lends fewer where that fails.

Design of interrupts, by Ctrl-C and every other signal with a handler in Python: handlers run in the main thread of
Python, so only its work is looked after: between tasks, and between pieces of long ones, it asks `goes_on`, which reads
the clock now and then, and after 50 ms takes the GIL and lets Python run its handlers.  When one raises, the remaining
tasks of that thread return at once, also those of regions that begin later, until its driver has come to its end and
calls `raise_if_stopped`.  So drivers clean up as ever.  Rejected: a status from each task, which every driver would
have to pass on past its cleaning up.
"""

from nd4py._mem.workspace.scopes cimport scope_changes

import os
from contextlib import contextmanager
from threading import main_thread

from ..._mem.sizes import shortened

cdef extern from "thread_gate.h" namespace "nd_threads" nogil:
    int limit()
    void set_limit(int n)
    int lent()
    void set_lent(int n)
    int worth(double work)
    int take(int wanted, int total)
    void give(int n)
    void start(int n)
    double patience()
    int core()
    void leave(int home)
    void watch_forks()
    void note_main_thread(unsigned long ident)
    bint begin()
    bint joins(bint is_for_main)
    void look_now()
    bint goes_on_now "nd_threads::goes_on"()
    int raise_now "nd_threads::raise_if_stopped"() except -1

cdef double ELEMENT_NS = 0.75            # of one element that takes a few operations
cdef int process_limit = 0
note_main_thread(main_thread().ident)
watch_forks()


# The gate.


cdef int acquire_threads(Py_ssize_t n_tasks) noexcept nogil:
    """Threads that a region of `n_tasks` may use now, at least 1.  Pair with release_threads.

    The caller knows that its work pays for a thread that has to be woken.
    """
    cdef int own = limit()
    cdef int total = process_limit
    cdef int wanted = own if own > 0 else total
    if wanted > n_tasks:
        wanted = <int>max(n_tasks, 1)
    return take(wanted, max(total, wanted))


cdef int acquire_threads_for(Py_ssize_t n_tasks, double nanoseconds) noexcept nogil:
    """Threads for a region of `n_tasks` that one thread would need `nanoseconds` for: as many as that is worth while
    the caller's threads are awake, or asleep."""
    if n_tasks < 2 or (limit() or process_limit) < 2:
        return acquire_threads(1)
    return acquire_threads(min(n_tasks, worth(nanoseconds)))


cdef int acquire_threads_over(Py_ssize_t n_tasks, Py_ssize_t n_elements) noexcept nogil:
    """Threads for a region of `n_tasks` that visits elements with a few operations for each."""
    return acquire_threads_for(n_tasks, n_elements * ELEMENT_NS)


cdef void release_threads(int n_threads) noexcept nogil:
    """Give back what acquire_threads returned."""
    give(n_threads)


cdef int most_lent() noexcept nogil:
    """The most threads that one region of this thread was given since `count_lent`, at least 1."""
    return lent()


cdef void count_lent(int n_threads) noexcept nogil:
    """Begin to count anew, at a number of threads."""
    set_lent(n_threads)


cdef void start_region(int n_threads) noexcept nogil:
    """To be called before a region of so many threads begins."""
    start(n_threads)


cdef double active_waiting() noexcept nogil:
    """Nanoseconds for which a caller that has done its share waits for the others without going to sleep."""
    return patience()


cdef int current_core() noexcept nogil:
    """The core this thread runs on, for leave_core."""
    return core()


cdef void leave_core(int home) noexcept nogil:
    """Called by each task of a region: a thread that was woken on its caller's core moves to another one.

    The system wakes a thread where the call came from, and lets the two take turns there for tens of milliseconds
    before it spreads them: a region of two threads then takes as long as on one.
    """
    leave(home)


# Interrupts.


cdef bint begin_region() noexcept nogil:
    """Work begins that tasks share: whether it is the main thread's."""
    return begin()


cdef bint joins_region(bint is_for_main) noexcept nogil:
    """Whether a thread that takes a task of such work shall do it."""
    return joins(is_for_main)


cdef bint goes_on() noexcept nogil:
    """Whether to continue; called between pieces of work.  False: the rest shall not be done."""
    return goes_on_now()


cdef void look_for_signals() noexcept nogil:
    """Asked by the main thread while it waits for others that do its work: they end soon if a handler raises."""
    look_now()


cdef int raise_if_stopped() except -1:
    """After work, once its memory is given back: raises what a handler raised meanwhile; results are unfinished."""
    return raise_now()


# Limits.


def available_cores() -> int:
    """Cores this process may use: its affinity mask, cut by the cgroup's CPU quota."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(cores, cgroup_quota() or cores))


def cgroup_quota(root: str = "/sys/fs/cgroup") -> int | None:
    """The CPU quota of the cgroup in whole cores, rounded up, or None without one."""
    try:
        with open(os.path.join(root, "cpu.max")) as file:
            quota, period = file.read().split()
    except (OSError, ValueError):
        return None
    return None if quota == "max" else max(1, -(-int(quota) // int(period)))


def initial_thread_count() -> int:
    """OMP_NUM_THREADS, or the cores this process may use."""
    asked = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    if not asked:
        return available_cores()
    if not asked.isdigit() or int(asked) < 1:
        raise ImportError(f"OMP_NUM_THREADS must be a whole number of at least 1, given {asked!r}")
    return int(asked)


def thread_count() -> int:
    """Threads that one call from this Python thread may use.  Returns a number of at least 1.  Raises nothing."""
    return limit() or process_limit


@contextmanager
def threads(n: int) -> Iterator[None]:
    """Limit the calls of this Python thread to `n` threads inside a `with` block.

    Operations that this thread has deferred run when the block begins, with the threads of before, and when it ends,
    with `n`.  Raises ValueError when n is no whole number of at least 1.
    Returns a context manager.
    """
    if not isinstance(n, int) or isinstance(n, bool) or n < 1:
        raise ValueError(f"threads: n must be a whole number of at least 1, given {shortened(n)}")
    scope_changes()
    before = limit()
    set_limit(min(n, 2 ** 31 - 1))
    try:
        try:
            yield
        finally:
            scope_changes()
    finally:
        set_limit(before)


process_limit = initial_thread_count()
