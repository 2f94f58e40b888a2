"""MixtureDensityLoss: outputs that are a mixture of normal distributions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from nd4py import api as nd

from ..numbers import whole
from .loss import Loss, check_shape, outputs_axis, sizes_of


@dataclass(frozen=True)
class MixtureDensityLoss(Loss):
    """-log of the density of the labels in a mixture of normal distributions that the outputs describe.

    For labels of L numbers and K = n_mixtures, n_out is K * (L + 2): K values whose softmax are the shares of the
    distributions, K whose exponentials are their standard deviations, and K * L means, L of the first distribution
    first.  The activation must be "identity".
    n_mixtures: how many distributions.  Bishop 1994, "Mixture Density Networks", NCRG/94/004, equation 29.
    Raises ValueError for no whole number of at least 1.

    >>> loss = nn.MixtureDensityLoss(n_mixtures=1)
    >>> loss(nd.asarray([[1.0]]), nd.asarray([[0.0, 0.0, 1.0]]), "identity")  # log(2 * pi) / 2
    array([[0.91893853]], dtype=float64)
    """

    n_mixtures: int

    only_activation = "identity"

    def __post_init__(self) -> None:
        whole(self.n_mixtures, "MixtureDensityLoss: n_mixtures")

    def __call__(self, labels: nd.NDArray, z: nd.NDArray, name: Any, mask: nd.NDArray | None = None) -> nd.NDArray:
        shares, deviations, means = self._split(z)
        n_labels = labels.shape[-1]
        distance = nd.sum_of_squares(nd.expand_dims(labels, axis=-2) - means, axis=-1)
        exponent = -0.5 * distance * nd.exp(-2.0 * deviations) - n_labels * deviations
        densities = nd.log_softmax(shares, axis=-1) + exponent - 0.5 * n_labels * math.log(2.0 * math.pi)
        return -nd.logsumexp(densities, axis=-1, keepdims=True)

    def prepare_labels(
        self, labels: nd.NDArray, shape: tuple[int | None, ...], dtype: nd.DType, who: str
    ) -> nd.NDArray:
        shape = sizes_of(shape)
        check_shape(labels, ((*shape[:-1], self._n_labels(shape, who)),), shape, self, who)
        return nd.astype(labels, dtype, copy=False)

    def example_labels(self, shape: tuple[int, ...], dtype: nd.DType) -> nd.NDArray:
        shape = sizes_of(shape)
        n_labels = self._n_labels(shape, "MixtureDensityLoss")
        return nd.ones((*shape[:-1], n_labels), dtype=dtype, device="cpu")

    def _split(self, z: nd.NDArray) -> tuple[nd.NDArray, nd.NDArray, nd.NDArray]:
        """Shares and logarithms of the deviations (..., K), and means (..., K, L)."""
        k = self.n_mixtures
        return z[..., :k], z[..., k : 2 * k], nd.reshape(z[..., 2 * k :], (*z.shape[:-1], k, -1))

    def _n_labels(self, shape: tuple[int | None, ...], who: str) -> int:
        n_out = shape[-1] or 0
        if outputs_axis(shape) != len(shape) - 1 or n_out % self.n_mixtures or n_out < 3 * self.n_mixtures:
            raise ValueError(
                f"{who}: {self!r} needs n_out = {self.n_mixtures} * (labels + 2) outputs of rows or sequences, given "
                f"outputs of shape {shape}"
            )
        return n_out // self.n_mixtures - 2
