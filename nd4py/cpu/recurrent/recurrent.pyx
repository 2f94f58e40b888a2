"""Drivers of recurrent layers and their gradients.  All arrays are contiguous and of one dtype that has loops."""

from nd4py._core.array.array cimport NDArray, new_array
from nd4py._core.graphs.launch_recording cimport Launch, is_recording, n_captures, new_launch, note_operand
from nd4py._core.threads.threads cimport acquire_threads_for, goes_on, raise_if_stopped, release_threads
from nd4py._mem.workspace.held_memory cimport Hold, holds
from nd4py._mem.pool.pool cimport pool_allocate, pool_release
from nd4py.cpu.isa.isa cimport loops_of_family
from nd4py.cpu.parallel.tasks cimport share_evenly
from nd4py.cpu.recurrent.recurrent_loops cimport (
    RECURRENT_OPERANDS, RECURRENT_ROWS, Recurrence, RecurrentLoop, RecurrentLoops,
)

from ..._mem.diagnostics.memory_wants import out_of_memory

__all__ = ["recurrence", "recurrence_gradient"]

cdef enum:
    LONG_WORK = 20000000                 # multiplications of a thread after which it asks whether to go on

cdef double BYTE_NS = 0.008              # nanoseconds of a multiplication, by bytes of the dtype that is computed in

cdef int[3] N_GATES = [4, 3, 1]            # of each kind of loop

cdef struct Work:
    Recurrence call
    const RecurrentLoop* loop
    char* packed
    char* scratch
    double nanoseconds                   # for one thread
    int n_threads


def recurrence(int kind, NDArray z, NDArray rw, NDArray extra: NDArray | None, NDArray h: NDArray | None,
               NDArray c: NDArray | None, NDArray mask: NDArray | None, NDArray b: NDArray | None, int option,
               bint keeps) -> tuple:
    """(y, h, c, gates, cells, h before each step) of a whole batch; c is None unless `kind` is that of an LSTM.

    kind: 0 for an LSTM, 1 for gated recurrent units, 2 for a simple layer
    z: (batch, length, gates * units), what the input gives    b: (gates * units,), added to it
    rw: (units, gates * units)
    extra: peepholes (3, units) of an LSTM, or bias (units,) of a GRU's candidates behind the product
    option: 1 for a GRU whose reset gate acts behind the product, or a simple layer's relu
    keeps: whether gradients are wanted; what they need is None otherwise.  Raises MemoryError.
    """
    cdef Work work
    cdef Py_ssize_t batch = z.info.shape[0], length = z.info.shape[1], units = rw.info.shape[0]
    cdef NDArray y = rows_like(z, batch, length, units), end_h = rows_like(z, batch, units), end_c = None
    cdef NDArray gates = None, cells = None, before = None
    if kind == 0:
        end_c = rows_like(z, batch, units)
    if keeps:
        before = rows_like(z, batch, length, units)
        if kind != 2:
            gates = rows_like(z, batch, length, N_GATES[kind] * units)
            cells = rows_like(z, batch, length, units)
    work.loop = &recurrent_loops(z).forward[kind]
    begin(&work.call, batch, length, units, N_GATES[kind], option)
    run(&work, [z, rw, extra, h, c, mask, b, y, end_h, end_c, gates, cells, before], 7, z.info.itemsize)
    return y, end_h, end_c, gates, cells, before


def recurrence_gradient(int kind, NDArray dy, NDArray dh, NDArray dc: NDArray | None, NDArray rw,
                        NDArray extra: NDArray | None, NDArray c: NDArray | None, NDArray mask: NDArray | None,
                        NDArray gates, NDArray cells: NDArray | None, NDArray before, int option) -> tuple:
    """(dz, dh, dc before the first step, gradient of a GRU's candidate products) for what `recurrence` took and gave.

    gates: of a simple layer its y.  What there is not of a kind is None.  Raises MemoryError.
    """
    cdef Work work
    cdef Py_ssize_t batch = dy.info.shape[0], length = dy.info.shape[1], units = rw.info.shape[0]
    cdef NDArray first_h = rows_like(dy, batch, units), first_c = None, products = None
    cdef NDArray dz = rows_like(dy, batch, length, N_GATES[kind] * units)
    if kind == 0:
        first_c = rows_like(dy, batch, units)
    elif kind == 1 and option:
        products = rows_like(dy, batch, length, units)
    work.loop = &recurrent_loops(dy).gradient[kind]
    begin(&work.call, batch, length, units, N_GATES[kind], option)
    run(&work, [dy, dh, dc, rw, extra, c, mask, gates, cells, before, dz, first_h, first_c, products], 10,
        dy.info.itemsize)
    return dz, first_h, first_c, products


