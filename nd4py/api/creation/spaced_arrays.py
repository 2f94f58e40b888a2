"""Evenly spaced numbers between the elements of arrays: what linspace, logspace and geomspace do for array ends."""

from __future__ import annotations

from typing import Any

from ..._core.annotations import DTypeLike
from ..._core.array.array import NDArray
from ..._core.dtype import dtype_of
from ..._core.layout.shape import normalize_axis
from ..._core.whole_numbers import count
from ..._exec.concat import as_array
from ..elementwise.elementwise import floor, log10, pow, sign
from ..manipulation.manipulation import astype, broadcast_arrays, expand_dims, moveaxis
from ..reductions.reductions import any
from .basic_creation import arange
from .data_types import result_type


def is_listed(x: Any) -> bool:
    """Whether an end is an array of one axis or more, or a list of numbers."""
    return isinstance(x, list | tuple) or getattr(x, "ndim", 0) > 0


def linspace(
    start: Any, stop: Any, num: Any, endpoint: bool, dtype: DTypeLike | None, axis: Any
) -> tuple[NDArray, NDArray | None]:
    """`num` values from each element of `start` to that of `stop` along a new axis, and the distance of two of them.

    The distance is None where there is none.  Raises ValueError for a negative `num`, or an axis outside.
    """
    num = count("linspace: num", num)
    common, first, last = inexact(start, stop)
    axis = normalize_axis(axis, first.ndim + 1)
    target = common if dtype is None else dtype_of(dtype)
    n_steps = num - 1 if endpoint else num
    steps = astype(arange(num), common).reshape((num,) + (1,) * first.ndim)
    x = steps * ((last - first) / max(n_steps, 1)) + first
    if endpoint and num > 1:
        x[-1] = last
    if target.kind in "iu":
        x = floor(x)
    return moveaxis(astype(x, target, copy=False), 0, axis), (last - first) / n_steps if n_steps > 0 else None


def inexact(*ends: Any) -> Any:
    """The dtype of numbers between ends, which is that of their sum with a float, and the ends in it, broadcast."""
    ends = tuple(as_array(end) if is_listed(end) else end for end in ends)
    common = result_type(*ends, 1.0)
    return common, *broadcast_arrays(*(astype(as_array(end), common, copy=False) for end in ends))


def logspace(start: Any, stop: Any, num: Any, endpoint: bool, base: Any, dtype: DTypeLike | None, axis: Any) -> NDArray:
    """base**x of the numbers of `linspace`; bases, too, may be an array."""
    _, first, last, bases = inexact(start, stop, base)
    exponents, _ = linspace(first, last, num, endpoint, None, axis)
    x = pow(expand_dims(bases, axis), exponents)
    return astype(x, x.dtype if dtype is None else dtype, copy=False)


def geomspace(start: Any, stop: Any, num: Any, endpoint: bool, dtype: DTypeLike | None, axis: Any) -> NDArray:
    """Numbers with even ratios from each element of `start` to that of `stop`, spirals where they are complex.

    Raises ValueError for ends that are 0.
    """
    common, first, last = inexact(start, stop)
    if any(first == 0) or any(last == 0):
        raise ValueError("geomspace: start and stop must not be 0")
    turn = sign(first)  # real ends are positive after it, of a complex start the angle is 0
    x = logspace(log10(first / turn), log10(last / turn), num, endpoint, 10.0, None, 0) * turn
    if x.shape[0]:
        x[0] = first
    if endpoint and x.shape[0] > 1:
        x[-1] = last
    return moveaxis(astype(x, common if dtype is None else dtype, copy=False), 0, axis)
