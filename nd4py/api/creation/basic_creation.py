"""Array creation in host memory."""

from __future__ import annotations

import math
from numbers import Number
from typing import TYPE_CHECKING, Any

from ..._core.annotations import DTypeLike, Operand, Sizes
from ..._core.array.array import NDArray
from ..._core.array.released import type_name
from ..._core.dtype import DType, dtype_of
from ..._core.lazy_modules import LazyModule
from ..._core.whole_numbers import clamped, count, real
from ..._exec.conversion import astype, filled, with_values
from ..._exec.creation import empty, made_outside, ones, plain_numbers, zeros
from ..._spec.dtypes import DEFAULT_COMPLEX, DEFAULT_FLOAT, DEFAULT_INT
from .nested import HALF, limits_of, made_of_sequence
from .sharing import existing

if TYPE_CHECKING:
    from ...cpu.elementwise import arange as filling
    from ..elementwise import elementwise
else:
    elementwise = LazyModule("nd4py.api.elementwise.elementwise", globals())
    filling = LazyModule("nd4py.cpu.elementwise.arange", globals())

__all__: list[str] = []

QUICKLY_READ = {list, float, int, bool}


def asarray(obj: Any, /, dtype: DTypeLike | None = None, *, copy: bool | None = None) -> NDArray:
    """`obj` as an array: an array, an object with the buffer protocol, DLPack or `__array__`, a Python scalar, or
    nested sequences of those.

    dtype: None keeps the dtype of arrays and buffers; Python complex numbers become complex128, floats float64, ints
    int64 (uint64 where they need it), bools bool.
    copy: None shares memory where possible, True never shares it, False raises ValueError instead of copying.
    Raises TypeError for other objects and element types, ValueError for ragged sequences, OverflowError for a Python
    int outside the range of `dtype`.
    """
    if dtype is None and copy is not False and type(obj) in QUICKLY_READ:
        plain = plain_numbers(obj)
        if plain is not None:
            return plain
    target = None if dtype is None else dtype_of(dtype)
    shared = existing(obj, copy)
    is_shared = shared is not None
    x = made_of_sequence(obj, target, asarray) if shared is None else shared
    target = x.dtype if target is None else target
    if copy is False and (not is_shared or target is not x.dtype):
        raise ValueError(f"asarray: {type_name(obj)} to {target} needs a copy; pass copy=None")
    if target is x.dtype and not (copy and is_shared):
        return x
    return with_values(astype(x, target, bool(copy) and is_shared))


def array(obj: Any, /, dtype: DTypeLike | None = None, *, copy: bool | None = True) -> NDArray:
    """`asarray` that copies by default, as NumPy's `array` does."""
    return asarray(obj, dtype, copy=copy)


def full(shape: Sizes, fill_value: Operand, *, dtype: DTypeLike | None = None) -> NDArray:
    """An array filled with `fill_value`, of its dtype by default."""
    is_number = isinstance(fill_value, int | float | complex)
    is_known = isinstance(fill_value, NDArray) or (is_number and dtype is not None)
    given: Any = fill_value if is_known else made_outside(asarray, fill_value)
    if isinstance(given, NDArray) and given.node is not None:
        return astype(given.broadcast_to((shape,) if isinstance(shape, int) else shape), dtype or given.dtype)
    return filled(shape, given.dtype if dtype is None else dtype, fill_value if is_number else given)


def zeros_like(x: NDArray, /, *, dtype: DTypeLike | None = None) -> NDArray:
    """Zeros of the shape and dtype of `x`."""
    return zeros(x.shape, dtype=dtype or x.dtype)


def ones_like(x: NDArray, /, *, dtype: DTypeLike | None = None) -> NDArray:
    """Ones of the shape and dtype of `x`."""
    return ones(x.shape, dtype=dtype or x.dtype)


def full_like(x: NDArray, /, fill_value: Operand, *, dtype: DTypeLike | None = None) -> NDArray:
    """An array of the shape and dtype of `x`, filled with `fill_value`."""
    return full(x.shape, fill_value, dtype=dtype or x.dtype)


def empty_like(x: NDArray, /, *, dtype: DTypeLike | None = None) -> NDArray:
    """An uninitialised array of the shape and dtype of `x`."""
    return empty(x.shape, dtype=dtype or x.dtype)


class ZeroStepError(ZeroDivisionError, ValueError):
    """A range has steps of 0: a ValueError, as elsewhere, and NumPy's ZeroDivisionError."""


