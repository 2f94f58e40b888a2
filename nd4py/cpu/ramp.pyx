"""Evenly spaced numbers."""

from cython.parallel cimport prange
from libc.stdint cimport uint64_t
from nd4py._core.array cimport NDArray
from nd4py._core.threads cimport WORTH_WAKING, acquire_threads, current_core, leave_core, release_threads

cdef enum:
    CHUNK = 65536


cdef void fill_words(uint64_t* y, Py_ssize_t first, Py_ssize_t last, uint64_t start, uint64_t step) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(first, last):
        y[i] = start + <uint64_t>i * step


cdef void fill_doubles(double* y, Py_ssize_t first, Py_ssize_t last, double start, double step) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(first, last):
        y[i] = start + <double>i * step


cdef void fill(NDArray y, uint64_t start, uint64_t step, double real_start, double real_step,
               bint is_whole) noexcept:
    cdef Py_ssize_t n = y.info.size, n_chunks = (n + CHUNK - 1) // CHUNK, i
    cdef int n_threads, home
    with nogil:
        n_threads = acquire_threads(n_chunks if n >= WORTH_WAKING else 1)
        home = current_core()
        for i in prange(n_chunks, num_threads=n_threads, schedule="static"):
            leave_core(home)
            if is_whole:
                fill_words(<uint64_t*>y.data, i * CHUNK, min(n, (i + 1) * CHUNK), start, step)
            else:
                fill_doubles(<double*>y.data, i * CHUNK, min(n, (i + 1) * CHUNK), real_start, real_step)
        release_threads(n_threads)


def fill_whole(NDArray y, start, step):
    """Write start + i * step into contiguous elements of 64-bit integers; sums wrap, so both signs share the code."""
    fill(y, start % 2 ** 64, step % 2 ** 64, 0, 0, True)


def fill_real(NDArray y, double start, double step):
    """Write start + i * step, each rounded once from the product and once from the sum, into contiguous float64."""
    fill(y, 0, 0, start, step, False)
