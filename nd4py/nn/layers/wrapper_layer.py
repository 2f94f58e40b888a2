"""WrapperLayer: the base class of layers around another layer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nd4py.api.arguments import instance

from ..inputs import InputType
from ..parameters import Parameter
from .layer import Layer


@dataclass(frozen=True)
class WrapperLayer(Layer):
    """A layer around another one, whose parameters, and settings for them, are its own; subclasses say what differs.

    layer: the layer inside; it carries a state from step to step if that one does
    Raises TypeError for anything but a layer.

    >>> nn.LastTimeStep(nn.LSTM(3, l2=0.1)).l2
    0.1
    """

    layer: Layer

    def __post_init__(self) -> None:
        inner = instance(f"{self.title}: layer", self.layer, Layer)
        object.__setattr__(self, "is_recurrent", inner.is_recurrent)
        object.__setattr__(self, "needs_whole_sequences", inner.needs_whole_sequences)
        object.__setattr__(self, "keeps_precision", inner.keeps_precision)

    def output_type(self, given: InputType) -> InputType:
        return self.layer.output_type(given)

    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        return self.layer.parameters(given)

    @property
    def weight_init(self) -> Any:
        """What the weights of the layer inside start with, None for the network's setting."""
        return getattr(self.layer, "weight_init", None)

    @property
    def bias_init(self) -> float:
        """What the biases of the layer inside start with."""
        return float(getattr(self.layer, "bias_init", 0.0))

    @property
    def l1(self) -> float | None:
        """The coefficient of the layer inside, None for the network's setting."""
        return getattr(self.layer, "l1", None)

    @property
    def l2(self) -> float | None:
        """The coefficient of the layer inside, None for the network's setting."""
        return getattr(self.layer, "l2", None)

    @property
    def weight_decay(self) -> float | None:
        """The coefficient of the layer inside, None for the network's setting."""
        return getattr(self.layer, "weight_decay", None)
