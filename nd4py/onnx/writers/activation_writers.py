"""Activations as nodes."""

from __future__ import annotations

from collections.abc import Callable
from math import pi
from typing import Any

from nd4py import api as nd
from nd4py.nn import activations

from .graph_writer import GraphWriter

ROOT_OF_HALF = 0.5**0.5


def activated(writer: GraphWriter, setting: Any, x: str, n_axes: int) -> str:
    """The activation of x, which has `n_axes` axes.  Raises NotImplementedError for one that has no counterpart."""
    function = activations.activation(setting)
    if function is activations.identity:
        return x
    if function in ALONG_FEATURES:
        return writer.node(ALONG_FEATURES[function], x, axis=features_axis(n_axes))
    if function in SINGLE_NODES:
        operator, attributes = SINGLE_NODES[function]
        return writer.node(operator, x, **attributes)
    if (write := COMPOSED.get(function)) is not None:
        return write(writer, x)
    if (setting_of := WITH_SETTINGS.get(type(function))) is not None:
        operator, attributes = setting_of(function)
        return writer.node(operator, x, **attributes)
    raise NotImplementedError(f"the activation {setting!r}")


def features_axis(n_axes: int) -> int:
    """The axis of the features: the last of rows and sequences, 1 of images."""
    return 1 if n_axes > 3 else n_axes - 1


def clipped(writer: GraphWriter, x: str, low: float, high: float) -> str:
    return writer.node("Clip", x, writer.constant(low), writer.constant(high))


def times(writer: GraphWriter, x: str, factor: float) -> str:
    return writer.node("Mul", x, writer.constant(factor))


def plus(writer: GraphWriter, x: str, amount: float) -> str:
    return writer.node("Add", x, writer.constant(amount))


def cube(writer: GraphWriter, x: str) -> str:
    return writer.node("Mul", writer.node("Mul", x, x), x)


def gelu(writer: GraphWriter, x: str) -> str:
    share = plus(writer, writer.node("Erf", times(writer, x, ROOT_OF_HALF)), 1.0)
    return writer.node("Mul", times(writer, x, 0.5), share)


def gelu_tanh(writer: GraphWriter, x: str) -> str:
    inner = writer.node("Add", x, times(writer, cube(writer, x), 0.044715))
    return writer.node("Mul", x, writer.node("Sigmoid", times(writer, inner, 2 * (2 / pi) ** 0.5)))


def hard_shrink(writer: GraphWriter, x: str) -> str:
    is_small = writer.node("LessOrEqual", writer.node("Abs", x), writer.constant(0.5))
    return writer.node("Where", is_small, writer.constant(0.0), x)


def soft_shrink(writer: GraphWriter, x: str) -> str:
    return writer.node("Sub", x, clipped(writer, x, -0.5, 0.5))


def log_sigmoid(writer: GraphWriter, x: str) -> str:
    return writer.node("Neg", writer.node("Softplus", writer.node("Neg", x)))


def mish(writer: GraphWriter, x: str) -> str:
    return writer.node("Mul", x, writer.node("Tanh", writer.node("Softplus", x)))


def swish(writer: GraphWriter, x: str) -> str:
    return writer.node("Mul", x, writer.node("Sigmoid", x))


def rectified_tanh(writer: GraphWriter, x: str) -> str:
    return writer.node("Relu", writer.node("Tanh", x))


def tanh_shrink(writer: GraphWriter, x: str) -> str:
    return writer.node("Sub", x, writer.node("Tanh", x))


def rational_tanh(writer: GraphWriter, x: str) -> str:
    """1.7159 * sign(a) * (1 - 1 / (1 + |a| + a ** 2 + 1.41645 * a ** 4)) with a = 2 x / 3"""
    a = times(writer, x, 2 / 3)
    square = writer.node("Mul", a, a)
    fourth = times(writer, writer.node("Mul", square, square), 1.41645)
    total = writer.node("Sum", plus(writer, writer.node("Abs", a), 1.0), square, fourth)
    share = writer.node("Sub", writer.constant(1.0), writer.node("Reciprocal", total))
    return times(writer, writer.node("Mul", writer.node("Sign", a), share), 1.7159)


ALONG_FEATURES: dict[Any, str] = {activations.softmax: "Softmax", activations.log_softmax: "LogSoftmax"}
SINGLE_NODES: dict[Any, tuple[str, dict[str, float]]] = {
    activations.exponential: ("Exp", {}),
    nd.celu: ("Celu", {"alpha": 1.0}),
    nd.elu: ("Elu", {"alpha": 1.0}),
    nd.hard_sigmoid: ("HardSigmoid", {"alpha": 0.2, "beta": 0.5}),
    nd.hard_swish: ("HardSwish", {}),
    nd.leaky_relu: ("LeakyRelu", {"alpha": 0.01}),
    nd.relu: ("Relu", {}),
    nd.selu: ("Selu", {}),
    nd.sigmoid: ("Sigmoid", {}),
    nd.softplus: ("Softplus", {}),
    nd.softsign: ("Softsign", {}),
    nd.tanh: ("Tanh", {}),
    nd.threshold_relu: ("ThresholdedRelu", {"alpha": 1.0}),
}
COMPOSED: dict[Any, Callable[[GraphWriter, str], str]] = {
    activations.tanh_shrink: tanh_shrink,
    nd.cube: cube,
    nd.gelu: gelu,
    nd.gelu_tanh: gelu_tanh,
    nd.hard_shrink: hard_shrink,
    nd.hard_tanh: lambda writer, x: clipped(writer, x, -1.0, 1.0),
    nd.log_sigmoid: log_sigmoid,
    nd.mish: mish,
    nd.rational_tanh: rational_tanh,
    nd.rectified_tanh: rectified_tanh,
    nd.relu6: lambda writer, x: clipped(writer, x, 0.0, 6.0),
    nd.soft_shrink: soft_shrink,
    nd.swish: swish,
}
WITH_SETTINGS: dict[Any, Callable[[Any], tuple[str, dict[str, float]]]] = {
    activations.ELU: lambda it: ("Elu", {"alpha": it.alpha}),
    activations.LeakyReLU: lambda it: ("LeakyRelu", {"alpha": it.alpha}),
    activations.RReLU: lambda it: ("LeakyRelu", {"alpha": (it.lower + it.upper) / 2}),
    activations.ThresholdedReLU: lambda it: ("ThresholdedRelu", {"alpha": it.theta}),
}
