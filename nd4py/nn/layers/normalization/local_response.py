"""Local response normalization."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from nd4py import api as nd

from ...inputs import CONVOLUTIONAL
from ...numbers import real, whole
from ..layer import Layer


@dataclass(frozen=True)
class LocalResponseNormalization(Layer):
    """y = x / (k + alpha * s)**beta, s being the sum of the squares of the n channels around a pixel's channel.

    Krizhevsky, Sutskever & Hinton 2012, "ImageNet classification with deep convolutional neural networks", section 3.3

    k, alpha, beta: numbers of at least 0, k above 0; n: how many channels, its own in the middle
    x: (batch, channels, height, width)
    Raises ValueError for a setting out of its range.

    >>> nn.LocalResponseNormalization(k=1.0, n=1, alpha=1.0, beta=1.0).forward({}, nd.full((1, 1, 1, 1), 2.0))
    array([[[[0.4]]]], dtype=float64)
    """

    k: float = 2.0
    n: int = 5
    alpha: float = 1e-4
    beta: float = 0.75

    wanted_input: ClassVar[str] = CONVOLUTIONAL

    def __post_init__(self) -> None:
        whole(self.n, f"{self.title}: n, the number of channels,")
        for name in ("k", "alpha", "beta"):
            real(getattr(self, name), f"{self.title}: {name}", low=0.0)
        if self.k == 0.0:
            raise ValueError(f"{self.title}: k must be above 0, or pixels of zeros would be divided by 0")

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
        n_channels, before = x.shape[1], (self.n - 1) // 2
        squares = nd.pad(nd.square(x), ((0, 0), (before, self.n - 1 - before), (0, 0), (0, 0)))
        total = squares[:, :n_channels]
        for start in range(1, self.n):
            total = total + squares[:, start : start + n_channels]
        return x * (self.k + self.alpha * total) ** -self.beta
