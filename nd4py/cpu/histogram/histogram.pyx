"""Counts of elements by bin, for bincount and histograms.

Design: the elements are cut in pieces whose number follows from their count and the number of bins alone; each piece
has tables of its own, which are added in order at the end.  Sums of weights therefore do not depend on the number of
threads.
"""

from libc.stddef cimport ptrdiff_t
from libc.string cimport memset
from nd4py._core.array.array cimport NDArray, new_array
from nd4py._core.threads.threads cimport raise_if_stopped
from nd4py._mem.workspace.held_memory cimport Hold, holds
from nd4py._mem.pool.pool cimport pool_allocate, pool_release
from nd4py.cpu.parallel.tasks cimport share_among

from ..._mem.diagnostics.memory_wants import out_of_memory
from ..._spec.dtypes import NUMBER

__all__ = ["count_in_bins", "count_positions"]

cdef extern from "histogram_loops.h" nogil:
    cdef struct HistogramWork:
        const char* x
        const double* weights
        const double* edges
        double scale
        ptrdiff_t n_bins
        ptrdiff_t n_slots
        ptrdiff_t n_tables
    ctypedef void (*CountLoop)(const HistogramWork* work, ptrdiff_t first, ptrdiff_t last, char* tables) noexcept nogil
    CountLoop count_loop(const HistogramWork* work, ptrdiff_t itemsize) noexcept
    void merge_tables(const HistogramWork* work, const char* tables, ptrdiff_t n_tables, char* y) noexcept

cdef int INDEX = NUMBER["int64"], SUM = NUMBER["float64"]

cdef enum:
    PIECE_ELEMENTS = 65536               # elements of one task
    MOST_PIECES = 64
    SMALL_TABLE_SLOTS = 2048             # slots up to which two tables fit in L1
    SLOT_BYTES = 8

cdef struct Pieces:
    const HistogramWork* work
    CountLoop loop
    Py_ssize_t size
    Py_ssize_t piece                     # elements of one
    char* tables
    Py_ssize_t n_bytes                   # of the tables of one


def count_positions(NDArray x, NDArray weights: NDArray | None, Py_ssize_t n_bins) -> NDArray:
    """How often each of 0 ... n_bins - 1 occurs in `x`, or the sum of its weights.

    x: contiguous int64, all within range    weights: contiguous float64 of its shape, or None.
    """
    cdef HistogramWork work
    work.edges = NULL
    work.scale = 0
    work.n_bins = work.n_slots = n_bins
    return run(&work, x, weights)


def count_in_bins(NDArray x, NDArray weights: NDArray | None, NDArray edges, bint is_even) -> NDArray:
    """How many elements of `x`, or which sum of weights, lie in each bin; what lies outside all bins is left out.

    x: contiguous float32 or float64    weights: contiguous float64 of its shape, or None
    edges: (n_bins + 1,) contiguous float64, rising, by steps of one size if `is_even`.
    """
    cdef HistogramWork work
    work.edges = <const double*>edges.data
    work.n_bins = edges.info.size - 1
    work.n_slots = work.n_bins + 2
    work.scale = work.n_bins / (work.edges[work.n_bins] - work.edges[0]) if is_even else 0
    return run(&work, x, weights)


cdef NDArray run(HistogramWork* work, NDArray x, NDArray weights):
    """The counts, or the sums.  Raises MemoryError."""
    cdef Py_ssize_t size = x.info.size
    cdef Py_ssize_t n_bins = work.n_bins
    cdef NDArray y = new_array(INDEX if weights is None else SUM, 1, &n_bins)
    cdef Py_ssize_t least = max(<Py_ssize_t>PIECE_ELEMENTS, 8 * work.n_slots)
    cdef Py_ssize_t n_pieces = min(max(size // least, 1), <Py_ssize_t>MOST_PIECES)
    cdef size_t n_bytes
    cdef char* tables
    work.x = x.data
    work.weights = NULL
    if weights is not None:
        work.weights = <const double*>weights.data
    work.n_tables = 2 if work.n_slots <= SMALL_TABLE_SLOTS else 1
    n_bytes = n_pieces * work.n_tables * work.n_slots * SLOT_BYTES
    tables = <char*>pool_allocate(n_bytes)
    if tables == NULL:
        raise out_of_memory(n_bytes, f"the counts of {n_bins} bins")
    cdef Pieces pieces = Pieces(work, count_loop(work, x.info.itemsize), size, (size + n_pieces - 1) // n_pieces,
                                tables, n_bytes // n_pieces)
    cdef Hold hold
    hold.add(holds, work.x, work.weights, work.edges, y.data)
    with nogil:
        share_among(count_piece, &pieces, n_pieces, n_pieces)
        merge_tables(work, tables, n_pieces * work.n_tables, y.data)
        pool_release(tables, n_bytes)
    raise_if_stopped()
    return y


cdef void count_piece(void* work, Py_ssize_t i) noexcept nogil:
    cdef const Pieces* pieces = <const Pieces*>work
    cdef char* tables = pieces.tables + i * pieces.n_bytes
    memset(tables, 0, pieces.n_bytes)
    pieces.loop(pieces.work, i * pieces.piece, min((i + 1) * pieces.piece, pieces.size), tables)
