"""Layers that apply and make masks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from nd4py import api as nd

from ...inputs import RECURRENT, InputType
from ...numbers import real
from ...parameters import Parameter
from ..calls import there
from ..layer import Layer, Output, State
from ..wrapper_layer import WrapperLayer
from .recurrent_layer import sequences


@dataclass(frozen=True)
class MaskLayer(Layer):
    """Zeros at the steps whose mask is 0, the rest as it is.

    Raises nothing.

    >>> nn.MaskLayer().forward({}, nd.ones((1, 3, 2)), mask=nd.asarray([[1.0, 0.0, 1.0]]))[0, :, 0]
    array([1., 0., 1.], dtype=float64)
    """

    wanted_input: ClassVar[str] = RECURRENT

    def forward(
        self,
        params: Mapping[str, nd.NDArray],
        x: nd.NDArray,
        *,
        train: bool = False,
        rng: Any = None,
        mask: nd.NDArray | None = None,
        state: State | None = None,
    ) -> nd.NDArray:
        return there(x, mask)


@dataclass(frozen=True)
class MaskZeroLayer(WrapperLayer):
    """Another layer, for which steps whose numbers all are `masking_value` are masked, beside those that are anyway.

    layer: the layer; its parameters and its state are those of this one
    masking_value: what a step is filled with that is not there
    The layers behind see no mask of these steps: put a LastTimeStep inside, or a MaskLayer behind.
    Raises ValueError for a value that is no finite number, TypeError for what is no layer.

    >>> layer = nn.MaskZeroLayer(nn.SimpleRnn(1, activation="identity"))
    >>> params = {"W": nd.ones((1, 1)), "RW": nd.ones((1, 1)), "b": nd.ones(1)}
    >>> layer.forward(params, nd.asarray([[[1.0], [0.0], [1.0]]]))[0][0, :, 0]
    array([2., 0., 4.], dtype=float64)
    """

    masking_value: float = 0.0

    wanted_input: ClassVar[str] = RECURRENT

    def __post_init__(self) -> None:
        super().__post_init__()
        real(self.masking_value, f"{self.title}: masking_value")

    def output_type(self, given: InputType) -> InputType:
        return self.layer.output_type(sequences(self.title, given))

    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        return self.layer.parameters(sequences(self.title, given))

    def forward(
        self,
        params: Mapping[str, nd.NDArray],
        x: nd.NDArray,
        *,
        train: bool = False,
        rng: Any = None,
        mask: nd.NDArray | None = None,
        state: State | None = None,
    ) -> Output:
        there = nd.astype(nd.any(x != self.masking_value, axis=2), x.dtype)
        return self.layer.forward(
            params, x, train=train, rng=rng, mask=there if mask is None else there * mask, state=state
        )
