"""Binary search in sorted contiguous arrays, and the lines between the elements that it finds."""

from libc.stdint cimport int64_t, uint8_t
from nd4py._core.array.array cimport NDArray, new_array
from nd4py._core.threads.threads cimport raise_if_stopped
from nd4py._mem.workspace.held_memory cimport Hold, holds
from nd4py.cpu.sort.sort_line cimport sort_loops_of
from nd4py.cpu.sort.sort_loops cimport SortLoops
from nd4py.cpu.parallel.tasks cimport run_tasks

from ..._spec.dtypes import NUMBER

__all__ = ["contain", "lines_at", "search"]

cdef extern from "<cmath>" namespace "std" nogil:
    bint isfinite(double x)
    double fma(double x, double y, double z)

cdef int INDEX = NUMBER["int64"], BOOL = NUMBER["bool"], BYTE = NUMBER["uint8"]

cdef enum:
    PIECE_QUERIES = 4096                 # queries of one task
    SMALL_QUERIES = 64                   # queries below which giving up the GIL costs more than it saves
    WORTH = 16                           # cheap elements that cost as much as one query

cdef struct Search:
    const SortLoops* loops
    const char* x                        # sorted
    Py_ssize_t n
    const char* queries
    Py_ssize_t n_queries
    Py_ssize_t itemsize
    bint is_right
    int64_t* positions                   # either these are wanted
    uint8_t* found                       # or these
    bint is_inverted
    uint8_t* table                       # of the numbers between x[0] and x[n - 1]; NULL: they are searched


def search(NDArray x, NDArray queries, bint is_right) -> NDArray:
    """Where every query, of the dtype of the sorted `x`, is inserted: before equal elements, or after them; int64.

    Raises TypeError for a dtype without order, MemoryError.
    """
    cdef NDArray positions = new_array(INDEX, queries.info.ndim, queries.info.shape)
    cdef Search work
    prepare(&work, x, queries)
    work.is_right = is_right
    work.positions = <int64_t*>positions.data
    run(&work)
    return positions


def contain(NDArray x, NDArray queries, bint is_inverted) -> NDArray:
    """Whether every query, of the dtype of the sorted `x`, is among its elements, or is not.

    Raises TypeError for a dtype without order, MemoryError.
    """
    cdef NDArray found = new_array(BOOL, queries.info.ndim, queries.info.shape), table
    cdef Search work
    cdef Py_ssize_t table_bytes = 0
    prepare(&work, x, queries)
    work.is_inverted = is_inverted
    work.found = <uint8_t*>found.data
    if work.n:
        table_bytes = work.loops.table_bytes(work.x, work.n)
    if 0 < table_bytes <= 4 * work.n_queries:
        table = new_array(BYTE, 1, &table_bytes)
        work.table = <uint8_t*>table.data
        work.loops.fill_table(work.x, work.n, work.table)
    run(&work)
    return found


def lines_at(NDArray x, NDArray at, NDArray values) -> NDArray | None:
    """The lines that join the points (at, values), at a few `x`: what `interp` composes of rows, without asking for
    threads.  All are float64 without gaps, `at` rises.  None where a point is not finite."""
    cdef NDArray y = new_array(x.number, x.info.ndim, x.info.shape)
    cdef const double* points = <const double*>at.data
    cdef const double* heights = <const double*>values.data
    cdef const double* queries = <const double*>x.data
    cdef Py_ssize_t i, n = at.info.size
    for i in range(n):
        if not (isfinite(points[i]) and isfinite(heights[i])):
            return None
    for i in range(x.info.size):
        (<double*>y.data)[i] = line_at(queries[i], points, heights, n)
    return y


cdef double line_at(double x, const double* at, const double* values, Py_ssize_t n) noexcept nogil:
    """One of these numbers, by the formula of the row `lerp`, rounded as its loops round."""
    cdef Py_ssize_t low = 0, high = n, middle
    if x != x:
        return x
    while low < high:                    # how many points do not lie beyond x
        middle = (low + high) // 2
        if at[middle] <= x:
            low = middle + 1
        else:
            high = middle
    if low == 0 or low == n:
        return values[0 if low == 0 else n - 1]
    cdef double share = (x - at[low - 1]) / (at[low] - at[low - 1])
    cdef double first = values[low - 1], last = values[low], distance = last - first
    if first == last or share == 0:
        return first
    return fma(distance, share, first) if share < 0.5 else fma(-distance, 1 - share, last)


cdef int prepare(Search* work, NDArray x, NDArray queries) except -1:
    work.loops = sort_loops_of(x)
    work.x, work.n = x.data, x.info.size
    work.queries, work.n_queries = queries.data, queries.info.size
    work.itemsize = x.info.itemsize
    work.positions = NULL
    work.found = work.table = NULL
    return 0


cdef int run(Search* work) except -1:
    cdef Hold hold
    if work.n_queries <= SMALL_QUERIES:
        search_piece(work, 0)
        return 0
    hold.add(holds, work.x, work.queries, work.positions, work.found, work.table)
    with nogil:
        run_tasks(search_piece, work, (work.n_queries + PIECE_QUERIES - 1) // PIECE_QUERIES,
                  work.n_queries * (WORTH if work.table == NULL else 1))
    return raise_if_stopped()


cdef void search_piece(void* given, Py_ssize_t piece) noexcept nogil:
    cdef Search* work = <Search*>given
    cdef Py_ssize_t first = piece * PIECE_QUERIES, n = min(first + PIECE_QUERIES, work.n_queries) - first
    cdef const char* queries = work.queries + first * work.itemsize
    if work.positions != NULL:
        if work.is_right:
            work.loops.search_right(work.x, work.n, queries, n, work.positions + first)
        else:
            work.loops.search_left(work.x, work.n, queries, n, work.positions + first)
    elif work.table != NULL:
        work.loops.look_up(work.x, work.n, work.table, queries, n, work.is_inverted, work.found + first)
    else:
        work.loops.contain(work.x, work.n, queries, n, work.is_inverted, work.found + first)
