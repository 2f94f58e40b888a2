"""Running results along an axis, and their gradients, as nodes.

Design: the methods of a class have the names of the operations, which the table of operations lists.  A loop over the
steps of the axis knows no sizes, so that lengths may be open.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
from onnx import helper

from .element_functions import ElementFunctions, Elements, as_number
from .expressions import written_expression
from .function_writer import Call, FunctionWriter, computing, element_type
from .recorded_reductions import in_its_dtype


class Scans:
    """A method for each running result along an axis."""

    def __init__(self, writer: FunctionWriter, call: Call) -> None:
        self.writer, self.call = writer, call

    def cumulative_max(self) -> str:
        return self.step_by_step(lambda n, x, y: n.Max(x, y), lowest)

    def cumulative_min(self) -> str:
        return self.step_by_step(lambda n, x, y: n.Min(x, y), highest)

    def cumulative_prod(self) -> str:
        return self.step_by_step(lambda n, x, y: n.Mul(x, y), lambda dtype: 1)

    def cumulative_sum(self) -> str:
        """With zeros before the sums where these are asked for."""
        writer, x, y, axis = self.writer, self.call.operands[0], self.call.results[0], self.call.settings["axis"]
        dtype = computing(y.dtype)
        sums = writer.node("CumSum", writer.operand(x, dtype), writer.integers(axis, "axis"))
        if self.call.settings["include_initial"]:
            sums = writer.node("Concat", one_step(writer, writer.number(0, dtype), self.call), sums, axis=axis)
        return sums if dtype == y.dtype else writer.cast(sums, y.dtype)

    def log_cumulative_sum_exp(self) -> str:
        return self.step_by_step(lambda n, x, y: n.log_add_exp(x, y), lowest)

    def step_by_step(self, step: Callable[[ElementFunctions, str, str], str], start: Callable[[Any], Any]) -> str:
        """Running results by a loop over the steps of an axis."""
        writer, x, y, axis = self.writer, self.call.operands[0], self.call.results[0], self.call.settings["axis"]
        dtype = computing(y.dtype)
        in_its_dtype(writer, dtype)
        initial = writer.constant(start(writer.dtype))
        first = writer.node("Squeeze", one_step(writer, initial, self.call), writer.integers([axis], "axes"))
        body = body_of(writer)
        total = step(ElementFunctions(body), "running", "element")
        results = over_steps(writer, body, axis, dtype, [first], [writer.operand(x, dtype)], ["running", "element"],
                             [total, total])  # fmt: skip
        if self.call.settings["include_initial"]:
            results = writer.node("Concat", one_step(writer, initial, self.call), results, axis=axis)
        return results if dtype == y.dtype else writer.cast(results, y.dtype)


class ScanGradients:
    """A method for each running result: the gradient of what ran."""

    def __init__(self, writer: FunctionWriter, call: Call) -> None:
        self.writer, self.call = writer, call

    def cumulative_max(self) -> str:
        return self.from_the_end("lowest")

    def cumulative_min(self) -> str:
        return self.from_the_end("highest")

    def cumulative_prod(self) -> str:
        return self.from_the_end("one")

    def log_cumulative_sum_exp(self) -> str:
        return self.from_the_end("lowest")

    def from_the_end(self, start: str) -> str:
        """The recurrence of the row's slopes: what reaches y[k] is g[k] + a[k + 1] * s[k + 1]."""
        writer, (g, x, y), axis = self.writer, self.call.operands, self.call.settings["axis"]
        dtype, (of_before, of_x) = computing(y.dtype), self.call.settings["row"].vjp
        in_its_dtype(writer, dtype)
        initial = {"lowest": lowest, "highest": highest, "one": lambda dtype: 1}[start](writer.dtype)
        first, zeros = (one_step(writer, writer.constant(number), self.call) for number in (initial, 0.0))
        zeros = writer.node("Squeeze", zeros, writer.integers([axis], "axes"))
        results = writer.operand(y, dtype)
        before = writer.node("Concat", first, writer.part(results, 0, -1, axis), axis=axis)
        body = body_of(writer)
        total = body.node("Add", "running", "g")
        known = {"g": Elements(total, False), **{name: Elements(name, False) for name in ("x", "y", "acc")}}
        back, reached = (as_number(body, written_expression(body, text, known)).name for text in (of_before, of_x))
        found = over_steps(
            writer, body, axis, dtype, [zeros], [writer.operand(g, dtype), writer.operand(x, dtype), results, before],
            ["running", "g", "x", "y", "acc"], [back, reached], backwards=1,
        )  # fmt: skip
        wanted = self.call.results[0].dtype
        return found if dtype == wanted else writer.cast(found, wanted)


def one_step(writer: FunctionWriter, number: str, call: Call) -> str:
    """An array of one number, like one step of the result."""
    shape = [1 if i == call.settings["axis"] else n for i, n in enumerate(call.results[0].shape)]
    return writer.node("Expand", number, writer.integers(shape, "shape"))


def body_of(writer: FunctionWriter) -> FunctionWriter:
    """What writes one step."""
    return FunctionWriter(writer.dtype, title=f"{writer.title}/{len(writer.nodes)}/step")


def over_steps(
    writer: FunctionWriter, body: FunctionWriter, axis: int, dtype: Any, start: list[str], given: list[str],
    names: list[str], results: list[str], backwards: int = 0,
) -> str:  # fmt: skip
    """The second results of all steps along an axis; the first one is what the next step starts with."""
    ends = [body.node("Identity", each) for each in results]
    element = element_type(dtype)
    values = [helper.make_tensor_value_info(name, element, None) for name in (*names, *ends)]
    n = len(names)
    graph = helper.make_graph(body.nodes, "step", values[:n], values[n:], body.initializers)
    _, found = writer.several(
        "Scan", 2, *start, *given, body=graph, num_scan_inputs=len(given), scan_input_axes=[axis] * len(given),
        scan_output_axes=[axis], scan_input_directions=[backwards] * len(given), scan_output_directions=[backwards],
    )  # fmt: skip
    return found


def lowest(dtype: Any) -> Any:
    return -numpy.inf if dtype.kind == "f" else numpy.iinfo(dtype).min


def highest(dtype: Any) -> Any:
    return numpy.inf if dtype.kind == "f" else numpy.iinfo(dtype).max
