"""Reading and writing of elements through index arrays, and rows that join values to them.

`index_arrays` says what the arguments mean.
"""

from libcpp cimport bool as cpp_bool
from nd4py._core.array.array cimport NDArray, new_array
from nd4py._core.graphs.launch_recording cimport (
    BAD_INDEX, Launch, Run, is_recording, n_captures, new_launch, note_operand,
)
from nd4py._core.layout.shape cimport MAX_NDIM
from nd4py._core.observing.observers cimport DRIVER, MOVE, Operation, begun, n_observers
from nd4py._core.threads.threads cimport acquire_threads_over, goes_on, raise_if_stopped, release_threads
from nd4py._mem.workspace.held_memory cimport Hold, holds
from nd4py.cpu.isa.isa cimport MapLoop, loops
from nd4py.cpu.copy.strided_lines cimport Lines, join_lines
from nd4py.cpu.index.index_arrays cimport (
    Selection, check_indices, check_range, describe, describe_along, hold_indices, insert_rest, raise_out_of_range,
)
from nd4py.cpu.parallel.tasks cimport Task, share_evenly

from ..._spec.dtypes import DTYPES
from ..._spec.ops import ALL

cdef enum:
    NO_ROW = -1                          # values are written as they are
    SMALL_ELEMENTS = 4096                # elements below which the GIL is kept

cdef extern from "index_moves.h" namespace "nd_index" nogil:
    ctypedef void* JoinPoints            # a function, which goes from `points_of` to a Move

    JoinPoints points_of(int row, char kind, Py_ssize_t item) noexcept
    cdef struct Move:
        const Selection* selection
        Lines rest
        Py_ssize_t n_rest
        char* x
        char* values
        Py_ssize_t value_step
        Py_ssize_t item
        Py_ssize_t n_blocks
        MapLoop join
        JoinPoints join_points
        cpp_bool is_get
        Py_ssize_t n_tasks
        cpp_bool* has_bad

    void plan_move(Move* move, cpp_bool is_ordered) noexcept
    void run_task(void* move, Py_ssize_t task) noexcept


def gather(
    NDArray x, tuple indices: tuple[NDArray, ...], tuple axes: tuple[int, ...], int where, tuple names: tuple[int, ...]
) -> NDArray:
    """The elements of `x` that integer arrays name, as a new array.

    Raises IndexError for an index out of range, index arrays that do not broadcast, or too many dimensions.
    """
    cdef Selection selection
    cdef Move move
    cdef Py_ssize_t shape[2 * MAX_NDIM]
    cdef Hold hold
    hold.add(holds, x.data)
    cdef int ndim = describe(&selection, x, indices, axes, shape)
    cdef NDArray y = new_array(x.number, insert_rest(x, axes, where, ndim, shape), shape)
    start_move(&move, &selection, x, axes, where, ndim, y)
    move.is_get = True
    if move.n_rest == 0:
        check_indices(&selection, names)
    cdef Operation operation = begun(MOVE, "gather") if n_observers else None
    run(&move, False, names, (x, *indices))
    if operation is not None:
        operation.finish((y, *indices), (y,))
    return y


def scatter(
    NDArray x,
    tuple indices: tuple[NDArray, ...],
    tuple axes: tuple[int, ...],
    int where,
    tuple names: tuple[int, ...],
    NDArray values,
    int row,
    bint is_unique,
) -> None:
    """Write `values`, of the shape of the result of `gather`, to the elements of `x`, or join them to these by a row.

    row: of two operands and a result of the dtype of `x`, or -1.  Of several values for one element the last stays, and
    all are joined, in order; is_unique promises that there are none.  The selection's axes must
    be one in `values`, see `is_one_axis`.
    Raises IndexError, before anything is written, for an index out of range or index arrays that do not broadcast.
    """
    cdef Selection selection
    cdef Move move
    cdef Py_ssize_t shape[2 * MAX_NDIM]
    cdef Hold hold
    hold.add(holds, x.data, values.data)  # while the indices are checked too
    cdef int ndim = describe(&selection, x, indices, axes, shape)
    check_indices(&selection, names)
    start_move(&move, &selection, x, axes, where, ndim, values)
    choose_join(&move, x, row)
    cdef Operation operation = begun_scatter(row) if n_observers else None
    run(&move, not is_unique, names, (x, values, *indices))
    if operation is not None:
        operation.finish((values, *indices), (values,) if row == NO_ROW else (x,))


