"""The gate: the one place that decides how many threads a piece of work may use.

Design: every parallel region asks `acquire_threads` and gives the answer back.  All callers draw on one budget, so
concurrent Python threads share the cores instead of each starting a full team; a caller inside a parallel region, or in
a child made by fork, runs alone (a forked child cannot wake the team it inherited: libgomp would wait for ever).
"""

import os
from contextlib import contextmanager

cdef extern from * nogil:
    """
    #include <atomic>
    #include <pthread.h>
    #ifdef _OPENMP
    #include <omp.h>
    #else
    static int omp_in_parallel(void) { return 0; }
    static int omp_get_thread_num(void) { return 0; }
    #endif
    static std::atomic<int> threads_in_use{0};
    static bool is_forked = false;
    static bool has_been_parallel = false;
    static __thread int own_limit = 0;
    static void mark_forked(void) { is_forked = has_been_parallel; threads_in_use = 0; }
    static void watch_forks(void) { pthread_atfork(nullptr, nullptr, mark_forked); }
    static int thread_limit(void) { return own_limit; }
    static void set_thread_limit(int n) { own_limit = n; }
    static int take_threads(int wanted, int total) {
      if (is_forked || omp_in_parallel()) return 1;
      int used = threads_in_use.load();
      for (;;) {
        int room = total - used, n = wanted < room ? wanted : room;
        if (n < 1) n = 1;
        if (threads_in_use.compare_exchange_weak(used, used + n)) { has_been_parallel |= n > 1; return n; }
      }
    }
    #ifdef __linux__
    #include <sched.h>
    static int core_of_thread(void) { return sched_getcpu(); }
    static void move_off_core(int home) {
      cpu_set_t allowed, others;
      if (omp_get_thread_num() == 0 || sched_getcpu() != home) return;
      if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
      others = allowed;
      CPU_CLR(home, &others);
      if (CPU_COUNT(&others) == 0) return;
      sched_setaffinity(0, sizeof others, &others);     /* moves the thread at once */
      sched_setaffinity(0, sizeof allowed, &allowed);   /* and leaves it free again */
    }
    #else
    static int core_of_thread(void) { return -1; }
    static void move_off_core(int) {}
    #endif
    static void give_threads(int n) { if (!is_forked && !omp_in_parallel()) threads_in_use -= n; }
    """
    int thread_limit()
    void set_thread_limit(int n)
    int take_threads(int wanted, int total)
    void give_threads(int n)
    int core_of_thread()
    void move_off_core(int home)
    void watch_forks()

cdef int process_limit = 0
watch_forks()


cdef int acquire_threads(Py_ssize_t n_tasks) noexcept nogil:
    """Threads that a region of `n_tasks` may use now, at least 1.  Pair with release_threads."""
    cdef int own = thread_limit()
    cdef int total = process_limit
    cdef int wanted = own if own > 0 else total
    if wanted > n_tasks:
        wanted = <int>max(n_tasks, 1)
    return take_threads(wanted, max(total, wanted))


cdef void release_threads(int n_threads) noexcept nogil:
    """Give back what acquire_threads returned."""
    give_threads(n_threads)


cdef int current_core() noexcept nogil:
    """The core this thread runs on, for leave_core."""
    return core_of_thread()


cdef void leave_core(int home) noexcept nogil:
    """Called by each task of a region: a thread that was woken on its caller's core moves to another one.

    The system wakes a thread where the call came from, and lets the two take turns there for tens of milliseconds
    before it spreads them: a region of two threads then takes as long as on one.
    """
    move_off_core(home)


def available_cores():
    """Cores this process may use: its affinity mask, cut by the cgroup's CPU quota."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(cores, cgroup_quota() or cores))


def cgroup_quota(root="/sys/fs/cgroup"):
    """The CPU quota of the cgroup in whole cores, rounded up, or None without one."""
    try:
        with open(os.path.join(root, "cpu.max")) as file:
            quota, period = file.read().split()
    except (OSError, ValueError):
        return None
    return None if quota == "max" else max(1, -(-int(quota) // int(period)))


def initial_thread_count():
    """OMP_NUM_THREADS, or the cores this process may use."""
    asked = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    if not asked:
        return available_cores()
    if not asked.isdigit() or int(asked) < 1:
        raise ImportError(f"OMP_NUM_THREADS must be a whole number of at least 1, given {asked!r}")
    return int(asked)


def thread_count():
    """Threads that one call from this Python thread may use."""
    return thread_limit() or process_limit


@contextmanager
def threads(n):
    """Limit the calls of this Python thread to `n` threads inside a `with` block.

    Raises ValueError when n is no whole number of at least 1.
    """
    if not isinstance(n, int) or isinstance(n, bool) or n < 1:
        raise ValueError(f"threads: n must be a whole number of at least 1, given {n!r}")
    before = thread_limit()
    set_thread_limit(n)
    try:
        yield
    finally:
        set_thread_limit(before)


process_limit = initial_thread_count()
