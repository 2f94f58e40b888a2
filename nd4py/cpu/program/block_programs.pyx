"""Programs over tiles of several whole rows, which are short, or whose elements do not lie side by side.

Design: a block is what the reduced axes and those behind them span.  Its elements follow each other in C order, and so
do those of the blocks of a tile, of which there are as many as stay in the first cache.  Every step runs over all
elements of the tile, however short its rows are: values of rows are repeated along these first, which takes a store for
each vector, where a loop over each row would take a call.  Runs over short rows take these values as they are, where
there are loops for it (short_row_runs.inc).
"""

from nd4py._core.element_sizes cimport itemsizes
from nd4py._core.graphs.launch_recording cimport Launch, is_recording, n_captures
from nd4py._core.layout.plan cimport MAX_OPERANDS, Plan
from nd4py._core.layout.shape cimport MAX_NDIM
from nd4py.cpu.isa.isa cimport ShortRows, StridedCopyLoop, loops
from nd4py.cpu.elementwise.map cimport MapCall, bits_of, is_beyond_caches
from nd4py.cpu.program.program cimport ACCUMULATOR_BYTES, Rows, Tile, fetch_next, run_steps, start_tile
from nd4py.cpu.program.recorded_calls cimport add_call
from nd4py.cpu.program.rooms cimport Rooms, new_rooms_launch, run_in_rooms

cdef enum:
    GROUP_ELEMENTS = 32768               # elements of the tiles of one task
    LINE_BYTES = 64                      # bytes of a cache line

# The operands of a program over blocks, and where copies of them are kept.
cdef struct BlockWork:
    const MapCall* call
    int n_operands
    Layout layouts[MAX_OPERANDS]
    Py_ssize_t copies[MAX_OPERANDS]      # where in a room, or -1: inputs with gaps, results that go past the caches
    bint is_streamed
    Rows rows                            # of all tiles but the last
    Py_ssize_t n_blocks
    Py_ssize_t group                     # tiles of a task
    Py_ssize_t room_bytes
    ShortRows short_rows[2]


