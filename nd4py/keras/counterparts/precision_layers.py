"""What mixed policies of Keras say of a layer: the dtype that it computes in, beside that of the network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nd4py import api as nd
from nd4py.nn import InputType, Vertex, WrapperLayer
from nd4py.nn.layers.calls import output_and_state, with_state
from nd4py.nn.layers.layer import Output, State
from nd4py.nn.vertices.vertex import Arrays, Masks


@dataclass(frozen=True)
class FullPrecision(WrapperLayer):
    """A layer that computes in float32, of parameters in float32, in a network of half precision.

    layer: the layer    is_cast_back: whether what it makes has the dtype of its input, otherwise it stays float32

    >>> from nd4py.keras.counterparts.precision_layers import FullPrecision
    >>> FullPrecision(nn.ActivationLayer("tanh")).forward({}, nd.ones((1, 1), dtype="float16")).dtype
    nd4py.float32
    """

    is_cast_back: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "wanted_input", self.layer.wanted_input)
        object.__setattr__(self, "keeps_precision", True)

    @property
    def is_frozen(self) -> bool:
        return self.layer.is_frozen

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
        full = nd.astype(x, nd.float32, copy=False)
        made = self.layer.forward(params, full, train=train, rng=rng, mask=mask, state=state)
        y, rest = output_and_state(made)
        return with_state(nd.astype(y, x.dtype, copy=False) if self.is_cast_back else y, rest)


@dataclass(frozen=True)
class CastVertex(Vertex):
    """x in another dtype.

    dtype: its name

    >>> from nd4py.keras.counterparts.precision_layers import CastVertex
    >>> CastVertex("float16").forward({}, [nd.ones(2)]).dtype
    nd4py.float16
    """

    dtype: str = "float32"

    def output_type(self, *given: InputType) -> InputType:
        return self._types(given)[0]

    def output_mask(self, masks: Sequence[nd.NDArray | None], given: Sequence[InputType]) -> nd.NDArray | None:
        return self._masks(masks)[0]

    def _computed(self, inputs: Arrays, masks: Masks) -> nd.NDArray:
        return nd.astype(inputs[0], self.dtype, copy=False)
