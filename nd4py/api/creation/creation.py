"""Array creation on the device that is asked for, else on the default one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..._core.annotations import DTypeLike, Operand, Sizes
from ..._core.array.array import NDArray
from ..._core.array.array_type import as_class_of, is_subclassed
from ..._core.layout.shape import normalize_axis
from ..._core.lazy_modules import LazyModule
from ..._core.whole_numbers import count, named_order
from ..._exec.concat import any_array
from ..._exec.device import creation_by_device as by_device
from ..._exec.device.asarray_by_device import array_on, is_host_enough, lent_by_device
from ..._exec.device.creation_by_device import empty, ones, zeros
from ..._exec.device.placement import (
    check_device,
    default_device,
    device_scope,
    fresh,
    on_requested_device,
    set_default_device,
    to_device,
)
from ..._exec.order_in_memory import in_memory_order
from . import basic_creation, sharing

if TYPE_CHECKING:
    from . import spaced_arrays
else:
    spaced_arrays = LazyModule("nd4py.api.creation.spaced_arrays", globals())

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


ORDERS = ("C", "F", "A", "K", None)
MAX_AXES = 32


def in_order(x: NDArray, order: str | None) -> NDArray:
    """`x`, or a copy, with its elements in C order ("C") or in Fortran's ("F"); "K", "A" and None leave it as it is.

    Raises ValueError for another order.
    """
    order = named_order("order", order, ORDERS)
    found: NDArray = in_memory_order(x, order)
    return found


def asarray(
    obj: Any,
    /,
    dtype: DTypeLike | None = None,
    order: str | None = None,
    *,
    device: str | None = None,
    copy: bool | None = None,
) -> NDArray:
    """`obj` as an array: an array, an object with the buffer protocol, DLPack or `__array__`, a Python scalar, or
    nested sequences of those.

    dtype: None keeps the dtype of arrays and buffers; Python complex numbers become complex128, floats float64, ints
    int64 (uint64 where they need it), bools bool.
    order: "C" or "F" copies where the elements do not lie so, None leaves them.
    device: None leaves arrays where they are, and makes new ones on the default device.
    copy: None shares memory where possible, True never shares it, False raises ValueError instead of copying.
    Raises TypeError for other objects and element types, ValueError for ragged sequences or a device that does not
    exist, OverflowError for a Python int outside the range of `dtype`.

    >>> nd.asarray([[1, 2], [3, 4]], dtype="float32")
    array([[1., 2.],
           [3., 4.]], dtype=float32)
    """
    if order is not None:
        return in_order(asarray(obj, dtype, device=device, copy=copy), order)
    if is_host_enough(device):
        return basic_creation.asarray(obj, dtype, copy=copy)
    return array_on(basic_creation.asarray, obj, dtype, device, copy)


def array(
    obj: Any,
    /,
    dtype: DTypeLike | None = None,
    *,
    copy: bool | None = True,
    order: str | None = "K",
    subok: bool = False,
    ndmin: int = 0,
) -> NDArray:
    """`asarray` that copies by default, as NumPy's `array` does.  Returns and raises as `asarray` does.

    ndmin: the fewest axes that the result has; new ones are in front.  subok: of the class of `obj`, where a program
    derived one from NDArray.

    >>> nd.array([1, 2], ndmin=2).shape
    (1, 2)
    """
    x = asarray(obj, dtype, copy=copy)
    if order != "K":
        x = in_order(x, order)
    if subok and is_subclassed(obj):
        x = as_class_of(obj, x)
    if ndmin == 0:
        return x
    n_new = count("array: ndmin", ndmin) - x.ndim
    if n_new + x.ndim > MAX_AXES:
        raise ValueError(f"array: an array has at most {MAX_AXES} dimensions, asked for {ndmin}")
    return x[(None,) * n_new + (...,)] if n_new > 0 else x


def from_dlpack(x: Any, /, *, device: str | None = None, copy: bool | None = None) -> NDArray:
    """An array over the memory of an object with `__dlpack__`, on the device where that memory is.

    device: "cpu" asks for a copy in host memory if the memory is on a device; another one copies to that device.
    copy: None shares the memory unless its owner has to copy, True always copies, False never: BufferError then.
    Raises BufferError when the memory cannot be shared, TypeError without `__dlpack__`, ValueError for a device that
    does not exist.

    >>> import numpy as np
    >>> x = np.arange(3)
    >>> y = nd.from_dlpack(x)  # the same memory
    >>> x[0] = 7
    >>> y
    array([7, 1, 2], dtype=int64)
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


