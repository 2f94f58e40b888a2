"""Drivers of attention and its gradient.  All arrays are of one dtype that has loops, and have four axes.

Operands are (batch, heads, length, size), and have no gaps along their last axis; results are (batch, length, heads,
size), so that the heads of a step lie side by side.
"""

from nd4py._core.array.array cimport NDArray, new_array
from nd4py._core.graphs.launch_recording cimport Launch, is_recording, n_captures, new_launch, note_operand
from nd4py._core.threads.threads cimport acquire_threads_for, goes_on, raise_if_stopped, release_threads
from nd4py._mem.workspace.held_memory cimport Hold, holds
from nd4py._mem.pool.pool cimport pool_allocate, pool_release
from nd4py.cpu.attention.attention_loops cimport (
    ATTENTION_AXES, ATTENTION_OPERANDS, Attention, AttentionLoop, AttentionLoops,
)
from nd4py.cpu.isa.isa cimport loops_of_family
from nd4py.cpu.parallel.tasks cimport share_evenly

from ..._mem.diagnostics.memory_wants import out_of_memory

__all__ = ["attention", "attention_gradient"]

cdef double BYTE_NS = 0.01               # nanoseconds of a multiplication, by bytes of the dtype that is computed in

cdef enum:                               # numbers of operands
    QUERIES = 0
    KEYS = 1
    VALUES = 2
    RESULT = 3
    RESULT_GRADIENT = 4
    QUERIES_GRADIENT = 5
    MASK = 8
    SUMS = 9

cdef struct Work:
    Attention call
    const AttentionLoop* loop
    char* scratch
    Py_ssize_t n_tasks
    double nanoseconds                   # for one thread
    int n_threads


def attention(NDArray q, NDArray k, NDArray v, NDArray mask: NDArray | None, bint is_causal, double scale,
              bint keeps) -> tuple:
    """(y, sums): y (batch, queries, heads, value size), and what the gradient needs, None unless `keeps`.

    mask: bytes (batch, heads, queries, keys) of any strides.  Raises MemoryError.
    """
    cdef Work work
    cdef Py_ssize_t shape[4]
    cdef NDArray sums = None, y
    begin(&work, q, k, v, is_causal, scale)
    y = new_heads(q, &work.call, work.call.n_queries, work.call.value_size)
    if keeps:
        shape[0], shape[1], shape[2] = work.call.batch, work.call.heads, work.call.n_queries
        sums = new_array(q.number, 3, shape)
    put(&work, QUERIES, q, False)
    put(&work, KEYS, k, False)
    put(&work, VALUES, v, False)
    put(&work, RESULT, y, True)
    put(&work, MASK, mask, False)
    if sums is not None:
        work.call.operands[SUMS] = sums.data
    work.loop = &attention_loops(q).forward
    run(&work, [q, k, v, mask], (1 << RESULT) | (1 << SUMS), 2)
    return y, sums


def attention_gradient(NDArray dy, NDArray q, NDArray k, NDArray v, NDArray y, NDArray sums,
                       NDArray mask: NDArray | None, bint is_causal, double scale) -> tuple:
    """(dq, dk, dv), each (batch, length, heads, size), for what `attention` took and gave.

    dy, y: (batch, heads, queries, value size).  Raises MemoryError.
    """
    cdef Work work
    begin(&work, q, k, v, is_causal, scale)
    results = (
        new_heads(q, &work.call, work.call.n_queries, work.call.size),
        new_heads(q, &work.call, work.call.n_keys, work.call.size),
        new_heads(q, &work.call, work.call.n_keys, work.call.value_size),
    )
    for number, array in enumerate((q, k, v, y, dy)):
        put(&work, <int>number, array, False)
    for number, array in enumerate(results):
        put(&work, QUERIES_GRADIENT + <int>number, array, True)
    put(&work, MASK, mask, False)
    work.call.operands[SUMS] = sums.data
    work.loop = &attention_loops(q).gradient
    run(&work, [q, k, v, y, dy, mask, sums], 7 << QUERIES_GRADIENT, 5)
    return results


cdef const AttentionLoops* attention_loops(NDArray x) except NULL:
    """The loops for the dtype of `x`, one of the two that they are made for."""
    return <const AttentionLoops*>loops_of_family("attention") + (0 if x.info.itemsize == sizeof(float) else 1)


