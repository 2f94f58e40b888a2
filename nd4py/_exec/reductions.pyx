"""Reductions: their axes and results, then the driver of the host or the device."""

from cpython.object cimport PyObject
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memchr, memcpy
from nd4py._core.array.array cimport NDArray, new_from_info
from nd4py._core.observing.observers cimport REDUCTION, Operation, begun, n_observers
from nd4py._core.layout.shape cimport MAX_NDIM, ShapeInfo, intern_contiguous, normalize_axis
from nd4py._exec.lazy.deferred_reductions cimport (
    defer_reduction, gets_values, is_base_shared, new_result, reduce_deferred,
)
from nd4py._exec.copying cimport convert, gathered
from nd4py._exec.device.device_operations cimport argreduce_elsewhere, is_elsewhere, reduce_elsewhere, upcalls
from nd4py._exec.dispatch.row_table cimport MAX_ROWS, SAME, compute, result_numbers, rows
from nd4py._exec.dispatch.promotion cimport (
    PAIR, adopt, computed_number, is_composed, is_deferred, is_scalar, is_subclassed, ranks, unrecorded,
)
from nd4py._core.graphs.launch_recording cimport is_recording, n_captures
from nd4py._mem.workspace.held_memory cimport Hold, holds
from nd4py.cpu.isa.isa cimport ArgReduceLoops, ReduceLoops, loops
from nd4py.cpu.reduce.reduce cimport PIECE_ELEMENTS, run_argreduce, run_reduce

from .._core.array.released import type_name
from .._spec.dtypes import DTYPES, NUMBER
from .._spec.ops import ALL, vjp_arguments

cdef extern from "free_threads.h":
    bint function_shares "nd_function_shares"(PyObject* item)

cdef dict NUMBERS = {op.name: position for position, op in enumerate(ALL)}
cdef int ARGMAX = NUMBERS["argmax"], MAX = NUMBERS["max"], MIN = NUMBERS["min"]
cdef int ANY = NUMBERS["any"], ALL_OF = NUMBERS["all"]
cdef int BOOL = NUMBER["bool"], BYTE = NUMBER["uint8"]
cdef int FLOAT32 = NUMBER["float32"], FLOAT64 = NUMBER["float64"]
cdef int COMPLEX64 = NUMBER["complex64"], COMPLEX128 = NUMBER["complex128"]
cdef list scalar_infos = [intern_contiguous(row.itemsize, 0, NULL) for row in DTYPES]
cdef bint is_plain[MAX_ROWS]             # rows whose reduction is `run_reduce` over the loops of the table
cdef bint needs_operand[MAX_ROWS]        # rows whose gradient reads what was reduced
cdef bint is_product[MAX_ROWS]
for position, op in enumerate(ALL):
    if op.family == "reduce":
        is_plain[position] = True
        is_product[position] = op.is_product
        needs_operand[position] = "x" in vjp_arguments(op, 0)


def reduce(
    int op, x, axis: Axes = None, dtype: DTypeLike | None = None, bint keepdims=False, is_held=None
) -> NDArray:
    """Reduce `x`, converted to `dtype` if one is given, along one axis, several, or all (None).

    is_held: whether there are references to `x` other than the caller's; None counts them.
    Raises TypeError for a dtype without a loop, ValueError for a wrong axis or an empty reduction without a value.
    """
    cdef NDArray a, y
    cdef const ReduceLoops* reduce_loops
    if axis is None and dtype is None and not keepdims and type(x) is NDArray:
        a = <NDArray>x
        if a.number == BOOL and a.info.size:
            op = of_bools(op)
        if is_whole(a) and a.node is None and is_plain[op]:
            reduce_loops = <const ReduceLoops*>loops.rows[op][a.number]
            if reduce_loops != NULL:
                y = reduce_whole(reduce_loops, result_numbers[op][a.number], a)
                return with_zeros(op, x, tuple(range(a.info.ndim)), y) if is_product[op] and holds_nan(y) else y
    if is_held is None:
        is_held = function_shares(<PyObject*>x)
    return reduce_any(op, x, axis, dtype, keepdims, is_held)