def full(
    shape: Sizes,
    fill_value: Operand,
    dtype: DTypeLike | None = None,
    order: str | None = "C",
    *,
    device: str | None = None,
) -> NDArray:
    """An array filled with `fill_value`, of its dtype by default.

    order: "C", or "F" for the first axis running fastest.
    Raises ValueError for a negative size, a value that does not broadcast to the shape, or an unknown device, TypeError
    for anything but a size, value or dtype, OverflowError for ints that the dtype cannot hold.

    >>> nd.full((2, 2), 7.0)
    array([[7., 7.],
           [7., 7.]], dtype=float64)
    """
    target = default_device() if device is None else device
    if target == "cpu":
        x = fresh(basic_creation.full(shape, fill_value, dtype=dtype))
    else:
        x = empty(shape, basic_creation.asarray(fill_value).dtype if dtype is None else dtype, device=target)
        x[...] = fill_value
    return x if order == "C" else in_order(x, order)


def zeros_like(
    a: Operand,
    dtype: DTypeLike | None = None,
    order: str | None = "K",
    subok: bool = True,
    shape: Sizes | None = None,
    *,
    device: str | None = None,
) -> NDArray:
    """Zeros of the shape and dtype of `a`, on its device unless another is given.

    order: "K" for the order in memory of `a`, "C", or "F"; shape: instead of that of `a`.
    subok: of the class of `a`, where a program derived one.
    Raises TypeError for an argument that cannot become an array and an unknown dtype, ValueError for an unknown device.

    >>> nd.zeros_like(nd.asarray([1.5, 2.5]))
    array([0., 0.], dtype=float64)
    """
    x = any_array(a) if subok else asarray(a)
    if shape is None and order in ("K", "k"):
        return by_device.zeros_like(x, dtype, device)
    return zeros(shape_like(x, shape), dtype or x.dtype, fixed(order, x), device=device or x.device)


def ones_like(
    a: Operand,
    dtype: DTypeLike | None = None,
    order: str | None = "K",
    subok: bool = True,
    shape: Sizes | None = None,
    *,
    device: str | None = None,
) -> NDArray:
    """Ones of the shape and dtype of `a`, on its device unless another is given.

    order: "K" for the order in memory of `a`, "C", or "F"; shape: instead of that of `a`.
    subok: of the class of `a`, where a program derived one.
    Raises TypeError for an argument that cannot become an array and an unknown dtype, ValueError for an unknown device.

    >>> nd.ones_like(nd.asarray([3, 4]))
    array([1, 1], dtype=int64)
    """
    x = any_array(a) if subok else asarray(a)
    if shape is None and order in ("K", "k"):
        return by_device.ones_like(x, dtype, device)
    return ones(shape_like(x, shape), dtype or x.dtype, fixed(order, x), device=device or x.device)


def full_like(
    a: Operand,
    fill_value: Operand,
    dtype: DTypeLike | None = None,
    order: str | None = "K",
    subok: bool = True,
    shape: Sizes | None = None,
    *,
    device: str | None = None,
) -> NDArray:
    """An array of the shape and dtype of `a`, on its device, filled with `fill_value`.

    order: "K" for the order in memory of `a`, "C", or "F"; shape: instead of that of `a`.
    subok: of the class of `a`, where a program derived one.
    Raises ValueError for a value that does not broadcast to the shape or an unknown device, TypeError for other
    arguments, OverflowError for ints that the dtype cannot hold.

    >>> nd.full_like(nd.ones((2, 2), dtype="int8"), 3)
    array([[3, 3],
           [3, 3]], dtype=int8)
    """
    x = any_array(a) if subok else asarray(a)
    if shape is None and order in ("K", "k"):
        filled = by_device.filled_like(x, dtype, device, fill_value)
        if filled is not None:
            return filled
    return full(shape_like(x, shape), fill_value, dtype or x.dtype, fixed(order, x), device=device or x.device)


