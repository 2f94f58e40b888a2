"""Padding with statistics of the edges, ramps, mirrored slopes, and functions."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

from ..._core.array.array import NDArray
from ..._core.whole_numbers import whole
from ..elementwise.elementwise import floor, subtract
from ..elementwise.elementwise import round as rounded
from ..operands import numbers_beside
from ..reductions.reductions import max as largest
from ..reductions.reductions import mean
from ..reductions.reductions import min as smallest
from ..statistics.quantiles import median
from .manipulation import ALL, concat, flip, moveaxis

__all__: list[str] = []

Pair = tuple[Any, Any]
STATISTICS: dict[str, Callable[..., NDArray]] = {
    "maximum": largest,
    "mean": mean,
    "median": median,
    "minimum": smallest,
}


def part(x: NDArray, axis: int, start: int | None, end: int | None) -> NDArray:
    """The slices from `start` to `end` along an axis."""
    return x[(*(ALL,) * axis, slice(start, end))]


def spread(x: NDArray, axis: int, width: int) -> NDArray:
    """A single slice along an axis, repeated."""
    return x.broadcast_to((*x.shape[:axis], width, *x.shape[axis + 1 :]))


def with_statistics(x: NDArray, widths: Sequence[Pair], mode: str, lengths: Sequence[Pair]) -> NDArray:
    """`x` between statistics of its first and its last slices; whole numbers are rounded.

    lengths: how many slices count at either end, None for all.  Raises ValueError for none.
    """
    for axis, ((before, after), pair) in enumerate(zip(widths, lengths, strict=True)):
        n = x.shape[axis]
        first, last = (n if length is None else min(whole("pad: stat_length", length), n) for length in pair)
        if min(first, last) < 1:
            raise ValueError("pad: stat_length must be at least 1, or None for all slices")
        ends = (part(x, axis, None, first), part(x, axis, n - last, None))
        found = [STATISTICS[mode](end, axis=axis, keepdims=True) for end in ends]
        if x.dtype.kind in "iu":
            found = [rounded(value) for value in found]
        low, high = (value.astype(x.dtype, copy=False) for value in found)
        x = concat([spread(low, axis, before), x, spread(high, axis, after)], axis)
    return x


def ramp(end: Any, edge: NDArray, axis: int, width: int) -> NDArray:
    """`width` slices from a number towards the slice `edge`, which comes next; whole numbers are rounded down."""
    steps = numbers_beside(edge, 0, width).astype("float64").reshape((width, *(1,) * (edge.ndim - 1 - axis)))
    start = edge if edge.dtype.kind == "c" else edge.astype("float64", copy=False)
    slope = subtract(start, end) / max(width, 1)
    values = steps * slope + end
    return (floor(values) if edge.dtype.kind in "iu" else values).astype(edge.dtype, copy=False)


def with_ramps(x: NDArray, widths: Sequence[Pair], ends: Sequence[Pair]) -> NDArray:
    """`x` between ramps from numbers at the outside to its edges."""
    for axis, ((before, after), (low, high)) in enumerate(zip(widths, ends, strict=True)):
        first, last = part(x, axis, None, 1), part(x, axis, x.shape[axis] - 1, None)
        x = concat([ramp(low, first, axis, before), x, flip(ramp(high, last, axis, after), axis=axis)], axis)
    return x


def with_slopes(x: NDArray, widths: Sequence[Pair], is_symmetric: bool) -> NDArray:
    """`x` mirrored so that it goes on with its slope: twice the edge, minus the mirrored slices."""
    for axis, (before, after) in enumerate(widths):
        size = x.shape[axis]
        skipped = 0 if is_symmetric else 1  # the edge itself
        while before or after:
            period = max(size - skipped, 1)
            n = (x.shape[axis] - skipped) // period * period
            if n == 0:  # a single slice
                x = concat([spread(x, axis, before), x, spread(x, axis, after)], axis)
                break
            low, high = min(n, before), min(n, after)
            length = x.shape[axis]
            left = part(x, axis, None, 1) * 2 - flip(part(x, axis, skipped, skipped + low), axis=axis)
            right = flip(part(x, axis, length - skipped - high, length - skipped), axis=axis)
            right = part(x, axis, length - 1, None) * 2 - right
            x = concat([left, x, right], axis)
            before, after = before - low, after - high
    return x


def filled_by(function: Callable[..., Any], x: NDArray, widths: Sequence[Pair], settings: dict[str, Any]) -> NDArray:
    """`x`, in a frame of zeros, after a function has written to each line: function(line, widths, axis, settings)."""
    for axis in range(x.ndim):
        lines = moveaxis(x, axis, -1)
        for index in itertools.product(*map(range, lines.shape[:-1])):
            function(lines[index], widths[axis], axis, settings)
    return x
