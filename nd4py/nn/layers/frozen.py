"""FrozenLayer: a layer that training leaves as it is."""

from dataclasses import dataclass
from typing import Any

from nd4py import api as nd
from nd4py.api.arguments import instance

from ..inputs import InputType
from ..parameters import Parameter
from .calls import call
from .layer import Layer, Output, State


@dataclass(frozen=True)
class FrozenLayer(Layer):
    """A layer whose parameters and running values stay as they are; it runs as when the network does not train.

    layer: the layer that is frozen, one without a loss
    Gradients flow through it to the layers below.
    Raises TypeError for anything but a layer.

    >>> frozen = nn.FrozenLayer(nn.DenseLayer(2))
    >>> frozen.is_frozen, frozen.output_type(nn.InputType.feed_forward(3)).size
    (True, 2)
    """

    layer: Layer

    def __post_init__(self) -> None:
        instance("FrozenLayer: layer", self.layer, Layer)

    @property
    def is_frozen(self) -> bool:
        return True

    @property
    def title(self) -> str:
        return self.name or f"FrozenLayer of {self.layer.title}"

    @property
    def wanted_input(self) -> str:  # type: ignore[override]
        return self.layer.wanted_input

    @property
    def is_recurrent(self) -> bool:  # type: ignore[override]
        return self.layer.is_recurrent

    @property
    def makes_mask(self) -> bool:  # type: ignore[override]
        return self.layer.makes_mask

    def output_type(self, given: InputType) -> InputType:
        return self.layer.output_type(given)

    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        return self.layer.parameters(given)

    def output_mask(self, mask: nd.NDArray | None, given: InputType) -> nd.NDArray | None:
        return self.layer.output_mask(mask, given)

    def forward(
        self,
        params: State,
        x: nd.NDArray,
        *,
        train: bool = False,
        rng: Any = None,
        mask: nd.NDArray | None = None,
        state: State | None = None,
    ) -> Output:
        value, new = call(self.layer, params, x, mask=mask, state=state)
        return (value, new) if self.is_recurrent else value