cdef inline int of_bools(int op) noexcept:
    """The row that gives the same of bools, and ends where its result is known."""
    return ANY if op == MAX else ALL_OF if op == MIN else op


cdef NDArray with_zeros(int op, object x, tuple axes, NDArray y):
    return upcalls.product_with_zeros(op, x, axes, y)


cdef NDArray reduce_whole(const ReduceLoops* reduce_loops, int number, NDArray x):
    """All elements of a contiguous array, at once where they are one piece: no plan, no threads.

    A piece keeps the GIL: eight callers that gave it up for sums of 10^4 had half the throughput of one (benchmarks:
    threads.TrackCallers).
    """
    cdef NDArray y = new_from_info(number, <ShapeInfo>scalar_infos[number])
    cdef bint is_reduced[MAX_NDIM]
    cdef double acc[4]
    cdef int i
    if x.info.size <= PIECE_ELEMENTS:
        reduce_loops.init(<char*>acc, 1)
        reduce_loops.along(x.data, 0, 1, x.info.itemsize, x.info.size, <char*>acc)
        reduce_loops.finish(<char*>acc, 1, x.info.size, y.data, 0)
    else:
        for i in range(x.info.ndim):
            is_reduced[i] = True
        run_reduce(reduce_loops, x, x.number, is_reduced, y)
    return y


cdef object reduce_any(int op, object x, object axis, object dtype, bint keepdims, bint is_held):
    if type(x) is not NDArray:
        if is_elsewhere(x):
            return reduce_elsewhere(op, x, axis, dtype, keepdims, is_held or (x.node is not None and needs_operand[op]))
        if is_subclassed(x):
            return upcalls.of_subclass(reduce, op, x, axis, dtype, keepdims)
    x = x if is_deferred(x) else checked(op, x)
    if dtype is not None:
        x = x.astype(dtype, copy=False)
    cdef NDArray source = <NDArray><PyObject*>x
    cdef bint is_reduced[MAX_NDIM]
    if ranks[source.number] == PAIR and is_composed[op]:
        return reduced_complex(op, x, axis, keepdims)
    cdef int given = source.number, number = loop_number(op, source.number)
    axes = mark_axes(ALL[op].name, axis, source.info.ndim, is_reduced)
    check_not_empty(op, source, axes)
    if source.number == BOOL and of_bools(op) != op:
        op = of_bools(op)
        number = loop_number(op, source.number)
    cdef NDArray y = None
    cdef Operation operation = None
    cdef object recorded = x if source.node is not None else None
    if is_deferred(x) and recorded is not None:
        is_held = is_held or needs_operand[op] or is_base_shared(x)
    cdef int wanted = given if dtype is not None else reported(op, given, result_numbers[op][number])
    if is_plain[op] and not is_product[op] and axes and axes[len(axes) - 1] - axes[0] < len(axes):
        result = defer_reduction(unrecorded(x), op, number, axes[0], axes[0] + len(axes), is_reduced, wanted, keepdims)
        if result is not None:
            return result if recorded is None else upcalls.record_reduction(op, recorded, axes, result)
    x = unrecorded(x)
    # What a product was made of may be looked at again, in `with_zeros`.
    if is_deferred(x) and not ((is_product[op] or is_held and dtype is None) and gets_values(x)):
        y = reduce_deferred(x, op, number, is_reduced)
    if y is None:
        x = source = checked(op, x)
        y = new_result(result_numbers[op][number], source, is_reduced)
        if n_observers:
            operation = begun(REDUCTION, ALL[op].name)
        run_reduce(<const ReduceLoops*>loops.rows[op][number], gathered(source), number, is_reduced, y)
    if is_product[op] and holds_nan(y):
        y = with_zeros(op, x, axes, y)
    if operation is not None:
        operation.finish((source,), (y,))
    y = in_the_dtype(y, wanted)
    if recorded is not None:
        y = upcalls.record_reduction(op, recorded, axes, y)
    return y.reshape(kept_shape(source.info.shape_tuple, axes)) if keepdims else y


