"""FrozenLayer: a layer that training leaves as it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nd4py import api as nd

from ..inputs import InputType
from .calls import output_and_state
from .layer import Output, State
from .wrapper_layer import WrapperLayer


@dataclass(frozen=True)
class FrozenLayer(WrapperLayer):
    """A layer whose parameters and running values stay as they are; it runs as when the network does not train.

    layer: the layer that is frozen, one without a loss
    Gradients flow through it to the layers below.
    Raises TypeError for anything but a layer.

    >>> frozen = nn.FrozenLayer(nn.DenseLayer(2))
    >>> frozen.is_frozen, frozen.output_type(nn.InputType.feed_forward(3)).size
    (True, 2)
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("wanted_input", "makes_mask"):
            object.__setattr__(self, name, getattr(self.layer, name))

    @property
    def is_frozen(self) -> bool:
        return True

    def output_mask(self, mask: nd.NDArray | None, given: InputType) -> nd.NDArray | None:
        return self.layer.output_mask(mask, given)

    def made_mask(self, x: nd.NDArray, mask: nd.NDArray | None) -> nd.NDArray:
        return self.layer.made_mask(x, mask)

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
        y, new = output_and_state(self.layer.forward(params, x, mask=mask, state=state))
        return (y, new) if self.is_recurrent else y