def arange(
    start: float,
    /,
    stop: float | None = None,
    step: float = 1,
    *,
    dtype: DTypeLike | None = None,
) -> NDArray:
    """start, start + step, ... up to but not including `stop`; int64 for ints, float64 otherwise.

    Raises ValueError for a step of 0, which is a ZeroDivisionError too, as NumPy's is, or a length that is not finite;
    OverflowError for ints that `dtype` cannot hold.
    """
    first, last = (0, start) if stop is None else (start, stop)
    if dtype is None and (numbers := filling.numbers_of_range(first, last, step)) is not None:
        return numbers
    first, last, stride = (python_number("arange", value) for value in (first, last, step))
    if stride == 0:
        raise ZeroStepError("arange: step must not be 0")
    is_whole = all(isinstance(value, int) for value in (first, last, stride))
    target = dtype_of(DEFAULT_INT if is_whole and dtype is None else dtype or DEFAULT_FLOAT)
    if is_whole and target.kind in "iu":
        return whole_range(range(first, last, stride), target)
    start, _, step = (real("arange: start, stop and step", value) for value in (first, last, stride))
    length = (last - first) / stride
    if not math.isfinite(length):
        raise ValueError(f"arange: from {first} to {last} in steps of {stride} is no finite number of elements")
    if length == 0 and last != first:  # the step is infinite, or so large that the quotient is too small
        length, step = math.copysign(1.0, length), 0.0
    x = on_the_way(max(0, math.ceil(length)), DEFAULT_FLOAT, target)
    filling.fill_real(x, start, step)
    return astype(x, target, False)


def on_the_way(shape: Sizes, name: str, target: DType) -> NDArray:
    """An uninitialised array of the dtype `name`: the result, or outside any workspace where `target` is another."""
    return empty(shape, name) if target.name == name else made_outside(empty, shape, name)


def python_number(name: str, value: Any) -> Any:
    """A Python number as it is, the one element of an array as such a number.  Raises TypeError for anything else."""
    if type(value) is int or type(value) is float:
        return value
    number = value.item() if hasattr(value, "item") else value
    if not isinstance(number, Number):
        raise TypeError(f"{name}: needs numbers, given {type_name(value)}")
    return number


def whole_range(values: range, target: DType) -> NDArray:
    """The numbers of a range, computed in 64 bits.  Raises OverflowError where the first or the last does not fit."""
    is_default = target.name == DEFAULT_INT
    if not (is_default and -HALF <= values.start < HALF and -HALF <= values.stop < HALF):
        least, greatest = limits_of(target.number)
        for value in (values[0], values[-1]) if values else ():
            if not least <= value <= greatest:
                raise OverflowError(f"arange: {value} is outside the range of {target} [{least}, {greatest}]")
    try:
        n = len(values)
    except OverflowError:
        raise ValueError(f"arange: {values} has more elements than memory can address (2^63 bytes)") from None
    x = on_the_way(n, "uint64" if target.name == "uint64" else DEFAULT_INT, target)
    if n:
        filling.fill_whole(x, values.start, values.step if n > 1 else 0)
    return x if is_default else astype(x, target, False)


def linspace(
    start: complex | Operand,
    stop: complex | Operand,
    /,
    num: int = 50,
    *,
    dtype: DTypeLike | None = None,
    endpoint: bool = True,
) -> NDArray:
    """`num` evenly spaced values from `start` to `stop`, which is left out when `endpoint` is false.

    Both ends are exact.  float64, or complex128 if an end is complex, unless `dtype` says otherwise; an integer dtype
    has the values rounded down.
    Raises ValueError for a negative `num`, TypeError if it is no whole number.
    """
    first, last = python_number("linspace", start), python_number("linspace", stop)
    num = count("linspace: num", num)
    is_complex = isinstance(first, complex) or isinstance(last, complex)
    target = dtype_of(dtype or (DEFAULT_COMPLEX if is_complex else DEFAULT_FLOAT))
    if is_complex:
        first, last = complex(first), complex(last)
        x = on_the_way(num, DEFAULT_COMPLEX, target)
        parts = made_outside(empty, num, DEFAULT_FLOAT)
        x.real[...] = evenly_spaced(parts, first.real, last.real, num, endpoint)
        x.imag[...] = evenly_spaced(parts, first.imag, last.imag, num, endpoint)
    else:
        ends = real("linspace: start", first), real("linspace: stop", last)
        x = evenly_spaced(on_the_way(num, DEFAULT_FLOAT, target), *ends, num, endpoint)
    return astype(elementwise.floor(x) if target.kind in "iu" else x, target, False)


def evenly_spaced(x: NDArray, start: float, stop: float, num: int, endpoint: bool) -> NDArray:
    """`x`, float64, filled with `num` values from `start` to `stop`."""
    filling.fill_real(x, start, (stop - start) / max(num - 1 if endpoint else num, 1))
    if num:
        x[0] = start
    if endpoint and num > 1:
        x[-1] = stop
    return x


def eye(n_rows: int, n_cols: int | None = None, /, *, k: int = 0, dtype: DTypeLike | None = None) -> NDArray:
    """A matrix with ones on diagonal `k` and zeros elsewhere.

    Raises TypeError for numbers that are not whole, ValueError for negative sizes.
    """
    n_rows = count("eye: n_rows", n_rows)
    n_cols = n_rows if n_cols is None else count("eye: n_cols", n_cols)
    offset = clamped("eye: k", k, -n_rows, n_cols)
    x = zeros((n_rows, n_cols), dtype or DEFAULT_FLOAT)
    first_row, first_column = max(0, -offset), max(0, offset)
    n_ones = min(n_rows - first_row, n_cols - first_column)
    if n_ones > 0:
        flat, step = x.reshape(n_rows * n_cols), n_cols + 1
        first = first_row * n_cols + first_column
        flat[first : first + (n_ones - 1) * step + 1 : step] = 1
    return x
