"""What a variational autoencoder says of its input: a normal distribution, or one of bits.

Each is made of the decoder's last values before their activation, z: (..., n_in * `values_of_each`).
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

from nd4py import api as nd

from ...activations import activation
from ...losses.classification import xent


class Gaussian:
    """A normal distribution of each number of the input: means, then the logarithms of variances."""

    values_of_each: ClassVar[int] = 2
    activation: ClassVar[str] = "identity"

    @staticmethod
    def negative_log_likelihood(x: nd.NDArray, z: nd.NDArray, name: Any) -> nd.NDArray:
        mean, log_variance = _halves(activation(name)(z))
        squares = (x - mean) ** 2 * nd.exp(-log_variance)
        return 0.5 * (squares + log_variance + math.log(2 * math.pi))

    @staticmethod
    def mean(z: nd.NDArray, name: Any) -> nd.NDArray:
        return _halves(activation(name)(z))[0]

    @staticmethod
    def sample(z: nd.NDArray, name: Any, rng: Any) -> nd.NDArray:
        mean, log_variance = _halves(activation(name)(z))
        return mean + nd.exp(0.5 * log_variance) * rng.normal(size=mean.shape, dtype=mean.dtype, device=mean.device)


class Bernoulli:
    """Each number of the input is 1 with a probability, else 0."""

    values_of_each: ClassVar[int] = 1
    activation: ClassVar[str] = "sigmoid"

    @staticmethod
    def negative_log_likelihood(x: nd.NDArray, z: nd.NDArray, name: Any) -> nd.NDArray:
        return xent(x, z, name)

    @staticmethod
    def mean(z: nd.NDArray, name: Any) -> nd.NDArray:
        return activation(name)(z)

    @staticmethod
    def sample(z: nd.NDArray, name: Any, rng: Any) -> nd.NDArray:
        drawn = rng.uniform(size=z.shape, dtype=z.dtype, device=z.device)
        return nd.astype(drawn < activation(name)(z), z.dtype)


def _halves(values: nd.NDArray) -> tuple[nd.NDArray, nd.NDArray]:
    n = values.shape[-1] // 2
    return values[..., :n], values[..., n:]


RECONSTRUCTIONS = {"bernoulli": Bernoulli, "gaussian": Gaussian}
