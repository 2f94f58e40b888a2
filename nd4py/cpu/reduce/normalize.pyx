"""Normalization of lines along one axis.  Each is measured, and written from what was measured, while it is in cache.

Design: where the axis holds the shortest stride, tasks are groups of lines; otherwise strips of columns, copied side by
side into a room of their own, because lines a power of two apart would push each other out of the cache.  Columns too
long for the room are cut in pieces that are measured first and written in a second pass.  To standardize, dense blocks
that fit the second cache are measured and written where they lie, and many rows are cut in pieces: (3,000, 1,000) took
half as long as in strips.  What fits none of these (one line of millions, columns with gaps) is left to the caller, who
has the separate operations.
"""

from nd4py._core.array.array cimport NDArray
from nd4py._core.graphs.launch_recording cimport Launch, Run, is_recording, n_captures, new_launch, note_operand
from nd4py._core.layout.plan cimport Plan, Walk, next_line, plan_lines, start_walk
from nd4py._core.threads.threads cimport acquire_threads_for, goes_on, raise_if_stopped, release_threads
from nd4py._mem.workspace.held_memory cimport Hold, holds
from nd4py._mem.pool.pool cimport pool_allocate, pool_release
from nd4py.cpu.isa.isa cimport NormalizeLines, NormalizeLoops, loops
from nd4py.cpu.parallel.tasks cimport share_evenly

from ..._mem.diagnostics.memory_wants import out_of_memory

cdef double ELEMENT_NS = 0.5             # nanoseconds in which one thread normalizes an element
cdef enum:
    SHORT_ELEMENTS = 256                 # shorter lines are normalized in groups, as in reduce_lanes.inc
    GROUP_ELEMENTS = 32768               # elements whose lines make one task
    ROOM_BYTES = 524288                  # bytes of a line or a strip that stay in L2
    STRIP_COLUMNS = 2048                 # columns of a piece whose accumulators stay in L1
    PIECE_ROWS = 256                     # rows of a piece, at least
    MOST_PIECES = 64
    FEWEST_ROWS = 8                      # of columns that are measured where they lie
    MANY_ROWS = 1024                     # from which on pieces of columns take less time than strips
    LINE_BYTES = 64                      # bytes of a cache line
    STREAMED_BYTES = 16777216            # bytes of results that would push everything else out of the caches

cdef struct Normalization:
    const NormalizeLoops* loops
    NormalizeLines call
    Plan lines                           # where lines begin; operand 0: x, 1: y
    bint is_across
    bint is_in_blocks
    Py_ssize_t width                     # lines side by side in memory
    Py_ssize_t x_line                    # bytes from one of these to the next
    Py_ssize_t y_line
    Py_ssize_t group                     # lines, or columns, of a task
    Py_ssize_t n_groups                  # groups in the width
    Py_ssize_t n_pieces                  # pieces of a column
    Py_ssize_t piece                     # rows of a piece
    Py_ssize_t n_tasks
    int n_threads
    Py_ssize_t room_bytes                # of one thread
    char* room
    char* partial                        # accumulators of all pieces
    char* known                          # coefficients of all columns
    Py_ssize_t size                      # elements of all
    Py_ssize_t n_strips


cdef bint run_normalize(Normal kind, NDArray x, int axis, NDArray y, double epsilon, NDArray scale,
                        NDArray bias) except -1:
    """Normalize `x` (float32 or float64) along `axis` into `y` of its dtype and shape.

    scale, bias: contiguous, one number per element of a line, or None; only where the axis holds the shortest stride.
    Returns whether it was done: False leaves `y` as it was.
    """
    cdef Normalization work
    work.loops = loops.measures.normalize[<int>kind][1 if x.info.itemsize == 8 else 0]
    work.call.n = x.info.shape[axis]
    work.call.x_step, work.call.y_step = x.info.strides[axis], y.info.strides[axis]
    work.call.epsilon = epsilon
    work.call.scale = scale.data if scale is not None else NULL
    work.call.bias = bias.data if bias is not None else NULL
    work.call.streams = x.info.size * x.info.itemsize >= STREAMED_BYTES
    work.size = x.info.size
    work.is_in_blocks = False
    if n_captures:
        note_operands(x, scale, bias)
    if x.info.size == 0:
        return True
    split_axes(&work, x, axis, y)
    if not work.is_across:
        work.call.streams &= work.y_line % LINE_BYTES == 0  # a line shared by two results was slower: peers.py, softmax
        return work.call.n * work.loops.itemsize <= ROOM_BYTES and run_lines(&work)
    if scale is not None:
        return False
    if kind == STANDARDIZE and are_columns_dense(&work) and work.call.n >= FEWEST_ROWS:
        if work.call.n * work.width * work.loops.itemsize <= ROOM_BYTES:
            return run_blocks(&work)
        if work.call.n >= MANY_ROWS and work.width <= STRIP_COLUMNS:
            return run_pieces(&work)
    if work.call.n * work.loops.strip * work.loops.itemsize <= ROOM_BYTES:
        return run_strips(&work)
    return are_columns_dense(&work) and run_pieces(&work)