cdef object reduced_complex(int op, object x, object axis, bint keepdims):
    """The first, last or best of complex numbers, which have no loop for it."""
    cdef NDArray source = <NDArray><PyObject*>x
    cdef bint is_reduced[MAX_NDIM]
    axes = mark_axes(ALL[op].name, axis, source.info.ndim, is_reduced)
    check_not_empty(op, source, axes)
    y = upcalls.reduce_complex(ALL[op].name, x, axes)
    return y.reshape(kept_shape(source.info.shape_tuple, axes)) if keepdims else y


cdef bint holds_nan(NDArray y) except -1:
    """Whether an element, or a part of one, of a contiguous array of floating numbers is NaN; in a graph one may be."""
    if n_captures and is_recording():
        return y.number in (FLOAT32, FLOAT64, COMPLEX64, COMPLEX128)
    cdef Py_ssize_t i, n = y.info.size * (2 if y.number in (COMPLEX64, COMPLEX128) else 1)
    if y.number in (FLOAT32, COMPLEX64):
        for i in range(n):
            if (<float*>y.data)[i] != (<float*>y.data)[i]:
                return True
    elif y.number in (FLOAT64, COMPLEX128):
        for i in range(n):
            if (<double*>y.data)[i] != (<double*>y.data)[i]:
                return True
    return False


def argreduce(int op, x, axis: int | None = None, bint keepdims=False) -> NDArray:
    """The index of the best element along an axis, or of the array in C order (axis=None), as int64."""
    if axis is None and not keepdims and type(x) is NDArray:
        if is_whole(<NDArray>x) and (loops.rows[op][(<NDArray>x).number] != NULL or (<NDArray>x).number == BOOL):
            return argreduce_whole(op, <NDArray>x)
    if type(x) is not NDArray:
        if is_elsewhere(x):
            return argreduce_elsewhere(op, x, axis, keepdims)
        if is_subclassed(x):
            return upcalls.of_subclass(argreduce, op, x, axis, keepdims)
    cdef NDArray source = checked(op, x)
    if ranks[source.number] == PAIR:
        return argreduced_complex(op, source, axis, keepdims)
    cdef bint is_reduced[MAX_NDIM]
    cdef int i, along, number = loop_number(op, source.number)
    if axis is None and not keepdims and is_whole(source) and (number == source.number or source.number == BOOL):
        return argreduce_whole(op, source)
    check_not_empty(op, source, range(source.info.ndim) if axis is None else (axis,))
    given = source.shape
    if axis is None:
        source = source.reshape(-1)
    along = 0 if axis is None else normalize_axis(axis, source.info.ndim)
    for i in range(source.info.ndim):
        is_reduced[i] = i == along
    cdef NDArray y = new_result(result_numbers[op][number], source, is_reduced)
    cdef Operation operation = begun(REDUCTION, ALL[op].name) if n_observers else None
    if source.number == BOOL and along == source.info.ndim - 1 and is_whole(source):
        find_bools(op, source, source.info.shape[along], y)
    else:
        run_argreduce(op, gathered(source), number, along, y)
    if operation is not None:
        operation.finish((source,), (y,))
    axes = tuple(range(len(given))) if axis is None else (along,)
    return y.reshape(kept_shape(given, axes)) if keepdims else y


cdef inline bint is_whole(NDArray x) noexcept:
    """Whether the elements lie one after the other, so that they need no plan; not where plans are recorded."""
    return x.info.is_contiguous and x.info.size and not n_captures


cdef object argreduced_complex(int op, NDArray x, object axis, bint keepdims):
    """The same of complex numbers."""
    cdef bint is_reduced[MAX_NDIM]
    axes = mark_axes(ALL[op].name, axis, x.info.ndim, is_reduced)
    check_not_empty(op, x, axes)
    y = upcalls.argreduce_complex(ALL[op].name, x, axes)
    return y.reshape(kept_shape(x.shape, axes)) if keepdims else y


cdef NDArray argreduce_whole(int op, NDArray x):
    """The same as reduce_whole for positions."""
    cdef int number = result_numbers[op][loop_number(op, x.number)]
    cdef const ArgReduceLoops* arg_loops = <const ArgReduceLoops*>loops.rows[op][x.number]
    cdef NDArray y = new_from_info(number, <ShapeInfo>scalar_infos[number])
    cdef double acc[4]
    if x.number == BOOL:
        find_bools(op, x, x.info.size, y)
    elif x.info.size <= PIECE_ELEMENTS:
        arg_loops.init(<char*>acc, 1)
        arg_loops.along(x.data, 0, 1, x.info.itemsize, x.info.size, 0, <char*>acc)
        arg_loops.finish(<char*>acc, 1, y.data, 0)
    else:
        run_argreduce(op, x if x.info.ndim == 1 else x.reshape(-1), x.number, 0, y)
    return y


