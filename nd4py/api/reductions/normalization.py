"""The softmax family, layer normalization, and that by the root of the mean of squares."""

from __future__ import annotations

from math import prod
from typing import Any

from ..._core.annotations import Attributes, Axes, Gradients, Operand, Shape
from ..._core.array.array import NDArray
from ..._core.whole_numbers import real
from ..._exec.autodiff.nodes import node_of
from ..._exec.autodiff.tape import differentiable
from ..._exec.drivers import statistics_drivers as kernels
from ..elementwise.elementwise import add, exp, isneginf, log, multiply, rsqrt, square, subtract, where
from ..manipulation.manipulation import ascontiguous
from ..operands import as_real, axes_of, widened, without_axes
from .reductions import max, mean, sum

__all__ = ["layer_norm", "log_softmax", "logsumexp", "rms_norm", "softmax"]

# Columns between which lines lie, and elements, for which the steps are deferred and take less time in one pass than
# the kernel, which copies strips of columns together (peers.py: normalizations, softmax along axes but the last).
MOST_COLUMNS = 2048
FEWEST_ELEMENTS = 65536


def softmax(x: Operand, /, axis: Axes = -1) -> NDArray:
    """exp(x) / sum(exp(x)) along `axis`, computed without overflow.

    x: real numbers of any shape.  Raises TypeError for complex numbers, ValueError for a wrong axis.
    Returns an array of the shape of x.

    >>> nd.softmax([0.0, 0.0, nd.log(2.0).item()])
    array([0.25, 0.25, 0.5 ], dtype=float64)
    """
    x = as_real("softmax", x)
    return softmax_along(x, axes=axes_of("softmax", axis, x.ndim))


def is_faster_step_by_step(x: NDArray, axes: Shape) -> bool:
    """Whether lines along the axis are columns of a dense array that is not small.  Its shape alone decides, not what
    is deferred, so that results do not depend on that."""
    columns = prod(x.shape[axes[0] + 1 :])
    is_wide = x.dtype in ("float32", "float64") and x.size >= FEWEST_ELEMENTS
    return is_wide and 1 < columns <= MOST_COLUMNS and x.shape[axes[0]] > 1 and x.is_contiguous


def softmax_vjp(g: NDArray, inputs: tuple[NDArray], y: NDArray, attributes: Attributes) -> Gradients:
    """y * (g - sum(g * y))."""
    weighted = multiply(widened(g), widened(y))
    total = sum(weighted, axis=attributes["axes"], keepdims=True)
    return [subtract(weighted, multiply(widened(y), total)).astype(y.dtype, copy=False)]


@differentiable(softmax_vjp)
def softmax_along(x: NDArray, /, *, axes: Shape) -> NDArray:
    """Softmax by a kernel of its own, or step by step along several axes, along columns, and along a line too long for
    it."""
    y = kernels.softmax(x, axes[0]) if len(axes) == 1 and not is_faster_step_by_step(x, axes) else None
    if y is not None or x.size == 0:
        return exp(x) if y is None else y
    wide = widened(x)
    powers = exp(subtract(wide, max(wide, axis=axes, keepdims=True)))
    return (powers / sum(powers, axis=axes, keepdims=True)).astype(x.dtype, copy=False)


def log_softmax(x: Operand, /, axis: Axes = -1) -> NDArray:
    """log(softmax(x)) along `axis`, accurate where the softmax is near 0; its arguments and exceptions.

    Returns an array of the shape of x.  Raises TypeError for complex numbers, ValueError for a wrong axis.

    >>> nd.log_softmax([0.0, 0.0])
    array([-0.69314718, -0.69314718], dtype=float64)
    """
    x = as_real("log_softmax", x)
    return log_softmax_along(x, axes=axes_of("log_softmax", axis, x.ndim))


def log_softmax_vjp(g: NDArray, inputs: tuple[NDArray], y: NDArray, attributes: Attributes) -> Gradients:
    """g - exp(y) * sum(g)."""
    g = widened(g)
    total = sum(g, axis=attributes["axes"], keepdims=True)
    return [subtract(g, multiply(exp(widened(y)), total)).astype(y.dtype, copy=False)]


@differentiable(log_softmax_vjp)
def log_softmax_along(x: NDArray, /, *, axes: Shape) -> NDArray:
    """Its logarithm in the same two ways."""
    y = kernels.log_softmax(x, axes[0]) if len(axes) == 1 and not is_faster_step_by_step(x, axes) else None
    if y is not None or x.size == 0:
        return exp(x) if y is None else y
    wide = widened(x)
    distance = subtract(wide, max(wide, axis=axes, keepdims=True))
    return subtract(distance, log(sum(exp(distance), axis=axes, keepdims=True))).astype(x.dtype, copy=False)


