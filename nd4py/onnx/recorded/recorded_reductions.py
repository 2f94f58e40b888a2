"""Reductions, positions of the best elements, orders and counts as nodes.

Design: the methods of a class have the names of the operations, which the table of operations lists.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from nd4py import api as nd

from .function_writer import Call, FunctionWriter, NoCounterpart, computing, numpy_dtype

SMALL = ("bool", "int8", "int16", "uint8", "uint16")  # that runtimes do not reduce: the same in int32


def reduced(writer: FunctionWriter, operator: str, x: str, call: Call) -> str:
    """A node that reduces along the axes of a call."""
    axes = writer.integers(list(call.settings["axes"]), "axes")
    keepdims = int(call.settings["keepdims"])
    return writer.node(operator, x, axes, keepdims=keepdims, noop_with_empty_axes=1)


def in_its_dtype(writer: FunctionWriter, dtype: Any) -> None:
    """Numbers from now on are of a dtype."""
    writer.dtype = numpy.dtype(numpy_dtype(dtype))


def comparable(dtype: Any) -> Any:
    """A dtype whose elements runtimes put in order, and add up."""
    return nd.int32 if str(dtype) in SMALL else computing(dtype)


class Reductions:
    """A method for each reduction: the name of its result."""

    def __init__(self, writer: FunctionWriter, call: Call) -> None:
        self.writer, self.call = writer, call

    def all(self) -> str:
        return self.of_truths("ReduceMin")

    def any(self) -> str:
        return self.of_truths("ReduceMax")

    def count_nonzero(self) -> str:
        x = self.writer.cast(self.writer.operand(self.call.operands[0], nd.bool), nd.int64)
        return reduced(self.writer, "ReduceSum", x, self.call)

    def max(self) -> str:
        return self.by("ReduceMax")

    def max_of_absolutes(self) -> str:
        return self.by("ReduceMax", self.size)

    def mean(self) -> str:
        return self.by("ReduceMean")

    def mean_of_squares(self) -> str:
        return self.by("ReduceMean", self.square)

    def min(self) -> str:
        return self.by("ReduceMin")

    def nanmax(self) -> str:
        return self.over_numbers("ReduceMax", -numpy.inf)

    def nanmin(self) -> str:
        return self.over_numbers("ReduceMin", numpy.inf)

    def nanprod(self) -> str:
        return self.by("ReduceProd", lambda x: self.without_nan(x, 1.0))

    def nansum(self) -> str:
        return self.by("ReduceSum", lambda x: self.without_nan(x, 0.0))

    def prod(self) -> str:
        return self.by("ReduceProd")

    def sum(self) -> str:
        return self.by("ReduceSum")

    def sum_of_absolutes(self) -> str:
        return self.by("ReduceSum", self.size)

    def sum_of_squares(self) -> str:
        return self.by("ReduceSum", self.square)

    # What they are made of.

    def by(self, operator: str, prepared: Callable[[str], str] | None = None) -> str:
        """A reduction in the dtype of its result."""
        wanted = self.call.results[0].dtype
        dtype = comparable(wanted)
        in_its_dtype(self.writer, dtype)
        x = self.writer.operand(self.call.operands[0], dtype)
        y = reduced(self.writer, operator, prepared(x) if prepared else x, self.call)
        return y if dtype == wanted else self.writer.cast(y, wanted)

    def of_truths(self, operator: str) -> str:
        """Whether any, or all, elements are not 0."""
        x = self.writer.cast(self.writer.operand(self.call.operands[0], nd.bool), nd.int32)
        return self.writer.cast(reduced(self.writer, operator, x, self.call), nd.bool)

    def square(self, x: str) -> str:
        return self.writer.node("Mul", x, x)

    def size(self, x: str) -> str:
        return self.writer.node("Abs", x)

    def without_nan(self, x: str, number: float) -> str:
        """NaNs as a number that changes nothing."""
        if self.writer.dtype.kind != "f":
            return x
        return self.writer.node("Where", self.writer.node("IsNaN", x), self.writer.constant(number), x)

    def over_numbers(self, operator: str, worst: float) -> str:
        """The best element that is no NaN; NaN where all are."""
        writer, x = self.writer, self.call.operands[0]
        if x.dtype.kind != "f":
            return self.by(operator)
        dtype = computing(x.dtype)
        in_its_dtype(writer, dtype)
        given = writer.operand(x, dtype)
        is_nan = writer.node("IsNaN", given)
        best = reduced(writer, operator, writer.node("Where", is_nan, writer.constant(worst), given), self.call)
        has_none = writer.cast(reduced(writer, "ReduceMin", writer.cast(is_nan, nd.int32), self.call), nd.bool)
        y = writer.node("Where", has_none, writer.constant(float("nan")), best)
        return y if dtype == x.dtype else writer.cast(y, x.dtype)


class Positions:
    """A method for each reduction to a position: of the best element, the first of equal ones."""

    def __init__(self, writer: FunctionWriter, call: Call) -> None:
        self.writer, self.call = writer, call

    def argmax(self) -> str:
        return self.by("ArgMax")

    def argmin(self) -> str:
        return self.by("ArgMin")

    def by(self, operator: str) -> str:
        writer, x, axis = self.writer, self.call.operands[0], self.call.settings["axis"]
        given = writer.operand(x, comparable(x.dtype))
        if axis is None:
            y = writer.node(operator, writer.flat(given), axis=0, keepdims=0)
            return writer.shaped(y, self.call.results[0].shape)
        return writer.node(operator, given, axis=axis, keepdims=int(self.call.settings["keepdims"]))


def ordered(writer: FunctionWriter, x: Any, k: int, descending: bool) -> list[str]:
    """(elements, positions) of the first `k` of every line in order, equal ones as they stand."""
    dtype = comparable(x.dtype)
    if "complex" in str(dtype):
        raise NoCounterpart("complex numbers")
    count = writer.integers([k], "k")
    return writer.several("TopK", 2, writer.operand(x, dtype), count, axis=-1, largest=int(descending), sorted=1)


def sorted_lines(writer: FunctionWriter, call: Call, _: str) -> str:
    x, descending = call.operands
    y, _ = ordered(writer, x, x.shape[-1], descending)
    return y if comparable(x.dtype) == x.dtype else writer.cast(y, x.dtype)


def argsort(writer: FunctionWriter, call: Call, _: str) -> str:
    x, descending = call.operands
    return ordered(writer, x, x.shape[-1], descending)[1]


def topk(writer: FunctionWriter, call: Call, _: str) -> str:
    x, k, descending = call.operands
    return ordered(writer, x, k, descending)[1]


def search(writer: FunctionWriter, call: Call, *_: str) -> str:
    """How many elements of a line in order come before each query: NaN comes last."""
    is_before = compared(writer, call, "LessOrEqual" if call.operands[2] else "Less")
    count = writer.cast(is_before, nd.int64)
    return writer.node("ReduceSum", count, writer.integers([-1], "axes"), keepdims=0)


def contain(writer: FunctionWriter, call: Call, *_: str) -> str:
    """Whether each query is among elements."""
    found = writer.cast(compared(writer, call, "Equal"), nd.int32)
    is_there = writer.cast(writer.node("ReduceMax", found, writer.integers([-1], "axes"), keepdims=0), nd.bool)
    return writer.node("Not", is_there) if call.operands[2] else is_there


def compared(writer: FunctionWriter, call: Call, operator: str) -> str:
    """Every query with every element, along one more axis."""
    x, queries, _ = call.operands
    if not x.shape[0]:
        raise NoCounterpart("a search among no elements")
    dtype = comparable(x.dtype)
    elements = writer.operand(x, dtype)
    given = writer.node("Unsqueeze", writer.operand(queries, dtype), writer.integers([-1], "axes"))
    found = writer.node(operator, elements, given)
    if x.dtype.kind != "f" or operator == "Equal":
        return found
    is_last = writer.node("IsNaN", given)
    if operator == "Less":
        is_last = writer.node("And", is_last, writer.node("Not", writer.node("IsNaN", elements)))
    return writer.node("Or", found, is_last)


def in_bins(writer: FunctionWriter, call: Call, *_: str) -> str:
    """How many elements lie between two edges, or the sum of their weights; the last bin has its upper edge too."""
    x, weights, edges, _ = call.operands
    if len(x.shape) == 0 or 0 in x.shape:
        raise NoCounterpart("a histogram of no elements")
    elements = writer.node("Reshape", writer.operand(x, nd.float64), writer.integers([-1, 1], "shape"))
    borders, n = writer.operand(edges, nd.float64), edges.shape[0]
    above = writer.node("GreaterOrEqual", elements, writer.part(borders, 0, n - 1, 0))
    past = writer.node("Concat", writer.part(above, 1, n - 1, 1),
                       writer.node("Greater", elements, writer.part(borders, n - 1, n, 0)), axis=1)  # fmt: skip
    is_inside = writer.node("And", above, writer.node("Not", past))
    if weights is None:
        counted = writer.cast(is_inside, nd.int64)
    else:
        given = writer.node("Reshape", writer.operand(weights, nd.float64), writer.integers([-1, 1], "shape"))
        counted = writer.node("Where", is_inside, given, writer.number(0, nd.float64))
    return writer.node("ReduceSum", counted, writer.integers([0], "axes"), keepdims=0)


def at_positions(writer: FunctionWriter, call: Call, *_: str) -> str:
    """How often each number occurs, or the sum of its weights; runtimes refuse those that are out of range."""
    positions, weights, n = call.operands
    dtype = call.results[0].dtype
    given = writer.operand(positions, nd.int64)
    is_negative = writer.node("Less", given, writer.number(0, nd.int64))
    places = writer.node("Where", is_negative, writer.number(n, nd.int64), given)
    count = writer.integers(list(positions.shape), "shape")
    added = writer.node("Expand", writer.number(1, dtype), count) if weights is None else writer.operand(weights, dtype)
    zeros = writer.node("Expand", writer.number(0, dtype), writer.integers([n], "shape"))
    return writer.node("ScatterElements", zeros, places, added, axis=0, reduction="add")
