"""Making arrays in host memory: what `nd4py.api.placed` builds on, and all code of our own that needs host memory."""

import math
import operator
from array import array as typed_array
from collections.abc import Sequence
from numbers import Number
from typing import Any

import numpy

from .._core.annotations import DTypeLike, Operand, Shape, Sizes
from .._core.array import NDArray
from .._core.dtype import ALL_DTYPES, PYTHON_TYPES, DType, dtype_of
from .._core.hooks import install, type_name
from .._core.interop import from_buffer, from_capsule, from_raw_bytes, reinterpret
from .._exec.conversion import astype, filled, with_values
from .._exec.creation import empty, ones, plain_numbers, zeros
from .._spec.dtypes import DEFAULT_COMPLEX, DEFAULT_FLOAT, DEFAULT_INT, NUMBER
from ..cpu.ramp import fill_real, fill_whole
from .data_types import iinfo
from .elementwise import subtract
from .manipulation import stack

__all__ = ["empty", "frombuffer", "ones", "zeros"]  # of these, what other files import is made elsewhere

HALF = 2**63
SEQUENCES = (list, tuple, range, *PYTHON_TYPES)


def asarray(obj: Any, /, dtype: DTypeLike | None = None, *, copy: bool | None = None) -> NDArray:
    """`obj` as an array: an array, an object with the buffer protocol, DLPack or `__array__`, a Python scalar, or
    nested sequences of those.

    dtype: None keeps the dtype of arrays and buffers; Python complex numbers become complex128, floats float64, ints
    int64 (uint64 where they need it), bools bool.
    copy: None shares memory where possible, True never shares it, False raises ValueError instead of copying.
    Raises TypeError for other objects and element types, ValueError for ragged sequences, OverflowError for a Python
    int outside the range of `dtype`.
    """
    target = None if dtype is None else dtype_of(dtype)
    shared = existing(obj, copy)
    is_shared = shared is not None
    x = from_sequence(obj, target) if shared is None else shared
    target = x.dtype if target is None else target
    if copy is False and (not is_shared or target is not x.dtype):
        raise ValueError(f"asarray: {type_name(obj)} to {target} needs a copy; pass copy=None")
    if target is x.dtype and not (copy and is_shared):
        return x
    return with_values(astype(x, target, bool(copy) and is_shared))


def array(obj: Any, /, dtype: DTypeLike | None = None, *, copy: bool | None = True) -> NDArray:
    """`asarray` that copies unless told otherwise, as NumPy's users know it."""
    return asarray(obj, dtype, copy=copy)


def existing(obj: Any, copy: bool | None = None) -> NDArray | None:
    """The array over the memory of `obj`, or None if it has none to share.  Where NumPy must copy first, so it does
    unless `copy` is false."""
    if isinstance(obj, NDArray):
        return with_values(obj)
    if isinstance(obj, numpy.ndarray):
        if isinstance(obj, numpy.ma.MaskedArray):
            raise TypeError("asarray: nd4py has no masks; give x.filled(value), such as x.filled(nan)")
        return from_numpy(obj, copy)
    if isinstance(obj, numpy.generic):
        return from_numpy(numpy.asarray(obj), copy)
    if isinstance(obj, SEQUENCES):
        return None
    type_name(obj)  # raises for arrays whose memory is gone, or on a device
    try:
        return from_buffer(obj)
    except TypeError:
        if isinstance(obj, bytes | bytearray | memoryview | typed_array):
            raise
    if hasattr(obj, "__dlpack__"):
        return from_dlpack(obj)
    if hasattr(obj, "__array__") or hasattr(obj, "__array_interface__"):
        return from_numpy(numpy.asarray(obj), copy)
    return None


def from_numpy(x: Any, copy: bool | None) -> NDArray:
    """The array over a NumPy array's memory; bfloat16 is told apart by name, foreign byte orders are converted.

    Raises ValueError where `copy` is false and the elements must be rearranged first.
    """
    dtype = x.dtype
    if dtype.kind not in "biufc":
        if dtype.name == "bfloat16":
            return reinterpret(from_buffer(x.view("uint16")), dtype_of("bfloat16"))
        raise TypeError(f"asarray: no dtype for NumPy's {dtype}; convert it to numbers first")
    if not dtype.isnative or not x.flags.aligned:
        if copy is False:
            raise ValueError("asarray: elements out of alignment or byte order need a copy; pass copy=None")
        x = x.astype(dtype.newbyteorder("="))
    return from_buffer(x)