def logsumexp(x: Operand, /, axis: Axes = None, *, keepdims: bool = False) -> NDArray:
    """log(sum(exp(x))) along `axis`, computed without overflow; -inf of no elements.

    x: real numbers of any shape.  Raises TypeError for complex numbers, ValueError for a wrong axis.
    Returns an array without `axis`.

    >>> nd.logsumexp([1000.0, 1000.0])
    array(1000.69314718, dtype=float64)
    """
    x = as_real("logsumexp", x)
    axes = axes_of("logsumexp", axis, x.ndim)
    return logsumexp_along(x, axes=axes).reshape(without_axes(x.shape, axes, keepdims))


def logsumexp_vjp(g: NDArray, inputs: tuple[NDArray], y: NDArray, attributes: Attributes) -> Gradients:
    """g * exp(x - y); 0 where all elements are -inf."""
    (x,) = inputs
    kept = without_axes(x.shape, attributes["axes"], True)
    total = widened(y).reshape(kept)
    share = exp(subtract(widened(x), where(isneginf(total), 0.0, total)))
    return [multiply(share, g.reshape(kept)).astype(x.dtype, copy=False)]


@differentiable(logsumexp_vjp)
def logsumexp_along(x: NDArray, /, *, axes: Shape) -> NDArray:
    """log(sum(exp(x))) in the dtype of x."""
    return kernels.log_sum_exp(x, axes).astype(x.dtype, copy=False)


def layer_norm(
    x: Operand,
    scale: NDArray | None = None,
    bias: NDArray | None = None,
    /,
    *,
    axis: Axes = -1,
    epsilon: float = 1e-5,
) -> NDArray:
    """(x - mean) / sqrt(variance + epsilon) * scale + bias, with the mean and the variance along `axis`.

    x: real numbers of any shape    scale, bias: the sizes of x along `axis`, in order; None for 1 and 0.
    Returns the shape and dtype of x, float64 for integers.  Ba, Kiros & Hinton 2016, "Layer normalization",
    https://arxiv.org/abs/1607.06450, equation 4.
    Raises TypeError for complex numbers, ValueError for a wrong axis or shape of scale or bias.

    >>> nd.layer_norm([1.0, 3.0], epsilon=0.0)
    array([-1.,  1.], dtype=float64)
    """
    x = as_real("layer_norm", x)
    axes = axes_of("layer_norm", axis, x.ndim)
    shape = tuple(x.shape[i] for i in axes)
    weights = [parameter_of("layer_norm", x, shape, *given) for given in (("scale", scale), ("bias", bias))]
    return layer_norm_along(x, *weights, axes=axes, epsilon=real("layer_norm: epsilon", epsilon))


def parameter_of(who: str, x: NDArray, shape: Shape, name: str, given: Any) -> NDArray | None:
    """A scale or bias in the dtype of x.  Raises ValueError for another shape than `shape`."""
    if given is None:
        return None
    given = as_real(who, given)
    if given.shape != shape:
        raise ValueError(f"{who}: {name} must have the sizes of x along axis, {shape}, given {given.shape}")
    return given.astype(x.dtype, copy=False)


def layer_norm_vjp(
    g: NDArray, inputs: tuple[NDArray, NDArray | None, NDArray | None], y: NDArray, attributes: Attributes
) -> Gradients:
    """With h = (x - mean) * r, r = 1 / sqrt(variance + epsilon) and d = g * scale: r * (d - mean(d) - h * mean(d * h)),
    and for scale and bias the sums of g * h and of g."""
    x, scale, bias = inputs
    axes, epsilon = attributes["axes"], attributes["epsilon"]
    others = tuple(i for i in range(x.ndim) if i not in axes)
    kept = without_axes(x.shape, axes, True)
    g, wide = widened(g), widened(x)
    if node_of(wide) is None:
        h = standardized(wide, axes, epsilon)
        slope = rsqrt(add(kernels.variance(wide, axes).reshape(kept), epsilon))
    else:  # by operations with gradients
        distance = subtract(wide, mean(wide, axis=axes, keepdims=True))
        slope = rsqrt(add(mean(square(distance), axis=axes, keepdims=True), epsilon))
        h = multiply(distance, slope)
    d = g if scale is None else multiply(g, along(widened(scale), axes, x.shape))
    inner = subtract(subtract(d, mean(d, axis=axes, keepdims=True)), multiply(h, mean(d * h, axis=axes, keepdims=True)))
    return [
        multiply(slope, inner).astype(x.dtype, copy=False),
        None if scale is None else sum(g * h, axis=others).astype(scale.dtype, copy=False),
        None if bias is None else sum(g, axis=others).astype(bias.dtype, copy=False),
    ]


