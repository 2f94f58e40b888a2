"""Reading, writing and finding of elements by a boolean mask."""

from libc.stdint cimport int64_t, uint64_t
from libcpp cimport bool as cpp_bool
from nd4py._core.array.array cimport NDArray, new_array
from nd4py._core.lazy.deferred cimport is_deferred, materialized
from nd4py._core.observing.observers cimport MOVE, Operation, begun, n_observers
from nd4py._core.threads.threads cimport acquire_threads_over, raise_if_stopped, release_threads
from nd4py._mem.workspace.held_memory cimport Hold, holds
from nd4py.cpu.isa.isa cimport CastLoop, loops
from nd4py.cpu.copy.strided_lines cimport Lines, join_lines
from nd4py.cpu.parallel.tasks cimport Task, share_evenly

from ..._spec.dtypes import NUMBER

cdef int BOOL = NUMBER["bool"], INT64 = NUMBER["int64"], UINT64 = NUMBER["uint64"]

cdef extern from "mask_loops.h" namespace "nd_mask" nogil:
    Py_ssize_t CHUNK

    cdef struct Mask:
        const char* data
        CastLoop to_bool
        cpp_bool is_packable
        Lines lines
        Py_ssize_t size
        uint64_t* words
        int64_t* counts

    cdef struct Masked:
        const uint64_t* words
        const int64_t* starts
        Py_ssize_t size
        Lines lines
        Py_ssize_t item
        char* x
        char* values
        Py_ssize_t value_step
        int ndim
        const Py_ssize_t* shape
        int64_t** coordinates

    void pack_task(void* mask, Py_ssize_t chunk) noexcept
    void select_task(void* masked, Py_ssize_t chunk) noexcept
    void write_task(void* masked, Py_ssize_t chunk) noexcept
    void coordinates_task(void* masked, Py_ssize_t chunk) noexcept

cdef enum:
    SMALL_ELEMENTS = 4096                # elements below which the GIL is kept


cdef class PackedMask:
    """Which elements of an array are not 0: a bit for each, in C order, and how many each chunk has."""

    cdef NDArray array                   # kept for its layout, not for its values
    cdef NDArray words
    cdef NDArray starts                  # selected elements before each chunk, and in all
    cdef Py_ssize_t n_chunks
    cdef readonly Py_ssize_t count

    def __init__(self, given):
        cdef NDArray array = materialized(given) if is_deferred(given) else given
        cdef Mask mask
        cdef Py_ssize_t n_words = (array.info.size + 63) // 64, chunk
        cdef Py_ssize_t n_starts = (array.info.size + CHUNK - 1) // CHUNK + 1
        cdef int64_t* starts
        self.array, self.n_chunks = array, n_starts - 1
        self.words, self.starts = new_array(UINT64, 1, &n_words), new_array(INT64, 1, &n_starts)
        starts = <int64_t*>self.starts.data
        mask.data, mask.size = array.data, array.info.size
        mask.to_bool = loops.cast[array.number][BOOL]
        mask.is_packable = array.number == BOOL and array.info.is_contiguous
        mask.words, mask.counts = <uint64_t*>self.words.data, starts + 1
        join_lines(&mask.lines, array.info.ndim, array.info.shape, array.info.strides, array.info.strides)
        run(pack_task, &mask, self, array.data, NULL)
        starts[0] = 0
        for chunk in range(self.n_chunks):
            starts[chunk + 1] += starts[chunk]
        self.count = starts[self.n_chunks]


cdef int run(Task task, void* context, PackedMask mask, const char* x, const char* values) except -1:
    """Do the task for every chunk of the mask, on several threads where that pays.  x, values: what it touches."""
    cdef Py_ssize_t n_chunks = mask.n_chunks
    cdef int n_threads
    cdef Hold hold
    if mask.array.info.size <= SMALL_ELEMENTS:
        share_evenly(task, context, n_chunks, 1)
        return 0
    hold.add(holds, mask.words.data, mask.starts.data, x, values)
    with nogil:
        n_threads = acquire_threads_over(n_chunks, mask.array.info.size)
        share_evenly(task, context, n_chunks, n_threads)
        release_threads(n_threads)
    return raise_if_stopped()


cdef void describe(Masked* masked, PackedMask mask) noexcept:
    masked.words, masked.starts = <const uint64_t*>mask.words.data, <const int64_t*>mask.starts.data
    masked.size = mask.array.info.size


cdef void describe_elements(Masked* masked, PackedMask mask, NDArray x, NDArray values) noexcept:
    describe(masked, mask)
    join_lines(&masked.lines, x.info.ndim, x.info.shape, x.info.strides, x.info.strides)
    masked.x, masked.item = x.data, x.info.itemsize
    masked.values = values.data
    masked.value_step = values.info.strides[0] if values.info.ndim else 0


def select(NDArray x, PackedMask mask) -> NDArray:
    """The selected elements of `x`, which has the mask's shape, in C order, as a new array of one axis."""
    cdef Masked masked
    cdef NDArray y = new_array(x.number, 1, &mask.count)
    cdef Operation operation = begun(MOVE, "select") if n_observers else None
    describe_elements(&masked, mask, x, y)
    run(select_task, &masked, mask, x.data, y.data)
    if operation is not None:
        operation.finish((x,), (y,))
    return y


def write_selected(NDArray x, PackedMask mask, NDArray values) -> None:
    """Write `values` to the selected elements of `x`, which has the mask's shape.

    values: one element for all, or mask.count elements along one axis, of the dtype of `x`.
    """
    cdef Masked masked
    cdef Operation operation = begun(MOVE, "write selected") if n_observers else None
    describe_elements(&masked, mask, x, values)
    run(write_task, &masked, mask, x.data, values.data)
    if operation is not None:
        operation.finish((values,), (x,))


def nonzero(x: NDArray) -> tuple[NDArray, ...]:
    """The indices of the elements that are not 0, one int64 array for each axis, one for none."""
    return coordinates(PackedMask(x))


def flat_nonzero(x: NDArray) -> NDArray:
    """The positions, in C order, of the elements that are not 0."""
    return coordinates(PackedMask(x.reshape(-1)))[0]


def coordinates(PackedMask mask) -> tuple[NDArray, ...]:
    """The indices of the selected elements, in C order: an int64 array for each axis of the mask, at least one."""
    cdef Masked masked
    cdef list found = []
    cdef NDArray indices
    cdef int axis
    describe(&masked, mask)
    masked.ndim, masked.shape = mask.array.info.ndim, mask.array.info.shape
    for axis in range(max(masked.ndim, 1)):
        indices = new_array(INT64, 1, &mask.count)
        masked.coordinates[axis] = <int64_t*>indices.data
        found.append(indices)
    run(coordinates_task, &masked, mask, NULL, NULL)
    return tuple(found)
