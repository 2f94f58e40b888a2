"""Run an elementwise loop over a plan, in parallel over fixed chunks, converting operands tile by tile."""

from cython.parallel cimport prange
from nd4py._core.plan cimport MAX_OPERANDS, SERIAL, Plan, Walk, next_line, start_walk
from nd4py._core.threads cimport acquire_threads, current_core, leave_core, release_threads
from nd4py.cpu.isa cimport loops

from .._spec.dtypes import DTYPES

cdef Py_ssize_t ITEMSIZES[16]
for position, row in enumerate(DTYPES):
    ITEMSIZES[position] = row.itemsize

cdef enum:
    TILE = 512                           # elements: ten operands of 8 bytes stay within L1 and L2


cdef void run_map(const Plan* plan, const MapCall* call) noexcept:
    """Visit every element of the plan.  The GIL is given up for more than one chunk's eighth of work."""
    cdef int n_threads, home
    cdef Py_ssize_t i
    if plan.size * 8 <= CHUNK:
        run_chunk(plan, call, 0, plan.size)
        return
    with nogil:
        n_threads = acquire_threads(1 if plan.split == SERIAL else plan.n_chunks)
        if n_threads == 1:
            run_chunk(plan, call, 0, plan.size)
        else:
            home = current_core()
            for i in prange(plan.n_chunks, num_threads=n_threads, schedule="static"):
                leave_core(home)
                run_chunk(plan, call, i * plan.chunk, min(plan.chunk, plan.size - i * plan.chunk))
        release_threads(n_threads)


cdef void run_chunk(const Plan* plan, const MapCall* call, Py_ssize_t first, Py_ssize_t n) noexcept nogil:
    cdef Walk walk
    cdef Py_ssize_t strides[MAX_OPERANDS]
    cdef int k
    if n <= 0:
        return
    for k in range(plan.n_operands):
        strides[k] = plan.strides[k][plan.ndim - 1]
    start_walk(plan, first, n, &walk)
    while walk.left > 0:
        if call.loop == NULL:
            loops().cast[call.number[0]][call.number[1]](walk.data[0], strides[0], walk.data[1], strides[1], walk.line)
        elif call.has_casts:
            run_cast_line(plan.n_operands, call, walk.data, strides, walk.line)
        else:
            call.loop(walk.data, strides, walk.line, call.params)
        next_line(plan, &walk)


cdef void run_cast_line(int n_operands, const MapCall* call, char** data, const Py_ssize_t* strides,
                        Py_ssize_t n) noexcept nogil:
    """One line in tiles: inputs of another dtype are converted into a buffer, results out of one."""
    cdef double buffer[MAX_OPERANDS][2 * TILE]    # elements of up to 16 bytes
    cdef char* p[MAX_OPERANDS]
    cdef Py_ssize_t s[MAX_OPERANDS]
    cdef Py_ssize_t start = 0, count
    cdef int k
    while start < n:
        count = min(<Py_ssize_t>TILE, n - start)
        for k in range(n_operands):
            p[k] = data[k] + start * strides[k]
            s[k] = strides[k]
            if call.is_cast[k]:
                load_tile(call, k, &p[k], &s[k], <char*>buffer[k], count)
        call.loop(p, s, count, call.params)
        for k in range(call.n_in, n_operands):
            if call.is_cast[k]:
                loops().cast[call.loop_number[k]][call.number[k]](
                    p[k], s[k], data[k] + start * strides[k], strides[k], count)
        start += count


cdef void load_tile(const MapCall* call, int k, char** p, Py_ssize_t* stride, char* buffer,
                    Py_ssize_t count) noexcept nogil:
    """Point operand k at the buffer, filled from its own elements when it is an input."""
    cdef Py_ssize_t size = ITEMSIZES[call.loop_number[k]]
    if k < call.n_in:
        if stride[0] == 0:
            loops().cast[call.number[k]][call.loop_number[k]](p[0], 0, buffer, size, 1)
            p[0] = buffer
            return
        loops().cast[call.number[k]][call.loop_number[k]](p[0], stride[0], buffer, size, count)
    p[0] = buffer
    stride[0] = size
