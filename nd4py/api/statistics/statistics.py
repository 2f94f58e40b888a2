"""Variance, standard deviation, averages, covariance and correlation coefficients."""

from __future__ import annotations

from typing import Any

from ..._core.annotations import Attributes, Axes, DTypeLike, Gradients, Operand, Shape
from ..._core.array.array import NDArray
from ..._core.layout.shape import normalize_axis
from ..._exec.autodiff.tape import differentiable
from ..._exec.concat import as_array
from ..._exec.device.placement import filled_beside
from ..._exec.drivers import statistics_drivers as kernels
from ..arguments import ShapesError, into, tells_its_name, to_check
from ..elementwise.elementwise import add, clip, conj, divide, imag, multiply, real, sqrt, subtract
from ..manipulation.manipulation import broadcast_to, concat
from ..operands import (
    alike,
    as_number,
    as_real,
    axes_of,
    correction_of,
    count_along,
    real_dtype,
    widened,
    without_axes,
)
from ..products.matmul import matmul
from ..reductions.complex_variance import variance_of_both_parts
from ..reductions.reductions import any, max, mean, min, sum
from .selected_variance import selected_variance

__all__ = ["average", "corrcoef", "cov", "ptp", "std", "var"]


@tells_its_name
def var(
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
    """Variance: the mean of squared distances from the mean, over n - correction elements.

    x: numbers of any shape, converted to `dtype` first; of complex ones it is the sum of the variances of both parts.
    ddof is NumPy's name for correction.
    where: a mask of the elements that count; mean: their mean, if it is known, as keepdims=True gives it; out: takes
    the result.
    Returns the dtype of x, float64 for integers, that of the parts of complex numbers; NaN where n <= correction.
    Raises ValueError for a wrong axis.

    >>> nd.var([1.0, 3.0])
    array(1., dtype=float64)
    """
    x = as_number(x if dtype is None else as_array(x).astype(dtype))
    if x.dtype.kind == "c":
        given = {"axis": axis, "ddof": ddof, "keepdims": keepdims, "where": where, "correction": correction}
        return into("var", variance_of_both_parts(var, x, mean, **given), out)
    axes = axes_of("var", axis, x.ndim)
    correction = correction_of("var", correction, ddof)
    if where is not True or mean is not None:
        return into("var", selected_variance("var", x, axes, correction, keepdims, where, mean), out)
    spread = variance(x, axes=axes, correction=correction).reshape(without_axes(x.shape, axes, keepdims))
    return spread if out is None else into("var", spread, out)


def variance_vjp(g: NDArray, inputs: tuple[NDArray], y: NDArray, attributes: Attributes) -> Gradients:
    """2 / (n - correction) * g * (x - mean)."""
    (x,) = inputs
    axes = attributes["axes"]
    freedom = count_along(x.shape, axes) - attributes["correction"]
    wide, g = widened(x), widened(g).reshape(without_axes(x.shape, axes, True))
    distance = subtract(wide, mean(wide, axis=axes, keepdims=True))
    slope = multiply(g, 2.0 / freedom if freedom > 0 else float("nan"))
    return [multiply(distance, slope).astype(x.dtype, copy=False)]


@differentiable(variance_vjp, keeps_output=False)
def variance(x: NDArray, /, *, axes: Shape, correction: float) -> NDArray:
    """The variance of real floats along `axes`, in their dtype."""
    n, spread = count_along(x.shape, axes), kernels.variance(x, axes)
    if correction:
        spread = multiply(spread, n / (n - correction) if n > correction else float("nan"))
    return spread.astype(x.dtype, copy=False)


@tells_its_name
def std(
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
    """Standard deviation, the square root of `var`, with its arguments and exceptions.

    Where all elements are equal its gradient is 0.
    Returns and raises as it does.

    >>> nd.std([1.0, 3.0])
    array(1., dtype=float64)
    """
    spread = var(x, axis, dtype, None, ddof, keepdims, where=where, mean=mean, correction=correction)
    return into("std", kernels.root_of_spread(spread), out)


@tells_its_name
def ptp(x: Operand, /, axis: Axes = None, out: NDArray | None = None, keepdims: bool = False) -> NDArray:
    """Maximum minus minimum; integers wrap.  Raises ValueError for no elements or a wrong axis, TypeError for bool.

    Returns an array of the dtype of x without `axis`; `out`, where given, takes the result.

    >>> nd.ptp([3, 9, 4])
    array(6, dtype=int64)
    """
    x = as_array(x)
    return into("ptp", subtract(max(x, axis=axis, keepdims=keepdims), min(x, axis=axis, keepdims=keepdims)), out)


def average(
    x: Operand, /, axis: Axes = None, weights: Any = None, returned: bool = False, *, keepdims: bool = False
) -> Any:
    """Weighted mean, sum(x * weights) / sum(weights) along `axis`.

    x: numbers of any shape    weights: the shape of x, or its sizes along `axis`; None weighs all alike.
    Returns the averages, with returned=True (averages, sums of weights); integers become float64.
    Raises ZeroDivisionError where weights add up to 0, ValueError for a wrong axis or shape of weights; of a shape
    it is a TypeError too, as NumPy's is.

    >>> nd.average([1.0, 3.0], weights=[3.0, 1.0])
    array(1.5, dtype=float64)
    """
    x = as_number(x)
    axes = axes_of("average", axis, x.ndim)
    if weights is None:
        result = mean(x, axis=axes, keepdims=keepdims)
        total = filled_beside(result, result.shape, result.dtype, count_along(x.shape, axes))
    else:
        x, weights = alike(x, as_number(weights_for(x.shape, axis, as_array(weights))))
        total = sum(broadcast_to(weights, x.shape), axis=axes, keepdims=keepdims)
        if any(to_check(total) == 0):
            raise ZeroDivisionError("average: weights add up to 0, so that there is nothing to divide by")
        result = divide(sum(multiply(x, weights), axis=axes, keepdims=keepdims), total)
    return (result, total) if returned else result


def weights_for(shape: Shape, axis: Axes, weights: NDArray) -> NDArray:
    """`weights` in a form that broadcasts to `shape`.  Raises ValueError if they do not fit it."""
    if weights.shape == shape:
        return weights
    given = axis if isinstance(axis, tuple | list) else () if axis is None else (axis,)
    axes = [normalize_axis(i, len(shape)) for i in given]
    if axis is None or weights.shape != tuple(shape[i] for i in axes):
        raise ShapesError(
            f"average: weights must have the shape of x, {shape}, or its sizes along axis; "
            f"given {weights.shape} with axis={axis}"
        )
    in_order = weights.permute_dims(tuple(sorted(range(len(axes)), key=axes.__getitem__)))
    return in_order.reshape(tuple(size if i in axes else 1 for i, size in enumerate(shape)))


@tells_its_name
def cov(
    x: Operand,
    /,
    y: NDArray | None = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: Any = None,
    aweights: Any = None,
    *,
    dtype: DTypeLike | None = None,
) -> NDArray:
    """Covariance matrix of variables that stand in rows (in columns with rowvar=False), observations across.

    x, y: numbers, (variables, observations) or (observations,); y holds more variables of the same observations.
    ddof: taken from the number of observations, by default 1, or 0 with bias=True.
    fweights, aweights: (observations,), how often each was seen, and how much it counts.
    Returns (variables, variables), no axes for one variable; NaN where observations do not exceed ddof.
    Raises ValueError for other shapes and negative weights, TypeError for fractional fweights.

    >>> nd.cov([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]])
    array([[ 1., -1.],
           [-1.,  1.]], dtype=float64)
    """
    rows = variables("cov", x, rowvar)
    if y is not None:
        rows = concat(alike(rows, variables("cov", y, rowvar)), axis=0)
    if dtype is not None:
        rows = rows.astype(dtype, copy=False)
    taken = correction_of("cov", 0, (0 if bias else 1) if ddof is None else ddof)
    seen = observation_weights("fweights", fweights, rows)
    counts = observation_weights("aweights", aweights, rows)
    weights = seen if counts is None else counts if seen is None else multiply(seen, counts)
    distance = subtract(rows, average(rows, 1, weights, keepdims=True))
    weighted = distance if weights is None else multiply(distance, weights)
    products = matmul(distance, (conj(weighted) if weighted.dtype.category == "complex floating" else weighted).T)
    freedom = degrees_of_freedom(weights, counts, rows.shape[1], taken)
    result = divide(products, freedom) if freedom > 0 else multiply(products, float("nan"))
    return result.reshape(()) if result.size == 1 else result


def variables(name: str, x: Any, rowvar: bool) -> NDArray:
    """The observations of each variable as rows."""
    x = as_number(x)
    if x.ndim > 2:
        raise ValueError(f"{name}: variables are one array of 1 or 2 dimensions, given shape {x.shape}")
    if x.ndim < 2:
        return x.reshape((1, x.size))
    return x if rowvar else x.T


def observation_weights(name: str, weights: Any, rows: NDArray) -> NDArray | None:
    """`weights` as real numbers of the precision of `rows`, one for each column."""
    if weights is None:
        return None
    weights = as_real("cov", weights)
    if weights.shape != rows.shape[1:]:
        raise ValueError(f"cov: {name} must be one number per observation, {rows.shape[1:]}, given {weights.shape}")
    if any(weights < 0.0):
        raise ValueError(f"cov: {name} must not be negative, given {min(weights)}")
    if name == "fweights" and any(weights % 1.0 != 0.0):
        raise TypeError("cov: fweights must be whole numbers; use aweights for others")
    return weights.astype(real_dtype(rows), copy=False)


def degrees_of_freedom(weights: NDArray | None, counts: NDArray | None, n: int, ddof: float) -> NDArray | float:
    """What the products are divided by: the weight of all observations, less ddof."""
    if weights is None:
        return n - ddof
    total = sum(weights)
    if ddof == 0 or counts is None:
        return total - ddof
    return total - divide(sum(multiply(weights, counts)), total) * ddof


@tells_its_name
def corrcoef(
    x: Operand, /, y: NDArray | None = None, rowvar: bool = True, *, dtype: DTypeLike | None = None
) -> NDArray:
    """Correlation coefficients: `cov` scaled by the standard deviations, limited to [-1, 1].

    Takes and returns what `cov` does; NaN for variables that do not vary.
    Raises as it does.

    >>> nd.corrcoef([1.0, 2.0, 3.0], [2.0, 4.0, 6.0])
    array([[1., 1.],
           [1., 1.]], dtype=float64)
    """
    c = cov(x, y, rowvar, dtype=dtype)
    if c.ndim == 0:
        return divide(c, c)
    n = c.shape[0]
    deviation = sqrt(real(c.reshape((n * n,))[:: n + 1]))
    scaled = divide(divide(c, deviation[:, None]), deviation)
    if scaled.dtype.category == "real floating":
        return clip(scaled, -1.0, 1.0)
    return add(clip(real(scaled), -1.0, 1.0), multiply(clip(imag(scaled), -1.0, 1.0), 1j))
