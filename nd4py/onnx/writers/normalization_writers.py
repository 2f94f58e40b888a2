"""Normalizations."""

from __future__ import annotations

import numpy

from nd4py import nn

from .activation_writers import features_axis, plus, times
from .written_layer import Write, Written


def along_features(it: Written, values: object) -> str:
    """One number for each feature, so that it broadcasts to x."""
    behind = it.n_axes - 1 - features_axis(it.n_axes)
    return it.writer.constant(numpy.reshape(numpy.asarray(values), (-1, *(1,) * behind)))


def batch_normalization(it: Written) -> str:
    mean, variance = it.params["mean"], it.params["var"]
    gamma = it.params.get("gamma", numpy.full(mean.shape, it.layer.gamma))
    beta = it.params.get("beta", numpy.full(mean.shape, it.layer.beta))
    if it.n_axes != 3:
        arrays = [it.writer.constant(each) for each in (gamma, beta, mean, variance)]
        return it.writer.node("BatchNormalization", it.x, *arrays, epsilon=it.layer.eps)
    slope = gamma / numpy.sqrt(variance + it.layer.eps)  # features are the last axis of sequences
    y = it.writer.node("Mul", it.x, along_features(it, slope))
    return it.writer.node("Add", y, along_features(it, beta - mean * slope))


def features_last(it: Written) -> list[int]:
    """The order of axes that puts the features last."""
    axis = features_axis(it.n_axes)
    return [i for i in range(it.n_axes) if i != axis] + [axis]


def layer_normalization(it: Written) -> str:
    order = features_last(it)
    is_turned = order != sorted(order)
    x = it.writer.transposed(it.x, *order) if is_turned else it.x
    y = it.writer.node("LayerNormalization", x, it.weight("gamma"), it.weight("beta"), axis=-1, epsilon=it.layer.eps)
    return it.writer.transposed(y, *(order.index(i) for i in range(it.n_axes))) if is_turned else y


def root_mean_square(it: Written) -> str:
    writer = it.writer
    squares = writer.node("ReduceMean", writer.node("Mul", it.x, it.x), axes=[features_axis(it.n_axes)], keepdims=1)
    y = writer.node("Div", it.x, writer.node("Sqrt", plus(writer, squares, it.layer.eps)))
    return writer.node("Mul", y, along_features(it, it.params["gamma"]))


def group_normalization(it: Written) -> str:
    writer, axis = it.writer, features_axis(it.n_axes)
    order = [0, axis, *(i for i in range(1, it.n_axes) if i != axis)]
    is_turned = order != sorted(order)
    first = writer.transposed(it.x, *order) if is_turned else it.x
    groups = writer.reshaped(first, 0, it.layer.n_groups, -1)
    distance = writer.node("Sub", groups, writer.node("ReduceMean", groups, axes=[2], keepdims=1))
    variance = writer.node("ReduceMean", writer.node("Mul", distance, distance), axes=[2], keepdims=1)
    normal = writer.node("Div", distance, writer.node("Sqrt", plus(writer, variance, it.layer.eps)))
    y = writer.node("Reshape", normal, writer.node("Shape", first))
    y = writer.transposed(y, *(order.index(i) for i in range(it.n_axes))) if is_turned else y
    y = writer.node("Mul", y, along_features(it, it.params["gamma"]))
    return writer.node("Add", y, along_features(it, it.params["beta"]))


def local_response(it: Written) -> str:
    """x / (k + alpha * sum of squares of n channels) ** beta; ONNX divides alpha by n, and n is odd there."""
    writer, layer = it.writer, it.layer
    if layer.n % 2:
        settings = {"alpha": float(layer.alpha * layer.n), "beta": float(layer.beta), "bias": float(layer.k)}
        return writer.node("LRN", it.x, size=layer.n, **settings)
    before, n_channels = (layer.n - 1) // 2, it.given[0].n_features
    frame = writer.integers([0, before, 0, 0, 0, layer.n - 1 - before, 0, 0], "pads")
    squares = writer.node("Pad", writer.node("Mul", it.x, it.x), frame, writer.constant(0.0))
    total = writer.node("Sum", *(writer.part(squares, i, i + n_channels, 1) for i in range(layer.n)))
    scale = plus(writer, times(writer, total, layer.alpha), layer.k)
    return writer.node("Mul", it.x, writer.node("Pow", scale, writer.constant(-layer.beta)))


WRITERS: dict[type, Write] = {
    nn.BatchNormalization: batch_normalization,
    nn.GroupNormalization: group_normalization,
    nn.LayerNormalization: layer_normalization,
    nn.LocalResponseNormalization: local_response,
    nn.RMSNormalization: root_mean_square,
}
