"""Index arrays as a selection of an array's elements.

An array has axes that index arrays stand for, and others, the rest.  The index arrays broadcast to the selection's
shape, which in the values lies before axis `where` of the rest.  `axes` names one axis for each index array, -1 where
it takes none (a bool without dimensions); `names` are what to call them in an error.
"""

from libcpp cimport bool as cpp_bool
from nd4py._core.array.array cimport NDArray
from nd4py._core.threads.threads cimport raise_if_stopped
from nd4py._core.layout.shape cimport MAX_NDIM
from nd4py._mem.workspace.held_memory cimport Hold, holds
from nd4py.cpu.isa.isa cimport loops
from nd4py.cpu.copy.strided_lines cimport join_lines
from nd4py.cpu.parallel.tasks cimport run_tasks

from ..._spec.dtypes import NUMBER

cdef int INT64 = NUMBER["int64"], UINT64 = NUMBER["uint64"]

cdef enum:
    CHECKED_INDICES = 16384              # indices that one task looks at

cdef struct Check:
    const Selection* selection
    cpp_bool has_bad


def selected_shape(
    NDArray x, tuple indices: tuple[NDArray, ...], tuple axes: tuple[int, ...], int where
) -> tuple[tuple[int, ...], int]:
    """The shape of the result of `gather`, and how many of its axes are the selection's.

    Raises IndexError for index arrays that do not broadcast, or too many dimensions.
    """
    cdef Py_ssize_t shape[2 * MAX_NDIM]
    cdef int ndim = broadcast_shape(indices, shape), i
    cdef int n_axes = insert_rest(x, axes, where, ndim, shape)
    return tuple([shape[i] for i in range(n_axes)]), ndim


def along_shape(NDArray x, NDArray indices, int axis) -> tuple[int, ...]:
    """The shape of the result of `gather_along`.  Raises ValueError for shapes that do not broadcast."""
    cdef Selection selection
    cdef Py_ssize_t shape[2 * MAX_NDIM]
    cdef int i
    describe_along(&selection, x, indices, axis, shape)
    return tuple([shape[i] for i in range(x.info.ndim)])


cdef int describe(Selection* selection, NDArray x, tuple indices, tuple axes, Py_ssize_t* shape) except -1:
    """Fill in the selection and its shape; returns the number of its dimensions."""
    cdef int ndim = broadcast_shape(indices, shape), i
    cdef Py_ssize_t k
    selection.n_indices, selection.has_base, selection.count = len(indices), False, 1
    for i in range(ndim):
        selection.count *= shape[i]
    for k in range(len(indices)):
        describe_index(&selection.index[k], indices[k], ndim, shape, x, axes[k])
    return ndim


cdef int broadcast_shape(tuple indices, Py_ssize_t* shape) except -1:
    """The shape that the index arrays broadcast to; returns its length."""
    cdef int ndim = 0, i, shift
    cdef NDArray index
    if len(indices) > MAX_NDIM:
        raise IndexError(f"an index may have at most {MAX_NDIM} arrays, given {len(indices)}")
    for index in indices:
        ndim = max(ndim, index.info.ndim)
    for i in range(ndim):
        shape[i] = 1
    for index in indices:
        shift = ndim - index.info.ndim
        for i in range(index.info.ndim):
            if index.info.shape[i] != 1 and shape[i + shift] != index.info.shape[i]:
                if shape[i + shift] != 1:
                    given = " and ".join([str(array.shape) for array in indices])
                    raise IndexError(f"the index arrays have shapes {given}, which do not broadcast")
                shape[i + shift] = index.info.shape[i]
    return ndim


