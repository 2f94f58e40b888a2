"""Sorting and argsort along the last axis of contiguous arrays.

Long lines are sorted one after the other, each by all threads; of shorter ones, and of all in a graph, each thread
sorts some.
"""

from libc.stdint cimport int64_t
from nd4py._core.array.array cimport NDArray, new_array
from nd4py._core.graphs.launch_recording cimport (
    Launch, is_recording, n_captures, new_launch, note_operand,
)
from nd4py._core.threads.threads cimport raise_if_stopped
from nd4py._core.layout.shape cimport MAX_NDIM
from nd4py._mem.workspace.held_memory cimport Hold, holds
from nd4py._mem.pool.pool cimport pool_allocate, pool_release
from nd4py.cpu.sort.sort_line cimport SPREAD_FROM_ITEMS, Line, sort_loops_of
from nd4py.cpu.sort.sort_loops cimport SortLoops
from nd4py.cpu.parallel.tasks cimport run_tasks

from ..._mem.diagnostics.memory_wants import out_of_memory
from ..._spec.dtypes import NUMBER

__all__ = ["argpartition", "argsort", "partitioned_lines", "sorted_lines", "topk"]

cdef int INDEX = NUMBER["int64"]

cdef enum:
    GROUP_ELEMENTS = 32768               # elements of the lines of one task
    SMALL_ELEMENTS = 512                 # elements below which giving up the GIL costs more than it saves
    COUNTER_BYTES = 262144               # bytes of 65,536 counters
    VALUES = -1                          # in place of a number of positions

cdef struct Lines:
    const SortLoops* loops
    const char* x
    char* y
    Py_ssize_t n                         # elements of a line, at least 1
    Py_ssize_t k                         # how many positions of each line are wanted, or VALUES
    Py_ssize_t first, last               # of each line, what need be in order
    Py_ssize_t itemsize
    Py_ssize_t n_lines
    Py_ssize_t size                      # elements of all lines
    Py_ssize_t group                     # lines of a task
    size_t scratch_bytes                 # of a task
    bint descending
    bint is_out_of_memory


def sorted_lines(NDArray x, bint descending) -> NDArray:
    """The elements of every line in order, equal ones as they stand.

    NaNs come last, or first when descending.  Raises TypeError for a dtype without order, MemoryError.
    """
    cdef NDArray y = new_array(x.number, x.info.ndim, x.info.shape)
    cdef const SortLoops* loops = sort_loops_of(x)
    cdef Py_ssize_t n = x.info.shape[x.info.ndim - 1], first
    cdef char* to
    cdef Line line
    cdef Hold hold
    hold.add(holds, x.data)              # through all steps of all lines
    if n < SPREAD_FROM_ITEMS or loops.key_bytes != x.info.itemsize or (n_captures and is_recording()):
        sort_lines(x, y, VALUES, 0, n - 1, descending)
        return y
    for first in range(0, x.info.size, n):
        line = Line(x, first, n, descending)
        to = y.data + first * x.info.itemsize
        line.encode()
        line.pack(False)
        line.sort(to if line.work.line.item_bytes == x.info.itemsize else NULL, to)
        if line.work.line.has_twins:
            loops.restore(x.data + first * x.info.itemsize, n, descending, to)
    return y


def argsort(NDArray x, bint descending) -> NDArray:
    """The position in its line, int64, of every element that `sorted_lines` returns.

    Raises TypeError for a dtype without order, MemoryError.
    """
    cdef NDArray y = new_array(INDEX, x.info.ndim, x.info.shape)
    cdef Py_ssize_t n = x.info.shape[x.info.ndim - 1], first
    cdef char* to
    cdef Line line
    cdef Hold hold
    hold.add(holds, x.data)              # through all steps of all lines
    if n < SPREAD_FROM_ITEMS or (n_captures and is_recording()):
        sort_lines(x, y, n, 0, n - 1, descending)
        return y
    for first in range(0, x.info.size, n):
        to = y.data + first * y.info.itemsize
        line = Line(x, first, n, descending)
        line.encode()
        line.pack(True)
        line.sort(to if line.work.line.item_bytes == y.info.itemsize else NULL, to)
    return y


def partitioned_lines(NDArray x, Py_ssize_t first, Py_ssize_t last) -> NDArray:
    """The elements of every line, with those that `sorted_lines` puts at the positions from `first` to `last` there,
    none larger before and none smaller behind.  Raises as `sorted_lines` does."""
    cdef NDArray y = new_array(x.number, x.info.ndim, x.info.shape)
    sort_lines(x, y, VALUES, first, last, False)
    return y


