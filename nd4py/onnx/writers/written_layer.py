"""A layer that is being written: its settings, its weights, and what it reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nd4py.nn import InputType

from .graph_writer import GraphWriter


@dataclass(frozen=True)
class Written:
    """What a function that writes a layer or vertex is given.

    params: NumPy arrays by their names    inputs: names of values, of the types `given`
    """

    writer: GraphWriter
    layer: Any
    params: Mapping[str, Any]
    inputs: Sequence[str]
    given: Sequence[InputType]

    @property
    def x(self) -> str:
        """The only input."""
        return self.inputs[0]

    @property
    def n_axes(self) -> int:
        """Of the first input, with the batch."""
        return len(self.given[0].shape) + 1

    def weight(self, name: str) -> str:
        """A parameter as a value."""
        return self.writer.constant(self.params[name], name)

    def weight_if_there(self, name: str) -> list[str]:
        return [self.weight(name)] if name in self.params else []


Write = Callable[[Written], str]
