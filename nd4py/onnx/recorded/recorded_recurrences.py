"""Recurrent layers as nodes.

The gates of ONNX have another order, and the steps of sequences come before the batch.  A node knows lengths and no
masks: the steps that a mask leaves are put before the others, and back.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy

from nd4py import api as nd

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
    """The operands behind the first.  Raises NoCounterpart for no steps."""
    _, *operands = call.operands
    x = next(x for x in operands if hasattr(x, "dtype"))
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
    x, w, rw, b, rb, h, mask = operands
    units, dtype = rw.shape[0], computing(x.dtype)
    steps, seen = writer.operand(x, dtype), None if mask is None else seen_steps(writer, mask)
    if seen is not None:
        steps = writer.node("ScatterElements", steps, for_each(writer, seen.places, x.shape), steps, axis=1)
    steps = writer.transposed(steps, 1, 0, 2)
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
        operator, len(call.results), steps, *weights, bias, seen.lengths if seen else "", start, *more,
        hidden_size=units, **given,
    )  # fmt: skip
    direction = writer.integers([1], "axes")
    first = writer.transposed(writer.node("Squeeze", y, direction), 1, 0, 2)
    last = [writer.node("Squeeze", each, writer.integers([0], "axes")) for each in states]
    if seen is not None:
        first = writer.node("GatherElements", first, for_each(writer, seen.places, call.results[0].shape), axis=1)
        there = writer.node("Unsqueeze", seen.is_there, writer.integers([-1], "axes"))
        first = writer.node("Where", there, first, writer.constant(0.0))
        before = [start, *more[:1]] if len(last) == 2 else [start]
        last = [kept(writer, seen, each, y) for each, y in zip(before, last, strict=True)]
    wanted = call.results[0].dtype
    return [first, *last] if dtype == wanted else [writer.cast(each, wanted) for each in (first, *last)]


class Seen(NamedTuple):
    """The steps that a mask leaves.  is_there: (batch, length)    places: of all steps, those that are there first
    lengths: how many are there, 1 where none is    is_empty: (batch, 1), where none is
    """

    is_there: str
    places: str
    lengths: str
    is_empty: str


def seen_steps(writer: FunctionWriter, mask: Any) -> Seen:
    """What a mask leaves of the steps."""
    is_there, axis = writer.operand(mask, nd.bool), writer.integers([1], "axes")
    seen, hidden = (writer.cast(each, nd.int64) for each in (is_there, writer.node("Not", is_there)))
    total = writer.node("ReduceSum", seen, axis, keepdims=1)
    one = writer.integers(1)
    among_seen, among_hidden = (
        writer.node("Sub", writer.node("CumSum", each, writer.integers(1, "axis")), one) for each in (seen, hidden)
    )
    places = writer.node("Where", is_there, among_seen, writer.node("Add", total, among_hidden))
    lengths = writer.node("Squeeze", writer.node("Max", total, writer.integers([[1]])), axis)
    is_empty = writer.node("Equal", total, writer.integers([[0]]))
    return Seen(is_there, places, writer.cast(lengths, nd.int32), is_empty)


def kept(writer: FunctionWriter, seen: Seen, start: str, y: str) -> str:
    """A state after the last step: that before the first one where no step is there."""
    before = writer.node("Squeeze", start, writer.integers([0], "axes")) if start else writer.constant(0.0)
    return writer.node("Where", seen.is_empty, before, y)


def for_each(writer: FunctionWriter, places: str, shape: Any) -> str:
    """Places of steps, for each number of them."""
    each = writer.node("Unsqueeze", places, writer.integers([-1], "axes"))
    return writer.node("Expand", each, writer.integers(list(shape), "shape"))


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