def gather_along(NDArray x, NDArray indices, int axis) -> NDArray:
    """y[..., i, ...] = x[..., indices[..., i, ...], ...], the shapes broadcast outside `axis`, as a new array.

    Raises IndexError for an index out of range, ValueError for shapes that do not broadcast.
    """
    cdef Selection selection
    cdef Move move
    cdef Py_ssize_t shape[2 * MAX_NDIM]
    cdef Hold hold
    hold.add(holds, x.data)
    describe_along(&selection, x, indices, axis, shape)
    cdef NDArray y = new_array(x.number, x.info.ndim, shape)
    start_move_along(&move, &selection, x, y)
    move.is_get = True
    cdef Operation operation = begun(MOVE, "gather") if n_observers else None
    run(&move, False, (axis,), (x, indices))
    if operation is not None:
        operation.finish((y, indices), (y,))
    return y


def scatter_along(NDArray x, NDArray indices, int axis, NDArray values, int row) -> None:
    """Write to `x`, or join by a row, contiguous `values` of the shape that `gather_along` gives, as `scatter` does."""
    cdef Selection selection
    cdef Move move
    cdef Py_ssize_t shape[2 * MAX_NDIM]
    cdef Hold hold
    hold.add(holds, x.data, values.data)
    describe_along(&selection, x, indices, axis, shape)
    check_indices(&selection, (axis,))
    start_move_along(&move, &selection, x, values)
    choose_join(&move, x, row)
    cdef Operation operation = begun_scatter(row) if n_observers else None
    run(&move, True, (axis,), (x, values, indices))
    if operation is not None:
        operation.finish((values, indices), (values,) if row == NO_ROW else (x,))


cdef Operation begun_scatter(int row):
    """The operation that writes values through indices, or joins them by a row."""
    return begun(MOVE, "scatter") if row == NO_ROW else begun(DRIVER, f"scatter by {ALL[row].name}")


def is_one_axis(NDArray values, int first, int last) -> bool:
    """Whether the axes [first, last) can be walked as one, with one stride; those of size 1 are not walked."""
    cdef Py_ssize_t step = step_along(values, first, last)
    cdef int i
    for i in range(last - 1, first - 1, -1):
        if values.info.shape[i] == 1:
            continue
        if values.info.strides[i] != step:
            return False
        step *= values.info.shape[i]
    return True


cdef Py_ssize_t step_along(NDArray values, int first, int last) noexcept:
    """The stride of the last one of the axes [first, last) that has more than one element."""
    cdef int i
    for i in range(last - 1, first - 1, -1):
        if values.info.shape[i] != 1:
            return values.info.strides[i]
    return 0


cdef int start_move(Move* move, Selection* selection, NDArray x, tuple axes, int where, int ndim,
                    NDArray values) except -1:
    """The rest in the array and in the values, and the step between values."""
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t x_strides[MAX_NDIM]
    cdef Py_ssize_t value_strides[MAX_NDIM]
    cdef int n = 0, axis
    move.selection, move.x, move.values, move.item = selection, x.data, values.data, x.info.itemsize
    move.value_step = step_along(values, where, where + ndim)
    move.n_rest = 1
    for axis in range(x.info.ndim):
        if axis not in axes:
            shape[n] = x.info.shape[axis]
            x_strides[n] = x.info.strides[axis]
            value_strides[n] = values.info.strides[n if n < where else n + ndim]
            move.n_rest *= shape[n]
            n += 1
    join_lines(&move.rest, n, shape, x_strides, value_strides)
    move.join = NULL
    move.join_points = NULL
    move.is_get = False
    return 0


cdef void start_move_along(Move* move, Selection* selection, NDArray x, NDArray values) noexcept:
    """Values one after the other, and no rest."""
    move.selection, move.x, move.values, move.item = selection, x.data, values.data, x.info.itemsize
    move.value_step = x.info.itemsize
    move.n_rest = 1
    join_lines(&move.rest, 0, NULL, NULL, NULL)
    move.join = NULL
    move.join_points = NULL
    move.is_get = False


