"""Running results along an axis.  Made from nd4py/_spec/ops.py by the build; change the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._core.annotations import DTypeLike
from ..._core.array.array import NDArray
from ..._core.lazy_modules import LazyModule
from ..._exec.dispatch.row_table import row_number
from ..arguments import into

if TYPE_CHECKING:
    from ..._exec import scans as driver
else:
    driver = LazyModule("nd4py._exec.scans", globals())

__all__ = [
    "cumulative_sum",
    "cumulative_prod",
    "cumulative_max",
    "cumulative_min",
    "log_cumulative_sum_exp",
]

_cumulative_sum = row_number("cumulative_sum")
_cumulative_prod = row_number("cumulative_prod")
_cumulative_max = row_number("cumulative_max")
_cumulative_min = row_number("cumulative_min")
_log_cumulative_sum_exp = row_number("log_cumulative_sum_exp")


def cumulative_sum(
    x: NDArray,
    /,
    axis: int | None = None,
    dtype: DTypeLike | None = None,
    out: NDArray | None = None,
    *,
    include_initial: bool = False,
) -> NDArray:
    """Running sum; integers and bool widen to 64 bits.

    x: bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, complex64, complex128,
    float16, bfloat16, or a dtype that converts to one of them.
    axis: the axis to run along; may be left out where there is only one.
    dtype: x is converted to it first, and the result has it.
    include_initial: put the value before the first element in front; the axis is longer by one then.
    out: takes the result.
    Returns an array of that dtype (64 bits wide for integers and bools) and the same shape.
    Raises TypeError for other arguments and dtypes, ValueError for a wrong or missing axis.

    >>> nd.cumulative_sum([1, 2, 3])
    array([1, 3, 6], dtype=int64)
    """
    return into("cumulative_sum", driver.scan(_cumulative_sum, x, axis, dtype, include_initial), out)


def cumulative_prod(
    x: NDArray,
    /,
    axis: int | None = None,
    dtype: DTypeLike | None = None,
    out: NDArray | None = None,
    *,
    include_initial: bool = False,
) -> NDArray:
    """Running product; integers and bool widen to 64 bits.

    x: bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, complex64, complex128,
    float16, bfloat16, or a dtype that converts to one of them.
    axis: the axis to run along; may be left out where there is only one.
    dtype: x is converted to it first, and the result has it.
    include_initial: put the value before the first element in front; the axis is longer by one then.
    out: takes the result.
    Returns an array of that dtype (64 bits wide for integers and bools) and the same shape.
    Raises TypeError for other arguments and dtypes, ValueError for a wrong or missing axis.

    >>> nd.cumulative_prod([1, 2, 3, 4])
    array([ 1,  2,  6, 24], dtype=int64)
    """
    return into("cumulative_prod", driver.scan(_cumulative_prod, x, axis, dtype, include_initial), out)


def cumulative_max(
    x: NDArray,
    /,
    axis: int | None = None,
    dtype: DTypeLike | None = None,
    out: NDArray | None = None,
    *,
    include_initial: bool = False,
) -> NDArray:
    """Running maximum, NaN from the first NaN on; the first of equal elements receives the gradient.

    x: int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, float16, bfloat16, or a dtype
    that converts to one of them.
    axis: the axis to run along; may be left out where there is only one.
    dtype: x is converted to it first, and the result has it.
    include_initial: put the value before the first element in front; the axis is longer by one then.
    out: takes the result.
    Returns an array of that dtype and the same shape.
    Raises TypeError for other arguments and dtypes, ValueError for a wrong or missing axis.

    >>> nd.cumulative_max([1, 3, 2, 5])
    array([1, 3, 3, 5], dtype=int64)
    """
    return into("cumulative_max", driver.scan(_cumulative_max, x, axis, dtype, include_initial), out)


def cumulative_min(
    x: NDArray,
    /,
    axis: int | None = None,
    dtype: DTypeLike | None = None,
    out: NDArray | None = None,
    *,
    include_initial: bool = False,
) -> NDArray:
    """Running minimum, NaN from the first NaN on; the first of equal elements receives the gradient.

    x: int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64, float16, bfloat16, or a dtype
    that converts to one of them.
    axis: the axis to run along; may be left out where there is only one.
    dtype: x is converted to it first, and the result has it.
    include_initial: put the value before the first element in front; the axis is longer by one then.
    out: takes the result.
    Returns an array of that dtype and the same shape.
    Raises TypeError for other arguments and dtypes, ValueError for a wrong or missing axis.

    >>> nd.cumulative_min([4, 6, 2, 3])
    array([4, 4, 2, 2], dtype=int64)
    """
    return into("cumulative_min", driver.scan(_cumulative_min, x, axis, dtype, include_initial), out)


def log_cumulative_sum_exp(
    x: NDArray,
    /,
    axis: int | None = None,
    dtype: DTypeLike | None = None,
    out: NDArray | None = None,
    *,
    include_initial: bool = False,
) -> NDArray:
    """Running log(sum(exp(x))), computed without overflow.

    x: float32, float64, float16, bfloat16, or a dtype that converts to one of them.
    axis: the axis to run along; may be left out where there is only one.
    dtype: x is converted to it first, and the result has it.
    include_initial: put the value before the first element in front; the axis is longer by one then.
    out: takes the result.
    Returns an array of that dtype and the same shape.
    Raises TypeError for other arguments and dtypes, ValueError for a wrong or missing axis.

    >>> nd.log_cumulative_sum_exp([0.0, 0.0])
    array([0.        , 0.69314718], dtype=float64)
    """
    return into("log_cumulative_sum_exp", driver.scan(_log_cumulative_sum_exp, x, axis, dtype, include_initial), out)
