"""Dropout."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nd4py import api as nd

from ..regularization.dropouts import checked_noise, with_noise
from .layer import Layer


@dataclass(frozen=True)
class DropoutLayer(Layer):
    """In training each element is 0 with probability `rate`, the others grow by 1 / (1 - rate); otherwise y = x.

    rate: the share that is dropped; in Deeplearning4j's dropOut(p) the number is the share that is kept.  Or an
        `InputNoise`, such as `AlphaDropout(0.1)`, `GaussianNoise(0.5)` or `SpatialDropout(0.2)`.
    Srivastava et al. 2014, https://jmlr.org/papers/v15/srivastava14a.html
    Raises ValueError for a rate outside [0, 1).

    >>> nn.DropoutLayer(rate=0.5).forward({}, nd.ones((1, 3)))  # while it does not train, nothing is dropped
    array([[1., 1., 1.]], dtype=float64)
    """

    rate: Any = 0.5

    def __post_init__(self) -> None:
        checked_noise(self.rate, f"{self.title}: rate")

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
        return with_noise(self.rate, x, rng) if train else x