def argpartition(NDArray x, Py_ssize_t first, Py_ssize_t last) -> NDArray:
    """The position in its line, int64, of every element in such an order; from `first` to `last` those of `argsort`."""
    cdef NDArray y = new_array(INDEX, x.info.ndim, x.info.shape)
    sort_lines(x, y, x.info.shape[x.info.ndim - 1], first, last, False)
    return y


def topk(NDArray x, Py_ssize_t k, bint descending) -> NDArray:
    """The first `k` positions of every line of `argsort`.  Raises TypeError for a dtype without order, MemoryError."""
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef int i
    for i in range(x.info.ndim):
        shape[i] = x.info.shape[i]
    shape[x.info.ndim - 1] = k
    cdef NDArray y = new_array(INDEX, x.info.ndim, shape)
    if k:
        sort_lines(x, y, k, 0, k - 1, descending)
    return y


cdef int sort_lines(NDArray x, NDArray y, Py_ssize_t k, Py_ssize_t first, Py_ssize_t last,
                    bint descending) except -1:
    """Sort every line by one thread.  k: how many positions of each are wanted, or VALUES; of all, those from `first`
    to `last` need be in order."""
    cdef Lines lines
    cdef Hold hold
    lines.loops = sort_loops_of(x)
    lines.n = x.info.shape[x.info.ndim - 1]
    if x.info.size == 0:
        return 0
    lines.x, lines.y, lines.k, lines.descending = x.data, y.data, k, descending
    lines.first, lines.last = first, last
    lines.itemsize = x.info.itemsize
    lines.size, lines.n_lines = x.info.size, x.info.size // lines.n
    lines.group = max(<Py_ssize_t>GROUP_ELEMENTS // lines.n, 1)
    # Three keys and one packed item for each element, one more of each for each of the first k positions.
    lines.scratch_bytes = 24 * lines.n + 32 * max(k, 0) + 512 + (COUNTER_BYTES if lines.n >= GROUP_ELEMENTS else 0)
    if n_captures:
        note_operand(x)
        if is_recording():
            record(&lines)
    if lines.size < SMALL_ELEMENTS:
        sort_all(&lines)
    else:
        hold.add(holds, lines.x, lines.y)
        with nogil:
            sort_all(&lines)
    raise_if_stopped()
    if lines.is_out_of_memory:
        raise out_of_memory(
            lines.scratch_bytes, "each thread to sort in", "free arrays or sort fewer elements at a time"
        )
    return 0


cdef size_t sort_all(void* given) noexcept nogil:
    """All lines, by as many threads as are worth while.  Returns the bytes that there were not, or 0."""
    cdef Lines* lines = <Lines*>given
    lines.is_out_of_memory = False
    if lines.size < SMALL_ELEMENTS:
        sort_group(lines, 0)
    else:
        run_tasks(sort_group, lines, (lines.n_lines + lines.group - 1) // lines.group, lines.size)
    return lines.scratch_bytes if lines.is_out_of_memory else 0


cdef int record(const Lines* lines) except -1:
    """Describe the sorting for the graph that is captured."""
    cdef Launch launch = new_launch("sort", sort_all)
    launch.add(lines, sizeof(Lines))
    launch.operand(&lines.x, False)
    launch.operand(&lines.y, True)
    return launch.submit()


cdef void sort_group(void* given, Py_ssize_t number) noexcept nogil:
    """Sort the lines of one task."""
    cdef Lines* lines = <Lines*>given
    cdef char* scratch = <char*>pool_allocate(lines.scratch_bytes)
    cdef Py_ssize_t i
    if scratch == NULL:
        lines.is_out_of_memory = True
        return
    for i in range(number * lines.group, min((number + 1) * lines.group, lines.n_lines)):
        sort_line(lines, lines.x + i * lines.n * lines.itemsize, i, scratch)
    pool_release(scratch, lines.scratch_bytes)


cdef void sort_line(const Lines* lines, const char* x, Py_ssize_t i, char* scratch) noexcept nogil:
    cdef int64_t* positions
    if lines.k == VALUES:
        lines.loops.sort_line(x, lines.n, lines.descending, lines.first, lines.last,
                              lines.y + i * lines.n * lines.itemsize, scratch)
        return
    positions = <int64_t*>lines.y + i * lines.k
    if lines.k == lines.n and lines.last - lines.first < lines.n - 1:
        lines.loops.argpartition_line(x, lines.n, lines.first, lines.last, positions, scratch)
    elif lines.k == lines.n:
        lines.loops.argsort_line(x, lines.n, lines.descending, positions, scratch)
    else:
        lines.loops.topk_line(x, lines.n, lines.descending, lines.k, positions, scratch)
