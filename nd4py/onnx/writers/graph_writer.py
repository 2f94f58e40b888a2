"""A graph that is being written: nodes, constants, and the names of their values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy
from onnx import NodeProto, TensorProto, helper, numpy_helper

LAST = (1 << 63) - 1  # an end behind every axis


@dataclass
class GraphWriter:
    """Nodes and initializers; each method returns the name of a value.

    dtype: NumPy's dtype of the network's numbers
    """

    dtype: Any
    nodes: list[NodeProto] = field(default_factory=list)
    initializers: list[TensorProto] = field(default_factory=list)
    title: str = ""  # of the layer that is being written: what its values are called

    def node(self, operator: str, *inputs: str, **attributes: Any) -> str:
        """A node with one output."""
        return self.several(operator, 1, *inputs, **attributes)[0]

    def several(self, operator: str, n_outputs: int, *inputs: str, **attributes: Any) -> list[str]:
        """A node with several outputs."""
        name = f"{self.title}/{operator}_{len(self.nodes)}"
        outputs = [name] if n_outputs == 1 else [f"{name}_{i}" for i in range(n_outputs)]
        self.nodes.append(helper.make_node(operator, inputs, outputs, name=name, **attributes))
        return outputs

    def constant(self, values: Any, name: str = "constant") -> str:
        """Numbers in the dtype of the network."""
        return self._held(numpy.asarray(values, dtype=self.dtype), name)

    def integers(self, values: Any, name: str = "integers") -> str:
        """Whole numbers: shapes, axes, indices."""
        return self._held(numpy.asarray(values, dtype=numpy.int64), name)

    def floats(self, values: Any, name: str = "scales") -> str:
        """Numbers that are float32 whatever the dtype of the network."""
        return self._held(numpy.asarray(values, dtype=numpy.float32), name)

    def _held(self, values: Any, name: str) -> str:
        name = f"{self.title}/{name}_{len(self.initializers)}"
        self.initializers.append(numpy_helper.from_array(numpy.ascontiguousarray(values).reshape(values.shape), name))
        return name

    def transposed(self, x: str, *axes: int) -> str:
        return self.node("Transpose", x, perm=list(axes))

    def reshaped(self, x: str, *sizes: int) -> str:
        """x with these sizes; 0 keeps that of the axis, and -1 takes what is left."""
        return self.node("Reshape", x, self.integers(sizes, "shape"))

    def part(self, x: str, start: int, stop: int, axis: int, step: int = 1) -> str:
        """Slices of x along an axis."""
        edges = [self.integers([number], "edge") for number in (start, stop, axis, step)]
        return self.node("Slice", x, *edges)

    def backwards(self, x: str, axis: int) -> str:
        return self.part(x, -1, -LAST, axis, -1)

    def size(self, x: str, axis: int) -> str:
        """The size of x along an axis, an array with one element."""
        return self.node("Shape", x, start=axis, end=axis + 1)
