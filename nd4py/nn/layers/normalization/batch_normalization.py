"""Batch normalization."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nd4py import api as nd

from ...activations import features_axis
from ...inputs import InputType
from ...numbers import real
from ...parameters import Parameter
from ..layer import Layer, Output
from .layer_normalization import gamma_and_beta


@dataclass(frozen=True)
class BatchNormalization(Layer):
    """y = gamma * (x - mean) / sqrt(var + eps) + beta    gamma, beta, mean, var: one number for each feature

    In training mean and var are those of the batch, over all axes but that of the features; the layer keeps running
    means of both, decay * running + (1 - decay) * batch's, and uses these otherwise.  The variance is the mean of
    squares in both uses, as in Deeplearning4j and Keras; PyTorch keeps n / (n - 1) times as much.
    Ioffe & Szegedy 2015, https://arxiv.org/abs/1502.03167

    decay: the share of the running values that a batch leaves; eps: is added to the variance
    lock_gamma_beta: gamma and beta are not learnt, but the numbers `gamma` and `beta`, which they start with otherwise.
    x: rows (batch, features), sequences (batch, length, features), of which steps that a mask leaves out do not count,
    images or volumes (batch, features, ...)
    Raises ValueError for a setting out of its range.

    >>> layer = nn.BatchNormalization(decay=0.5, eps=0.0, lock_gamma_beta=True)
    >>> y, running = layer.forward({"mean": nd.zeros(1), "var": nd.ones(1)}, nd.asarray([[1.0], [3.0]]), train=True)
    >>> y.tolist(), running["mean"].item()
    ([[-1.0], [1.0]], 1.0)
    """

    decay: float = 0.9
    eps: float = 1e-5
    gamma: float = 1.0
    beta: float = 0.0
    lock_gamma_beta: bool = False

    def __post_init__(self) -> None:
        real(self.decay, f"{self.title}: decay", low=0.0, high=1.0)
        real(self.eps, f"{self.title}: eps", low=0.0)
        real(self.gamma, f"{self.title}: gamma")
        real(self.beta, f"{self.title}: beta")

    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        shape = (given.n_features,)
        running = (
            Parameter("mean", shape, is_state=True, initial=0.0, decay=self.decay),
            Parameter("var", shape, is_state=True, initial=1.0, decay=self.decay),
        )
        if self.lock_gamma_beta:
            return running
        return (*gamma_and_beta(given, self.gamma, self.beta), *running)

    def forward(
        self,
        params: Mapping[str, nd.NDArray],
        x: nd.NDArray,
        *,
        train: bool = False,
        rng: Any = None,
        mask: nd.NDArray | None = None,
        state: Mapping[str, nd.NDArray] | None = None,
    ) -> Output:
        axis = features_axis(x)
        shape = tuple(size if i == axis else 1 for i, size in enumerate(x.shape))
        gamma, beta = params.get("gamma", self.gamma), params.get("beta", self.beta)
        if not train:
            slope = gamma * nd.rsqrt(params["var"] + self.eps)
            return x * slope.reshape(shape) + (beta - params["mean"] * slope).reshape(shape)
        axes = tuple(i for i in range(x.ndim) if i != axis)
        if mask is None:
            mean = nd.mean(x, axis=axes, keepdims=True)
            distance = x - mean
            var = nd.mean(nd.square(distance), axis=axes, keepdims=True)
        else:
            weight = mask.reshape((*mask.shape, 1))
            weight = weight / nd.maximum(nd.sum(weight), 1.0)
            mean = nd.sum(x * weight, axis=axes, keepdims=True)
            distance = x - mean
            var = nd.sum(nd.square(distance) * weight, axis=axes, keepdims=True)
        slope = nd.rsqrt(var + self.eps)
        y = distance * (slope * of_shape(gamma, shape)) + of_shape(beta, shape)
        return y, {
            name: self.decay * params[name] + (1.0 - self.decay) * nd.stop_gradient(batch).reshape((-1,))
            for name, batch in (("mean", mean), ("var", var))
        }


def of_shape(value: nd.NDArray | float, shape: tuple[int, ...]) -> nd.NDArray | float:
    """Numbers of the features along their axis; a single number as it is."""
    return value if isinstance(value, float | int) else value.reshape(shape)
