"""A stack of layers on an input type: the inputs and parameters of each layer."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nd4py import api as nd

from ..inputs import InputType, converted, preprocess
from ..layers import Layer, OutputLayer
from ..parameters import Parameter

Params = Sequence[Mapping[str, nd.NDArray]]


@dataclass(frozen=True)
class Stage:
    """A layer of a network: its number, and what it needs to run."""

    index: int
    layer: Layer
    came: InputType
    given: InputType  # what became of it
    output: InputType
    parameters: tuple[Parameter, ...]

    @property
    def who(self) -> str:
        return f"layer {self.index} ({self.layer.title})"

    def prepare(self, x: nd.NDArray) -> nd.NDArray:
        """`x` with the shape the layer wants."""
        return converted(x, self.came, self.given)

    def forward(self, params: Params, x: nd.NDArray, *, train: bool, rng: Any) -> Any:
        """The layer's output; `params` are those of all layers."""
        return self.layer.forward(params[self.index], self.prepare(x), train=train, rng=rng)


def build_stack(layers: Iterable[Layer], input_type: InputType) -> tuple[Stage, ...]:
    """The stages of `layers` on `input_type`.  Raises ValueError naming the first layer that does not fit."""
    stages = tuple(_stages(layers, input_type))
    for stage in stages[:-1]:
        if isinstance(stage.layer, OutputLayer):
            raise ValueError(f"{stage.who} must be the last of the {len(stages)} layers; use a DenseLayer here")
    return stages


def _stages(layers: Iterable[Layer], given: InputType) -> Iterator[Stage]:
    for index, layer in enumerate(layers):
        try:
            wanted = preprocess(given, layer.wanted_input)
            stage = Stage(index, layer, given, wanted, layer.output_type(wanted), layer.parameters(wanted))
        except ValueError as error:
            raise ValueError(f"layer {index} ({layer.title}) does not fit its input {given}: {error}") from None
        yield stage
        given = stage.output
