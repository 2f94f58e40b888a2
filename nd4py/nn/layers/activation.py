"""ActivationLayer: an activation on its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nd4py import api as nd

from ..activations import activated, activation
from .layer import Layer


@dataclass(frozen=True)
class ActivationLayer(Layer):
    """y = activation(x)    x: any shape

    activation: a name of `ACTIVATIONS`, or an `Activation`.
    Raises ValueError for an unknown activation.

    >>> nn.ActivationLayer("relu").forward({}, nd.asarray([[-1.0, 2.0]]))
    array([[0., 2.]], dtype=float64)
    """

    activation: Any

    def __post_init__(self) -> None:
        activation(self.activation)

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
        return activated(self.activation, x, train=train, rng=rng)