cdef void begin(Work* work, NDArray q, NDArray k, NDArray v, bint is_causal, double scale) noexcept:
    """The sizes of a call, without operands."""
    cdef Attention* call = &work.call
    cdef int number
    call.batch, call.heads, call.n_queries, call.size = (
        q.info.shape[0], q.info.shape[1], q.info.shape[2], q.info.shape[3]
    )
    call.n_keys, call.value_size = k.info.shape[2], v.info.shape[3]
    call.is_causal, call.scale, call.mask_step = is_causal, scale, 0
    for number in range(ATTENTION_OPERANDS):
        call.operands[number] = NULL
    for number in range(27):
        call.strides[number] = 0


cdef NDArray new_heads(NDArray like, const Attention* call, Py_ssize_t length, Py_ssize_t size):
    """An uninitialised array (batch, length, heads, size).  Raises MemoryError."""
    cdef Py_ssize_t shape[4]
    shape[0], shape[1], shape[2], shape[3] = call.batch, length, call.heads, size
    return new_array(like.number, 4, shape)


cdef void put(Work* work, int number, NDArray array, bint is_result) noexcept:
    """An operand with its strides; of a result the second axis is the heads'."""
    cdef const Py_ssize_t* strides
    cdef Py_ssize_t first = number * ATTENTION_AXES
    if array is None:
        return
    strides = array.info.strides
    work.call.operands[number] = array.data
    work.call.strides[first] = strides[0]
    work.call.strides[first + 1] = strides[2 if is_result else 1]
    work.call.strides[first + 2] = strides[1 if is_result else 2]
    if number == MASK:
        work.call.mask_step = strides[3]


cdef int run(Work* work, list arrays, int written, int n_products) except -1:
    """Lend the call memory, and share its heads out.  written: bits of the numbers of results.  Raises MemoryError."""
    cdef Attention* call = &work.call
    cdef Hold hold
    cdef NDArray array
    cdef size_t missing
    for array in arrays:
        if array is not None and n_captures:
            note_operand(array)
    if call.batch * call.heads == 0 or call.n_queries + call.n_keys == 0:
        return 0
    hold.add_all(holds, call.operands, ATTENTION_OPERANDS)
    work.loop.plan(call)
    work.n_tasks = call.batch * call.heads * call.n_parts
    work.nanoseconds = n_products * BYTE_NS * (<NDArray>arrays[0]).info.itemsize * (
        <double>call.batch * call.heads * call.n_queries * call.n_keys * (call.size + call.value_size) / 2
    )
    if n_captures and is_recording():
        record(work, written)
    with nogil:
        missing = compute(work)
    if missing:
        raise out_of_memory(missing, "attention to work in", "free arrays or take shorter sequences")
    return raise_if_stopped()


cdef size_t compute(void* block) noexcept nogil:
    """All heads, by as many threads as are worth while.  Returns the bytes that there were not, or 0."""
    cdef Work* work = <Work*>block
    cdef size_t n_bytes
    work.n_threads = acquire_threads_for(work.n_tasks, work.nanoseconds)
    n_bytes = work.n_threads * work.call.scratch_bytes
    work.scratch = <char*>pool_allocate(n_bytes)
    if work.scratch != NULL:
        share_evenly(run_share, work, work.n_threads, work.n_threads)
        pool_release(work.scratch, n_bytes)
    release_threads(work.n_threads)
    return 0 if work.scratch != NULL else n_bytes


cdef int record(const Work* work, int written) except -1:
    """Describe the call for the graph that is captured."""
    cdef Launch launch = new_launch("attention", compute)
    cdef int k
    launch.add(work, sizeof(Work))
    for k in range(ATTENTION_OPERANDS):
        launch.operand(&work.call.operands[k], written >> k & 1)
    return launch.submit()


cdef void run_share(void* block, Py_ssize_t worker) noexcept nogil:
    """One thread's heads."""
    cdef const Work* work = <const Work*>block
    cdef Py_ssize_t task = work.n_tasks * worker // work.n_threads
    cdef char* scratch = work.scratch + worker * work.call.scratch_bytes
    while task < work.n_tasks * (worker + 1) // work.n_threads and goes_on():
        work.loop.run(&work.call, scratch, task)
        task += 1
