"""empty, zeros, ones and arrays like others on the device that is asked for, else on the default one.

On the host they cost what those of `nd4py._exec.creation` cost, which code of our own calls: it needs host memory.
"""

from nd4py._core.lazy.deferred cimport is_array
from nd4py._exec.copying cimport write
from nd4py._exec.creation cimport fresh, host_empty, host_like, host_ones, host_zeros, zeroed
from nd4py._exec.dispatch.promotion cimport is_scalar, is_subclassed
from nd4py._exec.device.device_operations cimport is_default_watched, rules_for

from ..._core.dtype import dtype_of
from ..._core.interop.buffers import to_bytes
from ..._core.whole_numbers import is_whole, items, named_order
from ..._spec.dtypes import DEFAULT_FLOAT
from .placement import backend_of, default_device


cdef str C_ORDER = "C"


cdef object made_turned(object make, object shape, object dtype, object order, object device):
    """An array with its axes in memory in the order that is asked for: made in C order, and reversed for Fortran's."""
    if named_order("order", order, ("C", "F", "A", "K", None)) != "F" or is_whole(shape):
        return make(shape, dtype, device=device)
    sizes = items("shape", shape)
    return make(sizes[::-1], dtype, device=device).permute_dims(tuple(range(len(sizes)))[::-1])


cdef inline bint is_on_host(object device) except -1:
    if device is None:
        return not is_default_watched() or default_device() == "cpu"
    return device == "cpu"


cdef object made(object shape, object dtype, object device, bint is_filled, object element):
    """An array on another device, filled with the bytes of a host's array of one element where `is_filled`."""
    name = default_device() if device is None else device
    backend = backend_of(name)
    x = backend.empty(shape, dtype_of(DEFAULT_FLOAT if dtype is None else dtype).number, backend.device_number(name))
    if is_filled:
        backend.write(x, to_bytes(element))
    return x


def empty(
    shape: Sizes, dtype: DTypeLike | None = None, order: str | None = "C", *, device: str | None = None
) -> NDArray:
    """An array of uninitialised elements, float64 by default; order: "C", or "F" for the first axis running fastest.

    Raises ValueError for a bad shape or another order, MemoryError.
    """
    if order is not C_ORDER and order != C_ORDER:
        return made_turned(empty, shape, dtype, order, device)
    return fresh(host_empty(shape, dtype), True) if is_on_host(device) else made(shape, dtype, device, False, None)


def zeros(
    shape: Sizes, dtype: DTypeLike | None = None, order: str | None = "C", *, device: str | None = None
) -> NDArray:
    """An array of zeros, float64 by default; order: "C", or "F" for the first axis running fastest.

    Raises ValueError for a bad shape or another order, MemoryError.
    """
    if order is not C_ORDER and order != C_ORDER:
        return made_turned(zeros, shape, dtype, order, device)
    if is_on_host(device):
        return fresh(host_zeros(shape, dtype))
    return made(shape, dtype, device, True, host_zeros((), dtype))


def ones(
    shape: Sizes, dtype: DTypeLike | None = None, order: str | None = "C", *, device: str | None = None
) -> NDArray:
    """An array of ones, float64 by default; order: "C", or "F" for the first axis running fastest.

    Raises ValueError for a bad shape or another order, MemoryError.
    """
    if order is not C_ORDER and order != C_ORDER:
        return made_turned(ones, shape, dtype, order, device)
    if is_on_host(device):
        return fresh(host_ones(shape, dtype))
    return made(shape, dtype, device, True, host_ones((), dtype))


cdef inline bint stays_on_host(object x, object device) except -1:
    """Whether an array is on the host, and what is made like it as well: that has its axes in the same order."""
    return is_array(x) and (device is None or (type(device) is str and device == "cpu"))


cdef object like_batch(object x, object dtype, object value):
    """The same of a number where `x` belongs to a batch: one for each example, or has a class that a program derived;
    None for others."""
    if is_subclassed(x):
        return type(x)._of(filled_like(x._plain, dtype, None, value), x)
    rules = rules_for((x,))
    return None if rules is None else rules.filled(x, x.shape, dtype or x.dtype, value)


def empty_like(x: NDArray, dtype: DTypeLike | None, device: str | None) -> NDArray:
    """An array of uninitialised elements of the shape of `x` and, on the host, its memory order."""
    if stays_on_host(x, device):
        return fresh(host_like(x, dtype), True)
    y = like_batch(x, dtype, 0)
    return y if y is not None else empty(x.shape, dtype or x.dtype, device=device or x.device)


def zeros_like(x: NDArray, dtype: DTypeLike | None, device: str | None) -> NDArray:
    """The same of zeros."""
    if stays_on_host(x, device):
        return fresh(zeroed(host_like(x, dtype)))
    y = like_batch(x, dtype, 0)
    return y if y is not None else zeros(x.shape, dtype or x.dtype, device=device or x.device)


def ones_like(x: NDArray, dtype: DTypeLike | None, device: str | None) -> NDArray:
    """The same of ones."""
    if stays_on_host(x, device):
        return filled_like(x, dtype, device, 1)
    y = like_batch(x, dtype, 1)
    return y if y is not None else ones(x.shape, dtype or x.dtype, device=device or x.device)


def filled_like(x: NDArray, dtype: DTypeLike | None, device: str | None, value: Operand) -> NDArray | None:
    """The same of a number; None for other values, and where the result is not on the host."""
    if not is_scalar(value):
        return None
    if not stays_on_host(x, device):
        return like_batch(x, dtype, value)
    y = host_like(x, dtype)
    write(y, value)
    return fresh(y)
