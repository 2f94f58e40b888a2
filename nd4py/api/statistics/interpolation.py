"""Piecewise linear interpolation."""

from __future__ import annotations

from typing import Any

from ..._core.annotations import Operand
from ..._core.array.array import NDArray
from ..._core.whole_numbers import real
from ..._exec.autodiff.nodes import constant
from ..._exec.concat import as_array
from ..._exec.drivers.driver_table import lines_at
from ..arguments import tells_its_name, to_check
from ..creation.data_types import float64, result_type
from ..elementwise.elementwise import (
    add,
    divide,
    isfinite,
    isnan,
    lerp,
    maximum,
    minimum,
    multiply,
    remainder,
    subtract,
    where,
)
from ..indexing.take import take
from ..manipulation.manipulation import ascontiguous, concat, stack
from ..operands import alike, are_plain, as_real
from ..reductions.reductions import all
from ..sorting.searching import searchsorted
from ..sorting.sorting import argsort

__all__ = ["interp"]

FEW, MOST_POINTS = 256, 4096  # positions, and points, which are all looked at (asv numpy_names interp)


@tells_its_name
def interp(
    x: Operand,
    /,
    xp: Any,
    fp: Any,
    left: complex | None = None,
    right: complex | None = None,
    period: float | None = None,
) -> NDArray:
    """The value at `x` of the lines that join the points (xp, fp).

    x: real numbers of any shape    xp: (n,) rising    fp: (n,), real or complex.
    left, right: the values below and above all of xp, by default those of the first and the last point.
    period: of the function, if it has one; xp need not rise then, and left and right mean nothing.
    Returns the shape of x in the dtype that all three promote to, float64 for integers; NaN at NaN.
    Raises ValueError for points that are no rows of one length, no points, and a period of 0; TypeError for complex
    positions.

    >>> nd.interp([0.5, 1.5], [0.0, 1.0, 2.0], [0.0, 10.0, 40.0])
    array([ 5., 25.], dtype=float64)
    """
    fp = as_array(fp)
    if fp.dtype.kind == "c":
        low, high = ((None, None) if end is None else (complex(end).real, complex(end).imag) for end in (left, right))
        re, im = (interp(x, xp, part, low[i], high[i], period) for i, part in enumerate((fp.real, fp.imag)))
        return of_parts(re, im)
    x, xp, fp = alike(as_real("interp", x), as_real("interp", xp), as_real("interp", fp))
    if xp.ndim != 1 or xp.shape != fp.shape or xp.size == 0:
        raise ValueError(f"interp: xp and fp must be rows of one length above 0, given {xp.shape} and {fp.shape}")
    if period is not None:
        x, xp, fp = unrolled(x, xp, fp, abs(real("interp: period", period)))
        left = right = None
    y = few_at(x, xp, fp)
    if y is None:
        y = by_rows(x, xp, fp)
    if left is not None:
        y = where(x < xp[0], left, y)
    if right is not None:
        y = where(x > xp[-1], right, y)
    return y


def few_at(x: NDArray, xp: NDArray, fp: NDArray) -> NDArray | None:
    """The values at a few positions without gradients, which take a tenth of the time of calls of rows; or None."""
    is_few = x.size <= FEW and xp.size <= MOST_POINTS and x.dtype is float64 and are_plain(x, xp, fp)
    if not is_few:
        return None
    found: NDArray | None = lines_at(*(line if line.is_contiguous else ascontiguous(line) for line in (x, xp, fp)))
    return found


def by_rows(x: NDArray, xp: NDArray, fp: NDArray) -> NDArray:
    """The values of the lines, NaN at NaN."""
    above = searchsorted(constant(xp), constant(x), side="right")
    below = maximum(above - 1, 0)
    above = minimum(above, xp.size - 1)
    start = take(xp, below)
    width = subtract(take(xp, above), start)
    share = where(width > 0.0, divide(subtract(x, start), where(width > 0.0, width, 1.0)), 0.0)
    are_finite = all(isfinite(constant(to_check(xp)))) and all(isfinite(constant(to_check(fp))))
    y = lerp(take(fp, below), take(fp, above), share) if are_finite else by_slopes(x, xp, fp, below, above)
    return where(isnan(x), float("nan"), y)


def by_slopes(x: NDArray, xp: NDArray, fp: NDArray, below: NDArray, above: NDArray) -> NDArray:
    """The values of lines between points that are not all finite, from either of their ends, as NumPy computes them."""
    (x0, x1), (y0, y1) = ((take(points, below), take(points, above)) for points in (xp, fp))
    slope = divide(subtract(y1, y0), subtract(x1, x0))
    y = slope * subtract(x, x0) + y0
    y = where(isnan(y), slope * subtract(x, x1) + y1, y)
    return where((x == x0) | (isnan(y) & (y0 == y1)) | (x >= xp[-1]), where(x >= xp[-1], fp[-1], y0), y)


def of_parts(re: NDArray, im: NDArray) -> NDArray:
    """Complex numbers of both parts, of which one may be infinite or NaN and leaves the other as it is."""
    if re.node is not None or im.node is not None:
        return add(re, multiply(im, 1j))
    parts = stack([re, im], axis=-1)
    return parts.view(result_type(parts, 1j)).reshape(re.shape)


def unrolled(x: NDArray, xp: NDArray, fp: NDArray, period: float) -> tuple[NDArray, NDArray, NDArray]:
    """Positions and points within one period, with the nearest points beyond its two ends."""
    if period == 0.0:
        raise ValueError("interp: period must not be 0")
    x, xp = remainder(x, period), remainder(xp, period)
    order = argsort(constant(xp))
    xp, fp = take(xp, order), take(fp, order)
    return x, concat([xp[-1:] - period, xp, xp[:1] + period]), concat([fp[-1:], fp, fp[:1]])
