"""Group normalization."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nd4py import api as nd

from ...activations import features_axis
from ...inputs import InputType
from ...numbers import real, whole
from ...parameters import Parameter
from ..layer import Layer
from .layer_normalization import gamma_and_beta


@dataclass(frozen=True)
class GroupNormalization(Layer):
    """y = gamma * (x - mean) / sqrt(var + eps) + beta, with the mean and variance of a group of channels of an example.

    gamma, beta: one number for each channel.  With as many groups as channels it is instance normalization.
    Wu & He 2018, https://arxiv.org/abs/1803.08494

    n_groups: how many groups the channels are divided into, in their order; eps: is added to the variance.
    x: rows (batch, features), images or volumes (batch, channels, ...)
    Raises ValueError for a setting out of its range; a layer on channels that cannot be divided so does not fit.

    >>> layer = nn.GroupNormalization(1, eps=0.0)
    >>> layer.forward({"gamma": nd.ones(2), "beta": nd.zeros(2)}, nd.asarray([[1.0, 3.0]]))
    array([[-1.,  1.]], dtype=float64)
    """

    n_groups: int = 32
    eps: float = 1e-5

    def __post_init__(self) -> None:
        whole(self.n_groups, f"{self.title}: n_groups")
        real(self.eps, f"{self.title}: eps", low=0.0)

    def output_type(self, given: InputType) -> InputType:
        if given.n_features % self.n_groups:
            raise ValueError(f"{given.n_features} channels cannot be divided into {self.n_groups} groups")
        return given

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
        if x.ndim < 2 or x.shape[axis] % self.n_groups:
            raise ValueError(f"forward: x of shape {x.shape} cannot be divided into {self.n_groups} groups of channels")
        channels_first = nd.moveaxis(x, axis, 1)
        groups = channels_first.reshape((x.shape[0], self.n_groups, -1))
        distance = groups - nd.mean(groups, axis=2, keepdims=True)
        normal = distance * nd.rsqrt(nd.mean(nd.square(distance), axis=2, keepdims=True) + self.eps)
        y = nd.moveaxis(normal.reshape(channels_first.shape), 1, axis)
        shape = (-1, *(1,) * (x.ndim - 1 - axis))
        return y * params["gamma"].reshape(shape) + params["beta"].reshape(shape)
