"""Reductions.  Made from nd4py/_spec/ops.py by the build; change the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..._core.annotations import Axes, DTypeLike, Operand
from ..._core.array.array import NDArray
from ..._core.lazy_modules import LazyModule
from ..._exec.dispatch.row_table import row_number
from ..._exec.reductions import argreduce, reduce
from ..arguments import into

if TYPE_CHECKING:
    from . import selected_elements
else:
    selected_elements = LazyModule("nd4py.api.reductions.selected_elements", globals())

__all__ = [
    "sum",
    "prod",
    "mean",
    "max",
    "amax",
    "min",
    "amin",
    "any",
    "all",
    "sum_of_squares",
    "sum_of_absolutes",
    "max_of_absolutes",
    "count_nonzero",
    "argmax",
    "argmin",
    "mean_of_squares",
    "nansum",
    "nanprod",
    "nanmax",
    "nanmin",
]

_sum = row_number("sum")
_prod = row_number("prod")
_mean = row_number("mean")
_max = row_number("max")
_min = row_number("min")
_any = row_number("any")
_all = row_number("all")
_sum_of_squares = row_number("sum_of_squares")
_sum_of_absolutes = row_number("sum_of_absolutes")
_max_of_absolutes = row_number("max_of_absolutes")
_count_nonzero = row_number("count_nonzero")
_argmax = row_number("argmax")
_argmin = row_number("argmin")
_mean_of_squares = row_number("mean_of_squares")
_nansum = row_number("nansum")
_nanprod = row_number("nanprod")
_nanmax = row_number("nanmax")
_nanmin = row_number("nanmin")


def sum(
    x: Operand,
    /,
    axis: Axes = None,
    dtype: DTypeLike | None = None,
    out: NDArray | None = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> NDArray:
    """Sum; integers and bool widen to 64 bits.

    x: bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, complex64, complex128,
    float16, bfloat16, or a dtype that converts to one of them.
    axis: an axis, a tuple of axes, or all (None); keepdims leaves them with size 1.
    dtype: what x is converted to first and the result has; None widens integers.
    where: a mask of the elements that count; initial: a value to begin with; out: takes the result.
    Returns an array of that dtype (64 bits wide for integers and bools), without these axes, or `out`.
    Raises TypeError for other arguments and dtypes, ValueError for a wrong axis.

    >>> nd.sum([[1, 2], [3, 4]], axis=0)
    array([4, 6], dtype=int64)
    """
    if out is not None or initial is not None or where is not True:
        return selected_elements.reduce_selected(_sum, x, axis, dtype, out, keepdims, initial, where)
    return reduce(_sum, x, axis, dtype, keepdims)


def prod(
    x: Operand,
    /,
    axis: Axes = None,
    dtype: DTypeLike | None = None,
    out: NDArray | None = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> NDArray:
    """Product; integers and bool widen to 64 bits.  A 0 among finite elements makes it 0.

    x: bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, complex64, complex128,
    float16, bfloat16, or a dtype that converts to one of them.
    axis: an axis, a tuple of axes, or all (None); keepdims leaves them with size 1.
    dtype: what x is converted to first and the result has; None widens integers.
    where: a mask of the elements that count; initial: a value to begin with; out: takes the result.
    Returns an array of that dtype (64 bits wide for integers and bools), without these axes, or `out`.
    Raises TypeError for other arguments and dtypes, ValueError for a wrong axis.

    >>> nd.prod([[1, 2], [3, 4]], axis=1)
    array([ 2, 12], dtype=int64)
    """
    if out is not None or initial is not None or where is not True:
        return selected_elements.reduce_selected(_prod, x, axis, dtype, out, keepdims, initial, where)
    return reduce(_prod, x, axis, dtype, keepdims)


def mean(
    x: Operand,
    /,
    axis: Axes = None,
    dtype: DTypeLike | None = None,
    out: NDArray | None = None,
    keepdims: bool = False,
    where: Any = True,
) -> NDArray:
    """Arithmetic mean; NaN of no elements.

    x: float32, float64, complex64, complex128, float16, bfloat16, or a dtype that converts to one of them.
    axis: an axis, a tuple of axes, or all (None); keepdims leaves them with size 1.
    dtype: what x is converted to first and the result has; None widens integers.
    where: a mask of the elements that count; initial: a value to begin with; out: takes the result.
    Returns an array of that dtype, without these axes, or `out`.
    Raises TypeError for other arguments and dtypes, ValueError for a wrong axis.

    >>> nd.mean([[1, 2], [3, 4]])
    array(2.5, dtype=float64)
    """
    if out is not None or where is not True:
        return selected_elements.reduce_selected(_mean, x, axis, dtype, out, keepdims, None, where)
    return reduce(_mean, x, axis, dtype, keepdims)


def max(
    x: Operand,
    /,
    axis: Axes = None,
    out: NDArray | None = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> NDArray:
    """Maximum, NaN if any element is; equal elements share the gradient.

    x: int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, float16, bfloat16, or a dtype
    that converts to one of them.
    axis: an axis, a tuple of axes, or all (None); keepdims leaves them with size 1.
    where: a mask of the elements that count; initial: a value to begin with; out: takes the result.
    Returns an array of that dtype, without these axes, or `out`.
    Raises TypeError for other arguments and dtypes, ValueError for a wrong axis or no elements.

    >>> nd.max([[1, 5], [3, 4]], axis=1)
    array([5, 4], dtype=int64)
    """
    if out is not None or initial is not None or where is not True:
        return selected_elements.reduce_selected(_max, x, axis, None, out, keepdims, initial, where)
    return reduce(_max, x, axis, None, keepdims)


def min(
    x: Operand,
    /,
    axis: Axes = None,
    out: NDArray | None = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> NDArray:
    """Minimum, NaN if any element is; equal elements share the gradient.

    x: int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, float16, bfloat16, or a dtype
    that converts to one of them.
    axis: an axis, a tuple of axes, or all (None); keepdims leaves them with size 1.
    where: a mask of the elements that count; initial: a value to begin with; out: takes the result.
    Returns an array of that dtype, without these axes, or `out`.
    Raises TypeError for other arguments and dtypes, ValueError for a wrong axis or no elements.

    >>> nd.min([[1, 5], [3, 4]], axis=1)
    array([1, 3], dtype=int64)
    """
    if out is not None or initial is not None or where is not True:
        return selected_elements.reduce_selected(_min, x, axis, None, out, keepdims, initial, where)
    return reduce(_min, x, axis, None, keepdims)


def any(
    x: Operand, /, axis: Axes = None, out: NDArray | None = None, keepdims: bool = False, where: Any = True
) -> NDArray:
    """Whether some element is not 0.

    x: bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, complex64, complex128,
    float16, bfloat16, or a dtype that converts to one of them.
    axis: an axis, a tuple of axes, or all (None); keepdims leaves them with size 1.
    where: a mask of the elements that count; initial: a value to begin with; out: takes the result.
    Returns an array of bool, without these axes, or `out`.
    Raises TypeError for other arguments and dtypes, ValueError for a wrong axis.

    >>> nd.any([[False, True], [False, False]], axis=1)
    array([ True, False], dtype=bool)
    """
    if out is not None or where is not True:
        return selected_elements.reduce_selected(_any, x, axis, None, out, keepdims, None, where)
    return reduce(_any, x, axis, None, keepdims)


def all(
    x: Operand, /, axis: Axes = None, out: NDArray | None = None, keepdims: bool = False, where: Any = True
) -> NDArray:
    """Whether no element is 0.

    x: bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, complex64, complex128,
    float16, bfloat16, or a dtype that converts to one of them.
    axis: an axis, a tuple of axes, or all (None); keepdims leaves them with size 1.
    where: a mask of the elements that count; initial: a value to begin with; out: takes the result.
    Returns an array of bool, without these axes, or `out`.
    Raises TypeError for other arguments and dtypes, ValueError for a wrong axis.

    >>> nd.all([[True, True], [True, False]], axis=1)
    array([ True, False], dtype=bool)
    """
    if out is not None or where is not True:
        return selected_elements.reduce_selected(_all, x, axis, None, out, keepdims, None, where)
    return reduce(_all, x, axis, None, keepdims)


def sum_of_squares(
    x: Operand, /, axis: Axes = None, *, dtype: DTypeLike | None = None, keepdims: bool = False
) -> NDArray:
    """Sum of x**2, the squared Euclidean norm.

    x: int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, float16, bfloat16, or a dtype
    that converts to one of them.
    axis: an axis, a tuple of axes, or all (None); keepdims leaves them with size 1.
    dtype: what x is converted to first and the result has; None widens integers.
    Returns an array of that dtype (64 bits wide for integers and bools), without these axes.
    Raises TypeError for other arguments and dtypes, ValueError for a wrong axis.

    >>> nd.sum_of_squares([1.0, 2.0, 3.0])
    array(14., dtype=float64)
    """
    return reduce(_sum_of_squares, x, axis, dtype, keepdims)


def sum_of_absolutes(
    x: Operand, /, axis: Axes = None, *, dtype: DTypeLike | None = None, keepdims: bool = False
) -> NDArray:
    """Sum of |x|, the L1 norm.

    x: int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, float16, bfloat16, or a dtype
    that converts to one of them.
    axis: an axis, a tuple of axes, or all (None); keepdims leaves them with size 1.
    dtype: what x is converted to first and the result has; None widens integers.
    Returns an array of that dtype (64 bits wide for integers and bools), without these axes.
    Raises TypeError for other arguments and dtypes, ValueError for a wrong axis.

    >>> nd.sum_of_absolutes([1.0, -2.0, 3.0])
    array(6., dtype=float64)
    """
    return reduce(_sum_of_absolutes, x, axis, dtype, keepdims)


def max_of_absolutes(x: Operand, /, axis: Axes = None, *, keepdims: bool = False) -> NDArray:
    """Maximum of |x|, 0 of no elements.

    x: int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, float16, bfloat16, or a dtype
    that converts to one of them.
    axis: an axis, a tuple of axes, or all (None); keepdims leaves them with size 1.
    Returns an array of that dtype, without these axes.
    Raises TypeError for other arguments and dtypes, ValueError for a wrong axis.

    >>> nd.max_of_absolutes([1.0, -5.0, 3.0])
    array(5., dtype=float64)
    """
    return reduce(_max_of_absolutes, x, axis, None, keepdims)


def count_nonzero(x: Operand, /, axis: Axes = None, *, keepdims: bool = False) -> NDArray:
    """How many elements are not 0.

    x: bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, complex64, complex128,
    float16, bfloat16, or a dtype that converts to one of them.
    axis: an axis, a tuple of axes, or all (None); keepdims leaves them with size 1.
    Returns an array of int64, without these axes.
    Raises TypeError for other arguments and dtypes, ValueError for a wrong axis.

    >>> nd.count_nonzero([[0, 1], [2, 3]], axis=1)
    array([1, 2], dtype=int64)
    """
    return reduce(_count_nonzero, x, axis, None, keepdims)


def argmax(x: Operand, /, axis: int | None = None, out: NDArray | None = None, keepdims: bool = False) -> NDArray:
    """Index of the first maximum, or of the first NaN.

    x: int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, float16, bfloat16, or a dtype
    that converts to one of them.
    axis: an axis, or all (None); keepdims leaves them with size 1.
    Returns an array of int64, without these axes, or `out`.
    Raises TypeError for other arguments and dtypes, ValueError for a wrong axis or no elements.

    >>> nd.argmax([3, 9, 2])
    array(1, dtype=int64)
    """
    if out is not None:
        return into("argmax", argreduce(_argmax, x, axis, keepdims), out)
    return argreduce(_argmax, x, axis, keepdims)


def argmin(x: Operand, /, axis: int | None = None, out: NDArray | None = None, keepdims: bool = False) -> NDArray:
    """Index of the first minimum, or of the first NaN.

    x: int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, float16, bfloat16, or a dtype
    that converts to one of them.
    axis: an axis, or all (None); keepdims leaves them with size 1.
    Returns an array of int64, without these axes, or `out`.
    Raises TypeError for other arguments and dtypes, ValueError for a wrong axis or no elements.

    >>> nd.argmin([[3, 9], [8, 2]], axis=1)
    array([0, 1], dtype=int64)
    """
    if out is not None:
        return into("argmin", argreduce(_argmin, x, axis, keepdims), out)
    return argreduce(_argmin, x, axis, keepdims)


def mean_of_squares(
    x: Operand, /, axis: Axes = None, *, dtype: DTypeLike | None = None, keepdims: bool = False
) -> NDArray:
    """Mean of x**2; NaN of no elements.

    x: float32, float64, float16, bfloat16, or a dtype that converts to one of them.
    axis: an axis, a tuple of axes, or all (None); keepdims leaves them with size 1.
    dtype: what x is converted to first and the result has; None widens integers.
    Returns an array of that dtype, without these axes.
    Raises TypeError for other arguments and dtypes, ValueError for a wrong axis.

    >>> nd.mean_of_squares([3.0, 4.0])
    array(12.5, dtype=float64)
    """
    return reduce(_mean_of_squares, x, axis, dtype, keepdims)


def nansum(
    x: Operand,
    /,
    axis: Axes = None,
    dtype: DTypeLike | None = None,
    out: NDArray | None = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> NDArray:
    """Sum of the elements that are not NaN; integers and bool widen to 64 bits.

    x: bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, complex64, complex128,
    float16, bfloat16, or a dtype that converts to one of them.
    axis: an axis, a tuple of axes, or all (None); keepdims leaves them with size 1.
    dtype: what x is converted to first and the result has; None widens integers.
    where: a mask of the elements that count; initial: a value to begin with; out: takes the result.
    Returns an array of that dtype (64 bits wide for integers and bools), without these axes, or `out`.
    Raises TypeError for other arguments and dtypes, ValueError for a wrong axis.

    >>> nd.nansum([1.0, nd.nan, 2.0])
    array(3., dtype=float64)
    """
    if out is not None or initial is not None or where is not True:
        return selected_elements.reduce_selected(_nansum, x, axis, dtype, out, keepdims, initial, where)
    return reduce(_nansum, x, axis, dtype, keepdims)


def nanprod(
    x: Operand,
    /,
    axis: Axes = None,
    dtype: DTypeLike | None = None,
    out: NDArray | None = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> NDArray:
    """Product of the elements that are not NaN; integers and bool widen to 64 bits.

    x: bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, complex64, complex128,
    float16, bfloat16, or a dtype that converts to one of them.
    axis: an axis, a tuple of axes, or all (None); keepdims leaves them with size 1.
    dtype: what x is converted to first and the result has; None widens integers.
    where: a mask of the elements that count; initial: a value to begin with; out: takes the result.
    Returns an array of that dtype (64 bits wide for integers and bools), without these axes, or `out`.
    Raises TypeError for other arguments and dtypes, ValueError for a wrong axis.

    >>> nd.nanprod([2.0, nd.nan, 3.0])
    array(6., dtype=float64)
    """
    if out is not None or initial is not None or where is not True:
        return selected_elements.reduce_selected(_nanprod, x, axis, dtype, out, keepdims, initial, where)
    return reduce(_nanprod, x, axis, dtype, keepdims)


def nanmax(
    x: Operand,
    /,
    axis: Axes = None,
    out: NDArray | None = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> NDArray:
    """Maximum of the elements that are not NaN, NaN if all are; equal elements share the gradient.

    x: int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, float16, bfloat16, or a dtype
    that converts to one of them.
    axis: an axis, a tuple of axes, or all (None); keepdims leaves them with size 1.
    where: a mask of the elements that count; initial: a value to begin with; out: takes the result.
    Returns an array of that dtype, without these axes, or `out`.
    Raises TypeError for other arguments and dtypes, ValueError for a wrong axis or no elements.

    >>> nd.nanmax([1.0, nd.nan, 2.0])
    array(2., dtype=float64)
    """
    if out is not None or initial is not None or where is not True:
        return selected_elements.reduce_selected(_nanmax, x, axis, None, out, keepdims, initial, where)
    return reduce(_nanmax, x, axis, None, keepdims)


def nanmin(
    x: Operand,
    /,
    axis: Axes = None,
    out: NDArray | None = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> NDArray:
    """Minimum of the elements that are not NaN, NaN if all are; equal elements share the gradient.

    x: int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, float16, bfloat16, or a dtype
    that converts to one of them.
    axis: an axis, a tuple of axes, or all (None); keepdims leaves them with size 1.
    where: a mask of the elements that count; initial: a value to begin with; out: takes the result.
    Returns an array of that dtype, without these axes, or `out`.
    Raises TypeError for other arguments and dtypes, ValueError for a wrong axis or no elements.

    >>> nd.nanmin([1.0, nd.nan, 2.0])
    array(1., dtype=float64)
    """
    if out is not None or initial is not None or where is not True:
        return selected_elements.reduce_selected(_nanmin, x, axis, None, out, keepdims, initial, where)
    return reduce(_nanmin, x, axis, None, keepdims)


amax = max
amin = min
