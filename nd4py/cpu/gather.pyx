"""Elements that index arrays name: read, written, or added to.

An array has axes that index arrays stand for, and others, the rest.  In the values the selection, whose shape the index
arrays broadcast to, lies before axis `where` of the rest.  `axes` names one axis for each index array, -1 where it
takes none (a bool without dimensions); `names` are what to call them in an error.
"""

from cython.parallel cimport prange
from libc.stdint cimport int64_t
from libcpp cimport bool as cpp_bool
from nd4py._core.array cimport NDArray, new_array
from nd4py._core.shape cimport MAX_NDIM
from nd4py._core.threads cimport WORTH_WAKING, acquire_threads, current_core, leave_core, release_threads
from nd4py.cpu.isa cimport CastLoop, MapLoop, loops
from nd4py.cpu.lines cimport Lines, join_lines

from .._spec.dtypes import DTYPES, NUMBER
from .._spec.ops import ALL

cdef int INT64 = NUMBER["int64"], UINT64 = NUMBER["uint64"]
cdef int ADD = [op.name for op in ALL].index("add")

cdef enum:
    SMALL = 4096                         # elements below which the GIL is kept
    CHECKED = 16384                      # indices that one task looks at


cdef extern from "index_loops.h" namespace "nd_index" nogil:
    cdef struct Index:
        const char* data
        CastLoop to_int64
        Lines lines
        int64_t low
        int64_t size
        int64_t stride

    cdef struct Selection:
        Py_ssize_t n_indices
        Py_ssize_t count
        cpp_bool has_base
        Lines base
        Index* index

    cdef struct Move:
        const Selection* selection
        Lines rest
        Py_ssize_t n_rest
        char* x
        char* values
        Py_ssize_t value_step
        Py_ssize_t item
        MapLoop add
        cpp_bool is_get
        Py_ssize_t n_tasks
        cpp_bool* has_bad

    void plan_move(Move* move, cpp_bool is_ordered) noexcept
    void run_task(const Move* move, Py_ssize_t task) noexcept
    void check_range(const Selection* selection, Py_ssize_t first, Py_ssize_t last, cpp_bool* has_bad) noexcept
    Py_ssize_t find_bad(const Index* index, Py_ssize_t count, int64_t* value) noexcept


def gather(NDArray x, tuple indices, tuple axes, int where, tuple names):
    """The elements of `x` that integer arrays name, as a new array.

    Raises IndexError for an index out of range, index arrays that do not broadcast, or too many dimensions.
    """
    cdef Selection selection
    cdef Move move
    cdef Py_ssize_t shape[2 * MAX_NDIM]
    cdef int ndim = describe(&selection, x, indices, axes, shape)
    cdef NDArray y = new_array(x.number, insert_rest(x, axes, where, ndim, shape), shape)
    start_move(&move, &selection, x, axes, where, ndim, y)
    move.is_get = True
    if move.n_rest == 0:
        check_indices(&selection, names)
    run(&move, False, names)
    return y


def scatter(NDArray x, tuple indices, tuple axes, int where, tuple names, NDArray values, bint is_added,
            bint is_unique):
    """Write `values`, of the shape of the result of `gather`, to the elements of `x`, or add them.

    Of several values for one element the last stays; is_unique promises that there are none.  The selection's axes must
    be one in `values`, see `is_one_axis`.
    Raises IndexError, before anything is written, for an index out of range or index arrays that do not broadcast.
    """
    cdef Selection selection
    cdef Move move
    cdef Py_ssize_t shape[2 * MAX_NDIM]
    cdef int ndim = describe(&selection, x, indices, axes, shape)
    check_indices(&selection, names)
    start_move(&move, &selection, x, axes, where, ndim, values)
    choose_add(&move, x, is_added)
    run(&move, not is_unique, names)


def gather_along(NDArray x, NDArray indices, int axis):
    """y[..., i, ...] = x[..., indices[..., i, ...], ...], the shapes broadcast outside `axis`, as a new array.

    Raises IndexError for an index out of range, ValueError for shapes that do not broadcast.
    """
    cdef Selection selection
    cdef Move move
    cdef Py_ssize_t shape[2 * MAX_NDIM]
    describe_along(&selection, x, indices, axis, shape)
    cdef NDArray y = new_array(x.number, x.info.ndim, shape)
    start_move_along(&move, &selection, x, y)
    move.is_get = True
    run(&move, False, (axis,))
    return y


def scatter_along(NDArray x, NDArray indices, int axis, NDArray values, bint is_added):
    """Write to `x`, or add, contiguous `values` of the shape that `gather_along` gives.  Raises as it does."""
    cdef Selection selection
    cdef Move move
    cdef Py_ssize_t shape[2 * MAX_NDIM]
    describe_along(&selection, x, indices, axis, shape)
    check_indices(&selection, (axis,))
    start_move_along(&move, &selection, x, values)
    choose_add(&move, x, is_added)
    run(&move, True, (axis,))


def selected_shape(NDArray x, tuple indices, tuple axes, int where):
    """The shape of the result of `gather`, and how many of its axes are the selection's.

    Raises IndexError for index arrays that do not broadcast, or too many dimensions.
    """
    cdef Py_ssize_t shape[2 * MAX_NDIM]
    cdef int ndim = broadcast_shape(indices, shape), i
    cdef int n_axes = insert_rest(x, axes, where, ndim, shape)
    return tuple([shape[i] for i in range(n_axes)]), ndim


