"""New arrays of a given shape: uninitialised, or filled with one value."""

from cpython.long cimport PyLong_AsLongAndOverflow
from libc.string cimport memset
from nd4py._core.array cimport NDArray, new_array
from nd4py._core.shape cimport MAX_NDIM, parse_shape
from nd4py._exec.copying cimport write

from .._core.dtype import dtype_of
from .._spec.dtypes import DEFAULT_FLOAT, NUMBER

cdef int FLOAT = NUMBER[DEFAULT_FLOAT]
cdef enum:
    SMALL = 65536                        # bytes below which one thread writes zeros faster than a plan is made


def check_device(device):
    """Raises ValueError for a device this build cannot reach."""
    if device is not None and device != "cpu":
        raise ValueError(f"device {device!r} is not available; this build has 'cpu'")


cdef NDArray uninitialised(object shape, object dtype, object device):
    cdef Py_ssize_t sizes[MAX_NDIM]
    cdef int overflow, number = FLOAT
    if device is not None:
        check_device(device)
    if dtype is not None:
        number = dtype_of(dtype).number
    if type(shape) is int:
        sizes[0] = PyLong_AsLongAndOverflow(shape, &overflow)
        if 0 <= sizes[0] <= 0x7FFFFFFF:
            return new_array(number, 1, sizes)
    return new_array(number, parse_shape(shape, sizes), sizes)


def empty(shape, dtype=None, *, device=None):
    """An array of uninitialised elements, float64 by default.  Raises ValueError for a bad shape, MemoryError."""
    return uninitialised(shape, dtype, device)


def zeros(shape, dtype=None, *, device=None):
    """An array of zeros, float64 by default.  Raises ValueError for a bad shape, MemoryError."""
    cdef NDArray y = uninitialised(shape, dtype, device)
    cdef Py_ssize_t n_bytes = y.info.size * y.info.itemsize
    if n_bytes <= SMALL:
        memset(y.data, 0, n_bytes)
    else:
        write(y, 0)
    return y


def ones(shape, dtype=None, *, device=None):
    """An array of ones, float64 by default.  Raises ValueError for a bad shape, MemoryError."""
    cdef NDArray y = uninitialised(shape, dtype, device)
    write(y, 1)
    return y
