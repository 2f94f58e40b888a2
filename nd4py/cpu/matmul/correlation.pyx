"""Correlation of two sequences, by the loops of multiply_add.

A tile of results stays in L1 while the short row runs over it; every result is one sum in the order of the short row.
"""

from libc.string cimport memset
from nd4py._core.array.array cimport NDArray
from nd4py._core.threads.threads cimport raise_if_stopped
from nd4py._mem.workspace.held_memory cimport Hold, holds
from nd4py.cpu.isa.isa cimport MapLoop, loops
from nd4py.cpu.parallel.tasks cimport run_tasks

from ..._spec.ops import ALL

cdef int MULTIPLY_ADD = [op.name for op in ALL].index("multiply_add")

cdef enum:
    TILE_BYTES = 8192                    # of results; as much of the long row is read again for every number

cdef struct Correlation:
    MapLoop multiply_add
    char* x
    char* short
    Py_ssize_t m                         # numbers of the short row
    char* y
    Py_ssize_t n                         # results
    Py_ssize_t tile                      # results of one task
    Py_ssize_t itemsize


def correlate(NDArray x, NDArray short, NDArray y) -> None:
    """y[k] = sum over i of x[i + k] * short[i]; all contiguous rows of one dtype with a multiply_add loop."""
    cdef Py_ssize_t n = y.info.size, m = short.info.size, itemsize = y.info.itemsize, tile = TILE_BYTES // itemsize
    cdef MapLoop multiply_add = <MapLoop>loops.rows[MULTIPLY_ADD][x.number]
    cdef Correlation work = Correlation(multiply_add, x.data, short.data, m, y.data, n, tile, itemsize)
    cdef Hold hold
    hold.add(holds, x.data, short.data, y.data)
    with nogil:
        run_tasks(correlate_tile, &work, (n + tile - 1) // tile, n * m)
    raise_if_stopped()


cdef void correlate_tile(void* correlation, Py_ssize_t number) noexcept nogil:
    cdef const Correlation* work = <const Correlation*>correlation
    cdef char* p[4]
    cdef Py_ssize_t strides[4]
    cdef Py_ssize_t itemsize = work.itemsize, first = number * work.tile, n = min(work.tile, work.n - first), i
    strides[0] = strides[2] = strides[3] = itemsize
    strides[1] = 0
    p[2] = p[3] = work.y + first * itemsize
    memset(p[3], 0, n * itemsize)
    for i in range(work.m):
        p[0] = work.x + (first + i) * itemsize
        p[1] = work.short + i * itemsize
        work.multiply_add(p, strides, n, NULL)
