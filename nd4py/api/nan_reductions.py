"""Reductions that pass over NaN, beside the rows nansum, nanprod, nanmax and nanmin; and numbers in place of NaN."""

from .._core.annotations import Axes
from .._core.array import NDArray
from .._exec.nodes import constant
from .elementwise import (
    divide,
    equal,
    isnan,
    logical_not,
    maximum,
    replace_nonfinite,
    sqrt,
    square,
    subtract,
    where,
)
from .manipulation import astype
from .operands import as_array, as_real, axes_of, kind_of, widened
from .reductions import any, argmax, nanmax, nanmin, nansum, sum, sum_of_squares

__all__ = ["nan_to_num", "nanargmax", "nanargmin", "nanmean", "nanstd", "nanvar"]

# The largest finite numbers: (2 - 2**-p) * 2**emax for p bits of fraction.
LARGEST = {
    "float16": (2 - 2.0**-10) * 2.0**15,
    "bfloat16": (2 - 2.0**-7) * 2.0**127,
    "float32": (2 - 2.0**-23) * 2.0**127,
    "float64": (2 - 2.0**-52) * 2.0**1023,
}


def numbers_along(x: NDArray, axes: tuple[int, ...], keepdims: bool) -> NDArray:
    """How many elements are not NaN, in the dtype of `x`."""
    return sum(logical_not(isnan(x)), axis=axes, keepdims=keepdims).astype(x.dtype)


def nanmean(x: NDArray, /, axis: Axes = None, *, keepdims: bool = False) -> NDArray:
    """Mean of the elements that are not NaN; NaN where there are none.

    x: real numbers of any shape; integers become float64.
    Raises TypeError for complex numbers, ValueError for a wrong axis.
    """
    x = as_real("nanmean", x)
    wide, axes = widened(x), axes_of("nanmean", axis, x.ndim)
    total = nansum(wide, axis=axes, keepdims=keepdims)
    return divide(total, numbers_along(constant(wide), axes, keepdims)).astype(x.dtype, copy=False)


def nanvar(
    x: NDArray,
    /,
    axis: Axes = None,
    *,
    correction: float = 0.0,
    keepdims: bool = False,
    ddof: float | None = None,
) -> NDArray:
    """Variance of the elements that are not NaN; NaN where they do not exceed `correction`.

    x: real numbers of any shape; integers become float64.  ddof is NumPy's name for correction.
    Raises TypeError for complex numbers, ValueError for a wrong axis.
    """
    x = as_real("nanvar", x)
    wide, axes = widened(x), axes_of("nanvar", axis, x.ndim)
    is_missing = isnan(constant(wide))
    distance = where(is_missing, 0.0, subtract(wide, nanmean(wide, axes, keepdims=True)))
    n = numbers_along(constant(wide), axes, keepdims)
    missed = divide(square(sum(constant(distance), axis=axes, keepdims=keepdims)), n)
    squares = maximum(sum_of_squares(distance, axis=axes, keepdims=keepdims) - missed, 0.0)
    freedom = n - float(correction if ddof is None else ddof)
    return divide(squares, where(freedom > 0.0, freedom, float("nan"))).astype(x.dtype, copy=False)


def nanstd(
    x: NDArray,
    /,
    axis: Axes = None,
    *,
    correction: float = 0.0,
    keepdims: bool = False,
    ddof: float | None = None,
) -> NDArray:
    """Standard deviation of the elements that are not NaN, the square root of `nanvar`, with its arguments."""
    return sqrt(nanvar(x, axis, correction=correction, keepdims=keepdims, ddof=ddof))


def nanargmax(x: NDArray, /, axis: int | None = None, *, keepdims: bool = False) -> NDArray:
    """Index of the first maximum among the elements that are not NaN.

    Raises ValueError where all elements are NaN, for no elements and for a wrong axis.
    """
    x = as_array(x)
    return position("nanargmax", x, nanmax(constant(x), axis=axis, keepdims=True), axis, keepdims)


def nanargmin(x: NDArray, /, axis: int | None = None, *, keepdims: bool = False) -> NDArray:
    """Index of the first minimum among the elements that are not NaN.

    Raises ValueError where all elements are NaN, for no elements and for a wrong axis.
    """
    x = as_array(x)
    return position("nanargmin", x, nanmin(constant(x), axis=axis, keepdims=True), axis, keepdims)


def position(name: str, x: NDArray, value: NDArray, axis: int | None, keepdims: bool) -> NDArray:
    """Where `x` first equals `value` along `axis`; an infinity is told apart from NaN."""
    if any(isnan(value)):
        raise ValueError(f"{name}: all elements along axis {axis} are NaN")
    return argmax(astype(equal(x, value), "uint8"), axis=axis, keepdims=keepdims)


def nan_to_num(
    x: NDArray, /, copy: bool = True, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None
) -> NDArray:
    """`x` with `nan` in place of NaN, and the largest numbers of its dtype, or `posinf` and `neginf`, for infinities.

    Bools and integers are returned as they are, copied with copy=True.  Raises TypeError for complex numbers.
    """
    x = as_array(x)
    if kind_of(x) in ("bool", "signed integer", "unsigned integer"):
        return astype(x, x.dtype, copy=copy)
    largest = LARGEST[as_real("nan_to_num", x).dtype.name]
    high, low = largest if posinf is None else posinf, -largest if neginf is None else neginf
    return replace_nonfinite(x, nan=nan, posinf=high, neginf=low)
