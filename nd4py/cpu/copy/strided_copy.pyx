"""Copies from one layout to another, in parallel.  A task is whole lines of the result, or bands of several.

Design: two axes at a time are copied by one loop.  The inner one is where the result lies dense; the other is where the
source does, if that is another axis: then both sides are visited in tiles of cache lines, and threads share out bands
of as many lines of the result as fill cache lines of the source.  Lines of a few elements are copied column by column,
so that no short loop is started for each of them.
"""

from nd4py._core.graphs.launch_recording cimport Launch, Run, is_recording, n_captures, new_launch
from nd4py._core.layout.plan cimport MAX_OPERANDS, Plan, Walk, insert_axis, locate_matrix, next_line, start_walk
from nd4py._core.threads.threads cimport acquire_threads_for, goes_on, raise_if_stopped, release_threads
from nd4py._mem.workspace.held_memory cimport Hold, holds
from nd4py.cpu.isa.isa cimport StridedCopyLoop, loops
from nd4py.cpu.elementwise.map cimport CHUNK
from nd4py.cpu.parallel.tasks cimport share_by_time, share_evenly
from nd4py.cpu.program.recorded_calls cimport add_plan

cdef enum:
    LONGEST_PIECE_ELEMENTS = 1 << 20     # elements at a time on one thread, for signals
    BAND = 32                            # lines of a band: two cache lines of floats; 16 and 64 were slower
    BAND_COLUMNS = 4096
    SHORT_LINES = 16                     # lines, or their elements, that are not worth a band

cdef double COPY_NS = 0.1                # nanoseconds of one element on one thread
cdef double TRANSPOSE_NS = 0.15          # the same, across

cdef struct Copy:
    const Plan* plan
    StridedCopyLoop loop
    int n_threads
    Py_ssize_t columns                   # of a band
    Py_ssize_t row_tiles, column_tiles   # bands in one matrix of the two inner axes
    Py_ssize_t n_tiles


cdef int run_copy(Plan* plan, Py_ssize_t itemsize, bint is_streamed) except -1:
    """Copy operand 0 of a finished plan to operand 1, both of elements of `itemsize` bytes.

    is_streamed: past the caches, which is for transposed matrices (see is_across).
    """
    cdef StridedCopyLoop loop
    cdef int bits = 0
    while itemsize >> bits > 1:
        bits += 1
    loop = loops.streamed_copies[bits] if is_streamed else loops.strided_copies[bits]
    bring_dense_axis_inside(plan)
    if is_across(plan):
        return copy_bands(plan, loop)
    return copy_lines(plan, loop)


cdef bint is_across(const Plan* plan) noexcept:
    """Whether the source lies denser along another axis than the result does, and both are long."""
    cdef int inner = plan.ndim - 1, dense = dense_axis(plan)
    return dense < inner and plan.shape[dense] >= SHORT_LINES and plan.shape[inner] >= SHORT_LINES


cdef int dense_axis(const Plan* plan) noexcept:
    """The axis along which the source lies densest."""
    cdef int dense = plan.ndim - 1, i
    for i in range(dense):
        if 0 < abs(plan.strides[0][i]) < abs(plan.strides[0][dense]):
            dense = i
    return dense


