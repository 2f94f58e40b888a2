"""Recurrent layers as nodes.

The gates of ONNX have another order, and the steps of sequences come before the batch.
"""

from __future__ import annotations

from typing import Any

import numpy

from .function_writer import Call, FunctionWriter, NoCounterpart, computing, numpy_dtype

ACTIVATIONS = ("Tanh", "Relu")  # of simple recurrence, by their numbers


class Recurrences:
    """A method for each layer: the names of its results."""

    def __init__(self, writer: FunctionWriter, call: Call) -> None:
        self.writer, self.call = writer, call

    def lstm(self) -> list[str]:
        """The gates are those of the input, the forget gate, the cell, the output; in ONNX input, output, forget,
        cell."""
        x, w, rw, b, peepholes, h, c, mask = checked(self.writer, self.call)
        more = [""] if c is None else [state(self.writer, c)]
        if peepholes is not None:
            more.append(rows(self.writer, peepholes, (0, 2, 1), 3 * rw.shape[0]))
        return layer(self.writer, self.call, "LSTM", (0, 3, 1, 2), (x, w, rw, b, None, h, mask), more)

    def gru(self) -> list[str]:
        """The gates are reset, update, candidate; in ONNX update, reset, candidate."""
        option, *operands = checked(self.writer, self.call)
        return layer(self.writer, self.call, "GRU", (1, 0, 2), operands, [], linear_before_reset=int(option == 1))

    def simple_rnn(self) -> list[str]:
        """One gate."""
        option, x, w, rw, b, h, mask = checked(self.writer, self.call)
        operands, names = (x, w, rw, b, None, h, mask), [ACTIVATIONS[option]]
        return layer(self.writer, self.call, "RNN", (0,), operands, [], activations=names)


def checked(writer: FunctionWriter, call: Call) -> list[Any]:
    """The operands behind the first.  Raises NoCounterpart for a mask, no steps, and what a gradient needs."""
    keeps, *operands = call.operands
    x = next(x for x in operands if hasattr(x, "dtype"))
    if operands[-1] is not None:
        raise NoCounterpart("a mask; sequences of a batch have one length")
    if keeps:
        raise NoCounterpart("its gradient")
    if not x.shape[1]:
        raise NoCounterpart("sequences without steps")
    writer.dtype = numpy.dtype(numpy_dtype(computing(x.dtype)))
    return operands


def layer(
    writer: FunctionWriter,
    call: Call,
    operator: str,
    order: tuple[int, ...],
    operands: Any,
    more: list[str],
    **given: Any,
) -> list[str]:
    """A recurrent node, and its results: those of all steps, and the states after the last one."""
    x, w, rw, b, rb, h, _ = operands
    units, dtype = rw.shape[0], computing(x.dtype)
    steps = writer.transposed(writer.operand(x, dtype), 1, 0, 2)
    weights = [gates(writer, each, order, units) for each in (w, rw)]
    zeros = writer.constant(numpy.zeros(len(order) * units))
    of_input = zeros if b is None else gates(writer, b, order, units)
    of_state = zeros if rb is None else writer.node(
        "Concat", writer.constant(numpy.zeros(2 * units)), writer.operand(rb, dtype), axis=0
    )  # fmt: skip
    bias = writer.node("Unsqueeze", writer.node("Concat", of_input, of_state, axis=0), writer.integers([0], "axes"))
    weights = [writer.node("Unsqueeze", each, writer.integers([0], "axes")) for each in weights]
    start = "" if h is None else state(writer, h)
    y, *states = writer.several(
        operator, len(call.results), steps, *weights, bias, "", start, *more, hidden_size=units, **given
    )
    direction = writer.integers([1], "axes")
    first = writer.transposed(writer.node("Squeeze", y, direction), 1, 0, 2)
    last = [writer.node("Squeeze", each, writer.integers([0], "axes")) for each in states]
    wanted = call.results[0].dtype
    return [first, *last] if dtype == wanted else [writer.cast(each, wanted) for each in (first, *last)]


def gates(writer: FunctionWriter, x: Any, order: tuple[int, ...], units: int) -> str:
    """Runs of columns, one for each gate, as rows in another order."""
    name = writer.operand(x, computing(x.dtype))
    parts = [writer.part(name, k * units, (k + 1) * units, len(x.shape) - 1) for k in order]
    joined = writer.node("Concat", *parts, axis=-1) if len(parts) > 1 else name
    return writer.transposed(joined, 1, 0) if len(x.shape) == 2 else joined


def rows(writer: FunctionWriter, x: Any, order: tuple[int, ...], size: int) -> str:
    """Rows in another order, behind each other."""
    picked = writer.node("Gather", writer.operand(x, computing(x.dtype)), writer.integers(list(order)), axis=0)
    return writer.shaped(picked, (1, size))


def state(writer: FunctionWriter, x: Any) -> str:
    """A state before the first step."""
    return writer.node("Unsqueeze", writer.operand(x, computing(x.dtype)), writer.integers([0], "axes"))
