"""Copies, casts, fills, assignment and Python scalars."""

from cpython.object cimport PyObject
from libc.stdint cimport int64_t
from nd4py._core.array.array cimport NDArray, new_array, new_view
from nd4py._core.lazy.deferred cimport is_array
from nd4py._core.layout.shape cimport MAX_NDIM, parse_shape
from nd4py._core.upcalls cimport upcalls
from nd4py._core.layout.views cimport broadcast_info
from nd4py._exec.lazy.host_backend cimport defer_conversion
from nd4py._exec.copying cimport convert, convert_in_order, write
from nd4py._exec.dispatch.promotion cimport LOGICAL, PAIR, REAL, adopt, is_subclassed, ranks, unrecorded
from nd4py.cpu.isa.isa cimport loops

from .._core.dtype import dtype_of
from .._spec.dtypes import DTYPES, NUMBER

cdef int INT64 = NUMBER["int64"], UINT64 = NUMBER["uint64"], FLOAT64 = NUMBER["float64"]
cdef int BOOL = NUMBER["bool"], FLOAT32 = NUMBER["float32"]
cdef int COMPLEX128 = NUMBER["complex128"]


def astype(given, dtype: DTypeLike, bint copy=True) -> NDArray:
    """`given` with its elements converted, and its axes in memory as they are; the array itself when nothing changes
    and `copy` is false."""
    cdef int number = dtype_of(dtype).number
    cdef NDArray x = <NDArray><PyObject*>given
    if number == x.number and not copy:
        return given
    if ranks[x.number] == PAIR and LOGICAL < ranks[number] < PAIR:
        raise TypeError(
            f"astype: {x.dtype} to {DTYPES[number].name} would drop the imaginary parts; take nd4py.real(x) or "
            "nd4py.abs(x)"
        )
    if number != x.number:
        y = defer_conversion(unrecorded(given), number)
        if y is not None:
            return y if x.node is None else upcalls.record_cast(given, y)
    x = <NDArray>adopt(given)
    y = convert_in_order(x, number)
    return y if x.node is None else upcalls.record_cast(x, y)


def with_values(x: NDArray) -> NDArray:
    """`x`, after its values have been computed where it was deferred; arrays of devices as they are.

    Raises MemoryError.
    """
    return adopt(x) if is_array(x) or is_subclassed(x) else x


def copy(NDArray x) -> NDArray:
    """A C-ordered copy."""
    cdef NDArray y = convert(x, x.number)
    return y if x.node is None else upcalls.record_cast(x, y)


def empty(shape: int | Shape, dtype: DTypeLike) -> NDArray:
    """An array of uninitialised elements.  Raises ValueError for a bad shape, MemoryError."""
    cdef Py_ssize_t sizes[MAX_NDIM]
    cdef int ndim = parse_shape(shape, sizes)
    return new_array(dtype_of(dtype).number, ndim, sizes)


def filled(shape: Sizes, dtype: DTypeLike, value: Operand) -> NDArray:
    """An array whose elements all are `value`."""
    cdef NDArray y = empty(shape, dtype)
    write(y, value)
    return y


def broadcast_to(NDArray x, shape: Shape) -> NDArray:
    """The read-only view of `x` repeated to a larger shape."""
    cdef Py_ssize_t sizes[MAX_NDIM]
    cdef int ndim = parse_shape(shape, sizes)
    cdef NDArray view = new_view(x, x.data, broadcast_info(x.info, ndim, sizes))
    view.readonly = True
    return view


cdef object item(object given):
    """The single element of an array as a Python scalar.  Raises ValueError unless there is exactly one."""
    cdef NDArray x = <NDArray?>given
    if x.info.size != 1:
        raise ValueError(f"only an array of one element has an item, given shape {x.shape}")
    return element(x.number, x.data)


cdef object element(int number, const char* data):
    """One element as a Python bool, int, float or complex; at once for the dtypes that Python's numbers become."""
    if number == FLOAT64:
        return (<const double*>data)[0]
    if number == FLOAT32:
        return <double>(<const float*>data)[0]
    if number == INT64:
        return (<const int64_t*>data)[0]
    if number == BOOL:
        return data[0] != 0
    return converted_element(number, data)


cdef object converted_element(int number, const char* data):
    cdef double parts[2]
    cdef long long whole
    cdef unsigned long long natural
    if ranks[number] == PAIR:
        loops.cast[number][COMPLEX128](data, 0, <char*>parts, 0, 1)
        return complex(parts[0], parts[1])
    if ranks[number] == REAL:
        loops.cast[number][FLOAT64](data, 0, <char*>parts, 0, 1)
        return parts[0]
    if number == UINT64:
        loops.cast[number][UINT64](data, 0, <char*>&natural, 0, 1)
        return natural
    loops.cast[number][INT64](data, 0, <char*>&whole, 0, 1)
    return bool(whole) if ranks[number] == LOGICAL else whole


def tolist(NDArray x) -> Any:
    """Nested lists of Python scalars; a scalar for an array without dimensions."""
    return element(x.number, x.data) if x.info.ndim == 0 else rows_of(x, 0, x.data)


cdef list rows_of(NDArray x, int axis, const char* data):
    """The elements from `axis` on, nested."""
    cdef Py_ssize_t i, n = x.info.shape[axis], step = x.info.strides[axis] if x.info.size else 0  # from NULL, if empty
    if axis == x.info.ndim - 1:
        return [element(x.number, data + i * step) for i in range(n)]
    return [rows_of(x, axis + 1, data + i * step) for i in range(n)]
