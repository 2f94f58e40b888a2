"""Making arrays."""

import array
import math
from collections.abc import Sequence
from typing import Any

import numpy

from .._core.annotations import DTypeLike, Scalar, Shape, Sizes
from .._core.array import NDArray
from .._core.dtype import dtype_of
from .._core.hooks import install
from .._core.interop import from_buffer, from_capsule, from_raw_bytes, reinterpret
from .._exec.conversion import astype, filled
from .._exec.conversion import empty as uninitialised
from .._spec.dtypes import DEFAULT_FLOAT, DEFAULT_INT
from .elementwise import add, multiply, subtract
from .manipulation import stack

__all__ = [
    "arange",
    "asarray",
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
    "zeros",
    "zeros_like",
]

HOST = (None, "cpu")


def check_device(device: str | None) -> None:
    """Raises ValueError for a device this build cannot reach."""
    if device not in HOST:
        raise ValueError(f"device {device!r} is not available; this build has 'cpu'")


def asarray(
    obj: Any, /, *, dtype: DTypeLike | None = None, device: str | None = None, copy: bool | None = None
) -> NDArray:
    """`obj` as an array: an array, an object with the buffer protocol or DLPack, a Python scalar, or nested sequences.

    dtype: None keeps the dtype of arrays and buffers; Python floats become float64, ints int64, bools bool.
    copy: None shares memory where possible, True never shares it, False raises ValueError instead of copying.
    Raises TypeError for other objects and element types, ValueError for ragged sequences.
    """
    check_device(device)
    shared = existing(obj)
    is_shared = shared is not None
    x = from_sequence(obj) if shared is None else shared
    target = x.dtype if dtype is None else dtype_of(dtype)
    if copy is False and (not is_shared or target != x.dtype):
        raise ValueError(f"asarray: {type(obj).__name__} to {target} needs a copy; pass copy=None")
    return astype(x, target, bool(copy) and is_shared)


def existing(obj: Any) -> NDArray | None:
    """The array over the memory of `obj`, or None if it has none to share."""
    if isinstance(obj, NDArray):
        return obj
    if isinstance(obj, numpy.ndarray | numpy.generic):
        return from_numpy(numpy.asarray(obj))
    try:
        return from_buffer(obj)
    except TypeError:
        if isinstance(obj, bytes | bytearray | memoryview | array.array):
            raise
    return from_dlpack(obj) if hasattr(obj, "__dlpack__") else None


def from_numpy(x: Any) -> NDArray:
    """The array over a NumPy array's memory; float16 views of bfloat16 are told apart by name."""
    if x.dtype.name == "bfloat16":
        return reinterpret(from_buffer(x.view("uint16")), dtype_of("bfloat16"))
    if not x.dtype.isnative:
        raise TypeError(
            f"asarray: {x.dtype} is not in this machine's byte order; convert first, "
            f"x.astype(x.dtype.newbyteorder('='))"
        )
    return from_buffer(x)


def from_sequence(obj: Any) -> NDArray:
    """An array of a Python scalar or nested sequences of scalars and arrays."""
    if isinstance(obj, list | tuple) and any(isinstance(item, NDArray) for item in obj):
        return stack([asarray(item) for item in obj])
    shape = shape_of(obj)
    flat: list[float] = []
    flatten(obj, shape, flat)
    kinds = {type(item) for item in flat}
    if not kinds <= {bool, int, float}:
        odd = next(item for item in flat if type(item) not in (bool, int, float))
        raise TypeError(
            f"asarray: cannot make an array of {type(odd).__name__} {odd!r}; "
            "give numbers, bools, buffers or sequences of them"
        )
    if kinds == {bool}:
        return astype(reshaped("b", flat, shape), "bool")
    if float in kinds or not kinds:
        return reshaped("d", flat, shape)
    try:
        return reshaped("q", flat, shape)
    except OverflowError:
        return reshaped("Q", flat, shape)


def reshaped(typecode: str, flat: Sequence[Any], shape: Shape) -> NDArray:
    """The array over a typed copy of `flat`."""
    if not flat:
        return empty(shape)
    return from_buffer(array.array(typecode, flat)).reshape(shape)


def shape_of(obj: Any) -> Shape:
    """The shape that the first item of each level announces."""
    shape = []
    while isinstance(obj, list | tuple | range):
        shape.append(len(obj))
        obj = obj[0] if len(obj) else None
    return tuple(shape)


def flatten(obj: Any, shape: Shape, flat: list[Any]) -> None:
    """Append the scalars of nested sequences in C order.  Raises ValueError where a level's sizes differ."""
    if not shape:
        if isinstance(obj, list | tuple | range):
            raise ValueError("asarray: nested sequences are ragged: a sequence stands where a scalar was expected")
        flat.append(obj.item() if isinstance(obj, numpy.generic) else obj)
        return
    if not isinstance(obj, list | tuple | range) or len(obj) != shape[0]:
        given = len(obj) if isinstance(obj, list | tuple | range) else f"a {type(obj).__name__}"
        raise ValueError(f"asarray: nested sequences are ragged: expected {shape[0]} items, given {given}")
    if len(shape) == 1 and all(type(item) in (bool, int, float) for item in obj):
        flat.extend(obj)
        return
    for item in obj:
        flatten(item, shape[1:], flat)


