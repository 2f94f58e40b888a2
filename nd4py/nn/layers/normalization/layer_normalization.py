"""Layer normalization."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nd4py import api as nd

from ...activations import features_axis
from ...inputs import InputType
from ...numbers import real
from ...parameters import Parameter
from ..layer import Layer


@dataclass(frozen=True)
class LayerNormalization(Layer):
    """y = gamma * (x - mean) / sqrt(var + eps) + beta, with the mean and variance over the features of a row, a step of
    a sequence or a pixel.  gamma, beta: one number for each feature

    Ba, Kiros & Hinton 2016, https://arxiv.org/abs/1607.06450

    eps: is added to the variance.
    x: rows (batch, features), sequences (batch, length, features), images or volumes (batch, features, ...)
    Raises ValueError for a setting out of its range.

    >>> layer = nn.LayerNormalization(eps=0.0)
    >>> layer.forward({"gamma": nd.ones(2), "beta": nd.zeros(2)}, nd.asarray([[1.0, 3.0]]))
    array([[-1.,  1.]], dtype=float64)
    """

    eps: float = 1e-5

    def __post_init__(self) -> None:
        real(self.eps, f"{self.title}: eps", low=0.0)

    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        return gamma_and_beta(given)

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
        axis = features_axis(x)
        return nd.layer_norm(x, params["gamma"], params["beta"], axis=axis, epsilon=self.eps)


def gamma_and_beta(given: InputType, gamma: float = 1.0, beta: float = 0.0) -> tuple[Parameter, Parameter]:
    """A factor and a summand for each feature, with what they start with."""
    shape = (given.n_features,)
    return (
        Parameter("gamma", shape, is_bias=True, initial=gamma),
        Parameter("beta", shape, is_bias=True, initial=beta),
    )
