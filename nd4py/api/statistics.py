"""Statistics made of several reductions and elementwise rows."""

from .._core.annotations import Axes
from .._core.array import NDArray
from .elementwise import exp, log, multiply, sqrt, square, subtract, where
from .reductions import max, mean, sum

__all__ = ["log_softmax", "logsumexp", "softmax", "std", "var"]


def var(x: NDArray, /, *, axis: Axes = None, correction: float = 0.0, keepdims: bool = False) -> NDArray:
    """Variance: the mean of squared distances from the mean, over n - correction elements.

    x: a floating dtype, any shape.  Raises TypeError for other dtypes, ValueError for a wrong axis.
    """
    distance = subtract(x, mean(x, axis=axis, keepdims=True))
    spread = mean(square(distance), axis=axis, keepdims=keepdims)
    if not correction:
        return spread
    n = x.size // (spread.size or 1)
    return multiply(spread, n / (n - correction) if n != correction else float("nan"))


def std(x: NDArray, /, *, axis: Axes = None, correction: float = 0.0, keepdims: bool = False) -> NDArray:
    """Standard deviation, the square root of `var`."""
    return sqrt(var(x, axis=axis, correction=correction, keepdims=keepdims))


def softmax(x: NDArray, /, *, axis: Axes = -1) -> NDArray:
    """exp(x) / sum(exp(x)) along `axis`, computed without overflow.  x: a floating dtype, any shape."""
    powers = exp(subtract(x, max(x, axis=axis, keepdims=True)))
    return powers / sum(powers, axis=axis, keepdims=True)


def log_softmax(x: NDArray, /, *, axis: Axes = -1) -> NDArray:
    """log(softmax(x)) along `axis`, accurate where the softmax is near 0."""
    distance = subtract(x, max(x, axis=axis, keepdims=True))
    return distance - log(sum(exp(distance), axis=axis, keepdims=True))


def logsumexp(x: NDArray, /, *, axis: Axes = None, keepdims: bool = False) -> NDArray:
    """log(sum(exp(x))) along `axis`, computed without overflow; infinite maxima are returned as they are."""
    top = max(x, axis=axis, keepdims=True)
    shift = where(top - top == 0, top, 0.0)
    total = log(sum(exp(subtract(x, shift)), axis=axis, keepdims=True)) + shift
    return total if keepdims else total.reshape(sum(total, axis=axis).shape)
