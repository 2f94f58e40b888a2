"""Array creation on the device that is asked for, else on the default one."""

from typing import Any

from ..._core.annotations import DTypeLike, Operand, Sizes
from ..._core.array.array import NDArray
from ..._exec.concat import any_array
from ..._exec.device import creation_by_device as by_device
from ..._exec.device.asarray_by_device import array_on, is_host_enough, lent_by_device
from ..._exec.device.creation_by_device import empty, ones, zeros
from ..._exec.device.placement import (
    check_device,
    default_device,
    device_scope,
    on_requested_device,
    set_default_device,
    to_device,
)
from . import basic_creation, sharing

__all__ = [
    "arange",
    "array",
    "asarray",
    "device",
    "empty",
    "empty_like",
    "eye",
    "from_dlpack",
    "frombuffer",
    "full",
    "full_like",
    "linspace",
    "ones",
    "ones_like",
    "set_default_device",
    "zeros",
    "zeros_like",
]

device = device_scope
frombuffer = sharing.frombuffer


def asarray(
    obj: Any, /, dtype: DTypeLike | None = None, *, device: str | None = None, copy: bool | None = None
) -> NDArray:
    """`obj` as an array: an array, an object with the buffer protocol, DLPack or `__array__`, a Python scalar, or
    nested sequences of those.

    dtype: None keeps the dtype of arrays and buffers; Python complex numbers become complex128, floats float64, ints
    int64 (uint64 where they need it), bools bool.
    device: None leaves arrays where they are, and makes new ones on the default device.
    copy: None shares memory where possible, True never shares it, False raises ValueError instead of copying.
    Raises TypeError for other objects and element types, ValueError for ragged sequences or a device that does not
    exist, OverflowError for a Python int outside the range of `dtype`.
    """
    if is_host_enough(device):
        return basic_creation.asarray(obj, dtype, copy=copy)
    return array_on(basic_creation.asarray, obj, dtype, device, copy)


def array(obj: Any, /, dtype: DTypeLike | None = None, *, copy: bool | None = True) -> NDArray:
    """`asarray` that copies by default, as NumPy's `array` does.  Returns and raises as `asarray` does."""
    return asarray(obj, dtype, copy=copy)


def from_dlpack(x: Any, /, *, device: str | None = None, copy: bool | None = None) -> NDArray:
    """An array over the memory of an object with `__dlpack__`, on the device where that memory is.

    device: "cpu" asks for a copy in host memory if the memory is on a device; another one copies to that device.
    copy: None shares the memory unless its owner has to copy, True always copies, False never: BufferError then.
    Raises BufferError when the memory cannot be shared, TypeError without `__dlpack__`, ValueError for a device that
    does not exist.
    """
    check_device(device)
    shared = None if device == "cpu" else lent_by_device(x, copy)
    if shared is None:
        shared = sharing.from_dlpack(x, copy=copy, is_moved=device == "cpu")
    if device is None or shared.device.startswith(device):
        return shared
    if copy is False:
        raise BufferError(f"from_dlpack: memory of {shared.device} on {device} needs a copy; pass copy=None")
    return to_device(shared, device, None)


def full(shape: Sizes, fill_value: Operand, *, dtype: DTypeLike | None = None, device: str | None = None) -> NDArray:
    """An array filled with `fill_value`, of its dtype by default.

    Raises ValueError for a negative size, a value that does not broadcast to the shape, or an unknown device, TypeError
    for anything but a size, value or dtype, OverflowError for ints that the dtype cannot hold.
    """
    target = default_device() if device is None else device
    if target == "cpu":
        return basic_creation.full(shape, fill_value, dtype=dtype)
    x = empty(shape, basic_creation.asarray(fill_value).dtype if dtype is None else dtype, device=target)
    x[...] = fill_value
    return x


def zeros_like(x: NDArray, /, *, dtype: DTypeLike | None = None, device: str | None = None) -> NDArray:
    """Zeros of the shape and dtype of `x`, on its device unless another is given.

    Raises TypeError for an argument that cannot become an array and an unknown dtype, ValueError for an unknown device.
    """
    return by_device.zeros_like(any_array(x), dtype, device)


def ones_like(x: NDArray, /, *, dtype: DTypeLike | None = None, device: str | None = None) -> NDArray:
    """Ones of the shape and dtype of `x`, on its device unless another is given.

    Raises TypeError for an argument that cannot become an array and an unknown dtype, ValueError for an unknown device.
    """
    return by_device.ones_like(any_array(x), dtype, device)


def full_like(
    x: NDArray, /, fill_value: Operand, *, dtype: DTypeLike | None = None, device: str | None = None
) -> NDArray:
    """An array of the shape and dtype of `x`, on its device, filled with `fill_value`.

    Raises ValueError for a value that does not broadcast to the shape or an unknown device, TypeError for other
    arguments, OverflowError for ints that the dtype cannot hold.
    """
    x = any_array(x)
    filled = by_device.filled_like(x, dtype, device, fill_value)
    if filled is not None:
        return filled
    return full(x.shape, fill_value, dtype=dtype or x.dtype, device=device or x.device)


def empty_like(x: NDArray, /, *, dtype: DTypeLike | None = None, device: str | None = None) -> NDArray:
    """An uninitialised array of the shape and dtype of `x`, on its device unless another is given.

    Raises TypeError for an argument that cannot become an array and an unknown dtype, ValueError for an unknown device.
    """
    return by_device.empty_like(any_array(x), dtype, device)


def arange(
    start: float,
    /,
    stop: float | None = None,
    step: float = 1,
    *,
    dtype: DTypeLike | None = None,
    device: str | None = None,
) -> NDArray:
    """start, start + step, ... up to but not including `stop`; int64 for ints, float64 otherwise.

    Raises ValueError for a step of 0 or a length that is not finite, OverflowError for ints that `dtype` cannot hold.
    Returns an array of one axis.
    """
    check_device(device)
    return on_requested_device(basic_creation.arange(start, stop, step, dtype=dtype), device)


def linspace(
    start: complex,
    stop: complex,
    /,
    num: int = 50,
    *,
    dtype: DTypeLike | None = None,
    device: str | None = None,
    endpoint: bool = True,
) -> NDArray:
    """`num` evenly spaced values from `start` to `stop`, which is left out when `endpoint` is false.

    Both ends are exact.  float64, or complex128 if an end is complex, unless `dtype` says otherwise.
    Raises ValueError for a negative `num`, TypeError if it is no whole number.
    Returns an array of one axis.
    """
    check_device(device)
    return on_requested_device(basic_creation.linspace(start, stop, num, dtype=dtype, endpoint=endpoint), device)


def eye(
    n_rows: int, n_cols: int | None = None, /, *, k: int = 0, dtype: DTypeLike | None = None, device: str | None = None
) -> NDArray:
    """A matrix with ones on diagonal `k` and zeros elsewhere.

    Raises ValueError for a negative number of rows or columns or an unknown device, TypeError for a number that is not
    whole.
    """
    check_device(device)
    return on_requested_device(basic_creation.eye(n_rows, n_cols, k=k, dtype=dtype), device)
