"""Reductions that ignore NaN, and replacement of NaN."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..._core.annotations import Axes, DTypeLike, Operand, Shape
from ..._core.array.array import NDArray
from ..._exec.autodiff.nodes import constant
from ..._exec.concat import as_array
from ..._exec.drivers.statistics_drivers import root_of_spread
from ..arguments import into, tells_its_name, to_check
from ..creation.data_types import finfo
from ..elementwise.elementwise import (
    add,
    divide,
    equal,
    imag,
    isnan,
    maximum,
    multiply,
    real,
    replace_nonfinite,
    square,
    subtract,
)
from ..elementwise.elementwise import where as choose
from ..manipulation.manipulation import astype
from ..operands import (
    as_number,
    axes_of,
    beside,
    correction_of,
    count_along,
    is_inexact,
    widened,
    without_axes,
)
from .complex_variance import variance_of_both_parts
from .reductions import any, argmax, count_nonzero, nanmax, nanmin, nansum, sum, sum_of_squares
from .scans import cumulative_prod, cumulative_sum
from .selected_elements import left_out, with_mask

__all__ = ["nan_to_num", "nanargmax", "nanargmin", "nancumprod", "nancumsum", "nanmean", "nanstd", "nanvar"]


def nanmean(
    x: Operand,
    /,
    axis: Axes = None,
    dtype: DTypeLike | None = None,
    out: NDArray | None = None,
    keepdims: bool = False,
    *,
    where: Any = True,
) -> NDArray:
    """Mean of the elements that are not NaN; NaN where there are none.

    x: numbers of any shape, converted to `dtype` first; integers become float64.  Raises ValueError for a wrong axis.
    where: a mask of the elements that count; out: takes the result.
    Returns an array of that dtype without `axis`.

    >>> nd.nanmean([1.0, nd.nan, 3.0])
    array(2., dtype=float64)
    """
    if out is not None or where is not True:
        return into("nanmean", nanmean(selected("nanmean", x, where), axis, dtype, None, keepdims), out)
    x = as_number(x) if dtype is None else as_number(x).astype(dtype)
    wide, axes = widened(x), axes_of("nanmean", axis, x.ndim)
    n = numbers_along(isnan(constant(wide)), axes, keepdims)
    return divide(nansum(wide, axes, keepdims=keepdims), n.astype(wide.dtype)).astype(x.dtype, copy=False)


def numbers_along(is_missing: NDArray, axes: Shape, keepdims: bool) -> NDArray:
    """How many elements along `axes` are not missing."""
    return count_along(is_missing.shape, axes) - count_nonzero(is_missing, axes, keepdims=keepdims)


@tells_its_name
def nanvar(
    x: Operand,
    /,
    axis: Axes = None,
    dtype: DTypeLike | None = None,
    out: NDArray | None = None,
    ddof: float | None = None,
    keepdims: bool = False,
    *,
    where: Any = True,
    mean: Any = None,
    correction: float = 0.0,
) -> NDArray:
    """Variance of the elements that are not NaN; NaN where they do not exceed `correction`.

    x: numbers of any shape, converted to `dtype` first; integers become float64.  Of complex numbers it is the sum of
    the variances of both parts.
    ddof is NumPy's name for correction.  where: a mask of the elements that count; mean: their mean, if it is known, as
    keepdims=True gives it; out: takes the result.
    Raises ValueError for a wrong axis.
    Returns an array of that dtype, of real numbers where it is complex, without `axis`.

    >>> nd.nanvar([1.0, nd.nan, 3.0])
    array(1., dtype=float64)
    """
    if out is not None or where is not True:
        x = selected("nanvar", x, where)
        return into("nanvar", nanvar(x, axis, dtype, None, ddof, keepdims, mean=mean, correction=correction), out)
    x = as_number(x if dtype is None else as_array(x).astype(dtype))
    if x.dtype.kind == "c":
        x = choose(isnan(constant(x)), complex("nan+nanj"), x)
        given = {"axis": axis, "ddof": ddof, "keepdims": keepdims, "correction": correction}
        return variance_of_both_parts(nanvar, x, mean, **given)
    wide, axes = widened(x), axes_of("nanvar", axis, x.ndim)
    is_missing = isnan(constant(wide))
    n = numbers_along(is_missing, axes, True).astype(wide.dtype)
    center = divide(nansum(wide, axes, keepdims=True), n) if mean is None else beside(wide, as_array(mean))
    distance = choose(is_missing, 0.0, subtract(wide, center))
    missed = divide(square(sum(constant(distance), axes, keepdims=True)), n) if mean is None else 0.0
    squares = maximum(sum_of_squares(distance, axes, keepdims=True) - missed, 0.0)
    freedom = n - correction_of("nanvar", correction, ddof)
    spread = divide(squares, choose(freedom > 0.0, freedom, float("nan")))
    return spread.reshape(without_axes(x.shape, axes, keepdims)).astype(x.dtype, copy=False)


@tells_its_name
def nanstd(
    x: Operand,
    /,
    axis: Axes = None,
    dtype: DTypeLike | None = None,
    out: NDArray | None = None,
    ddof: float | None = None,
    keepdims: bool = False,
    *,
    where: Any = True,
    mean: Any = None,
    correction: float = 0.0,
) -> NDArray:
    """Standard deviation of the elements that are not NaN, the square root of `nanvar`, with its arguments.

    Returns and raises as `nanvar` does.

    >>> nd.nanstd([1.0, nd.nan, 3.0])
    array(1., dtype=float64)
    """
    spread = nanvar(x, axis, dtype, None, ddof, keepdims, where=where, mean=mean, correction=correction)
    return into("nanstd", root_of_spread(spread), out)


def selected(name: str, x: Any, where: Any) -> NDArray:
    """Numbers with NaN where a mask does not hold.  Raises TypeError for a mask that is none."""
    if where is True:
        return as_array(x)
    x, mask = with_mask(name, as_number(x), where)
    return left_out(x, mask, float("nan"))


@tells_its_name
def nanargmax(x: Operand, /, axis: int | None = None, out: NDArray | None = None, *, keepdims: bool = False) -> NDArray:
    """Index of the first maximum among the elements that are not NaN.

    Raises ValueError where all elements are NaN, for no elements and for a wrong axis.
    Returns an int64 array without `axis`; `out`, where given, takes the result.

    >>> nd.nanargmax([1.0, nd.nan, 3.0])
    array(2, dtype=int64)
    """
    x = as_array(x)
    found = position("nanargmax", x, nanmax(constant(x), axis=axis, keepdims=True), axis, keepdims)
    return into("nanargmax", found, out)


@tells_its_name
def nanargmin(x: Operand, /, axis: int | None = None, out: NDArray | None = None, *, keepdims: bool = False) -> NDArray:
    """Index of the first minimum among the elements that are not NaN.

    Raises ValueError where all elements are NaN, for no elements and for a wrong axis.
    Returns an int64 array without `axis`; `out`, where given, takes the result.

    >>> nd.nanargmin([1.0, nd.nan, 3.0])
    array(0, dtype=int64)
    """
    x = as_array(x)
    found = position("nanargmin", x, nanmin(constant(x), axis=axis, keepdims=True), axis, keepdims)
    return into("nanargmin", found, out)


def position(name: str, x: NDArray, value: NDArray, axis: int | None, keepdims: bool) -> NDArray:
    """Where `x` first equals `value` along `axis`; an infinity is told apart from NaN."""
    if any(isnan(to_check(value))):
        raise ValueError(f"{name}: all elements along axis {axis} are NaN")
    return argmax(astype(equal(x, value), "uint8"), axis=axis, keepdims=keepdims)


def nancumsum(
    x: Operand, /, axis: int | None = None, dtype: DTypeLike | None = None, out: NDArray | None = None
) -> NDArray:
    """Running sum along `axis`, or over all elements in C order (None), in which NaN counts as 0.

    x: numbers of any shape; integers and bool widen to 64 bits.  Raises ValueError for a wrong axis.
    Returns an array of that dtype; `out`, where given, takes the result.

    >>> nd.nancumsum([2.0, nd.nan, 3.0])
    array([2., 2., 5.], dtype=float64)
    """
    return into("nancumsum", running(cumulative_sum, x, axis, dtype, 0), out)


def nancumprod(
    x: Operand, /, axis: int | None = None, dtype: DTypeLike | None = None, out: NDArray | None = None
) -> NDArray:
    """Running product along `axis`, or over all elements in C order (None), in which NaN counts as 1.

    x: numbers of any shape; integers and bool widen to 64 bits.  Raises ValueError for a wrong axis.
    Returns an array of that dtype; `out`, where given, takes the result.

    >>> nd.nancumprod([2.0, nd.nan, 3.0])
    array([2., 2., 6.], dtype=float64)
    """
    return into("nancumprod", running(cumulative_prod, x, axis, dtype, 1), out)


def running(scan: Callable[..., NDArray], x: Any, axis: int | None, dtype: DTypeLike | None, neutral: int) -> NDArray:
    """A scan of `x` with a number in place of NaN."""
    x = as_array(x)
    if axis is None:
        x, axis = x.reshape((x.size,)), 0
    return scan(choose(isnan(constant(x)), float(neutral), x) if is_inexact(x) else x, axis=axis, dtype=dtype)


@tells_its_name
def nan_to_num(
    x: Operand, /, copy: bool = True, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None
) -> NDArray:
    """`x` with `nan` in place of NaN, and the largest numbers of its dtype, or `posinf` and `neginf`, for infinities.

    Bools and integers are returned as they are, copied with copy=True; both parts of complex numbers are replaced.
    Returns an array of the shape and dtype of x.
    Raises TypeError for an argument that cannot become an array, or a replacement that is no number.

    >>> nd.nan_to_num([1.0, nd.nan])
    array([1., 0.], dtype=float64)
    """
    x = as_array(x)
    if not is_inexact(x):
        return astype(x, x.dtype, copy=copy)
    if x.dtype.category == "complex floating":
        parts = [nan_to_num(part, copy, nan, posinf, neginf) for part in (real(x), imag(x))]
        return add(parts[0], multiply(parts[1], 1j))
    largest = finfo(x.dtype).max
    high, low = largest if posinf is None else posinf, -largest if neginf is None else neginf
    return replace_nonfinite(x, nan=nan, posinf=high, neginf=low)