@differentiable(layer_norm_vjp, keeps_output=False)
def layer_norm_along(
    x: NDArray, scale: NDArray | None, bias: NDArray | None, /, *, axes: Shape, epsilon: float
) -> NDArray:
    """Layer normalization in one kernel where it has one, else with scale and bias applied to its result."""
    wide = widened(x)
    if len(axes) == 1 and scale is not None:
        weights = [w if w is None else ascontiguous(widened(w)) for w in (scale, bias)]
        y = kernels.standardize(wide, axes[0], epsilon, *weights)
        if y is not None:
            return y.astype(x.dtype, copy=False)
    y = standardized(wide, axes, epsilon)
    if scale is not None:
        y = multiply(y, along(widened(scale), axes, x.shape))
    if bias is not None:
        y = add(y, along(widened(bias), axes, x.shape))
    return y.astype(x.dtype, copy=False)


def standardized(x: NDArray, axes: Shape, epsilon: float) -> NDArray:
    """(x - mean) / sqrt(variance + epsilon), by a kernel of its own along one axis."""
    y = kernels.standardize(x, axes[0], epsilon, None, None) if len(axes) == 1 else None
    if y is not None:
        return y
    spread = kernels.variance(x, axes).reshape(without_axes(x.shape, axes, True))
    return multiply(subtract(x, mean(x, axis=axes, keepdims=True)), rsqrt(add(spread, epsilon)))


def along(parameter: NDArray, axes: Shape, shape: Shape) -> NDArray:
    """`parameter`, one number per element along `axes`, in a form that broadcasts to `shape`."""
    return parameter.reshape(tuple(size if i in axes else 1 for i, size in enumerate(shape)))


def rms_norm(x: Operand, scale: NDArray | None = None, /, *, axis: Axes = -1, epsilon: float = 1e-6) -> NDArray:
    """x / sqrt(mean(x**2) + epsilon) * scale, with the mean along `axis`.

    x: real numbers of any shape    scale: the sizes of x along `axis`, in order; None for 1.
    Returns the shape and dtype of x, float64 for integers.  Zhang & Sennrich 2019, "Root mean square layer
    normalization", https://arxiv.org/abs/1910.07467, equation 4.
    Raises TypeError for complex numbers, ValueError for a wrong axis or shape of scale.

    >>> nd.rms_norm([1.0, 7.0], epsilon=0.0)
    array([0.2, 1.4], dtype=float64)
    """
    x = as_real("rms_norm", x)
    axes = axes_of("rms_norm", axis, x.ndim)
    given = parameter_of("rms_norm", x, tuple(x.shape[i] for i in axes), "scale", scale)
    return rms_norm_along(x, given, axes=axes, epsilon=real("rms_norm: epsilon", epsilon))


def rms_norm_vjp(g: NDArray, inputs: tuple[NDArray, NDArray | None], y: NDArray, attributes: Attributes) -> Gradients:
    """With h = x * r, r = 1 / sqrt(mean(x**2) + epsilon) and d = g * scale: r * (d - h * mean(d * h)), and for scale
    the sum of g * h."""
    x, scale = inputs
    axes = attributes["axes"]
    g, wide = widened(g), widened(x)
    slope = inverse_root(wide, axes, attributes["epsilon"])
    h = multiply(wide, slope)
    d = g if scale is None else multiply(g, along(widened(scale), axes, x.shape))
    inner = subtract(d, multiply(h, mean(d * h, axis=axes, keepdims=True)))
    others = tuple(i for i in range(x.ndim) if i not in axes)
    return [
        multiply(slope, inner).astype(x.dtype, copy=False),
        None if scale is None else sum(g * h, axis=others).astype(scale.dtype, copy=False),
    ]


@differentiable(rms_norm_vjp, keeps_output=False)
def rms_norm_along(x: NDArray, scale: NDArray | None, /, *, axes: Shape, epsilon: float) -> NDArray:
    """Normalization by the root of the mean of squares, with the scale applied to its result."""
    wide = widened(x)
    y = multiply(wide, inverse_root(wide, axes, epsilon))
    y = y if scale is None else multiply(y, along(widened(scale), axes, x.shape))
    return y.astype(x.dtype, copy=False)


def inverse_root(x: NDArray, axes: Shape, epsilon: float) -> NDArray:
    """1 / sqrt(mean(x**2) + epsilon)."""
    return rsqrt(add(mean(square(x), axis=axes, keepdims=True), epsilon))
