"""Differences of flattened arrays, and angles without jumps."""

from __future__ import annotations

from math import pi
from typing import Any

from ..._core.array.array import NDArray
from ..._core.layout.shape import normalize_axis
from ..._core.whole_numbers import real
from ..._exec.concat import as_array
from ..arguments import tells_its_name
from ..creation.data_types import can_cast, result_type
from ..elementwise.elementwise import abs, add, equal, greater, less, logical_and, remainder, subtract, where
from ..manipulation.manipulation import concat
from ..reductions.scans import cumulative_sum
from .differences import diff

__all__ = ["ediff1d", "unwrap"]


def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> NDArray:
    """x[i + 1] - x[i] of the flattened array, between `to_begin` and `to_end`.

    Raises TypeError where those have a dtype that the array's does not hold, and for bools.
    Returns an array of one axis, of the dtype of `ary`.

    >>> nd.ediff1d([1, 2, 4, 7, 0], to_begin=-99).tolist()
    [-99, 1, 2, 3, -7]
    """
    x = as_array(ary).reshape(-1)
    parts = [] if to_begin is None else [beside_differences("to_begin", to_begin, x)]
    parts.append(subtract(x[1:], x[:-1]))
    parts += [] if to_end is None else [beside_differences("to_end", to_end, x)]
    return concat(parts) if len(parts) > 1 else parts[0]


def beside_differences(name: str, value: Any, x: NDArray) -> NDArray:
    """What stands before or behind the differences, as a row of the dtype of `x`."""
    row = as_array(value).reshape(-1)
    if not can_cast(row.dtype, x.dtype, "same_kind"):
        raise TypeError(f"ediff1d: {name} is {row.dtype}, the array {x.dtype}; convert one of them")
    return row.astype(x.dtype, copy=False)


@tells_its_name
def unwrap(p: Any, discont: float | None = None, axis: int = -1, *, period: float = 2 * pi) -> NDArray:
    """Angles along `axis` without jumps: multiples of `period` are added where neighbours are more than half of it
    apart, or more than `discont`, if that is larger.

    p: real numbers; integers stay integers where `period` is one.
    Raises TypeError for other numbers, ValueError for a wrong axis.
    Returns an array of the shape of p.

    >>> nd.unwrap([0, 1, 2, -1, 0], period=4).tolist()
    [0, 1, 2, 3, 4]
    """
    p = as_array(p)
    axis = normalize_axis(axis, p.ndim)
    number = real("unwrap: period", period)
    period = period if isinstance(period, int) else number
    if period <= 0:
        raise ValueError(f"unwrap: period must be positive, given {period}")
    dtype = result_type(p, period)
    p = p.astype(dtype, copy=False)
    is_whole = dtype.kind in "iu"
    half = period // 2 if is_whole else period / 2
    step = diff(p, axis=axis)
    near = subtract(remainder(add(step, half), period), half)
    if not is_whole or period % 2 == 0:
        near = where(logical_and(equal(near, -half), greater(step, 0)), half, near)
    bound = half if discont is None else real("unwrap: discont", discont)
    jumps = where(less(abs(step), bound), 0, subtract(near, step))
    before = (slice(None),) * axis
    rest = add(p[(*before, slice(1, None))], cumulative_sum(jumps, axis=axis, dtype=dtype))
    return concat([p[(*before, slice(0, 1))], rest], axis)
