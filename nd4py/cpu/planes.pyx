"""Copy elements from one layout to another, in parallel over whole lines of the result.

Design: two axes at a time are copied by one loop.  The inner one is where the result lies dense; the other is where the
source does, if that is another axis: then both sides are visited in tiles of cache lines.  Lines of a few elements are
copied column by column, so that no short loop is started for each of them.
"""

from cython.parallel cimport prange
from nd4py._core.plan cimport Plan, Walk, insert_axis, next_line, start_walk
from nd4py._core.threads cimport acquire_threads_for, current_core, leave_core, release_threads
from nd4py.cpu.isa cimport PlaneLoop, loops
from nd4py.cpu.map cimport CHUNK

cdef double COPY = 0.1                   # nanoseconds of one element on one thread


cdef void run_copy(Plan* plan, Py_ssize_t itemsize) noexcept:
    """Copy operand 0 of a finished plan to operand 1, both of elements of `itemsize` bytes."""
    cdef PlaneLoop loop
    cdef int n_threads, home, bits = 0
    cdef Py_ssize_t i
    while itemsize >> bits > 1:
        bits += 1
    loop = loops().planes[bits]
    bring_dense_axis_inside(plan)
    if plan.size * 8 <= CHUNK:
        copy_chunk(plan, loop, 0, plan.size)
        return
    with nogil:
        n_threads = acquire_threads_for(plan.n_chunks, plan.size * COPY)
        if n_threads == 1:
            copy_chunk(plan, loop, 0, plan.size)
        else:
            home = current_core()
            for i in prange(plan.n_chunks, num_threads=n_threads, schedule="static"):
                leave_core(home)
                copy_chunk(plan, loop, i * plan.chunk, min(plan.chunk, plan.size - i * plan.chunk))
        release_threads(n_threads)


cdef void bring_dense_axis_inside(Plan* plan) noexcept:
    """Move the axis along which the source lies densest next to the last one."""
    cdef int last = plan.ndim - 1, dense = last, i
    for i in range(last):
        if 0 < abs(plan.strides[0][i]) < abs(plan.strides[0][dense]):
            dense = i
    if dense < last - 1:
        insert_axis(plan, dense, last - 1)


cdef void copy_chunk(const Plan* plan, PlaneLoop loop, Py_ssize_t first, Py_ssize_t n) noexcept nogil:
    """Copy `n` elements from number `first`: planes of whole lines, or parts of one line."""
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
        loop(walk.data[0], x_row, plan.strides[0][inner], walk.data[1], y_row, plan.strides[1][inner], rows, walk.line)
        if rows > 1:
            skip_lines(&walk, rows - 1, x_row, y_row, inner, line)
        next_line(plan, &walk)


cdef inline void skip_lines(Walk* walk, Py_ssize_t n, Py_ssize_t x_row, Py_ssize_t y_row, int inner,
                            Py_ssize_t line) noexcept nogil:
    """Step over `n` whole lines of the plane at hand, to its last one or the last of the chunk."""
    walk.data[0] += n * x_row
    walk.data[1] += n * y_row
    walk.index[inner - 1] += n
    walk.left -= n * line
