"""ExampleDropout: dropout of whole examples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nd4py import api as nd
from nd4py.nn import Dropout
from nd4py.nn.regularization.dropouts import keep_mask


@dataclass(frozen=True)
class ExampleDropout(Dropout):
    """Each example is 0 as a whole with probability `rate`, the others grow by 1 / (1 - rate): stochastic depth.

    Huang et al. 2016, https://arxiv.org/abs/1603.09382

    >>> from nd4py.keras.counterparts.example_dropout import ExampleDropout
    >>> y = ExampleDropout(0.5).apply(nd.ones((8, 3)), nd.random.Generator(1))
    >>> sorted(set(map(tuple, y.tolist())))
    [(0.0, 0.0, 0.0), (2.0, 2.0, 2.0)]
    """

    def apply(self, x: nd.NDArray, rng: Any) -> nd.NDArray:
        shape = (x.shape[0], *(1,) * (x.ndim - 1))
        return x * (keep_mask(x, shape, self.rate, rng) * (1.0 / (1.0 - self.rate)))