cdef int choose_join(Move* move, NDArray x, int row) except -1:
    """Join the values by a row instead of writing them.  Raises TypeError for a dtype that has no loop for it."""
    if row != NO_ROW:
        move.join = <MapLoop>loops.rows[row][x.number]
        if move.join == NULL:
            raise TypeError(f"{ALL[row].name}: no {DTYPES[x.number].name} loop; convert first")
        move.join_points = points_of(row, ord(x.dtype.kind), x.info.itemsize)
    return 0


cdef int run(Move* move, bint is_ordered, tuple names, tuple operands) except -1:
    """Move everything, on several threads where that pays.  operands: the arrays that are read and written."""
    cdef cpp_bool has_bad = False
    cdef Py_ssize_t n_items = move.selection.count * move.n_rest
    cdef Hold hold
    move.has_bad = &has_bad
    plan_move(move, is_ordered)
    if n_captures:
        record(move, operands, gather_recorded if move.is_get else put_in_order if is_ordered else put_recorded)
    cdef Task task = run_in_order if is_ordered else run_task
    cdef Py_ssize_t n_tasks = move.n_tasks // max(move.n_blocks, 1) if is_ordered else move.n_tasks
    if n_items <= SMALL_ELEMENTS:
        move_all(move, task, n_tasks)
    else:
        hold.add(holds, move.x, move.values)
        hold_indices(&hold, move.selection)
        with nogil:
            move_all(move, task, n_tasks)
    raise_if_stopped()
    if has_bad:
        raise_out_of_range(move.selection, names)
    return 0


cdef size_t gather_recorded(void* block) noexcept nogil:
    """Read everything.  Returns BAD_INDEX where an index is out of range, or 0."""
    cdef Move* move = <Move*>block
    cdef cpp_bool has_bad = False
    move.has_bad = &has_bad
    move_all(move, run_task, move.n_tasks)
    if move.n_rest == 0:
        check_range(move.selection, 0, move.selection.count, &has_bad)
    return BAD_INDEX if has_bad else 0


cdef size_t put_recorded(void* block) noexcept nogil:
    """Write everything.  Returns BAD_INDEX, before anything is written, where an index is out of range, or 0."""
    cdef Move* move = <Move*>block
    return put_all(move, run_task, move.n_tasks)


cdef size_t put_in_order(void* block) noexcept nogil:
    """The same where of several values for one element the last stays."""
    cdef Move* move = <Move*>block
    return put_all(move, run_in_order, move.n_tasks // max(move.n_blocks, 1))


cdef size_t put_all(Move* move, Task task, Py_ssize_t n_tasks) noexcept nogil:
    cdef cpp_bool has_bad = False
    check_range(move.selection, 0, move.selection.count, &has_bad)
    if has_bad:
        return BAD_INDEX
    move.has_bad = &has_bad
    move_all(move, task, n_tasks)
    return 0


cdef void move_all(Move* move, Task task, Py_ssize_t n_tasks) noexcept nogil:
    """On several threads where that pays."""
    cdef Py_ssize_t n_items = move.selection.count * move.n_rest
    cdef int n_threads = acquire_threads_over(n_tasks, n_items) if n_items > SMALL_ELEMENTS else 1
    share_evenly(task, move, n_tasks, n_threads)
    if n_items > SMALL_ELEMENTS:
        release_threads(n_threads)


cdef int record(const Move* move, tuple operands, Run run_recorded) except -1:
    """Describe the reading or writing of elements for the graph that is captured."""
    cdef const Selection* selection = move.selection
    cdef Launch launch
    cdef Py_ssize_t k
    for array in operands:
        note_operand(<NDArray>array)
    if not is_recording():
        return 0
    launch = new_launch("gather" if move.is_get else "scatter", run_recorded)
    launch.add(move, sizeof(Move))
    launch.add(selection, sizeof(Selection))
    launch.link(&move.selection)
    launch.operand(&move.x, not move.is_get)
    launch.operand(&move.values, move.is_get)
    for k in range(selection.n_indices):
        launch.operand(&selection.index[k].data, False)
    return launch.submit()


cdef void run_in_order(void* given, Py_ssize_t piece) noexcept nogil:
    """All of the selection for a piece of the rest, so that of several values for one element the last stays."""
    cdef const Move* move = <const Move*>given
    cdef Py_ssize_t block
    for block in range(move.n_blocks):
        if block > 0 and not goes_on():
            return
        run_task(given, piece * move.n_blocks + block)