cdef int run_block_program(Plan* plan, const MapCall* call, int first_reduced, int end_reduced) except -1:
    """Visit the blocks of a plan that is not finished, in any order.  Raises MemoryError."""
    cdef BlockWork work
    cdef Py_ssize_t block, n_tiles
    cdef Rooms rooms
    cdef int i, k
    work.call, work.n_operands = call, plan.n_operands
    work.rows.n = work.rows.inner = work.n_blocks = 1
    for i in range(plan.ndim):
        if i < first_reduced:
            work.n_blocks *= plan.shape[i]
        elif i < end_reduced:
            work.rows.n *= plan.shape[i]
        else:
            work.rows.inner *= plan.shape[i]
    block = work.rows.n * work.rows.inner
    work.rows.n_blocks = call.program.tile // block
    work.is_streamed = is_beyond_caches(plan, call)
    for k in range(plan.n_operands):
        find_layout(plan, k, itemsizes[call.number[k]], &work.layouts[k])
    for k in range(2 if call.program.has_short_rows else 0):
        loops.reductions.row_runs[k].find(work.rows.n, &work.short_rows[k])
    find_rooms(&work)
    n_tiles = (work.n_blocks + work.rows.n_blocks - 1) // work.rows.n_blocks
    work.group = max(GROUP_ELEMENTS // call.program.tile, <Py_ssize_t>1)
    rooms.task, rooms.work = run_task, &work
    rooms.n_tasks = (n_tiles + work.group - 1) // work.group
    rooms.room_bytes, rooms.nanoseconds = work.room_bytes, plan.size * call.nanoseconds
    if n_captures and is_recording():
        record(&work, &rooms)
    return run_in_rooms(&rooms, plan.data, plan.n_operands)


cdef int record(const BlockWork* work, const Rooms* rooms) except -1:
    """Describe the call for the graph that is captured."""
    cdef Launch launch = new_rooms_launch("blocks", rooms, sizeof(BlockWork))
    cdef int k
    add_call(launch, work.call)
    launch.link(&work.call)
    for k in range(work.n_operands):
        launch.operand(&work.layouts[k].data, k >= work.call.n_in)
    return launch.submit()


cdef void find_rooms(BlockWork* work) noexcept:
    """Behind the registers lie the values of rows, their accumulators, and the copies."""
    cdef Py_ssize_t n_rows = work.rows.n_blocks * work.rows.inner
    cdef int k
    work.room_bytes = work.call.program.n_registers * work.call.program.register_bytes
    work.room_bytes += work.call.program.n_row_values * work.call.program.row_value_bytes + n_rows * ACCUMULATOR_BYTES
    for k in range(work.n_operands):
        work.copies[k] = -1
        if is_gappy(work, k) or (is_streamed_result(work, k) and not can_stream(work, k)):
            work.room_bytes = (work.room_bytes + LINE_BYTES - 1) // LINE_BYTES * LINE_BYTES
            work.copies[k] = work.room_bytes
            work.room_bytes += work.call.program.tile * itemsizes[work.call.number[k]]


cdef bint is_gappy(const BlockWork* work, int k) noexcept nogil:
    """Whether an input's elements do not lie side by side, nor are one value."""
    return k < work.call.n_in and not is_dense(&work.layouts[k]) and not is_value(&work.layouts[k])


cdef bint is_streamed_result(const BlockWork* work, int k) noexcept nogil:
    return work.is_streamed and k >= work.call.n_in and not work.call.program.is_of_row[k]


cdef bint can_stream(const BlockWork* work, int k) noexcept nogil:
    """Whether the vectors of a run lie as streams do."""
    if work.call.program.has_short_rows and work.rows.n * work.layouts[k].itemsize % LINE_BYTES:
        return False
    return work.call.program.is_streamable[k]


cdef void run_task(const void* block_work, Py_ssize_t task, char* room) noexcept nogil:
    """Some tiles, one after the other."""
    cdef const BlockWork* work = <const BlockWork*>block_work
    cdef Py_ssize_t step = work.rows.n_blocks, first = task * work.group * step
    cdef Py_ssize_t end = min(first + work.group * step, work.n_blocks)
    while first < end:
        run_blocks(work, first, min(step, end - first), room)
        first += step
    loops.finish_streams()


cdef void run_blocks(const BlockWork* work, Py_ssize_t first, Py_ssize_t n_blocks, char* room) noexcept nogil:
    """One tile."""
    cdef char* p[MAX_OPERANDS]
    cdef Py_ssize_t s[MAX_OPERANDS]
    cdef Py_ssize_t block = work.rows.n * work.rows.inner, n = n_blocks * block, size
    cdef char* at
    cdef Tile tile
    cdef int k
    start_tile(work.call.program, p, s, n, room, &tile)
    tile.rows = Rows(n_blocks, work.rows.n, work.rows.inner)
    if work.call.program.has_short_rows:
        tile.short_rows = &work.short_rows[0]
    for k in range(work.n_operands):
        size = work.layouts[k].itemsize
        tile.is_streamed[k] = is_streamed_result(work, k) and work.copies[k] < 0
        at = work.layouts[k].data + first * size * (work.rows.inner if work.call.program.is_of_row[k] else block)
        p[k], s[k] = at, size
        if work.copies[k] >= 0:
            p[k] = room + work.copies[k]
            if k < work.call.n_in:
                gather(&work.layouts[k], first * block, n, p[k])
        elif k < work.call.n_in and is_value(&work.layouts[k]):
            p[k], s[k] = work.layouts[k].data, 0
        elif first + n_blocks < work.n_blocks and not tile.is_streamed[k] and not work.call.program.is_of_row[k]:
            fetch_next(&tile, at + n * size, min(n_blocks, work.n_blocks - first - n_blocks) * block * size)
    run_steps(&tile)
    for k in range(work.call.n_in, work.n_operands):
        if work.copies[k] >= 0:
            loops.stream(p[k], work.layouts[k].data + first * block * work.layouts[k].itemsize,
                         n * work.layouts[k].itemsize)


# Spans of an operand: elements whose numbers in C order follow each other, wherever they lie.


cdef void find_layout(const Plan* plan, int k, Py_ssize_t itemsize, Layout* layout) noexcept:
    """The layout of operand k of a plan whose axes are in their order."""
    cdef int i, last = -1
    layout.data, layout.itemsize = plan.data[k], itemsize
    for i in range(plan.ndim):
        if plan.shape[i] == 1:
            continue
        if last >= 0 and layout.strides[last] == plan.strides[k][i] * plan.shape[i]:
            layout.shape[last] *= plan.shape[i]
        else:
            last += 1
            layout.shape[last] = plan.shape[i]
        layout.strides[last] = plan.strides[k][i]
    if last < 0:
        last = 0
        layout.shape[0], layout.strides[0] = 1, itemsize
    layout.ndim = last + 1


cdef bint is_dense(const Layout* layout) noexcept nogil:
    """Whether elements that follow each other lie side by side."""
    return layout.ndim == 1 and layout.strides[0] == layout.itemsize


cdef bint is_value(const Layout* layout) noexcept nogil:
    """Whether all elements are one."""
    return layout.ndim == 1 and layout.strides[0] == 0


cdef void gather(const Layout* layout, Py_ssize_t first, Py_ssize_t n, char* to) noexcept nogil:
    """Copy elements `first` to `first + n` side by side: rows of the last axis together where they are whole."""
    cdef StridedCopyLoop copy = loops.strided_copies[bits_of(layout.itemsize)]
    cdef Py_ssize_t index[MAX_NDIM]
    cdef int last = layout.ndim - 1
    cdef Py_ssize_t size = layout.itemsize, line = layout.shape[last], step = layout.strides[last], rows, columns
    cdef const char* x
    while n > 0:
        x = find(layout, first, index)
        rows, columns = 1, min(n, line - index[last])
        if last > 0 and columns == line:
            rows = min(n // line, layout.shape[last - 1] - index[last - 1])
        copy(x, layout.strides[last - 1] if last > 0 else 0, step, to, columns * size, size, rows, columns)
        first += rows * columns
        n -= rows * columns
        to += rows * columns * size


cdef inline const char* find(const Layout* layout, Py_ssize_t number, Py_ssize_t* index) noexcept nogil:
    """Where an element lies, and its indices."""
    cdef const char* at = layout.data
    cdef int i
    for i in range(layout.ndim - 1, -1, -1):
        index[i] = number % layout.shape[i]
        number //= layout.shape[i]
        at += index[i] * layout.strides[i]
    return at
