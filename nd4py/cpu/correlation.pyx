"""Correlation of two rows, by the loops of multiply_add.

A tile of results stays in L1 while the short row runs over it; every result is one sum in the order of the short row.
"""

from cython.parallel cimport prange
from libc.string cimport memset
from nd4py._core.array cimport NDArray
from nd4py._core.threads cimport acquire_threads_over, current_core, leave_core, release_threads
from nd4py.cpu.isa cimport MapLoop, loops

from .._spec.ops import ALL

cdef int MULTIPLY_ADD = [op.name for op in ALL].index("multiply_add")

cdef enum:
    TILE_BYTES = 8192                    # of results; as much of the long row is read again for every number


def correlate(NDArray x, NDArray short, NDArray y):
    """y[k] = sum over i of x[i + k] * short[i]; all contiguous rows of one dtype with a multiply_add loop."""
    cdef Py_ssize_t n = y.info.size, m = short.info.size, itemsize = y.info.itemsize
    cdef Py_ssize_t tile = TILE_BYTES // itemsize
    cdef Py_ssize_t n_tiles = (n + tile - 1) // tile, i
    cdef MapLoop multiply_add = <MapLoop>loops().rows[MULTIPLY_ADD][x.number]
    cdef int n_threads, home
    with nogil:
        n_threads = acquire_threads_over(n_tiles, n * m)
        home = current_core()
        for i in prange(n_tiles, num_threads=n_threads, schedule="static"):
            leave_core(home)
            correlate_tile(multiply_add, x.data + i * tile * itemsize, short.data, m, y.data + i * tile * itemsize,
                           min(tile, n - i * tile), itemsize)
        release_threads(n_threads)


cdef void correlate_tile(MapLoop multiply_add, char* x, char* short, Py_ssize_t m, char* y, Py_ssize_t n,
                         Py_ssize_t itemsize) noexcept nogil:
    cdef char* p[4]
    cdef Py_ssize_t strides[4]
    cdef Py_ssize_t i
    strides[0] = strides[2] = strides[3] = itemsize
    strides[1] = 0
    p[2] = p[3] = y
    memset(y, 0, n * itemsize)
    for i in range(m):
        p[0] = x + i * itemsize
        p[1] = short + i * itemsize
        multiply_add(p, strides, n, NULL)