def from_sequence(obj: Any, target: DType | None) -> NDArray:
    """An array of a Python scalar or nested sequences of scalars and arrays, which `target` must be able to hold."""
    if target is None or target.kind == "f":
        plain = plain_numbers(obj)
        if plain is not None:
            return plain
    if isinstance(obj, list | tuple) and any(isinstance(item, NDArray | numpy.ndarray) for item in obj):
        return stack([asarray(item) for item in obj])
    if type(obj) in PYTHON_TYPES and not (type(obj) is int and (target is not None or obj.bit_length() > 63)):
        return filled((), PYTHON_TYPES[type(obj)], obj)
    shape = shape_of(obj)
    flat: list[Any] = []
    flatten(obj, shape, flat)
    kinds = {type(item) for item in flat}
    if not kinds <= PYTHON_TYPES.keys():
        odd = next(item for item in flat if type(item) not in PYTHON_TYPES)
        raise TypeError(
            f"asarray: cannot make an array of {type_name(odd)} {odd!r}; "
            "give numbers, bools, buffers or sequences of them"
        )
    if kinds == {bool}:
        return astype(reshaped("b", flat, shape), "bool")
    if complex in kinds:
        parts = [part for item in flat for part in (complex(item).real, complex(item).imag)]
        return from_raw_bytes(typed_array("d", parts), dtype_of(DEFAULT_COMPLEX)).reshape(shape)
    if float in kinds or not kinds:
        return reshaped("d", flat, shape)
    return from_ints(flat, shape, target)


def from_ints(flat: list[int], shape: Shape, target: DType | None) -> NDArray:
    """An array of Python ints.  Raises OverflowError where `target` cannot hold one of them."""
    if target is not None and target.kind in "iu":
        limits = iinfo(target)
        low, high = min(flat), max(flat)
        if low < limits.min or high > limits.max:
            given = low if low < limits.min else high
            raise OverflowError(f"asarray: {given} is outside the range of {target} [{limits.min}, {limits.max}]")
    try:
        return reshaped("q", flat, shape)
    except OverflowError:
        pass
    if target is not None and target.kind in "fc":
        return reshaped("d", flat, shape)
    try:
        return reshaped("Q", flat, shape)
    except OverflowError:
        raise OverflowError(
            f"asarray: ints from {min(flat)} to {max(flat)} fit no integer dtype; give them as floats"
        ) from None


def reshaped(typecode: str, flat: Sequence[Any], shape: Shape) -> NDArray:
    """The array over a typed copy of `flat`."""
    if not flat:
        return empty(shape)
    return from_buffer(typed_array(typecode, flat)).reshape(shape)


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
        given = len(obj) if isinstance(obj, list | tuple | range) else f"a {type_name(obj)}"
        raise ValueError(f"asarray: nested sequences are ragged: expected {shape[0]} items, given {given}")
    if len(shape) == 1 and all(type(item) in (bool, int, float) for item in obj):
        flat.extend(obj)
        return
    for item in obj:
        flatten(item, shape[1:], flat)


def from_dlpack(x: Any, /, *, copy: bool | None = None, is_moved: bool = False) -> NDArray:
    """The array over the memory of an object with `__dlpack__`, in host memory; `is_moved` asks its owner for that."""
    if not hasattr(x, "__dlpack__"):
        raise TypeError(f"from_dlpack: {type_name(x)} has no __dlpack__ method")
    asked: dict[str, Any] = {"max_version": (1, 0)}
    if copy is not None:
        asked["copy"] = copy
    if is_moved:
        asked["dl_device"] = (1, 0)
    try:
        return from_capsule(x.__dlpack__(**asked))
    except TypeError:  # an exporter of before DLPack 1.0 has no such keywords
        shared = from_capsule(x.__dlpack__())
    return astype(shared, shared.dtype) if copy else shared


def frombuffer(buffer: Any, /, *, dtype: DTypeLike, shape: Sizes | None = None) -> NDArray:
    """An array over the bytes of `buffer`, read as elements of `dtype`; `shape` defaults to one axis.

    Raises ValueError when the bytes do not divide into elements, or do not fill `shape`.
    """
    x = from_raw_bytes(buffer, dtype_of(dtype))
    return x if shape is None else x.reshape(shape)


def full(shape: Sizes, fill_value: Operand, *, dtype: DTypeLike | None = None) -> NDArray:
    """An array whose elements all are `fill_value`, of its dtype by default."""
    return filled(shape, asarray(fill_value).dtype if dtype is None else dtype, fill_value)


def zeros_like(x: NDArray, /, *, dtype: DTypeLike | None = None) -> NDArray:
    """Zeros of the shape and dtype of `x`."""
    return zeros(x.shape, dtype=dtype or x.dtype)


def ones_like(x: NDArray, /, *, dtype: DTypeLike | None = None) -> NDArray:
    """Ones of the shape and dtype of `x`."""
    return ones(x.shape, dtype=dtype or x.dtype)


def full_like(x: NDArray, /, fill_value: Operand, *, dtype: DTypeLike | None = None) -> NDArray:
    """An array of the shape and dtype of `x` whose elements all are `fill_value`."""
    return full(x.shape, fill_value, dtype=dtype or x.dtype)


