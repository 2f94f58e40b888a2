"""Parallel execution of numbered tasks.  The gate has allowed their threads; parallel regions begin here alone.

Design: one thread needs no region.  libgomp makes two system calls for a region even of one thread, which take longer
than to add up 30,000 numbers (1.3 us on an EPYC of Zen 5 in a virtual machine).

A signal ends the work: the tasks that are left are not done.  Tasks that are long themselves ask `goes_on` in between,
and a caller that shares tasks calls `raise_if_stopped` afterwards (nd4py._core.threads.threads).  Threads are not
done at the same time where others have the cores: the main thread, when it is, goes on looking for signals until all
are, which waiting in libgomp it could not.
"""

from cython.parallel cimport prange
from nd4py._core.threads.threads cimport (
    acquire_threads, acquire_threads_for, acquire_threads_over, active_waiting, begin_region, current_core, goes_on,
    joins_region, leave_core, look_for_signals, release_threads, start_region,
)

cdef extern from * namespace "nd_regions" nogil:
    """
    #include <atomic>
    #include <chrono>
    #include <condition_variable>
    #include <cstddef>
    #include <mutex>
    #ifdef _OPENMP
    #include <omp.h>
    #endif

    namespace nd_regions {

    constexpr int TURNS = 64;  // of waiting between two looks at the clock

    struct Region {
      int n_others = 0;                // threads besides the caller
      std::atomic<ptrdiff_t> next{0};  // task, of those that are taken in turns
      std::atomic<int> n_done{0};      // of them
      std::atomic<bool> is_caller_asleep{false};
      std::mutex mutex;
      std::condition_variable all_done;
    };

    // Whether a region has all its threads: OMP_THREAD_LIMIT may leave it fewer, which do the others' parts by turns.
    static bool has_all(int n_threads) {
    #ifdef _OPENMP
      return omp_get_num_threads() == n_threads;
    #else
      return n_threads == 1;
    #endif
    }

    static ptrdiff_t next_task(Region* region) { return region->next.fetch_add(1, std::memory_order_relaxed); }

    static bool are_done(const Region* region) { return region->n_done.load() == region->n_others; }

    static void be_done(Region* region) {
      if (region->n_done.fetch_add(1) + 1 < region->n_others || !region->is_caller_asleep.load()) return;
      std::lock_guard<std::mutex> guard(region->mutex);
      region->all_done.notify_one();
    }

    static void pause() {
    #if defined(__x86_64__) || defined(__i386__)
      __builtin_ia32_pause();
    #elif defined(__aarch64__)
      asm volatile("yield");
    #endif
    }

    // Whether the others are done: waits for them actively for so long, and then asleep.
    static bool wait_for_others(Region* region, double active, double asleep) {
      using clock = std::chrono::steady_clock;
      if (active > 0) {
        const auto start = clock::now();
        do {
          for (int turn = 0; turn < TURNS; turn++) {
            if (are_done(region)) return true;
            pause();
          }
        } while (std::chrono::duration<double, std::nano>(clock::now() - start).count() < active);
      }
      std::unique_lock<std::mutex> guard(region->mutex);
      region->is_caller_asleep = true;
      const auto limit = std::chrono::duration<double, std::nano>(asleep);
      return region->all_done.wait_for(guard, limit, [region] { return are_done(region); });
    }

    }  // namespace nd_regions
    """
    cdef cppclass Region:
        int n_others
    bint has_all(int n_threads)
    Py_ssize_t next_task(Region* region)
    void be_done(Region* region)
    bint wait_for_others(Region* region, double active, double asleep)

cdef extern from "region_order.h" nogil:
    void happens_before(void* work)
    void happens_after(void* work)

cdef double ASLEEP_NS = 5e7              # nanoseconds between two looks for signals of a caller that waits

cdef struct Shared:
    Task task
    void* work
    Py_ssize_t n_tasks
    int n_threads
    int home                             # the caller's core
    bint is_for_main
    bint in_turns


cdef void share_evenly(Task task, void* work, Py_ssize_t n_tasks, int n_threads) noexcept nogil:
    """Call task(work, number) for every number below `n_tasks`: each thread does neighbours, the same ones each time,
    which it may find in its own cache.  With as many tasks as threads, the number is the thread's."""
    share(task, work, n_tasks, n_threads, False)


cdef void take_turns(Task task, void* work, Py_ssize_t n_tasks, int n_threads) noexcept nogil:
    """The same for tasks of unequal length: a thread that is done takes the next one."""
    share(task, work, n_tasks, n_threads, True)


cdef inline void share(Task task, void* work, Py_ssize_t n_tasks, int n_threads, bint in_turns) noexcept nogil:
    cdef Py_ssize_t number
    cdef bint is_for_main = begin_region()
    if n_threads == 1 or n_tasks == 1:
        for number in range(n_tasks):
            if not goes_on():
                return
            task(work, number)
    elif n_tasks > 0:
        run_region(task, work, n_tasks, n_threads, is_for_main, in_turns)


cdef void run_region(Task task, void* work, Py_ssize_t n_tasks, int n_threads, bint is_for_main,
                     bint in_turns) noexcept nogil:
    cdef Shared shared = Shared(task, work, n_tasks, n_threads, current_core(), is_for_main, in_turns)
    cdef Region region
    cdef int thread
    region.n_others = n_threads - 1
    start_region(n_threads)
    happens_before(work)
    for thread in prange(n_threads, num_threads=n_threads, schedule="static", chunksize=1):
        happens_after(work)
        take_part(&shared, &region, thread)
        happens_before(work)
    happens_after(work)


cdef void take_part(const Shared* shared, Region* region, int thread) noexcept nogil:
    """The tasks of one thread."""
    cdef Py_ssize_t number, end
    leave_core(shared.home)
    if shared.in_turns:
        number = next_task(region)
        while number < shared.n_tasks and joins_region(shared.is_for_main):
            shared.task(shared.work, number)
            number = next_task(region)
    else:
        number = first_task(shared.n_tasks, thread, shared.n_threads)
        end = first_task(shared.n_tasks, thread + 1, shared.n_threads)
        while number < end and joins_region(shared.is_for_main):
            shared.task(shared.work, number)
            number += 1
    if thread > 0:
        be_done(region)
    elif shared.is_for_main and has_all(shared.n_threads):
        while not wait_for_others(region, active_waiting(), ASLEEP_NS):
            look_for_signals()


cdef inline Py_ssize_t first_task(Py_ssize_t n, int thread, int n_threads) noexcept nogil:
    """Where the neighbours of a thread begin, as many as those of any other, or one more."""
    return n // n_threads * thread + min(<Py_ssize_t>thread, n % n_threads)


cdef void share_among(Task task, void* work, Py_ssize_t n_tasks, Py_ssize_t wanted) noexcept nogil:
    """Share tasks evenly among as many threads as are wanted and may be had now."""
    cdef int n_threads = acquire_threads(wanted)
    share_evenly(task, work, n_tasks, n_threads)
    release_threads(n_threads)


cdef void share_in_turns(Task task, void* work, Py_ssize_t n_tasks, Py_ssize_t wanted) noexcept nogil:
    """The same for tasks of unequal length, the longest of them first."""
    cdef int n_threads = acquire_threads(wanted)
    take_turns(task, work, n_tasks, n_threads)
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
