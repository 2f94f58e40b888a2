"""Matrix products with long sums and a small result: the sums are cut into runs, which threads share.

Each run is a product of its own, and their results are added in order.  The runs depend on the sizes only, so the
result does not depend on the number of threads.
"""

from cython.parallel cimport prange
from libc.string cimport memcpy
from nd4py._core.threads cimport acquire_threads, current_core, leave_core, release_threads
from nd4py._mem.pool cimport pool_allocate, pool_release

cdef enum:
    LONGEST_SIDE = 256                   # of a result that is not cut itself
    RUN_WORK = 2000000                   # multiplications of one run (asv peers, "tall-skinny transposed")
    LEAST_RUN = 1024                     # products of one run: below, adding up the results shows
    RUN_ALIGNMENT = 256                  # whole passes of the loops
    MOST_RUNS = 64
    PARTIAL_BYTES = 8 << 20              # of the results of all runs


cdef Py_ssize_t count_runs(Py_ssize_t m, Py_ssize_t n, Py_ssize_t k, Py_ssize_t itemsize) noexcept nogil:
    """How many runs the sums are cut into; 1: they are not."""
    cdef double work = <double>m * n * k
    cdef Py_ssize_t affordable = PARTIAL_BYTES // max(1, m * n * itemsize)
    if max(m, n) > LONGEST_SIDE or work < 2 * RUN_WORK:
        return 1
    return max(1, min(min(<Py_ssize_t>(work / RUN_WORK), k // LEAST_RUN), min(affordable, <Py_ssize_t>MOST_RUNS)))


cdef bint run_long_product(LongProduct* p) noexcept nogil:
    """Whether there was memory to work in."""
    cdef Py_ssize_t result_bytes = p.m * p.n * p.itemsize, run
    cdef size_t n_bytes
    cdef int n_threads, worker, home
    cdef char* memory
    p.run = (p.k + p.n_runs - 1) // p.n_runs
    p.run = (p.run + RUN_ALIGNMENT - 1) // RUN_ALIGNMENT * RUN_ALIGNMENT
    p.n_runs = (p.k + p.run - 1) // p.run
    p.scratch_bytes = (p.loop.scratch_bytes(p.m, p.n, p.run) + 63) & ~<size_t>63
    n_threads = acquire_threads(p.n_runs)
    n_bytes = n_threads * p.scratch_bytes + p.n_runs * result_bytes
    memory = <char*>pool_allocate(n_bytes)
    if memory != NULL:
        home = current_core()
        for worker in prange(n_threads, num_threads=n_threads, schedule="static"):
            leave_core(home)
            run_share(p, memory, worker, n_threads)
        memory += n_threads * p.scratch_bytes
        memcpy(p.c, memory, result_bytes)
        for run in range(1, p.n_runs):
            p.loop.add(p.m * p.n, memory + run * result_bytes, p.c)
        pool_release(memory - n_threads * p.scratch_bytes, n_bytes)
    release_threads(n_threads)
    return memory != NULL


cdef void run_share(const LongProduct* p, char* memory, int worker, int n_workers) noexcept nogil:
    """One worker's runs.  memory: scratch of every worker, then the result of every run."""
    cdef char* partial = memory + n_workers * p.scratch_bytes
    cdef Py_ssize_t run, first
    cdef StridedMatrix a = p.a, b = p.b
    for run in range(p.n_runs * worker // n_workers, p.n_runs * (worker + 1) // n_workers):
        first = run * p.run
        a.data = p.a.data + first * p.a.column_stride
        b.data = p.b.data + first * p.b.row_stride
        p.loop.run(p.m, p.n, min(p.run, p.k - first), &a, &b, partial + run * p.m * p.n * p.itemsize,
                   p.n * p.itemsize, memory + worker * p.scratch_bytes)