cdef int copy_bands(Plan* plan, StridedCopyLoop loop) except -1:
    """Copy matrices of the two inner axes, that lie across each other."""
    cdef Copy copy
    cdef Hold hold
    cdef Py_ssize_t rows = plan.shape[plan.ndim - 2], line = plan.shape[plan.ndim - 1]
    copy.plan, copy.loop, copy.n_threads = plan, loop, 1
    copy.columns = min(line, <Py_ssize_t>BAND_COLUMNS)
    copy.row_tiles = max(rows // BAND, <Py_ssize_t>1)
    copy.column_tiles = (line + copy.columns - 1) // copy.columns
    copy.n_tiles = plan.size // (rows * line) * copy.row_tiles * copy.column_tiles
    if n_captures and is_recording():
        record(&copy, share_bands)
    if plan.size * 8 <= CHUNK:
        share_bands(&copy)
        return 0
    hold.add_all(holds, plan.data, plan.n_operands)
    with nogil:
        share_bands(&copy)
    return raise_if_stopped()


cdef size_t share_bands(void* work) noexcept nogil:
    """All bands, by as many threads as are worth while."""
    cdef Copy* copy = <Copy*>work
    if copy.plan.size * 8 <= CHUNK:
        copy_share(copy, 0)
        return 0
    copy.n_threads = acquire_threads_for(copy.n_tiles, copy.plan.size * COPY_NS)
    share_evenly(copy_share, copy, copy.n_threads, copy.n_threads)
    release_threads(copy.n_threads)
    return 0


cdef int record(const Copy* copy, Run run) except -1:
    """Describe the copy for the graph that is captured."""
    cdef Launch launch = new_launch("copy", run)
    launch.add(copy, sizeof(Copy))
    add_plan(launch, copy.plan, 1)
    launch.link(&copy.plan)
    return launch.submit()


cdef void copy_share(void* work, Py_ssize_t worker) noexcept nogil:
    """Copy one thread's bands."""
    cdef const Copy* copy = <const Copy*>work
    cdef const Plan* plan = copy.plan
    cdef int inner = plan.ndim - 1
    cdef Py_ssize_t number, rest, row, rows, column
    cdef char* data[MAX_OPERANDS]
    for number in range(copy.n_tiles * worker // copy.n_threads, copy.n_tiles * (worker + 1) // copy.n_threads):
        if not goes_on():
            break
        column = number % copy.column_tiles * copy.columns
        rest = number // copy.column_tiles
        row = rest % copy.row_tiles * BAND
        rows = plan.shape[inner - 1] - row
        rows = BAND if rows >= 2 * BAND else rows  # the last band takes what is left
        locate_matrix(plan, rest // copy.row_tiles, data)
        copy.loop(data[0] + row * plan.strides[0][inner - 1] + column * plan.strides[0][inner],
                  plan.strides[0][inner - 1], plan.strides[0][inner],
                  data[1] + row * plan.strides[1][inner - 1] + column * plan.strides[1][inner],
                  plan.strides[1][inner - 1], plan.strides[1][inner], rows,
                  min(copy.columns, plan.shape[inner] - column))
    loops.finish_streams()


cdef int copy_lines(Plan* plan, StridedCopyLoop loop) except -1:
    """Copy lines of the result, or parts of long ones."""
    cdef Copy copy
    cdef Hold hold
    copy.plan, copy.loop, copy.n_threads = plan, loop, 1
    if n_captures and is_recording():
        record(&copy, share_lines)
    if plan.size * 8 <= CHUNK:
        share_lines(&copy)
        return 0
    hold.add_all(holds, plan.data, plan.n_operands)
    with nogil:
        share_lines(&copy)
    return raise_if_stopped()


cdef size_t share_lines(void* work) noexcept nogil:
    """All lines, by as many threads as are worth while."""
    cdef Copy* copy = <Copy*>work
    cdef const Plan* plan = copy.plan
    if plan.size * 8 <= CHUNK:
        copy_elements(copy, 0, plan.size)
        return 0
    copy.n_threads = acquire_threads_for(plan.n_chunks, plan.size * COPY_NS)
    if copy.n_threads == 1 and plan.size <= LONGEST_PIECE_ELEMENTS:
        copy_elements(copy, 0, plan.size)
    else:
        share_evenly(copy_chunk, copy, plan.n_chunks, copy.n_threads)
    release_threads(copy.n_threads)
    return 0


cdef void bring_dense_axis_inside(Plan* plan) noexcept:
    """Move the axis along which the source lies densest next to the last one."""
    cdef int dense = dense_axis(plan)
    if dense < plan.ndim - 2:
        insert_axis(plan, dense, plan.ndim - 2)


cdef void copy_chunk(void* work, Py_ssize_t i) noexcept nogil:
    cdef const Copy* copy = <const Copy*>work
    copy_elements(copy, i * copy.plan.chunk, min(copy.plan.chunk, copy.plan.size - i * copy.plan.chunk))


cdef void copy_elements(const Copy* copy, Py_ssize_t first, Py_ssize_t n) noexcept nogil:
    """Copy `n` elements from number `first`: matrices of whole lines, or parts of one line."""
    cdef const Plan* plan = copy.plan
    cdef int inner = plan.ndim - 1
    cdef Py_ssize_t line = plan.shape[inner], x_row = 0, y_row = 0, rows
    cdef Walk walk
    if n <= 0:
        return
    if plan.ndim > 1:
        x_row, y_row = plan.strides[0][inner - 1], plan.strides[1][inner - 1]
    start_walk(plan, first, n, &walk)
    while walk.left > 0:
        rows = 1
        if plan.ndim > 1 and walk.line == line:
            rows = min(walk.left // line, plan.shape[inner - 1] - walk.index[inner - 1])
        copy.loop(walk.data[0], x_row, plan.strides[0][inner], walk.data[1], y_row, plan.strides[1][inner], rows,
                  walk.line)
        if rows > 1:
            skip_lines(&walk, rows - 1, x_row, y_row, inner, line)
        next_line(plan, &walk)


cdef inline void skip_lines(Walk* walk, Py_ssize_t n, Py_ssize_t x_row, Py_ssize_t y_row, int inner,
                            Py_ssize_t line) noexcept nogil:
    """Step over `n` whole lines of the matrix at hand, to its last one or the last of the chunk."""
    walk.data[0] += n * x_row
    walk.data[1] += n * y_row
    walk.index[inner - 1] += n
    walk.left -= n * line


# Transposed matrices, row after row.


cdef struct Transpose:
    StridedCopyLoop loop
    const StridedMatrix* x
    Py_ssize_t n_rows, n_columns, itemsize
    char* to


cdef void transpose_rows(const StridedMatrix* x, Py_ssize_t n_rows, Py_ssize_t n_columns, Py_ssize_t itemsize,
                         char* to) noexcept nogil:
    """to[i][j] = x[i][j], of elements of 4 or 8 bytes."""
    cdef StridedCopyLoop loop = transposing_loop(itemsize)
    cdef Transpose task = Transpose(loop, x, n_rows, n_columns, itemsize, to)
    cdef Py_ssize_t n_bands = (n_rows + BAND - 1) // BAND
    share_by_time(transpose_band, &task, n_bands, n_rows * n_columns * TRANSPOSE_NS)


cdef void transpose_band(void* work, Py_ssize_t band) noexcept nogil:
    cdef const Transpose* task = <const Transpose*>work
    cdef const StridedMatrix* x = task.x
    cdef Py_ssize_t first = band * BAND, row_bytes = task.n_columns * task.itemsize
    task.loop(x.data + first * x.row_stride, x.row_stride, x.column_stride, task.to + first * row_bytes, row_bytes,
              task.itemsize, min(<Py_ssize_t>BAND, task.n_rows - first), task.n_columns)


cdef void copy_transposed(const char* x, Py_ssize_t n_rows, Py_ssize_t n_columns, Py_ssize_t itemsize, char* to,
                          Py_ssize_t row_bytes) noexcept nogil:
    """to[j][i] = x[i][j], of elements of 4 or 8 bytes, where rows of both are `row_bytes` apart."""
    cdef StridedCopyLoop loop = transposing_loop(itemsize)
    cdef Py_ssize_t row = 0
    while row < n_rows:                  # few rows at a time, which the first cache holds
        loop(x + row * row_bytes, itemsize, row_bytes, to + row * itemsize, row_bytes, itemsize, n_columns,
             min(<Py_ssize_t>BAND, n_rows - row))
        row += BAND


cdef inline StridedCopyLoop transposing_loop(Py_ssize_t itemsize) noexcept nogil:
    return loops.strided_copies[2 if itemsize == 4 else 3]