def empty_like(
    prototype: Operand,
    dtype: DTypeLike | None = None,
    order: str | None = "K",
    subok: bool = True,
    shape: Sizes | None = None,
    *,
    device: str | None = None,
) -> NDArray:
    """An uninitialised array of the shape and dtype of `prototype`, on its device unless another is given.

    order: "K" for its order in memory, "C", or "F"; shape: instead of its own.
    subok: of the class of `prototype`, where a program derived one.
    Raises TypeError for an argument that cannot become an array and an unknown dtype, ValueError for an unknown device.

    >>> nd.empty_like(nd.ones((2, 3), dtype="int8")).shape
    (2, 3)
    """
    x = any_array(prototype) if subok else asarray(prototype)
    if shape is None and order in ("K", "k"):
        return by_device.empty_like(x, dtype, device)
    return empty(shape_like(x, shape), dtype or x.dtype, fixed(order, x), device=device or x.device)


def shape_like(x: NDArray, shape: Sizes | None) -> Sizes:
    """The shape that is given, or that of `x`."""
    return x.shape if shape is None else shape


def fixed(order: str | None, x: NDArray) -> str | None:
    """An order in which a new array can be made: C for what keeps that of `x`, Fortran's for "A" where `x` has it."""
    if order in ("A", "a"):
        return "F" if x.flags.fnc else "C"
    return "C" if order in ("K", "k") else order


def arange(
    start: float | None = None,
    stop: float | None = None,
    step: float | None = 1,
    dtype: DTypeLike | None = None,
    *,
    device: str | None = None,
) -> NDArray:
    """start, start + step, ... up to but not including `stop`; int64 for ints, float64 otherwise.

    One number alone is `stop`, and they start at 0.
    Raises ValueError for a step of 0, which is a ZeroDivisionError too, as NumPy's is, or a length that is not finite;
    OverflowError for ints that `dtype` cannot hold.
    Returns an array of one axis.

    >>> nd.arange(0, 10, 3)
    array([0, 3, 6, 9], dtype=int64)
    """
    check_device(device)
    first, last = (0, stop) if start is None else (start, stop)
    if last is None and start is None:
        raise TypeError("arange: give the number to stop at")
    x = basic_creation.arange(first, last, 1 if step is None else step, dtype=dtype)
    return on_requested_device(x, device)


def linspace(
    start: complex | Operand,
    stop: complex | Operand,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: DTypeLike | None = None,
    axis: int = 0,
    *,
    device: str | None = None,
) -> Any:
    """`num` evenly spaced values from `start` to `stop`, which is left out when `endpoint` is false.

    start, stop: numbers, or arrays that broadcast, whose elements are the ends of one row of values each.
    axis: where the values lie in the result of arrays.
    Both ends are exact.  float64, or complex128 if an end is complex, unless `dtype` says otherwise; an integer dtype
    has the values rounded down.
    Raises ValueError for a negative `num` or an axis outside, TypeError if one is no whole number.
    Returns an array of one axis, of one more than broadcast ends have where they are arrays; with retstep=True that and
    the distance of its elements, NaN where there is none.

    >>> nd.linspace(0, 1, 5)
    array([0.  , 0.25, 0.5 , 0.75, 1.  ], dtype=float64)
    """
    check_device(device)
    if spaced_arrays.is_listed(start) or spaced_arrays.is_listed(stop):
        x, step = spaced_arrays.linspace(start, stop, num, endpoint, dtype, axis)
        x = on_requested_device(x, device)
        return (x, float("nan") if step is None else step) if retstep else x
    normalize_axis(axis, 1)
    x = basic_creation.linspace(start, stop, num, dtype=dtype, endpoint=endpoint)
    x = on_requested_device(x, device)
    if not retstep:
        return x
    n_steps = x.size - 1 if endpoint else x.size
    ends = [basic_creation.python_number("linspace", end) for end in (stop, start)]
    return x, (ends[0] - ends[1]) / n_steps if n_steps > 0 else float("nan")


def eye(
    N: int,  # noqa: N803 - NumPy's names
    M: int | None = None,  # noqa: N803
    k: int = 0,
    dtype: DTypeLike | None = None,
    order: str | None = "C",
    *,
    device: str | None = None,
) -> NDArray:
    """A matrix of N rows and M columns with ones on diagonal `k` and zeros elsewhere.

    order: "C", or "F" for the first axis running fastest.
    Raises ValueError for a negative number of rows or columns or an unknown device, TypeError for a number that is not
    whole.

    >>> nd.eye(2, 3, k=1)
    array([[0., 1., 0.],
           [0., 0., 1.]], dtype=float64)
    """
    check_device(device)
    x = on_requested_device(basic_creation.eye(N, M, k=k, dtype=dtype), device)
    return x if order == "C" else in_order(x, order)
