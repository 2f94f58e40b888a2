"""Copies, casts, fills, assignment and Python scalars."""

from nd4py._core.array cimport NDArray, new_array, new_view
from nd4py._core.hooks cimport methods
from nd4py._core.shape cimport MAX_NDIM, parse_shape
from nd4py._core.views cimport broadcast_info
from nd4py._exec.copying cimport convert, write
from nd4py.cpu.isa cimport loops

from .._core.dtype import dtype_of
from .._core.hooks import install
from .._spec.dtypes import DTYPES, NUMBER

cdef int INT64 = NUMBER["int64"], UINT64 = NUMBER["uint64"], FLOAT64 = NUMBER["float64"]


def astype(NDArray x, dtype, bint copy=True):
    """`x` with its elements converted; the array itself when nothing changes and `copy` is false."""
    cdef int number = dtype_of(dtype).number
    if number == x.number and not copy:
        return x
    cdef NDArray y = convert(x, number)
    return y if x.node is None else methods["record_cast"](x, y)


def copy(NDArray x):
    """A C-ordered copy."""
    return astype(x, x.dtype)


def empty(shape, dtype):
    """An array of uninitialised elements.  Raises ValueError for a bad shape, MemoryError."""
    cdef Py_ssize_t sizes[MAX_NDIM]
    cdef int ndim = parse_shape(shape, sizes)
    return new_array(dtype_of(dtype).number, ndim, sizes)


def filled(shape, dtype, value):
    """An array whose elements all are `value`."""
    cdef NDArray y = empty(shape, dtype)
    write(y, value)
    return y


def broadcast_to(NDArray x, shape):
    """The read-only view of `x` repeated to a larger shape."""
    cdef Py_ssize_t sizes[MAX_NDIM]
    cdef int ndim = parse_shape(shape, sizes)
    cdef NDArray view = new_view(x, x.data, broadcast_info(x.info, ndim, sizes))
    view.readonly = True
    return view


def item(NDArray x):
    """The single element of `x` as a Python bool, int or float.  Raises ValueError unless there is exactly one."""
    cdef double real
    cdef long long whole
    cdef unsigned long long natural
    if x.info.size != 1:
        raise ValueError(f"only an array of one element has an item, given shape {x.shape}")
    kind = DTYPES[x.number].kind
    if kind == "real floating":
        loops().cast[x.number][FLOAT64](x.data, 0, <char*>&real, 0, 1)
        return real
    if x.number == UINT64:
        loops().cast[x.number][UINT64](x.data, 0, <char*>&natural, 0, 1)
        return natural
    loops().cast[x.number][INT64](x.data, 0, <char*>&whole, 0, 1)
    return bool(whole) if kind == "bool" else whole


def tolist(NDArray x):
    """Nested lists of Python scalars; a scalar for an array without dimensions."""
    if x.info.ndim == 0:
        return item(x)
    if x.info.ndim == 1:
        return [item(x[i]) for i in range(x.info.shape[0])]
    return [tolist(row) for row in x]


install(astype=astype, copy=copy, broadcast_to=broadcast_to, item=item, tolist=tolist)