cdef const RecurrentLoops* recurrent_loops(NDArray x) except NULL:
    """The loops for the dtype of `x`, one of the two that they are made for."""
    return <const RecurrentLoops*>loops_of_family("recurrent") + (0 if x.info.itemsize == sizeof(float) else 1)


cdef void begin(Recurrence* call, Py_ssize_t batch, Py_ssize_t length, Py_ssize_t units, Py_ssize_t gates,
                Py_ssize_t option) noexcept:
    """The sizes of a call."""
    call.batch, call.length, call.units, call.gates, call.option = batch, length, units, gates, option


cdef NDArray rows_like(NDArray x, Py_ssize_t batch, Py_ssize_t first, Py_ssize_t second=-1):
    """An uninitialised array of two sizes, or three.  Raises MemoryError."""
    cdef Py_ssize_t shape[3]
    shape[0], shape[1], shape[2] = batch, first, second
    return new_array(x.number, 2 if second < 0 else 3, shape)


cdef int run(Work* work, list arrays, int n_in, Py_ssize_t itemsize) except -1:
    """Lend the call memory, and share its sequences out.  Raises MemoryError."""
    cdef int k
    cdef NDArray array
    cdef Hold hold
    cdef size_t missing
    for k in range(RECURRENT_OPERANDS):
        work.call.operands[k] = NULL
    for k, array in enumerate(arrays):
        if array is not None:
            work.call.operands[k] = array.data
            if n_captures and k < n_in:
                note_operand(array)
    if work.call.batch == 0 or work.call.length == 0:
        return 0
    work.loop.plan(&work.call)
    work.nanoseconds = BYTE_NS * itemsize * (
        <double>work.call.batch * work.call.length * work.call.units * work.call.units * work.call.gates
    )
    hold.add_all(holds, work.call.operands, RECURRENT_OPERANDS)
    if n_captures and is_recording():
        record(work, n_in)
    with nogil:
        missing = compute(work)
    if missing:
        raise out_of_memory(missing, "a recurrent layer to work in", "free arrays or take shorter sequences")
    return raise_if_stopped()


cdef size_t compute(void* block) noexcept nogil:
    """All sequences, by as many threads as are worth while.  Returns the bytes that there were not, or 0."""
    cdef Work* work = <Work*>block
    cdef Recurrence* call = &work.call
    cdef size_t n_bytes
    work.n_threads = acquire_threads_for(call.batch, work.nanoseconds)
    n_bytes = call.packed_bytes + work.n_threads * call.scratch_bytes
    work.packed = <char*>pool_allocate(n_bytes)
    if work.packed != NULL:
        work.scratch = work.packed + call.packed_bytes
        work.loop.pack(call, work.packed)
        share_evenly(run_share, work, work.n_threads, work.n_threads)
        pool_release(work.packed, n_bytes)
    release_threads(work.n_threads)
    return 0 if work.packed != NULL else n_bytes


cdef int record(const Work* work, int n_in) except -1:
    """Describe the call for the graph that is captured."""
    cdef Launch launch = new_launch("recurrence", compute)
    cdef int k
    launch.add(work, sizeof(Work))
    for k in range(RECURRENT_OPERANDS):
        launch.operand(&work.call.operands[k], k >= n_in)
    return launch.submit()


cdef void run_share(void* block, Py_ssize_t worker) noexcept nogil:
    """One thread's sequences, some at a time, and of long ones some steps at a time."""
    cdef const Work* work = <const Work*>block
    cdef const Recurrence* call = &work.call
    cdef Py_ssize_t first = call.batch * worker // work.n_threads, last = call.batch * (worker + 1) // work.n_threads
    cdef Py_ssize_t end, step, n_steps
    cdef char* scratch = work.scratch + worker * call.scratch_bytes
    while first < last:
        end = min(last, first + RECURRENT_ROWS)
        n_steps = 1 + LONG_WORK // ((end - first) * call.units * call.units * call.gates + 1)
        for step from 0 <= step < call.length by n_steps:
            if step > 0 and not goes_on():
                return
            work.loop.run(call, work.packed, scratch, first, end, step, min(call.length, step + n_steps))
        first = end