def along_shape(NDArray x, NDArray indices, int axis):
    """The shape of the result of `gather_along`.  Raises ValueError for shapes that do not broadcast."""
    cdef Selection selection
    cdef Py_ssize_t shape[2 * MAX_NDIM]
    cdef int i
    describe_along(&selection, x, indices, axis, shape)
    return tuple([shape[i] for i in range(x.info.ndim)])


def is_one_axis(NDArray values, int first, int last):
    """Whether the axes [first, last) can be walked as one, with one stride."""
    cdef int i
    for i in range(first, last - 1):
        if values.info.strides[i] != values.info.strides[i + 1] * values.info.shape[i + 1]:
            return False
    return True


# Describing a selection.


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
    index.to_int64 = loops().cast[array.number][INT64]
    if array.number == INT64:
        index.to_int64 = NULL
    index.size = x.info.shape[axis] if axis >= 0 else 1
    index.stride = x.info.strides[axis] if axis >= 0 else 0
    index.low = 0 if array.number == UINT64 else -index.size
    return 0


cdef int describe_along(Selection* selection, NDArray x, NDArray indices, int axis, Py_ssize_t* shape) except -1:
    """The selection of take_along_axis: of the result's shape, every element with a place of its own to start from."""
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


# Moving elements.


cdef int start_move(Move* move, Selection* selection, NDArray x, tuple axes, int where, int ndim,
                    NDArray values) except -1:
    """The rest in the array and in the values, and the step between values."""
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t x_strides[MAX_NDIM]
    cdef Py_ssize_t value_strides[MAX_NDIM]
    cdef int n = 0, axis
    move.selection, move.x, move.values, move.item = selection, x.data, values.data, x.info.itemsize
    move.value_step = values.info.strides[where + ndim - 1] if ndim else 0
    move.n_rest = 1
    for axis in range(x.info.ndim):
        if axis not in axes:
            shape[n] = x.info.shape[axis]
            x_strides[n] = x.info.strides[axis]
            value_strides[n] = values.info.strides[n if n < where else n + ndim]
            move.n_rest *= shape[n]
            n += 1
    join_lines(&move.rest, n, shape, x_strides, value_strides)
    move.add = NULL
    move.is_get = False
    return 0


cdef void start_move_along(Move* move, Selection* selection, NDArray x, NDArray values) noexcept:
    """Values one after the other, and no rest."""
    move.selection, move.x, move.values, move.item = selection, x.data, values.data, x.info.itemsize
    move.value_step = x.info.itemsize
    move.n_rest = 1
    join_lines(&move.rest, 0, NULL, NULL, NULL)
    move.add = NULL
    move.is_get = False


cdef int choose_add(Move* move, NDArray x, bint is_added) except -1:
    """Add the values instead of writing them.  Raises TypeError for a dtype that has no loop for it."""
    if is_added:
        move.add = <MapLoop>loops().rows[ADD][x.number]
        if move.add == NULL:
            raise TypeError(f"add: no {DTYPES[x.number].name} loop; convert first")
    return 0


cdef int run(Move* move, bint is_ordered, tuple names) except -1:
    """Move everything, on several threads where that pays."""
    cdef cpp_bool has_bad = False
    cdef Py_ssize_t n_items = move.selection.count * move.n_rest
    cdef int n_threads
    move.has_bad = &has_bad
    plan_move(move, is_ordered)
    if n_items <= SMALL:
        run_tasks(move, 1)
    else:
        with nogil:
            n_threads = acquire_threads(move.n_tasks if n_items >= WORTH_WAKING else 1)
            run_tasks(move, n_threads)
            release_threads(n_threads)
    if has_bad:
        raise_out_of_range(move.selection, names)
    return 0


cdef void run_tasks(const Move* move, int n_threads) noexcept nogil:
    cdef Py_ssize_t task
    cdef int home = current_core()
    if n_threads == 1:
        for task in range(move.n_tasks):
            run_task(move, task)
    else:
        for task in prange(move.n_tasks, num_threads=n_threads, schedule="static"):
            leave_core(home)
            run_task(move, task)


cdef int check_indices(const Selection* selection, tuple names) except -1:
    """Raises IndexError unless all indices are in range."""
    cdef cpp_bool has_bad = False
    cdef Py_ssize_t n_tasks = (selection.count + CHECKED - 1) // CHECKED, task
    cdef int n_threads, home
    with nogil:
        n_threads = acquire_threads(n_tasks if selection.count >= WORTH_WAKING else 1)
        home = current_core()
        for task in prange(n_tasks, num_threads=n_threads, schedule="static"):
            leave_core(home)
            check_range(selection, task * CHECKED, min((task + 1) * CHECKED, selection.count), &has_bad)
        release_threads(n_threads)
    if has_bad:
        raise_out_of_range(selection, names)
    return 0


cdef int raise_out_of_range(const Selection* selection, tuple names) except -1:
    """Name the first index that is out of range."""
    cdef int64_t value = 0
    cdef Py_ssize_t k
    for k in range(selection.n_indices):
        if find_bad(&selection.index[k], selection.count, &value) >= 0:
            number = value % 2**64 if selection.index[k].low == 0 else value
            raise IndexError(f"index {number} is out of range for axis {names[k]} of size {selection.index[k].size}")
    raise RuntimeError("an index array was written by another thread while it was in use")
