"""Normalization by the root of the mean of squares."""

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
class RMSNormalization(Layer):
    """y = gamma * x / sqrt(mean(x**2) + eps), the mean over the features of a row, a step of a sequence or a pixel.

    gamma: one number for each feature
    Zhang & Sennrich 2019, https://arxiv.org/abs/1910.07467

    eps: is added to the mean of squares.
    x: rows (batch, features), sequences (batch, length, features), images or volumes (batch, features, ...)
    Raises ValueError for a setting out of its range.

    >>> nn.RMSNormalization(eps=0.0).forward({"gamma": nd.ones(2)}, nd.asarray([[1.0, 7.0]]))
    array([[0.2, 1.4]], dtype=float64)
    """

    eps: float = 1e-6

    def __post_init__(self) -> None:
        real(self.eps, f"{self.title}: eps", low=0.0)

    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        shape = (given.n_features,)
        return (Parameter("gamma", shape, is_bias=True, initial=1.0),)

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
        return nd.rms_norm(x, params["gamma"], axis=features_axis(x), epsilon=self.eps)
