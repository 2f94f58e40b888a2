"""Elements of every line by their positions in it, taken and put back.  Arrays are contiguous."""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset
from nd4py._core.array.array cimport NDArray, new_array, new_view
from nd4py._core.graphs.launch_recording cimport Launch, is_recording, n_captures, new_launch, note_operand
from nd4py._core.threads.threads cimport raise_if_stopped
from nd4py._core.layout.shape cimport MAX_NDIM, intern
from nd4py._mem.workspace.held_memory cimport Hold, holds
from nd4py.cpu.parallel.tasks cimport run_tasks

__all__ = ["parts", "put_along_last", "take_along_last"]

cdef enum:
    PIECE_ELEMENTS = 32768               # elements of one task

cdef struct TakeAlong:
    char* x                              # lines of n elements
    char* taken                          # lines of k
    const int64_t* positions             # of the elements of `taken` in their lines of `x`
    Py_ssize_t itemsize, n, k, size


def take_along_last(NDArray x, NDArray positions) -> NDArray:
    """y[..., j] = x[..., positions[..., j]].  The positions are int64 and lie within the lines.  Raises MemoryError."""
    cdef NDArray y = new_array(x.number, positions.info.ndim, positions.info.shape)
    cdef TakeAlong work
    cdef Hold hold
    hold.add(holds, x.data, y.data, positions.data)
    prepare(&work, x, y, positions)
    if n_captures:
        note_operand(x)
        note_operand(positions)
        if is_recording():
            record(&work)
    with nogil:
        take_all(&work)
    raise_if_stopped()
    return y


def put_along_last(NDArray values, NDArray positions, Py_ssize_t n) -> NDArray:
    """x[..., positions[..., j]] = values[..., j] in lines of `n` zeros; no position may occur twice in a line.

    Raises MemoryError.
    """
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef int i
    for i in range(values.info.ndim):
        shape[i] = values.info.shape[i]
    shape[values.info.ndim - 1] = n
    cdef NDArray x = new_array(values.number, values.info.ndim, shape)
    cdef TakeAlong work
    cdef Hold hold
    hold.add(holds, x.data, values.data, positions.data)
    prepare(&work, x, values, positions)
    with nogil:
        memset(x.data, 0, x.info.size * x.info.itemsize)
        run_tasks(put_piece, &work, (work.size + PIECE_ELEMENTS - 1) // PIECE_ELEMENTS, work.size)
    raise_if_stopped()
    return x


cdef size_t take_all(void* given) noexcept nogil:
    cdef TakeAlong* work = <TakeAlong*>given
    run_tasks(take_piece, work, (work.size + PIECE_ELEMENTS - 1) // PIECE_ELEMENTS, work.size)
    return 0


cdef int record(const TakeAlong* work) except -1:
    """Describe the reading of elements for the graph that is captured."""
    cdef Launch launch = new_launch("gather", take_all)
    launch.add(work, sizeof(TakeAlong))
    launch.operand(&work.x, False)
    launch.operand(&work.positions, False)
    launch.operand(&work.taken, True)
    return launch.submit()


def parts(NDArray x, int number) -> NDArray:
    """The contiguous complex `x` as a view of shape (size, 2) of its real dtype, the one of this number."""
    cdef Py_ssize_t itemsize = x.info.itemsize // 2
    cdef Py_ssize_t shape[2]
    cdef Py_ssize_t strides[2]
    shape[0], shape[1] = x.info.size, 2
    strides[0], strides[1] = 2 * itemsize, itemsize
    cdef NDArray view = new_view(x, x.data, intern(itemsize, 2, shape, strides))
    view.number = number
    return view


cdef void prepare(TakeAlong* work, NDArray x, NDArray taken, NDArray positions) noexcept:
    work.x, work.taken = x.data, taken.data
    work.positions = <const int64_t*>positions.data
    work.itemsize = x.info.itemsize
    work.n = x.info.shape[x.info.ndim - 1]
    work.k = positions.info.shape[positions.info.ndim - 1]
    work.size = positions.info.size


cdef void take_piece(void* given, Py_ssize_t piece) noexcept nogil:
    cdef TakeAlong* work = <TakeAlong*>given
    cdef Py_ssize_t i, from_
    for i in range(piece * PIECE_ELEMENTS, min((piece + 1) * PIECE_ELEMENTS, work.size)):
        from_ = i // work.k * work.n + work.positions[i]
        move(work.x, from_, work.taken, i, work.itemsize)


cdef void put_piece(void* given, Py_ssize_t piece) noexcept nogil:
    cdef TakeAlong* work = <TakeAlong*>given
    cdef Py_ssize_t i
    for i in range(piece * PIECE_ELEMENTS, min((piece + 1) * PIECE_ELEMENTS, work.size)):
        move(work.taken, i, work.x, i // work.k * work.n + work.positions[i], work.itemsize)


cdef inline void move(const char* x, Py_ssize_t i, char* y, Py_ssize_t j, Py_ssize_t itemsize) noexcept nogil:
    """y[j] = x[i], as a number of the element's size: a call of memcpy would cost more than the copy."""
    if itemsize == 8:
        (<uint64_t*>y)[j] = (<const uint64_t*>x)[i]
    elif itemsize == 4:
        (<uint32_t*>y)[j] = (<const uint32_t*>x)[i]
    elif itemsize == 2:
        (<uint16_t*>y)[j] = (<const uint16_t*>x)[i]
    elif itemsize == 1:
        (<uint8_t*>y)[j] = (<const uint8_t*>x)[i]
    else:
        memcpy(y + j * itemsize, x + i * itemsize, itemsize)