def empty_like(x: NDArray, /, *, dtype: DTypeLike | None = None) -> NDArray:
    """An uninitialised array of the shape and dtype of `x`."""
    return empty(x.shape, dtype=dtype or x.dtype)


def arange(
    start: float,
    /,
    stop: float | None = None,
    step: float = 1,
    *,
    dtype: DTypeLike | None = None,
) -> NDArray:
    """start, start + step, ... up to but not including `stop`; int64 for ints, float64 otherwise.

    Raises ValueError for a step of 0 or a length that is not finite, OverflowError for ints that `dtype` cannot hold.
    """
    first, last = (0, start) if stop is None else (start, stop)
    if dtype is None and type(first) is type(last) is type(step) is int and step:
        return whole_range(range(first, last, step), ALL_DTYPES[NUMBER[DEFAULT_INT]])
    first, last, stride = (python_number("arange", value) for value in (first, last, step))
    if stride == 0:
        raise ValueError("arange: step must not be 0")
    is_whole = all(isinstance(value, int) for value in (first, last, stride))
    target = dtype_of(DEFAULT_INT if is_whole and dtype is None else dtype or DEFAULT_FLOAT)
    if is_whole and target.kind in "iu":
        return whole_range(range(first, last, stride), target)
    count = (last - first) / stride
    if not math.isfinite(count):
        raise ValueError(f"arange: from {first} to {last} in steps of {stride} is no finite number of elements")
    x = empty(max(0, math.ceil(count)))
    fill_real(x, float(first), float(stride))
    return astype(x, target, False)


def python_number(name: str, value: Any) -> Any:
    """A Python number as it is, the one element of an array as such a number.  Raises TypeError for anything else."""
    number = value.item() if hasattr(value, "item") else value
    if not isinstance(number, Number):
        raise TypeError(f"{name}: needs numbers, given {type_name(value)}")
    return number


def whole_range(values: range, target: DType) -> NDArray:
    """The numbers of a range, computed in 64 bits.  Raises OverflowError where the first or the last does not fit."""
    is_default = target.name == DEFAULT_INT
    if not (is_default and -HALF <= values.start < HALF and -HALF <= values.stop < HALF):
        limits = iinfo(target)
        for value in (values[0], values[-1]) if values else ():
            if not limits.min <= value <= limits.max:
                raise OverflowError(f"arange: {value} is outside the range of {target} [{limits.min}, {limits.max}]")
    x = empty(len(values), "uint64" if target.name == "uint64" else DEFAULT_INT)
    fill_whole(x, values.start, values.step)
    return x if is_default else astype(x, target, False)


def linspace(
    start: complex,
    stop: complex,
    /,
    num: int = 50,
    *,
    dtype: DTypeLike | None = None,
    endpoint: bool = True,
) -> NDArray:
    """`num` evenly spaced values from `start` to `stop`, which is left out when `endpoint` is false.

    Both ends are exact.  float64, or complex128 if an end is complex, unless `dtype` says otherwise.
    Raises ValueError for a negative `num`, TypeError if it is no whole number.
    """
    first, last = python_number("linspace", start), python_number("linspace", stop)
    num = operator.index(num)
    if num < 0:
        raise ValueError(f"linspace: num must not be negative, given {num}")
    is_complex = isinstance(first, complex) or isinstance(last, complex)
    x = empty(num, DEFAULT_COMPLEX if is_complex else DEFAULT_FLOAT)
    if is_complex:
        first, last = complex(first), complex(last)
        x.real[...] = evenly_spaced(first.real, last.real, num, endpoint)
        x.imag[...] = evenly_spaced(first.imag, last.imag, num, endpoint)
    else:
        x = evenly_spaced(float(first), float(last), num, endpoint)
    return astype(x, dtype or x.dtype, False)


def evenly_spaced(start: float, stop: float, num: int, endpoint: bool) -> NDArray:
    """`num` float64 from `start` to `stop`."""
    x = empty(num, DEFAULT_FLOAT)
    fill_real(x, start, (stop - start) / max(num - 1 if endpoint else num, 1))
    if num:
        x[0] = start
    if endpoint and num > 1:
        x[-1] = stop
    return x


def eye(n_rows: int, n_cols: int | None = None, /, *, k: int = 0, dtype: DTypeLike | None = None) -> NDArray:
    """A matrix with ones on diagonal `k` and zeros elsewhere.  Raises TypeError for numbers that are not whole."""
    n_rows, k = operator.index(n_rows), operator.index(k)
    n_cols = n_rows if n_cols is None else operator.index(n_cols)
    columns = subtract(arange(n_cols), k).reshape(1, n_cols)
    return astype(arange(n_rows).reshape(n_rows, 1) == columns, dtype or DEFAULT_FLOAT)


install(asarray=asarray)
