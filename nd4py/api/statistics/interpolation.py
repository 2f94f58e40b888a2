"""Piecewise linear interpolation."""

from typing import Any

from ..._core.annotations import Operand
from ..._core.array.array import NDArray
from ..._core.whole_numbers import real
from ..._exec.autodiff.nodes import constant
from ..arguments import tells_its_name
from ..elementwise.elementwise import divide, isnan, lerp, maximum, minimum, remainder, subtract, where
from ..indexing.take import take
from ..manipulation.manipulation import concat
from ..operands import alike, as_real
from ..sorting.searching import searchsorted
from ..sorting.sorting import argsort

__all__ = ["interp"]


@tells_its_name
def interp(
    x: Operand,
    xp: Any,
    fp: Any,
    /,
    left: float | None = None,
    right: float | None = None,
    period: float | None = None,
) -> NDArray:
    """The value at `x` of the lines that join the points (xp, fp).

    x: real numbers of any shape    xp: (n,) rising    fp: (n,).
    left, right: the values below and above all of xp, by default those of the first and the last point.
    period: of the function, if it has one; xp need not rise then, and left and right mean nothing.
    Returns the shape of x in the dtype that all three promote to, float64 for integers; NaN at NaN.
    Raises ValueError for points that are no rows of one length, no points, and a period of 0; TypeError for complex
    numbers.

    >>> nd.interp([0.5, 1.5], [0.0, 1.0, 2.0], [0.0, 10.0, 40.0])
    array([ 5., 25.], dtype=float64)
    """
    x, xp, fp = alike(as_real("interp", x), as_real("interp", xp), as_real("interp", fp))
    if xp.ndim != 1 or xp.shape != fp.shape or xp.size == 0:
        raise ValueError(f"interp: xp and fp must be rows of one length above 0, given {xp.shape} and {fp.shape}")
    if period is not None:
        x, xp, fp = unrolled(x, xp, fp, abs(real("interp: period", period)))
        left = right = None
    above = searchsorted(constant(xp), constant(x), side="right")
    below = maximum(above - 1, 0)
    above = minimum(above, xp.size - 1)
    start = take(xp, below)
    width = subtract(take(xp, above), start)
    share = where(width > 0.0, divide(subtract(x, start), where(width > 0.0, width, 1.0)), 0.0)
    y = lerp(take(fp, below), take(fp, above), share)
    if left is not None:
        y = where(x < xp[0], left, y)
    if right is not None:
        y = where(x > xp[-1], right, y)
    return where(isnan(x), float("nan"), y)


def unrolled(x: NDArray, xp: NDArray, fp: NDArray, period: float) -> tuple[NDArray, NDArray, NDArray]:
    """Positions and points within one period, with the nearest points beyond its two ends."""
    if period == 0.0:
        raise ValueError("interp: period must not be 0")
    x, xp = remainder(x, period), remainder(xp, period)
    order = argsort(constant(xp))
    xp, fp = take(xp, order), take(fp, order)
    return x, concat([xp[-1:] - period, xp, xp[:1] + period]), concat([fp[-1:], fp, fp[:1]])
