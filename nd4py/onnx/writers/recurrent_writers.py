"""Recurrent layers, and what is made of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy

from nd4py import api as nd
from nd4py import nn
from nd4py.nn import activations

from .graph_writer import LAST
from .written_layer import Write, Written

# Activations that recurrent nodes know, with the settings that they have there by default.
INNER: dict[Any, str] = {
    nd.elu: "Elu",
    nd.hard_sigmoid: "HardSigmoid",
    nd.relu: "Relu",
    nd.sigmoid: "Sigmoid",
    nd.softplus: "Softplus",
    nd.softsign: "Softsign",
    nd.tanh: "Tanh",
}


def inner(setting: Any) -> str:
    """What recurrent nodes call an activation.  Raises NotImplementedError for those that they do not know."""
    found = INNER.get(activations.activation(setting))
    if found is None:
        raise NotImplementedError(f"the activation {setting!r} inside of a recurrent layer")
    return found


def gates(columns: Any, order: tuple[int, ...]) -> Any:
    """Parameters whose last axis has runs of columns, one for each gate, as rows in another order."""
    runs = numpy.split(columns, len(order), axis=-1)
    return numpy.concatenate([runs[i].T for i in order])[None]


def recurrence(it: Written, operator: str, order: tuple[int, ...], bias: Any, *more: str, **attributes: Any) -> str:
    """A recurrent node over sequences (batch, length, n_in), whose steps come first in ONNX."""
    weights = [it.writer.constant(gates(it.params[name], order), name) for name in ("W", "RW")]
    steps = it.writer.transposed(it.x, 1, 0, 2)
    held = it.writer.constant(bias, "b")
    y = it.writer.node(operator, steps, *weights, held, *more, hidden_size=it.layer.n_out, **attributes)
    return it.writer.transposed(it.writer.node("Squeeze", y, it.writer.integers([1], "axes")), 1, 0, 2)


def with_zeros(bias: Any) -> Any:
    """The biases of the inputs, and none of the states."""
    return numpy.concatenate([bias, numpy.zeros_like(bias)], axis=1)


def simple(it: Written) -> str:
    bias = with_zeros(gates(it.params["b"], (0,)))
    return recurrence(it, "RNN", (0,), bias, activations=[inner(it.layer.activation)])


def lstm(it: Written) -> str:
    """ONNX has the gates in the order input, output, forget, cell."""
    order, more = (0, 3, 1, 2), []
    if "P" in it.params:
        of_input, of_forget, of_output = it.params["P"]
        peepholes = numpy.concatenate([of_input, of_output, of_forget])[None]
        more = ["", "", "", it.writer.constant(peepholes, "P")]
    gate, own = inner(it.layer.gate_activation), inner(it.layer.activation)
    bias = with_zeros(gates(it.params["b"], order))
    return recurrence(it, "LSTM", order, bias, *more, activations=[gate, own, own])


def gru(it: Written) -> str:
    """ONNX has the gates in the order update, reset, candidate."""
    order, units = (1, 0, 2), it.layer.n_out
    bias = with_zeros(gates(it.params["b"], order))
    if it.layer.reset_after:
        bias[0, 5 * units :] = it.params["Rb"]
    names = [inner(it.layer.gate_activation), inner(it.layer.activation)]
    after = int(it.layer.reset_after)
    return recurrence(it, "GRU", order, bias, activations=names, linear_before_reset=after)


def last_step(it: Written, y: str) -> str:
    return it.writer.node("Squeeze", it.writer.part(y, -1, LAST, 1), it.writer.integers([1], "axes"))


def repeat_vector(it: Written) -> str:
    x = it.writer.node("Unsqueeze", it.x, it.writer.integers([1], "axes"))
    return it.writer.node("Expand", x, it.writer.integers([1, it.layer.n, 1], "shape"))


def of_direction(it: Written, letter: str, x: str) -> Written:
    params = {name[1:]: value for name, value in it.params.items() if name[0] == letter}
    return replace(it, layer=it.layer.layer, params=params, inputs=[x])


def joined(it: Written, forth: str, back: str) -> str:
    """The outputs of both directions."""
    writer = it.writer
    if it.layer.mode == "concat":
        return writer.node("Concat", forth, back, axis=-1)
    return writer.node({"add": "Add", "mul": "Mul", "average": "Mean"}[it.layer.mode], forth, back)


WRITERS: dict[type, Write] = {
    nn.GRU: gru,
    nn.GravesLSTM: lstm,
    nn.LSTM: lstm,
    nn.RepeatVector: repeat_vector,
    nn.SimpleRnn: simple,
}