cdef int find_bools(int op, NDArray x, Py_ssize_t n, NDArray y) except -1:
    """The index of the first best one among every `n` bools that lie one after the other: the search ends there."""
    cdef const char* line = x.data
    cdef int64_t* found = <int64_t*>y.data
    cdef Py_ssize_t i
    cdef bint wanted = op == ARGMAX
    cdef Hold hold
    hold.add(holds, x.data, y.data)
    with nogil:
        for i in range(x.info.size // n):
            found[i] = first_bool(line + i * n, n, wanted)
    return 0


cdef Py_ssize_t first_bool(const char* x, Py_ssize_t n, bint wanted) noexcept nogil:
    """The index of the first True, or False; 0 where there is none."""
    cdef Py_ssize_t i = 0, k
    cdef uint64_t words[4]
    cdef const void* place
    if not wanted:
        place = memchr(x, 0, n)
        return 0 if place == NULL else <const char*>place - x
    while i + <Py_ssize_t>sizeof(words) <= n:
        memcpy(words, x + i, sizeof(words))
        if words[0] | words[1] | words[2] | words[3]:
            break
        i += sizeof(words)
    for k in range(i, n):
        if x[k]:
            return k
    return 0


def reduction_dtypes(int op, str given) -> tuple[str, str, str]:
    """What elements of a dtype are converted to, what their reduction gives, and what the result is converted to."""
    cdef int number = NUMBER[given], computed = loop_number(op, number), result = result_numbers[op][computed]
    return DTYPES[computed].name, DTYPES[result].name, DTYPES[reported(op, number, result)].name


cdef NDArray checked(int op, object x):
    """`x` as an array."""
    x = upcalls.asarray(x) if is_scalar(x) else adopt(x)
    if type(x) is not NDArray:
        given = type_name(x)
        raise TypeError(f"{ALL[op].name}: x must be an nd4py array, given {given}; convert it with asarray")
    return <NDArray>x


cdef int loop_number(int op, int number) except -1:
    """The dtype of a loop for elements of dtype `number`: float32 for halves, bytes for bools, the default float for
    integers where the row takes floats alone."""
    if number == BOOL and loops.rows[op][BOOL] == NULL and loops.rows[op][BYTE] != NULL:
        return BYTE
    return compute[computed_number(op, number)]


cdef int reported(int op, int given, int result) noexcept:
    """The dtype a result is returned in: the operand's where a half or a bool was computed in another."""
    if result == compute[given] or (rows[op].result == SAME and given == BOOL and result == BYTE):
        return given
    return result


cdef NDArray in_the_dtype(NDArray y, int number):
    return y if y.number == number else convert(y, number)


cdef int check_not_empty(int op, NDArray x, object axes) except -1:
    if ALL[op].identity and ALL[op].family == "reduce":
        return 0
    for axis in axes:
        if x.info.shape[normalize_axis(axis, x.info.ndim)] == 0:
            raise ValueError(f"{ALL[op].name}: no elements along axis {axis} of shape {x.shape}, and no value for none")
    return 0


cdef tuple mark_axes(str name, object axis, int ndim, bint* is_reduced):
    """The reduced axes, counted from the front, in order."""
    cdef int i
    if axis is None:
        axes = tuple(range(ndim))
    else:
        given = axis if isinstance(axis, (tuple, list)) else (axis,)
        axes = tuple(sorted([normalize_axis(item, ndim) for item in given]))
        if len(set(axes)) != len(axes):
            raise ValueError(f"{name}: axis names one axis twice, given {axis}")
    for i in range(ndim):
        is_reduced[i] = i in axes
    return axes


def kept_shape(shape: Shape, axes) -> Shape:
    """`shape` with the reduced axes kept as 1."""
    return tuple([1 if i in axes else size for i, size in enumerate(shape)])
