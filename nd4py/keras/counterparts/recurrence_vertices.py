"""Recurrence that starts from states that are given, and makes the states that it ends with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from nd4py import api as nd
from nd4py.nn import InputType, Layer, Parameter, Vertex
from nd4py.nn.layers.calls import output_and_state

from .wrapped_layers import held

PARTS = ("steps", "h", "c")
STATES = ("h", "c")


@dataclass(frozen=True)
class StatefulVertex(Vertex):
    """The base class of vertices with a layer that starts from states that are given, or makes those it ends with.

    layer: the layer    part: what is made: "steps", what the layer makes, or the state "h" or "c" behind the last one
    is_kept: whether training leaves the parameters as they are
    Raises ValueError for another part.
    """

    layer: Layer
    part: str = "steps"
    is_kept: bool = False

    most: ClassVar[int | None] = 3

    def __post_init__(self) -> None:
        if self.part not in PARTS:
            raise ValueError(f"{self.title}: part must be one of {', '.join(PARTS)}, given {self.part!r}")

    @property
    def is_frozen(self) -> bool:
        return self.is_kept

    def parameters(self, *given: InputType) -> tuple[Parameter, ...]:
        return self.layer.parameters(self._types(given)[0])


@dataclass(frozen=True)
class RecurrenceVertex(StatefulVertex):
    """A recurrent layer that reads sequences, and the states before their first step where these are given.

    layer: LSTM, GRU or SimpleRnn    part: what is made: all "steps", or the state "h" or "c" behind the last one
    is_kept: whether training leaves the parameters as they are
    sees_mask: whether steps that a mask leaves out change nothing; it is handed on in any case
    Raises ValueError for another part.

    >>> from nd4py.keras.counterparts.recurrence_vertices import RecurrenceVertex
    >>> vertex = RecurrenceVertex(nn.LSTM(3), "c")
    >>> vertex.output_type(nn.InputType.recurrent(2)).shape
    (3,)
    """

    sees_mask: bool = True

    def output_type(self, *given: InputType) -> InputType:
        made = self.layer.output_type(self._types(given)[0])
        if any(each.shape != (made.n_features,) for each in given[1:]):
            raise ValueError(f"{self.title}: states must be rows of {made.n_features} numbers, given {given[1:]}")
        return made if self.part == "steps" else InputType.feed_forward(made.n_features)

    def output_mask(self, masks: Sequence[nd.NDArray | None], given: Sequence[InputType]) -> nd.NDArray | None:
        return self._masks(masks)[0] if self.part == "steps" else None

    def forward(
        self,
        params: Mapping[str, nd.NDArray],
        inputs: Sequence[nd.NDArray],
        *,
        masks: Sequence[nd.NDArray | None] | None = None,
        train: bool = False,
        rng: Any = None,
    ) -> nd.NDArray:
        x, *states = self._operands(inputs)
        mask = self._masks(masks)[0] if self.sees_mask else None
        before = dict(zip(STATES, states, strict=False)) or None
        y, after = output_and_state(self.layer.forward(params, x, train=train, rng=rng, mask=mask, state=before))
        if self.part != "steps":
            last: nd.NDArray = after[self.part]
            return last
        return y if mask is None else held(y, mask)
