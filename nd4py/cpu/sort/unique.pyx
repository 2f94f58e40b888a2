"""Groups of equal elements of a contiguous array, in the order of their values.  Every NaN is a group of its own."""

from libc.stddef cimport ptrdiff_t
from libc.stdint cimport int64_t
from nd4py._core.array.array cimport NDArray, new_array
from nd4py._core.threads.threads cimport raise_if_stopped
from nd4py._mem.workspace.held_memory cimport Hold, holds
from nd4py.cpu.sort.sort_line cimport Line, Work, start_of
from nd4py.cpu.sort.sort_loops cimport SortGroups
from nd4py.cpu.parallel.tasks cimport run_tasks

from ..._spec.dtypes import NUMBER

__all__ = ["different_values", "positions_of_groups"]

cdef int INDEX = NUMBER["int64"]

cdef struct Grouping:
    Work* work
    SortGroups groups
    ptrdiff_t* begun                     # groups that begin in a piece, then in all before it


def different_values(NDArray x, bint with_counts) -> tuple[NDArray, NDArray | None]:
    """(values, counts): one element of every group and, if asked for, the size of each group as int64, else None.

    Raises TypeError for a dtype without order, MemoryError.
    """
    cdef Grouping grouping
    cdef Line line
    cdef Hold hold
    hold.add(holds, x.data)
    cdef NDArray values, starts = None
    cdef char* found
    cdef Py_ssize_t n_groups = 0, n = x.info.size
    if n:
        line = Line(x, 0, n, False)
        line.encode()
        line.pack(False)
        line.sort(NULL, NULL)
        n_groups = count_groups(line, &grouping)
    values = new_array(x.number, 1, &n_groups)
    if with_counts:
        starts = new_array(INDEX, 1, &n_groups)
    if n:
        found = values.data
        if line.work.line.item_bytes != x.info.itemsize:
            found = <char*>line.allocate(n_groups * line.work.line.item_bytes)
        grouping.groups.keys = found
        grouping.groups.start = <int64_t*>starts.data if with_counts else NULL
        with nogil:
            run_tasks(write_piece, &grouping, line.work.n_pieces, n)
            if line.work.line.is_packed:
                line.work.item_loops.widen(&line.work.line, found, n_groups, values.data)
                found = values.data
            line.work.loops.decode(found, n_groups, False, values.data)
        raise_if_stopped()
    return values, sizes_of(starts, n)


def positions_of_groups(NDArray x, bint with_counts) -> tuple[NDArray, NDArray, NDArray | None]:
    """(first, inverse, counts): where the first element of every group stands in the flattened `x`, and the group of
    every element, in the shape of `x`; if asked for, the size of each group, else None.  All int64.

    Raises TypeError for a dtype without order, MemoryError.
    """
    cdef Grouping grouping
    cdef Line line
    cdef Hold hold
    hold.add(holds, x.data)
    cdef NDArray first, starts = None, inverse = new_array(INDEX, x.info.ndim, x.info.shape)
    cdef Py_ssize_t n_groups = 0, n = x.info.size
    if n:
        line = Line(x, 0, n, False)
        line.encode()
        line.pack(True)
        line.sort(NULL, NULL)
        n_groups = count_groups(line, &grouping)
    first = new_array(INDEX, 1, &n_groups)
    if with_counts:
        starts = new_array(INDEX, 1, &n_groups)
    if n:
        grouping.groups.first = <int64_t*>first.data
        grouping.groups.inverse = <int64_t*>inverse.data
        grouping.groups.start = <int64_t*>starts.data if with_counts else NULL
        with nogil:
            run_tasks(write_piece, &grouping, line.work.n_pieces, n)
        raise_if_stopped()
    return first, inverse, sizes_of(starts, n)


cdef Py_ssize_t count_groups(Line line, Grouping* grouping) except -1:
    """How many groups a sorted line has."""
    cdef Py_ssize_t piece, count, total = 0
    cdef Hold hold
    grouping.work = &line.work
    grouping.groups.keys = NULL
    grouping.groups.start = grouping.groups.first = grouping.groups.inverse = NULL
    hold.add(holds, line.work.x)
    grouping.begun = <ptrdiff_t*>line.allocate(line.work.n_pieces * sizeof(ptrdiff_t))
    with nogil:
        run_tasks(count_piece, grouping, line.work.n_pieces, line.work.line.n)
    raise_if_stopped()
    for piece in range(line.work.n_pieces):
        count = grouping.begun[piece]
        grouping.begun[piece] = total
        total += count
    return total


cdef void count_piece(void* given, Py_ssize_t piece) noexcept nogil:
    cdef Grouping* grouping = <Grouping*>given
    cdef Work* work = grouping.work
    grouping.begun[piece] = work.item_loops.count_groups(&work.line, start_of(work, piece), start_of(work, piece + 1))


cdef void write_piece(void* given, Py_ssize_t piece) noexcept nogil:
    cdef Grouping* grouping = <Grouping*>given
    cdef Work* work = grouping.work
    work.item_loops.write_groups(&work.line, start_of(work, piece), start_of(work, piece + 1), grouping.begun[piece],
                                 &grouping.groups)


cdef NDArray sizes_of(NDArray starts, Py_ssize_t n):
    """The array of starts turned into the sizes of the groups; None stays None."""
    cdef int64_t* start
    cdef Py_ssize_t i
    cdef Hold hold
    if starts is None:
        return None
    hold.add(holds, starts.data)
    start = <int64_t*>starts.data
    with nogil:
        for i in range(starts.info.size):
            start[i] = (start[i + 1] if i + 1 < starts.info.size else n) - start[i]
    raise_if_stopped()
    return starts
