"""Rows of elements as nodes: the operator of ONNX that the importer reads as the row, or the row's expression.

Design: one table serves both ways.  An operator that is imported as `nd.tanh` is what `tanh` is exported to, as long as
it takes the dtype; activations are those that layers are written with.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy

from nd4py import api as nd

from ..operators import activation_nodes, arithmetic_nodes, logic_nodes
from ..operators.arithmetic_nodes import folded
from ..writers import activation_writers
from .element_functions import Elements, as_number, as_truth
from .expressions import written_expression
from .function_writer import OPSET, Call, FunctionWriter, NoCounterpart, numpy_dtype, takes

# What operators of ONNX take numbers for; bools are 0 and 1.
NOT_OF_BOOLS = (nd.abs, nd.greater, nd.greater_equal, nd.less, nd.less_equal, nd.sign)


@lru_cache(1)
def operators() -> dict[Any, str]:
    """Operators of ONNX by the functions that they are imported as."""
    found: dict[Any, str] = {
        nd.add: "Add", nd.divide: "Div", nd.equal: "Equal", nd.pow: "Pow", nd.where: "Where", nd.celu: "Celu",
        nd.elu: "Elu", nd.leaky_relu: "LeakyRelu", nd.threshold_relu: "ThresholdedRelu",
    }  # fmt: skip
    for table in (activation_nodes, arithmetic_nodes, logic_nodes):
        for operator, entries in table.OPERATORS.items():
            first, last, function, *given = entries[-1]
            if function is folded:
                (function,) = given
                given = []
            if first <= OPSET and not given:
                found.setdefault(function, operator)
    plain = ((function, name) for function, (name, attributes) in activation_writers.SINGLE_NODES.items()
             if not attributes)  # fmt: skip
    return found | dict(plain)


def written_row(writer: FunctionWriter, call: Call) -> list[str]:
    """The results of a row.  Raises NoCounterpart."""
    row, dtype = call.settings["row"], call.settings["dtype"]
    if "complex" in str(dtype):
        raise NoCounterpart("complex numbers")
    computed = nd.float32 if str(dtype) in ("float16", "bfloat16") else dtype
    if str(computed) == "bool" and getattr(nd, row.name, None) in NOT_OF_BOOLS:
        computed = nd.int32
    writer.dtype = numpy.dtype(numpy_dtype(computed))
    names = [
        writer.operand(x, nd.bool if name == "condition" else computed)
        for name, x in zip(row.args, call.operands, strict=True)
    ]
    params = dict(zip((name for name, _ in row.params), map(float, call.settings["params"]), strict=True))
    found = direct(writer, row.name, computed, names, params)
    if found is None:
        found = by_expression(writer, row, names, params)
    return [in_dtype(writer, x, row, computed, y.dtype) for x, y in zip(found, call.results, strict=True)]


def direct(
    writer: FunctionWriter, name: str, dtype: Any, names: list[str], params: dict[str, float]
) -> list[str] | None:
    """The result of one node; None where no operator does the same for a dtype."""
    operator = operators().get(getattr(nd, name, None))
    if operator is None or name != "where" and not takes(operator, dtype) or len(names) > 3:
        return None
    if operator == "Div" and dtype.kind != "f" or operator == "IsInf" and dtype.kind != "f":
        return None
    return [writer.node(operator, *names, **dict(zip(("alpha",), params.values(), strict=False)))]


def by_expression(writer: FunctionWriter, row: Any, names: list[str], params: dict[str, float]) -> list[str]:
    """The results of the row's expressions."""
    known: dict[str, Any] = {
        name: Elements(x, name == "condition") for name, x in zip(row.args, names, strict=True)
    } | params
    texts = row.expr if isinstance(row.expr, dict) else {"y": row.expr}
    found = []
    for name, text in texts.items():
        y = written_expression(writer, text, known)
        y = as_truth(writer, y) if row.result == "bool" else as_number(writer, y)
        known[name] = y
        found.append(y.name)
    return found


def in_dtype(writer: FunctionWriter, name: str, row: Any, computed: Any, wanted: Any) -> str:
    """A result in the dtype that it has in the recording."""
    natural = nd.bool if row.result == "bool" else computed
    return name if natural == wanted else writer.cast(name, wanted)