cdef int describe_index(Index* index, NDArray array, int ndim, const Py_ssize_t* shape, NDArray x, int axis) except -1:
    """One index array, broadcast to the selection's shape."""
    cdef Py_ssize_t strides[MAX_NDIM]
    cdef int shift = ndim - array.info.ndim, i
    for i in range(ndim):
        strides[i] = array.info.strides[i - shift] if i >= shift and array.info.shape[i - shift] == shape[i] else 0
    join_lines(&index.lines, ndim, shape, strides, strides)
    index.data = array.data
    index.to_int64 = loops.cast[array.number][INT64]
    if array.number == INT64:
        index.to_int64 = NULL
    index.size = x.info.shape[axis] if axis >= 0 else 1
    index.stride = x.info.strides[axis] if axis >= 0 else 0
    index.low = 0 if array.number == UINT64 else -index.size
    return 0


cdef int describe_along(Selection* selection, NDArray x, NDArray indices, int axis, Py_ssize_t* shape) except -1:
    """The selection of take_along_axis: of the result's shape, with an offset of its own for every element."""
    cdef Py_ssize_t strides[MAX_NDIM]
    cdef int i
    selection.n_indices, selection.has_base, selection.count = 1, True, 1
    if x.info.ndim != indices.info.ndim:
        raise ValueError(
            f"x and indices need the same number of dimensions, given shapes {x.shape} and {indices.shape}"
        )
    for i in range(x.info.ndim):
        shape[i] = indices.info.shape[i]
        if i != axis and shape[i] == 1:
            shape[i] = x.info.shape[i]
        if i != axis and x.info.shape[i] != 1 and x.info.shape[i] != shape[i]:
            raise ValueError(f"shapes {x.shape} and {indices.shape} do not broadcast outside axis {axis}")
        strides[i] = x.info.strides[i] if i != axis and x.info.shape[i] == shape[i] else 0
        selection.count *= shape[i]
    join_lines(&selection.base, x.info.ndim, shape, strides, strides)
    return describe_index(&selection.index[0], indices, x.info.ndim, shape, x, axis)


cdef int insert_rest(NDArray x, tuple axes, int where, int ndim, Py_ssize_t* shape) except -1:
    """Put the sizes of the rest around the selection's shape; returns the number of dimensions."""
    cdef Py_ssize_t selected[MAX_NDIM]
    cdef int n = 0, axis, i
    for i in range(ndim):
        selected[i] = shape[i]
    for axis in range(x.info.ndim):
        if axis not in axes:
            shape[n if n < where else n + ndim] = x.info.shape[axis]
            n += 1
    for i in range(ndim):
        shape[where + i] = selected[i]
    if n + ndim > MAX_NDIM:
        raise IndexError(f"an array has at most {MAX_NDIM} dimensions")
    return n + ndim


cdef void hold_indices(Hold* hold, const Selection* selection) noexcept:
    """The index arrays are about to be read without the GIL."""
    cdef Py_ssize_t k
    for k in range(selection.n_indices):
        hold.add(holds, selection.index[k].data)


cdef int check_indices(const Selection* selection, tuple names) except -1:
    """Raises IndexError unless all indices are in range."""
    cdef Check check = Check(selection, False)
    cdef Hold hold
    hold_indices(&hold, selection)
    with nogil:
        run_tasks(check_some, &check, (selection.count + CHECKED_INDICES - 1) // CHECKED_INDICES, selection.count)
    raise_if_stopped()
    if check.has_bad:
        raise_out_of_range(selection, names)
    return 0


cdef void check_some(void* work, Py_ssize_t task) noexcept nogil:
    cdef Check* check = <Check*>work
    cdef Py_ssize_t first = task * CHECKED_INDICES
    check_range(check.selection, first, min(first + CHECKED_INDICES, check.selection.count), &check.has_bad)


cdef int raise_out_of_range(const Selection* selection, tuple names) except -1:
    """Name the first index that is out of range."""
    cdef int64_t value = 0
    cdef Py_ssize_t k
    for k in range(selection.n_indices):
        if find_bad(&selection.index[k], selection.count, &value) >= 0:
            number = value % 2**64 if selection.index[k].low == 0 else value
            raise IndexError(f"index {number} is out of range for axis {names[k]} of size {selection.index[k].size}")
    raise RuntimeError("an index array was written by another thread while it was in use")
