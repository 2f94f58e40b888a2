"""Reductions: which axes, which result, then the backend's driver."""

from nd4py._core.array cimport NDArray, new_array
from nd4py._core.hooks cimport methods
from nd4py._core.shape cimport MAX_NDIM, normalize_axis
from nd4py._exec.copying cimport convert
from nd4py._exec.rows cimport SAME, compute, computed_number, result_number, rows
from nd4py._exec.scalars cimport adopt
from nd4py.cpu.isa cimport loops
from nd4py.cpu.reduce cimport run_argreduce, run_reduce

from .._spec.dtypes import NUMBER
from .._spec.ops import ALL

cdef int BOOL = NUMBER["bool"], BYTE = NUMBER["uint8"]


def reduce(int op, x, axis=None, dtype=None, bint keepdims=False):
    """Reduce `x`, converted to `dtype` if one is given, along one axis, several, or all (None).

    Raises TypeError for a dtype without a loop, ValueError for a wrong axis or an empty reduction without a value.
    """
    x = checked(op, x)
    if dtype is not None:
        x = methods["astype"](x, dtype, False)
    cdef NDArray source = <NDArray>x
    cdef bint is_reduced[MAX_NDIM]
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef int ndim = 0, i, number = source.number
    axes = mark_axes(ALL[op].name, axis, source.info.ndim, is_reduced)
    check_not_empty(op, source, axes)
    for i in range(source.info.ndim):
        if not is_reduced[i]:
            shape[ndim] = source.info.shape[i]
            ndim += 1
    source = computable(op, source)
    cdef NDArray y = new_array(result_number(op, source.number), ndim, shape)
    run_reduce(op, source, is_reduced, y)
    y = in_the_dtype(y, number if dtype is not None else reported(op, number, y.number))
    if (<NDArray>x).node is not None:
        y = methods["record_reduction"](op, x, axes, y)
    return y.reshape(kept_shape(x.shape, axes)) if keepdims else y


def argreduce(int op, x, axis=None, bint keepdims=False):
    """The index of the best element along an axis, or of the array in C order (axis=None), as int64."""
    cdef NDArray source = checked(op, x)
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef int ndim = 0, i, along
    check_not_empty(op, source, range(source.info.ndim) if axis is None else (axis,))
    given = source.shape
    source = computable(op, source)
    if axis is None:
        source = source.reshape(-1)
    along = 0 if axis is None else normalize_axis(axis, source.info.ndim)
    for i in range(source.info.ndim):
        if i != along:
            shape[ndim] = source.info.shape[i]
            ndim += 1
    cdef NDArray y = new_array(result_number(op, source.number), ndim, shape)
    run_argreduce(op, source, along, y)
    axes = tuple(range(len(given))) if axis is None else (along,)
    return y.reshape(kept_shape(given, axes)) if keepdims else y


cdef NDArray checked(int op, object x):
    """`x` as an array."""
    x = adopt(x)
    if type(x) is not NDArray:
        raise TypeError(f"{ALL[op].name}: x must be an nd4py array, given {type(x).__name__}; convert it with asarray")
    return <NDArray>x


cdef NDArray computable(int op, NDArray x):
    """`x` in a dtype that the row has a loop for: halves in float32, bools as bytes, integers in the default float
    where the row takes floats alone."""
    cdef int number = x.number
    if number == BOOL and loops().rows[op][BOOL] == NULL and loops().rows[op][BYTE] != NULL:
        number = BYTE
    else:
        number = compute[computed_number(op, number)]
    return x if number == x.number else convert(x, number)


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


def kept_shape(shape, axes):
    """`shape` with the reduced axes kept as 1."""
    return tuple([1 if i in axes else size for i, size in enumerate(shape)])
