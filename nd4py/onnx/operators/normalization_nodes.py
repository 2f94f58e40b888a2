"""Normalizations, and softmax with its kin."""

from __future__ import annotations

from typing import Any

from nd4py import api as nd

from .host_values import own_axis
from .operator_rows import Limits, Rows


def over_rows(function: Any, x: Any, *, axis: int = 1) -> Any:
    """The rule before version 13: all axes from `axis` on are one."""
    axis = own_axis(axis, x.ndim)
    n_rows = 1
    for length in x.shape[:axis]:
        n_rows *= length
    return function(x.reshape(n_rows, -1), axis=-1).reshape(x.shape)


def along_axis(function: Any, x: Any, *, axis: int = -1) -> Any:
    return function(x, axis=axis)


def hardmax(x: Any, *, axis: int = -1) -> Any:
    places = nd.arange(x.shape[axis]).reshape([-1 if i == own_axis(axis, x.ndim) else 1 for i in range(x.ndim)])
    return (nd.argmax(x, axis=axis, keepdims=True) == places).astype(x.dtype)


def by_channel(values: Any, n_axes: int) -> Any:
    return values.reshape(1, -1, *[1] * (n_axes - 2))


def batch_normalization(
    x: Any, scale: Any, bias: Any, mean: Any, variance: Any, *, epsilon: float = 1e-5, momentum: float = 0.9,
    training_mode: int = 0, **old: Any,
) -> Any:  # fmt: skip
    """By the given means and variances; in training by those of the batch, and with the running ones as outputs."""
    if not training_mode:
        return normalized(x, mean, variance, scale, bias, epsilon)
    axes = (0, *range(2, x.ndim))
    found_mean = nd.mean(x, axis=axes)
    found_variance = nd.var(x, axis=axes)
    y = normalized(x, found_mean, found_variance, scale, bias, epsilon)
    running_mean = mean * momentum + found_mean.astype(mean.dtype) * (1 - momentum)
    running_variance = variance * momentum + found_variance.astype(variance.dtype) * (1 - momentum)
    return y, running_mean, running_variance


def normalized(x: Any, mean: Any, variance: Any, scale: Any, bias: Any, epsilon: float) -> Any:
    factor = scale.astype(variance.dtype) / nd.sqrt(variance + epsilon)
    y = (x - by_channel(mean, x.ndim)) * by_channel(factor, x.ndim) + by_channel(bias, x.ndim)
    return y.astype(x.dtype)


def instance_normalization(x: Any, scale: Any, bias: Any, *, epsilon: float = 1e-5) -> Any:
    axes = tuple(range(2, x.ndim))
    mean, variance = nd.mean(x, axis=axes, keepdims=True), nd.var(x, axis=axes, keepdims=True)
    return (x - mean) / nd.sqrt(variance + epsilon) * by_channel(scale, x.ndim) + by_channel(bias, x.ndim)


def layer_normalization(
    x: Any,
    scale: Any,
    bias: Any = None,
    *,
    axis: int = -1,
    epsilon: float = 1e-5,
    stash_type: int = 1,
    n_outputs: int = 1,
) -> Any:
    """Computed in float32 where x is shorter; the mean and the inverse deviation are further outputs."""
    axes = tuple(range(own_axis(axis, x.ndim), x.ndim))
    sizes = x.shape[axes[0] :]
    if n_outputs == 1 and scale.shape == sizes and scale.dtype == x.dtype and (bias is None or bias.shape == sizes):
        return nd.layer_norm(x, scale, bias, axis=axes, epsilon=epsilon)
    wide = x.astype(nd.float32) if stash_type == 1 and x.dtype != nd.float64 else x
    mean = nd.mean(wide, axis=axes, keepdims=True)
    inverse = 1 / nd.sqrt(nd.mean(nd.square(wide - mean), axis=axes, keepdims=True) + epsilon)
    y = ((wide - mean) * inverse).astype(x.dtype) * scale
    y = y if bias is None else y + bias
    return (y, mean, inverse)[:n_outputs] if n_outputs > 1 else y


def rms_normalization(x: Any, scale: Any, *, axis: int = -1, epsilon: float = 1e-5, stash_type: int = 1) -> Any:
    """Computed in float32 where x is shorter."""
    axes = tuple(range(own_axis(axis, x.ndim), x.ndim))
    if scale.shape == x.shape[axes[0] :] and scale.dtype == x.dtype:
        return nd.rms_norm(x, scale, axis=axes, epsilon=epsilon)
    return nd.rms_norm(x, axis=axes, epsilon=epsilon) * scale


def mean_variance(x: Any, *, axes: Any = (0, 2, 3)) -> Any:
    """x with mean 0 and variance 1 along the axes, computed as the bodies of the definition do."""
    centred = x - nd.mean(x, axis=tuple(axes), keepdims=True)
    deviation = nd.sqrt(nd.mean(nd.square(centred), axis=tuple(axes), keepdims=True))
    return (centred / (deviation + 1e-9)).astype(x.dtype)


def local_response(x: Any, *, size: int, alpha: float = 1e-4, beta: float = 0.75, bias: float = 1.0) -> Any:
    """x / (bias + alpha / size * sum of squares of neighbouring channels) ** beta"""
    before = (size - 1) // 2
    frame = [(0, 0)] * x.ndim
    frame[1] = (before, size - 1 - before)
    squares = nd.pad(nd.square(x), frame)
    total = squares[:, : x.shape[1]]
    for i in range(1, size):
        total = total + squares[:, i : i + x.shape[1]]
    return x / (total * (alpha / size) + bias) ** beta


def length_normalization(x: Any, *, axis: int = -1, p: int = 2) -> Any:
    """x by its length along an axis, 0 where that is 0."""
    if p == 1:
        length = nd.sum(nd.abs(x), axis=axis, keepdims=True)
    else:
        length = nd.sqrt(nd.sum(nd.square(x), axis=axis, keepdims=True))
    return nd.where(length == 0, nd.zeros((), dtype=x.dtype), x / nd.where(length == 0, 1, length).astype(x.dtype))


def trains_by_outputs(node: Any, schema: Any, attributes: Any, constants: Any) -> str | None:
    """Why a batch normalization is refused: before version 14 further outputs mean training."""
    if schema.since_version < 14 and len(node.output) > 1:
        return "with outputs of training"
    return "with spatial=0" if attributes.get("spatial", 1) == 0 else None


OPERATORS: Rows = {
    "BatchNormalization": [(7, 15, batch_normalization)],
    "Hardmax": [(1, 11, over_rows, hardmax), (13, 13, hardmax)],
    "InstanceNormalization": [(6, 22, instance_normalization)],
    "LayerNormalization": [(17, 17, layer_normalization)],
    "LogSoftmax": [(1, 11, over_rows, nd.log_softmax), (13, 13, along_axis, nd.log_softmax)],
    "LpNormalization": [(1, 22, length_normalization)],
    "LRN": [(1, 13, local_response)],
    "MeanVarianceNormalization": [(9, 9, mean_variance)],
    "RMSNormalization": [(23, 23, rms_normalization)],
    "Softmax": [(1, 11, over_rows, nd.softmax), (13, 13, along_axis, nd.softmax)],
}
LIMITS: Limits = {"BatchNormalization": trains_by_outputs}
