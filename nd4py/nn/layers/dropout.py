"""Dropout."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nd4py import api as nd
from nd4py.api.arguments import array, having

from ..numbers import real
from .layer import Layer


@dataclass(frozen=True)
class DropoutLayer(Layer):
    """In training each element is 0 with probability `rate`, the others grow by 1 / (1 - rate); otherwise y = x.

    `rate` is the share that is dropped; in Deeplearning4j's dropOut(p) the number is the share that is kept.
    Srivastava et al. 2014, https://jmlr.org/papers/v15/srivastava14a.html
    Raises ValueError for a rate outside [0, 1).

    >>> nn.DropoutLayer(rate=0.5).forward({}, nd.ones((1, 3)))  # while it does not train, nothing is dropped
    array([[1., 1., 1.]], dtype=float64)
    """

    rate: float = 0.5

    def __post_init__(self) -> None:
        if real(self.rate, f"{self.title}: rate", low=0.0, high=1.0) == 1.0:
            raise ValueError(f"{self.title}: rate 1 would drop everything; rate is the share that is dropped")

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
        if not train or self.rate == 0.0:
            return x
        draw = having("forward: rng", rng, "a generator", "uniform").uniform
        keep = nd.astype(draw(size=array("forward: x", x).shape, dtype=x.dtype, device=x.device) >= self.rate, x.dtype)
        return x * (keep * (1.0 / (1.0 - self.rate)))
