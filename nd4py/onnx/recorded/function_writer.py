"""A function that is being written as a graph: which value of the graph stands for each of the recording."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy
from onnx import defs, helper

from nd4py import api as nd
from nd4py.api.environment.function_recordings import Call, Value

from ..element_types import DTYPES
from ..writers.graph_writer import GraphWriter

OPSET, IR_VERSION = 18, 8  # the first with nodes for bits; onnxruntime reads it from 1.14 on


class NoCounterpart(NotImplementedError):  # noqa: N818 - it says what happened
    """ONNX has nothing for an operation, or not for such operands."""


@dataclass
class FunctionWriter(GraphWriter):
    """A GraphWriter whose `dtype` is the one that the operation at hand computes in.

    names: of values of the recording by their identity, and of arrays from outside
    held: these arrays, so that their identity stays theirs
    parts: names of the real and the imaginary parts of complex values
    """

    names: dict[int, str] = field(default_factory=dict)
    held: list[Any] = field(default_factory=list)
    dtypes: dict[str, str] = field(default_factory=dict)
    parts: dict[int, tuple[str, str]] = field(default_factory=dict)

    def operand(self, x: Any, dtype: Any = None) -> str:
        """The name of an operand, converted to a dtype of nd4py if it has another one."""
        if not isinstance(x, Value) and not isinstance(x, nd.NDArray):
            return self.number(x, dtype)
        if id(x) not in self.names:
            self.name_value(x, self.array(x))
        name = self.names[id(x)]
        return name if dtype is None or x.dtype == dtype else self.cast(name, dtype)

    def name_value(self, x: Any, name: str) -> None:
        """What stands for a value."""
        self.names[id(x)] = name
        self.held.append(x)

    def array(self, x: Any) -> str:
        """An array from outside of the function, in the file."""
        return self._held(numpy.array(x.to_numpy()), "array")

    def number(self, x: Any, dtype: Any) -> str:
        """A number of Python's in a dtype."""
        return self._held(numpy.asarray(x, dtype=numpy_dtype(dtype)), "number")

    def cast(self, name: str, dtype: Any) -> str:
        """A value in another dtype."""
        return self.node("Cast", name, to=element_type(dtype))

    def flat(self, name: str) -> str:
        """A value as a line."""
        return self.node("Reshape", name, self.integers([-1], "shape"))

    def shaped(self, name: str, shape: Any) -> str:
        """A value in a shape without unknown sizes."""
        return self.node("Reshape", name, self.integers(list(shape), "shape"), allowzero=1)


def element_type(dtype: Any) -> int:
    """The number that ONNX has for a dtype."""
    return element_types()[str(dtype)]


@lru_cache(1)
def element_types() -> dict[str, int]:
    """These numbers by the names of the dtypes."""
    return {str(dtype): number for number, dtype in DTYPES.items()}


def numpy_dtype(dtype: Any) -> Any:
    """NumPy's dtype, or that of its extension, for one of nd4py."""
    return helper.tensor_dtype_to_np_dtype(element_type(dtype))


def takes(operator: str, dtype: Any) -> bool:
    """Whether an operator of ONNX takes elements of a dtype."""
    schema = defs.get_schema(operator, OPSET)
    kind = schema.inputs[0].type_str
    allowed = next((each.allowed_type_strs for each in schema.type_constraints if each.type_param_str == kind), [kind])
    names = {"float32": "float", "float64": "double"}
    return f"tensor({names.get(str(dtype), str(dtype))})" in allowed


def computing(dtype: Any) -> Any:
    """The dtype in which sums of one are computed: halves as floats."""
    return nd.float32 if str(dtype) in ("float16", "bfloat16") else dtype


__all__ = ["Call", "FunctionWriter", "NoCounterpart", "Value", "computing", "element_type", "numpy_dtype", "takes"]
