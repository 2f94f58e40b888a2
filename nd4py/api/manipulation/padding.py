"""Padding."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from ..._core.annotations import Attributes, Gradients, Operand, Scalar, Shape
from ..._core.array.array import NDArray
from ..._core.layout.shape import normalize_axis
from ..._core.whole_numbers import count, named
from ..._exec.autodiff.tape import differentiable
from ..._exec.concat import as_array
from ..._exec.device.creation_by_device import empty
from ..._exec.device.placement import is_traced
from ..creation.basic_creation import arange
from ..elementwise.elementwise import maximum, minimum, remainder, subtract
from ..indexing.take import take
from ..reductions.reductions import max as largest
from ..reductions.reductions import min as smallest
from . import statistical_padding as statistical
from .manipulation import ALL

__all__ = ["pad"]

PerAxis: TypeAlias = Any  # one value, a pair for every axis, or one pair per axis
WIDTHS = "pad: widths"
Widths: TypeAlias = Sequence[tuple[int, int]]


def pad(
    x: Operand,
    /,
    pad_width: PerAxis,
    mode: str | Callable[..., Any] = "constant",
    *,
    constant_values: PerAxis = 0,
    stat_length: PerAxis = None,
    end_values: PerAxis = 0,
    reflect_type: str = "even",
    **kwargs: Any,
) -> NDArray:
    """`x` with a frame around it.

    pad_width: how many slices to add, (before, after) for each axis; one pair or one number stands for all axes, and a
    dict gives them by axis.
    mode: "constant" fills the frame with `constant_values` (given as the widths are), "edge" repeats the outermost
    slices, "reflect" mirrors at them, "symmetric" mirrors between them and the frame, "wrap" starts again from the
    other side, "empty" leaves the frame as it is; "maximum", "mean", "median", "minimum" are those of the `stat_length`
    slices at either end, None for all; "linear_ramp" goes to `end_values`.  A function gets each line of the frame
    filled with zeros, its widths, the axis and the other keywords, and writes to it.
    reflect_type: "odd" goes on with the slope where it mirrors.
    Raises ValueError for other modes, keywords of another mode, negative widths, or an axis without elements to repeat,
    TypeError for keywords that belong to no function.
    Returns an array of the dtype of x.

    >>> nd.pad([1, 2], 1)
    array([0, 1, 2, 0], dtype=int64)
    """
    x = as_array(x)
    given = by_axis(pad_width, x.ndim) if isinstance(pad_width, dict) else pairs(pad_width, x.ndim)
    widths = [(count(WIDTHS, before), count(WIDTHS, after)) for before, after in given]
    if callable(mode):
        return statistical.filled_by(mode, framed(x, widths=widths, values=[(0, 0)] * x.ndim), widths, kwargs)
    if kwargs:
        raise TypeError(f"pad: {', '.join(kwargs)} are for a mode that is a function")
    named("pad: mode", mode, ("constant", "empty", "linear_ramp", *statistical.STATISTICS, *SOURCES))
    check_keywords(str(mode), (constant_values, stat_length, end_values, reflect_type))
    if mode in ("constant", "empty"):
        return framed(x, widths=widths, values=pairs(constant_values, x.ndim))
    named("pad: reflect_type", reflect_type, ("even", "odd"))
    for axis, (size, width) in enumerate(zip(x.shape, widths, strict=True)):
        if size == 0 and any(width):
            raise ValueError(f"pad: axis {axis} has no elements to repeat; use mode='constant'")
    if mode == "linear_ramp":
        return statistical.with_ramps(x, widths, pairs(end_values, x.ndim))
    if mode in statistical.STATISTICS:
        return statistical.with_statistics(x, widths, mode, pairs(stat_length, x.ndim))
    if reflect_type == "odd" and mode in ("reflect", "symmetric"):
        return statistical.with_slopes(x, widths, mode == "symmetric")
    is_copied = x.node is None and not is_traced(x)
    return extended(x, widths, SOURCES[mode]) if is_copied else taken(x, widths, SOURCES[mode])


# Keywords of modes, in the order of the signature: their defaults, and the modes that take them.
KEYWORDS = {
    "constant_values": (0, ("constant",)),
    "stat_length": (None, tuple(statistical.STATISTICS)),
    "end_values": (0, ("linear_ramp",)),
    "reflect_type": ("even", ("reflect", "symmetric")),
}


def check_keywords(mode: str, given: Sequence[Any]) -> None:
    """Raises ValueError for a keyword of another mode, unless it has its default."""
    for value, (name, (default, modes)) in zip(given, KEYWORDS.items(), strict=True):
        if mode not in modes and not (type(value) is type(default) and value == default):
            raise ValueError(f"pad: {name} is for mode {' or '.join(map(repr, modes))}, not for {mode!r}")


def by_axis(given: dict[Any, Any], ndim: int) -> list[tuple[Any, Any]]:
    """(before, after) for every axis, 0 for those that a dict does not name.  Raises ValueError for a wrong axis."""
    widths: list[tuple[Any, Any]] = [(0, 0)] * ndim
    for axis, width in given.items():
        widths[normalize_axis(axis, ndim)] = pairs(width, 1)[0]
    return widths


def pairs(given: PerAxis, ndim: int) -> list[tuple[Any, Any]]:
    """(before, after) for every axis.  Raises ValueError when the numbers do not fit the axes."""
    rows = given.tolist() if hasattr(given, "tolist") else given
    if not isinstance(rows, Sequence):
        rows = [rows]
    if not any(isinstance(row, Sequence) for row in rows):
        rows = [rows]
    if not all(isinstance(row, Sequence) and len(row) in (1, 2) for row in rows) or len(rows) not in (1, ndim):
        raise ValueError(f"pad: expected one number, one pair, or a pair for each of {ndim} axes, given {given}")
    full = [(row[0], row[-1]) for row in rows]
    return full * ndim if len(full) == 1 else full


def inside(shape: Shape, widths: Widths) -> tuple[slice, ...]:
    """Where the array lies within its frame."""
    return tuple(slice(before, before + size) for size, (before, _) in zip(shape, widths, strict=True))


def with_room(x: NDArray, widths: Widths) -> NDArray:
    """`x` in the middle of a larger array whose frame is not filled yet."""
    sizes = tuple(before + size + after for size, (before, after) in zip(x.shape, widths, strict=True))
    result = empty(sizes, x.dtype, device=x.device)
    result[inside(x.shape, widths)] = x
    return result


def framed_vjp(g: NDArray, inputs: tuple[NDArray], output: NDArray, attributes: Attributes) -> Gradients:
    """Gradient of a constant frame: the inside of g."""
    return (g[inside(inputs[0].shape, attributes["widths"])],)


@differentiable(framed_vjp, keeps_output=False)
def framed(x: NDArray, *, widths: Widths, values: Sequence[tuple[Scalar, Scalar]]) -> NDArray:
    """`x` with constants around it; where the frames of two axes meet, the later axis decides."""
    result = with_room(x, widths)
    for axis, ((before, after), (low, high)) in enumerate(zip(widths, values, strict=True)):
        end = result.shape[axis] - after
        for edge, value in ((slice(before), low), (slice(end, None), high)):
            result[(ALL,) * axis + (edge,)] = value
    return result


# From positions along a padded axis, counted from the first slice of x, to the slices that they repeat.
Source: TypeAlias = Callable[[NDArray, int], NDArray]


def reflected(i: NDArray, size: int) -> NDArray:
    """Positions mirrored at the first and the last slice."""
    period = 2 * (size - 1)
    i = remainder(i, max(period, 1))
    return minimum(i, subtract(period, i))


def mirrored(i: NDArray, size: int) -> NDArray:
    """Positions mirrored before the first and behind the last slice."""
    i = remainder(i, 2 * size)
    return minimum(i, subtract(2 * size - 1, i))


SOURCES: dict[str, Source] = {
    "edge": lambda i, size: minimum(maximum(i, 0), size - 1),
    "reflect": reflected,
    "symmetric": mirrored,
    "wrap": remainder,
}


def extended(x: NDArray, widths: Widths, source: Source) -> NDArray:
    """`x` with repeated slices around it: one axis after the other, each over the full length of those before it."""
    result = with_room(x, widths)
    for axis, (size, (before, after)) in enumerate(zip(x.shape, widths, strict=True)):
        lead, rest = (ALL,) * axis, inside(x.shape, widths)[axis + 1 :]
        middle = result[(*lead, slice(before, before + size), *rest)]
        for start, end in ((-before, 0), (size, size + after)):
            if start < end:
                result[(*lead, slice(before + start, before + end), *rest)] = slices(middle, start, end, axis, source)
    return result


def slices(x: NDArray, start: int, end: int, axis: int, source: Source) -> NDArray:
    """The slices at the positions `start` to `end` along a padded axis."""
    positions = source(arange(start, end), x.shape[axis])
    low, high = int(smallest(positions)), int(largest(positions))
    if low == high:
        return x[(*(ALL,) * axis, slice(low, high + 1))]
    return take(x[(*(ALL,) * axis, slice(low, high + 1))], subtract(positions, low), axis=axis)


def taken(x: NDArray, widths: Widths, source: Source) -> NDArray:
    """`extended`, made of functions that have gradients."""
    result = x.copy()
    for axis, (size, (before, after)) in enumerate(zip(x.shape, widths, strict=True)):
        if before or after:
            result = take(result, source(arange(-before, size + after), size), axis=axis)
    return result
