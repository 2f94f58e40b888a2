"""Segments: reductions of the elements between given starts along one axis.

Design: what is longer than a piece of `reduce` is reduced by it, with all threads and to the same bits as that slice
alone: the caller does so.  The others are one piece each, and a group of them is a task.
"""

from libc.stdint cimport int64_t
from nd4py._core.array.array cimport NDArray
from nd4py._core.threads.threads cimport raise_if_stopped
from nd4py._mem.workspace.held_memory cimport Hold, holds
from nd4py.cpu.isa.isa cimport ReduceLoops, loops
from nd4py.cpu.parallel.tasks cimport share_by_time, share_evenly
from nd4py.cpu.reduce.reduce cimport PIECE_ELEMENTS

cdef double BYTE_NS = 0.008              # nanoseconds in which one thread adds up a byte of elements in L2
cdef double SEGMENT_NS = 12              # nanoseconds that a segment takes beside these
cdef enum:
    STRIP_RESULTS = 2048                 # results whose accumulators stay in L1
    SCRATCH_DOUBLES = 8192               # doubles: STRIP_RESULTS accumulators of up to 32 bytes
    GROUP_ELEMENTS = 32768               # elements whose segments make one task
    MOST_OF_GROUP = 4096                 # segments of a task
    SMALL_ELEMENTS = 4096                # elements below which giving up the GIL costs more than it saves

cdef struct Segments:                    # of (outer, n, inner) elements
    const ReduceLoops* loops
    const char* x
    char* y
    const int64_t* starts
    Py_ssize_t outer, n, inner, n_segments
    Py_ssize_t itemsize, result_size     # bytes of an element, and of a result
    Py_ssize_t group, n_groups           # segments of a task; tasks of each outer index


def reduce_segments(int row, NDArray x, NDArray starts, NDArray y) -> list[tuple[int, int]]:
    """Reduce the elements of `x` (outer, n, inner) from each start to the next into `y` (outer, segments, inner).

    All are contiguous, the starts of int64 in [0, n); `x` has the dtype of a loop of the row, `y` that of its result.
    Where the next start does not lie behind one, its segment is that one element.
    Returns the long segments, which are left as they are: their numbers, and how many elements they have.
    """
    cdef Segments work
    cdef Py_ssize_t k, size, n_elements = 0
    cdef Hold hold
    work.loops, work.x, work.y = <const ReduceLoops*>loops.rows[row][x.number], x.data, y.data
    work.starts = <const int64_t*>starts.data
    work.outer, work.n, work.inner, work.n_segments = x.info.shape[0], x.info.shape[1], x.info.shape[2], y.info.shape[1]
    work.itemsize, work.result_size = x.info.itemsize, y.info.itemsize
    left = []
    for k in range(work.n_segments):
        size = segment_size(&work, k)
        if size * work.inner > PIECE_ELEMENTS:
            left.append((k, size))
        else:
            n_elements += size * work.inner
    work.group = GROUP_ELEMENTS * work.n_segments // max(n_elements, <Py_ssize_t>1)
    work.group = max(min(work.group, <Py_ssize_t>MOST_OF_GROUP), <Py_ssize_t>1)
    work.n_groups = (work.n_segments + work.group - 1) // work.group
    n_elements *= work.outer
    cdef Py_ssize_t n_tasks = work.outer * work.n_groups
    cdef double nanoseconds = n_elements * work.itemsize * BYTE_NS + work.outer * work.n_segments * SEGMENT_NS
    if n_elements <= SMALL_ELEMENTS:
        share_evenly(reduce_group, &work, n_tasks, 1)
    else:
        hold.add(holds, x.data, starts.data, y.data)
        with nogil:
            share_by_time(reduce_group, &work, n_tasks, nanoseconds)
    raise_if_stopped()
    return left


cdef Py_ssize_t segment_size(const Segments* work, Py_ssize_t k) noexcept nogil:
    """How many elements along the axis segment `k` has."""
    cdef Py_ssize_t end = work.starts[k + 1] if k + 1 < work.n_segments else work.n
    return max(end - work.starts[k], <Py_ssize_t>1)


cdef void reduce_group(void* given, Py_ssize_t task) noexcept nogil:
    """The short ones of a group of segments; neighbours of one size, which lie like the rows of a matrix, at once."""
    cdef const Segments* work = <const Segments*>given
    cdef double acc[SCRATCH_DOUBLES]
    cdef Py_ssize_t outer = task // work.n_groups, k = task % work.n_groups * work.group, n_alike, size
    cdef Py_ssize_t end = min(k + work.group, work.n_segments)
    cdef Py_ssize_t row = work.inner * work.itemsize, result_row = work.inner * work.result_size
    while k < end:
        size, n_alike = segment_size(work, k), 1
        if work.inner == 1:
            while (k + n_alike < end and n_alike < STRIP_RESULTS
                   and work.starts[k + n_alike] == work.starts[k] + n_alike * size
                   and segment_size(work, k + n_alike) == size):
                n_alike += 1
        if size * work.inner <= PIECE_ELEMENTS:
            reduce_alike(work, work.x + (outer * work.n + work.starts[k]) * row, size, n_alike,
                         work.y + (outer * work.n_segments + k) * result_row, <char*>acc)
        k += n_alike


cdef void reduce_alike(const Segments* work, const char* x, Py_ssize_t size, Py_ssize_t n, char* y,
                       char* acc) noexcept nogil:
    """`n` segments of `size` rows each, one of them where rows have several elements."""
    cdef Py_ssize_t j = 0, columns
    if work.inner == 1:
        work.loops.init(acc, n)
        work.loops.along(x, size * work.itemsize, n, work.itemsize, size, acc)
        work.loops.finish(acc, n, size, y, work.result_size)
        return
    while j < work.inner:
        columns = min(work.inner - j, <Py_ssize_t>STRIP_RESULTS)
        work.loops.init(acc, columns)
        work.loops.across(x + j * work.itemsize, work.inner * work.itemsize, size, work.itemsize, columns, acc)
        work.loops.finish(acc, columns, size, y + j * work.result_size, work.result_size)
        j += columns
