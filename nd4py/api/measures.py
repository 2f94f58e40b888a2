"""Variance, log-sum-exp, softmax and standardizing by kernels of their own, wherever the arrays are.

Operands are untracked arrays of real floats.
"""

from .._core.annotations import Shape
from .._core.array import NDArray
from .._exec import statistics
from .._exec.functions import by_place
from .elementwise import add, exp, isfinite, log, square, subtract, where
from .operands import widened, without_axes
from .reductions import max, mean, sum

__all__: list[str] = []


def variance_by_rows(x: NDArray, axes: Shape) -> NDArray:
    """The mean of squared distances from the mean along `axes`; halves in float32."""
    wide = widened(x)
    return mean(square(subtract(wide, mean(wide, axis=axes, keepdims=True))), axis=axes)


def log_sum_exp_by_rows(x: NDArray, axes: Shape) -> NDArray:
    """log(sum(exp(x))) along `axes`; halves in float32."""
    wide = widened(x)
    if wide.size == 0:
        return log(sum(wide, axis=axes))
    top = max(wide, axis=axes, keepdims=True)
    top = where(isfinite(top), top, 0.0)  # infinities are taken as they are
    powers = exp(subtract(wide, top))
    return add(log(sum(powers, axis=axes)), top.reshape(without_axes(wide.shape, axes, False)))


variance = by_place("variance", statistics.variance, variance_by_rows)
log_sum_exp = by_place("log_sum_exp", statistics.log_sum_exp, log_sum_exp_by_rows)
softmax = by_place("softmax", statistics.softmax)
log_softmax = by_place("log_softmax", statistics.log_softmax)
standardize = by_place("standardize", statistics.standardize)
