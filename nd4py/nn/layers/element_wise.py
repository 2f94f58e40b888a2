"""ElementWiseMultiplicationLayer: a weight for each number of an example."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from nd4py import api as nd

from ..activations import activation
from ..inputs import FEED_FORWARD, InputType
from ..parameters import Parameter
from .layer import WeightedLayer, weights


@dataclass(frozen=True)
class ElementWiseMultiplicationLayer(WeightedLayer):
    """y = activation(x * W + b)    x: (batch, n)    W, b: (n,)

    activation: a name of `ACTIVATIONS`, None for the network's
    Raises ValueError for a setting out of its range or an unknown name.

    >>> layer = nn.ElementWiseMultiplicationLayer()
    >>> layer.forward({"W": nd.asarray([2.0, 3.0]), "b": nd.zeros(2)}, nd.asarray([[1.0, 1.0]]))
    array([[2., 3.]], dtype=float64)
    """

    activation: str | None = None

    wanted_input: ClassVar[str] = FEED_FORWARD

    def __post_init__(self) -> None:
        super().__post_init__()
        activation(self.activation)

    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        n = given.n_features
        return Parameter("W", (n,), n, n), Parameter("b", (n,), is_bias=True)

    def forward(
        self,
        params: Mapping[str, nd.NDArray],
        x: nd.NDArray,
        *,
        train: bool = False,
        rng: Any = None,
        mask: nd.NDArray | None = None,
        state: Mapping[str, nd.NDArray] | None = None,
    ) -> nd.NDArray:
        return activation(self.activation)(x * weights(params)["W"] + params["b"])