cdef inline bint are_columns_dense(const Normalization* work) noexcept:
    return work.x_line == work.loops.itemsize and work.y_line == work.loops.itemsize


cdef void split_axes(Normalization* work, NDArray x, int axis, NDArray y) noexcept:
    cdef Plan* lines = &work.lines
    plan_lines(lines, x, axis, y, GROUP_ELEMENTS)
    cdef int inner = lines.ndim - 1
    work.width = lines.shape[inner]
    work.x_line, work.y_line = lines.strides[0][inner], lines.strides[1][inner]
    work.is_across = work.width > 1 and 0 < abs(work.x_line) < abs(work.call.x_step)


cdef bint run_lines(Normalization* work) except -1:
    work.group = max(GROUP_ELEMENTS // work.call.n, <Py_ssize_t>16)
    work.n_tasks = (work.lines.size + work.group - 1) // work.group
    work.room_bytes = max(2 * work.call.n, <Py_ssize_t>16 * SHORT_ELEMENTS) * work.loops.itemsize
    return run_tasks(work)


cdef bint run_strips(Normalization* work) except -1:
    work.group = work.loops.strip
    work.n_groups = (work.width + work.group - 1) // work.group
    work.n_tasks = work.lines.size // work.width * work.n_groups
    work.room_bytes = work.call.n * work.group * work.loops.itemsize
    return run_tasks(work)


cdef void hold_operands(Hold* hold, const Normalization* work) noexcept:
    hold.add(holds, work.lines.data[0], work.lines.data[1], work.call.scale, work.call.bias)


cdef int note_operands(NDArray x, NDArray scale, NDArray bias) except -1:
    """What a graph that is captured reads."""
    note_operand(x)
    if scale is not None:
        note_operand(scale)
    if bias is not None:
        note_operand(bias)
    return 0


cdef int record(const Normalization* work, Run run) except -1:
    """Describe the call for the graph that is captured."""
    cdef Launch launch = new_launch("normalization", run)
    launch.add(work, sizeof(Normalization))
    launch.operand(&work.lines.data[0], False)
    launch.operand(&work.lines.data[1], True)
    launch.operand(&work.call.scale, False)
    launch.operand(&work.call.bias, False)
    return launch.submit()


cdef bint run_tasks(Normalization* work) except -1:
    cdef size_t missing
    cdef Hold hold
    hold_operands(&hold, work)
    if n_captures and is_recording():
        record(work, share_tasks)
    with nogil:
        missing = share_tasks(work)
    if missing:
        raise out_of_memory(missing, "lines that are normalized")
    raise_if_stopped()
    return True


cdef size_t share_tasks(void* normalization) noexcept nogil:
    """All tasks, by as many threads as are worth while.  Returns the bytes that there were not, or 0."""
    cdef Normalization* work = <Normalization*>normalization
    cdef size_t room_bytes
    work.n_threads = acquire_threads_for(work.n_tasks, work.size * ELEMENT_NS)
    room_bytes = work.n_threads * work.room_bytes
    work.room = <char*>pool_allocate(room_bytes)
    if work.room != NULL:
        share_evenly(run_share, work, work.n_threads, work.n_threads)
        pool_release(work.room, room_bytes)
    release_threads(work.n_threads)
    return 0 if work.room != NULL else room_bytes


cdef void run_share(void* normalization, Py_ssize_t worker) noexcept nogil:
    """One thread's tasks, in a room of its own."""
    cdef const Normalization* work = <const Normalization*>normalization
    cdef Py_ssize_t task
    for task in range(work.n_tasks * worker // work.n_threads, work.n_tasks * (worker + 1) // work.n_threads):
        if not goes_on():
            return
        run_task(work, task, work.room + worker * work.room_bytes)


cdef void run_task(const Normalization* work, Py_ssize_t task, char* room) noexcept nogil:
    """A strip of columns, or a group of lines."""
    cdef Py_ssize_t column, first
    cdef Walk walk
    if work.is_in_blocks:
        run_block(work, task, room)
        return
    if work.is_across:
        column = task % work.n_groups * work.group
        start_walk(&work.lines, task // work.n_groups * work.width + column, 1, &walk)
        work.loops.across(walk.data[0], work.x_line, min(work.group, work.width - column), walk.data[1], work.y_line,
                          &work.call, room)
        return
    first = task * work.group
    start_walk(&work.lines, first, min(work.group, work.lines.size - first), &walk)
    while walk.left > 0:
        if work.call.n < SHORT_ELEMENTS:
            work.loops.short_lines(walk.data[0], work.x_line, walk.line, walk.data[1], work.y_line, &work.call, room)
        else:
            work.loops.along(walk.data[0], work.x_line, walk.line, walk.data[1], work.y_line, &work.call, room)
        next_line(&work.lines, &walk)


cdef bint run_blocks(Normalization* work) except -1:
    """Blocks of columns that stay in the second cache: each is measured and written where it lies."""
    work.is_in_blocks = True
    work.group = work.width
    work.n_tasks = work.lines.size // work.width
    work.room_bytes = 2 * work.group * work.loops.measures.acc_size
    return run_tasks(work)


cdef void run_block(const Normalization* work, Py_ssize_t task, char* room) noexcept nogil:
    """One of them; its accumulators lie before what they come to."""
    cdef Py_ssize_t n = work.width
    cdef char* known = room + n * work.loops.measures.acc_size
    cdef Walk walk
    start_walk(&work.lines, task * n, 1, &walk)
    work.loops.measures.init(room, n)
    work.loops.measures.across(walk.data[0], work.call.x_step, work.call.n, work.x_line, n, room)
    work.loops.find_coefficients(room, n, work.call.n, &work.call, known)
    work.loops.apply(walk.data[0], work.call.n, n, walk.data[1], &work.call, known)


cdef bint run_pieces(Normalization* work) except -1:
    """Long columns: every piece is measured, then the pieces of a column are joined, then every piece is written."""
    cdef size_t missing
    cdef Hold hold
    hold_operands(&hold, work)
    work.group = min(work.width, <Py_ssize_t>STRIP_COLUMNS)
    work.n_groups = (work.width + work.group - 1) // work.group
    work.n_strips = work.lines.size // work.width * work.n_groups
    work.n_pieces = max(min(<Py_ssize_t>MOST_PIECES // work.n_strips, work.call.n // PIECE_ROWS), <Py_ssize_t>1)
    work.piece = (work.call.n + work.n_pieces - 1) // work.n_pieces
    work.n_pieces = (work.call.n + work.piece - 1) // work.piece
    work.n_tasks = work.n_strips * work.n_pieces
    if n_captures and is_recording():
        record(work, share_pieces)
    with nogil:
        missing = share_pieces(work)
    if missing:
        raise out_of_memory(missing, "the pieces of long columns")
    raise_if_stopped()
    return True


cdef size_t share_pieces(void* normalization) noexcept nogil:
    """The two passes over all pieces.  Returns the bytes that there were not, or 0."""
    cdef Normalization* work = <Normalization*>normalization
    cdef Py_ssize_t acc_bytes = work.group * work.loops.measures.acc_size, i
    cdef size_t n_bytes = (work.n_tasks + work.n_strips) * acc_bytes
    cdef int n_threads
    work.partial = <char*>pool_allocate(n_bytes)
    if work.partial == NULL:
        return n_bytes
    work.known = work.partial + work.n_tasks * acc_bytes
    n_threads = acquire_threads_for(work.n_tasks, work.size * ELEMENT_NS)
    share_evenly(measure_piece, work, work.n_tasks, n_threads)
    for i in range(work.n_strips):
        join_pieces(work, i)
    share_evenly(write_piece, work, work.n_tasks, n_threads)
    release_threads(n_threads)
    pool_release(work.partial, n_bytes)
    return 0


cdef void measure_piece(void* normalization, Py_ssize_t task) noexcept nogil:
    run_piece(<const Normalization*>normalization, task, True)


cdef void write_piece(void* normalization, Py_ssize_t task) noexcept nogil:
    run_piece(<const Normalization*>normalization, task, False)


cdef void run_piece(const Normalization* work, Py_ssize_t task, bint is_first_pass) noexcept nogil:
    cdef Py_ssize_t strip = task // work.n_pieces, column = strip % work.n_groups * work.group
    cdef Py_ssize_t first = task % work.n_pieces * work.piece, n_rows = min(work.piece, work.call.n - first)
    cdef Py_ssize_t n = min(work.group, work.width - column), acc_size = work.loops.measures.acc_size
    cdef char* acc = work.partial + task * work.group * acc_size
    cdef Walk walk
    start_walk(&work.lines, strip // work.n_groups * work.width + column, 1, &walk)
    if is_first_pass:
        work.loops.measures.init(acc, n)
        work.loops.measures.across(walk.data[0] + first * work.call.x_step, work.call.x_step, n_rows, work.x_line, n,
                                   acc)
    else:
        work.loops.apply(walk.data[0] + first * work.call.x_step, n_rows, n, walk.data[1] + first * work.call.y_step,
                         &work.call, work.known + strip * work.group * acc_size)


cdef void join_pieces(const Normalization* work, Py_ssize_t strip) noexcept nogil:
    cdef Py_ssize_t n = min(work.group, work.width - strip % work.n_groups * work.group)
    cdef Py_ssize_t width = work.group * work.loops.measures.acc_size, i
    cdef char* acc = work.partial + strip * work.n_pieces * width
    for i in range(1, work.n_pieces):
        work.loops.measures.merge(acc, acc + i * width, n)
    work.loops.find_coefficients(acc, n, work.call.n, &work.call, work.known + strip * width)
