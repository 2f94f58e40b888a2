"""Correlation of two sequences, by the loops of multiply_add.

A tile of results stays in L1 while the short row runs over it; every result is one sum in the order of the short row.
Numbers of the short row that lie beside the long one take no part: nothing is padded, and infinite ones make no NaN.
"""

from libc.string cimport memset
from nd4py._core.array.array cimport NDArray
from nd4py._core.threads.threads cimport raise_if_stopped
from nd4py._mem.workspace.held_memory cimport Hold, holds
from nd4py.cpu.isa.isa cimport MapLoop, loops
from nd4py.cpu.parallel.tasks cimport share_by_time

from ..._spec.ops import ALL

cdef int MULTIPLY_ADD = [op.name for op in ALL].index("multiply_add")

cdef enum:
    TILE_BYTES = 8192                    # of results; as much of the long row is read again for every number

cdef double BYTE_NS = 0.02               # for a number times a byte of a row in L1 (asv numpy_names convolve)

cdef struct Correlation:
    MapLoop multiply_add
    char* x
    Py_ssize_t n_x
    Py_ssize_t before                    # numbers of the short row that lie before the long one at the first result
    char* short
    Py_ssize_t m                         # numbers of the short row
    char* y
    Py_ssize_t n                         # results
    Py_ssize_t tile                      # results of one task
    Py_ssize_t itemsize


def correlate(NDArray x, NDArray short, Py_ssize_t before, NDArray y) -> None:
    """y[k] = sum of x[k - before + i] * short[i] over those i that x has; contiguous rows of one dtype with a
    multiply_add loop."""
    cdef Py_ssize_t n = y.info.size, m = short.info.size, itemsize = y.info.itemsize, tile = TILE_BYTES // itemsize
    cdef MapLoop multiply_add = <MapLoop>loops.rows[MULTIPLY_ADD][x.number]
    cdef Correlation work = Correlation(
        multiply_add, x.data, x.info.size, before, short.data, m, y.data, n, tile, itemsize,
    )
    cdef Hold hold
    hold.add(holds, x.data, short.data, y.data)
    with nogil:
        share_by_time(correlate_tile, &work, (n + tile - 1) // tile, BYTE_NS * itemsize * n * m)
    raise_if_stopped()


cdef void correlate_tile(void* correlation, Py_ssize_t number) noexcept nogil:
    cdef const Correlation* work = <const Correlation*>correlation
    cdef char* p[4]
    cdef Py_ssize_t strides[4]
    cdef Py_ssize_t itemsize = work.itemsize, first = number * work.tile, n = min(work.tile, work.n - first)
    cdef Py_ssize_t i, shift, start, end
    strides[0] = strides[2] = strides[3] = itemsize
    strides[1] = 0
    memset(work.y + first * itemsize, 0, n * itemsize)
    for i in range(work.m):
        shift = first - work.before + i  # of the first result of the tile in x
        start, end = max(0, -shift), min(n, work.n_x - shift)
        if start >= end:
            continue
        p[0] = work.x + (shift + start) * itemsize
        p[1] = work.short + i * itemsize
        p[2] = p[3] = work.y + (first + start) * itemsize
        work.multiply_add(p, strides, end - start, NULL)