def from_dlpack(x: Any, /, *, device: str | None = None, copy: bool | None = None) -> NDArray:
    """An array over the memory of an object with `__dlpack__`; copy=True copies it.

    Raises BufferError when the memory is not host memory, TypeError without `__dlpack__`.
    """
    check_device(device)
    if not hasattr(x, "__dlpack__"):
        raise TypeError(f"from_dlpack: {type(x).__name__} has no __dlpack__ method")
    try:
        capsule = x.__dlpack__(max_version=(1, 0))
    except TypeError:
        capsule = x.__dlpack__()
    array = from_capsule(capsule)
    return astype(array, array.dtype) if copy else array


def frombuffer(buffer: Any, /, *, dtype: DTypeLike, shape: Sizes | None = None) -> NDArray:
    """An array over the bytes of `buffer`, read as elements of `dtype`; `shape` defaults to one axis.

    Raises ValueError when the bytes do not divide into elements, or do not fill `shape`.
    """
    x = from_raw_bytes(buffer, dtype_of(dtype))
    return x if shape is None else x.reshape(shape)


def empty(shape: Sizes, *, dtype: DTypeLike | None = None, device: str | None = None) -> NDArray:
    """An array of uninitialised elements, float64 by default.  Raises ValueError for a bad shape, MemoryError."""
    check_device(device)
    return uninitialised(shape, dtype or DEFAULT_FLOAT)


def zeros(shape: Sizes, *, dtype: DTypeLike | None = None, device: str | None = None) -> NDArray:
    """An array of zeros, float64 by default."""
    check_device(device)
    return filled(shape, dtype or DEFAULT_FLOAT, 0)


def ones(shape: Sizes, *, dtype: DTypeLike | None = None, device: str | None = None) -> NDArray:
    """An array of ones, float64 by default."""
    check_device(device)
    return filled(shape, dtype or DEFAULT_FLOAT, 1)


def full(shape: Sizes, fill_value: Scalar, *, dtype: DTypeLike | None = None, device: str | None = None) -> NDArray:
    """An array whose elements all are `fill_value`, of its dtype by default."""
    check_device(device)
    return filled(shape, asarray(fill_value).dtype if dtype is None else dtype, fill_value)


def zeros_like(x: NDArray, /, *, dtype: DTypeLike | None = None, device: str | None = None) -> NDArray:
    """Zeros of the shape and dtype of `x`."""
    return zeros(x.shape, dtype=dtype or x.dtype, device=device)


def ones_like(x: NDArray, /, *, dtype: DTypeLike | None = None, device: str | None = None) -> NDArray:
    """Ones of the shape and dtype of `x`."""
    return ones(x.shape, dtype=dtype or x.dtype, device=device)


def full_like(
    x: NDArray, /, fill_value: Scalar, *, dtype: DTypeLike | None = None, device: str | None = None
) -> NDArray:
    """An array of the shape and dtype of `x` whose elements all are `fill_value`."""
    return full(x.shape, fill_value, dtype=dtype or x.dtype, device=device)


def empty_like(x: NDArray, /, *, dtype: DTypeLike | None = None, device: str | None = None) -> NDArray:
    """An uninitialised array of the shape and dtype of `x`."""
    return empty(x.shape, dtype=dtype or x.dtype, device=device)


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

    Raises ValueError for a step of 0.
    """
    check_device(device)
    start, stop = (0, start) if stop is None else (start, stop)
    if step == 0:
        raise ValueError("arange: step must not be 0")
    if isinstance(start, int) and isinstance(stop, int) and isinstance(step, int):
        n = max(0, -((start - stop) // step))
        values = range(start, start + n * step, step)
        return astype(reshaped("q", values, (n,)) if n else empty((0,), dtype=DEFAULT_INT), dtype or DEFAULT_INT, False)
    n = max(0, math.ceil((stop - start) / step))
    steps = asarray(range(n), dtype=DEFAULT_FLOAT)
    return astype(add(multiply(steps, float(step)), float(start)), dtype or DEFAULT_FLOAT, False)


def linspace(
    start: float,
    stop: float,
    /,
    num: int,
    *,
    dtype: DTypeLike | None = None,
    device: str | None = None,
    endpoint: bool = True,
) -> NDArray:
    """`num` evenly spaced values from `start` to `stop`, which is left out when `endpoint` is false."""
    check_device(device)
    if num < 0:
        raise ValueError(f"linspace: num must not be negative, given {num}")
    intervals = max(num - 1 if endpoint else num, 1)
    steps = asarray(range(num), dtype=DEFAULT_FLOAT)
    x = add(multiply(steps, (stop - start) / intervals), float(start))
    if endpoint and num > 1:
        x[-1] = float(stop)
    return astype(x, dtype or DEFAULT_FLOAT, False)


def eye(
    n_rows: int, n_cols: int | None = None, /, *, k: int = 0, dtype: DTypeLike | None = None, device: str | None = None
) -> NDArray:
    """A matrix with ones on diagonal `k` and zeros elsewhere."""
    n_cols = n_rows if n_cols is None else n_cols
    columns = subtract(arange(n_cols), k).reshape(1, n_cols)
    check_device(device)
    return astype(arange(n_rows).reshape(n_rows, 1) == columns, dtype or DEFAULT_FLOAT)


def from_bytes(data: bytes, dtype: DTypeLike, shape: Shape) -> NDArray:
    """The array a pickle holds: a writable copy of `data`."""
    return astype(frombuffer(data, dtype=dtype, shape=shape), dtype)


install(asarray=asarray, from_bytes=from_bytes)
