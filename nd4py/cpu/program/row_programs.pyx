"""Programs over tiles that are whole rows.  Reductions of a row are known while the row is still in the cache.

Design: rows are shared out among threads; each goes through all steps, reductions included, before the next one is
read.  So a softmax or a layer norm that is written out by hand reads each element once from memory.  While a row is
computed the next one is fetched into the first cache, each pass asking for its share: without it a softmax took a fifth
longer.
"""

from nd4py._core.element_sizes cimport itemsizes
from nd4py._core.graphs.launch_recording cimport Launch, is_recording, n_captures
from nd4py._core.layout.plan cimport MAX_OPERANDS, Plan, Walk, finish_plan, next_line, start_walk
from nd4py.cpu.isa.isa cimport ShortRows, loops
from nd4py.cpu.program.program cimport Tile, fetch_next, run_steps, start_tile
from nd4py.cpu.program.recorded_calls cimport add_call
from nd4py.cpu.program.rooms cimport Rooms, new_rooms_launch, run_in_rooms
from nd4py.cpu.elementwise.map cimport MapCall, bits_of, is_beyond_caches

cdef enum:
    GROUP_ELEMENTS = 32768               # elements of the rows of one task
    LINE_BYTES = 64                      # bytes of a cache line

# The operands of a program along a row, and where copies of a row are kept.
cdef struct RowWork:
    Plan rows                            # without the last axis
    const MapCall* call
    Py_ssize_t n                         # elements of a row
    Py_ssize_t strides[MAX_OPERANDS]     # along a row
    Py_ssize_t room[MAX_OPERANDS]        # of a copy, or -1: inputs with gaps, results that go past the caches later
    bint is_streamed
    Py_ssize_t room_bytes                # of one thread
    Py_ssize_t group                     # rows of a task
    bint has_rest
    ShortRows rest[2]                    # of float32 and float64: the last elements, which fill no block


cdef int run_row_program(Plan* plan, const MapCall* call) except -1:
    """Visit the rows of a plan that is not finished, in any order.  Raises MemoryError."""
    cdef RowWork work
    cdef int last = plan.ndim - 1, k
    cdef Rooms rooms
    work.rows = plan[0]
    work.call = call
    work.n = plan.shape[last]
    work.rows.ndim -= 1
    work.rows.size = plan.size // work.n
    work.room_bytes = call.program.n_registers * call.program.register_bytes
    work.room_bytes += call.program.n_row_values * call.program.row_value_bytes
    work.room_bytes = (work.room_bytes + LINE_BYTES - 1) // LINE_BYTES * LINE_BYTES
    work.is_streamed = is_beyond_caches(plan, call)
    for k in range(plan.n_operands):
        work.strides[k] = plan.strides[k][last]
        work.room[k] = -1
        if is_gappy(&work, k) or (is_streamed_result(&work, k) and not call.program.is_streamable[k]):
            work.room[k] = work.room_bytes
            work.room_bytes += (work.n * itemsizes[call.number[k]] + LINE_BYTES - 1) // LINE_BYTES * LINE_BYTES
    finish_plan(&work.rows, work.rows.size)
    work.has_rest = loops.reductions.row_runs[0].find != NULL
    for k in range(2 if work.has_rest else 0):
        loops.reductions.row_runs[k].find(rest_of(work.n, 8 if k else 4), &work.rest[k])
    work.group = max(GROUP_ELEMENTS // work.n, <Py_ssize_t>1)
    rooms.task, rooms.work = run_task, &work
    rooms.n_tasks = (work.rows.size + work.group - 1) // work.group
    rooms.room_bytes, rooms.nanoseconds = work.room_bytes, plan.size * call.nanoseconds
    if n_captures and is_recording():
        record(&work, &rooms)
    return run_in_rooms(&rooms, work.rows.data, work.rows.n_operands)


cdef inline Py_ssize_t rest_of(Py_ssize_t n, Py_ssize_t itemsize) noexcept:
    """How many of `n` elements fill no block of a run; one where all do, for which nothing asks."""
    return max(n % (loops.reductions.block_bytes // itemsize), <Py_ssize_t>1)


cdef bint is_gappy(const RowWork* work, int k) noexcept nogil:
    """Whether an input's elements do not lie side by side, nor are one value, in a row."""
    return (k < work.call.n_in and work.strides[k] != 0
            and work.strides[k] != itemsizes[work.call.number[k]])


cdef bint is_streamed_result(const RowWork* work, int k) noexcept nogil:
    return work.is_streamed and k >= work.call.n_in and work.strides[k] != 0


cdef int record(const RowWork* work, const Rooms* rooms) except -1:
    """Describe the call for the graph that is captured."""
    cdef Launch launch = new_rooms_launch("rows", rooms, sizeof(RowWork))
    cdef int k
    add_call(launch, work.call)
    launch.link(&work.call)
    for k in range(work.rows.n_operands):
        launch.operand(&work.rows.data[k], k >= work.call.n_in)
    return launch.submit()


cdef void run_task(const void* row_work, Py_ssize_t task, char* room) noexcept nogil:
    """Some rows, one after the other."""
    cdef const RowWork* work = <const RowWork*>row_work
    cdef Py_ssize_t first = task * work.group, i
    cdef Walk walk
    start_walk(&work.rows, first, min(work.group, work.rows.size - first), &walk)
    while walk.left > 0:
        for i in range(walk.line):
            run_row(work, &walk, i, room)
        next_line(&work.rows, &walk)
    loops.finish_streams()


cdef void run_row(const RowWork* work, const Walk* walk, Py_ssize_t i, char* room) noexcept nogil:
    cdef char* p[MAX_OPERANDS]
    cdef char* data[MAX_OPERANDS]
    cdef Py_ssize_t s[MAX_OPERANDS]
    cdef Py_ssize_t size
    cdef Tile tile
    cdef int k
    start_tile(work.call.program, p, s, work.n, room, &tile)
    if work.has_rest:
        tile.rest = &work.rest[0]
    for k in range(work.rows.n_operands):
        tile.is_streamed[k] = is_streamed_result(work, k) and work.room[k] < 0
        size = itemsizes[work.call.number[k]]
        data[k] = walk.data[k] + i * work.rows.strides[k][work.rows.ndim - 1]
        p[k], s[k] = data[k], work.strides[k]
        if work.room[k] >= 0:
            p[k], s[k] = room + work.room[k], size
            if k < work.call.n_in:
                loops.strided_copies[bits_of(size)](data[k], 0, work.strides[k], p[k], 0, size, 1, work.n)
        elif k < work.call.n_in and s[k] == size and (i + 1 < walk.line or work.rows.ndim == 1):
            fetch_next(&tile, data[k] + work.rows.strides[k][work.rows.ndim - 1], work.n * size)
    run_steps(&tile)
    for k in range(work.call.n_in, work.rows.n_operands):
        if work.room[k] >= 0:
            loops.stream(p[k], data[k], work.n * itemsizes[work.call.number[k]])
