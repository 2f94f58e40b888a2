"""Variance, log-sum-exp, softmax and standardizing by kernels of their own, wherever the arrays are.

Operands are untracked arrays of real floats, but for the root.
"""

from .._core.annotations import Shape
from .._core.array import NDArray
from .._exec import statistics
from .._exec.functions import by_place
from .._exec.nodes import constant, node_of
from .elementwise import add, equal, exp, isfinite, log, sqrt, square, subtract, where
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


def root_of_spread(spread: NDArray) -> NDArray:
    """The square root of a variance, without a gradient where that is 0: the slope of the root is infinite there, and
    0 is a subgradient of the deviation."""
    if node_of(spread) is None:
        return sqrt(spread)
    return sqrt(where(equal(constant(spread), 0), 0.0, spread))


variance = by_place("variance", statistics.variance, variance_by_rows)
log_sum_exp = by_place("log_sum_exp", statistics.log_sum_exp, log_sum_exp_by_rows)
softmax = by_place("softmax", statistics.softmax)
log_softmax = by_place("log_softmax", statistics.log_softmax)
standardize = by_place("standardize", statistics.standardize)
