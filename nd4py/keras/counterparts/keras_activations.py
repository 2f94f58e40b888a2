"""Activations that Keras has and the table of nd4py's has not."""

from __future__ import annotations

import math
from dataclasses import dataclass

from nd4py import api as nd
from nd4py.nn import Activation


@dataclass(frozen=True)
class SixthSigmoid(Activation):
    """(x + 3) / 6 limited to [0, 1]: the "hard_sigmoid" of Keras 3.

    >>> from nd4py.keras.counterparts.keras_activations import SixthSigmoid
    >>> SixthSigmoid()(nd.asarray([-3.0, 0.0, 9.0])).tolist()
    [0.0, 0.5, 1.0]
    """

    def __call__(self, x: nd.NDArray) -> nd.NDArray:
        return nd.relu6(x + 3.0) / 6.0


@dataclass(frozen=True)
class LimitedReLU(Activation):
    """x from `threshold` to `limit`, `limit` above, slope * (x - threshold) below: the ReLU layer of Keras.

    limit: infinite without one

    >>> from nd4py.keras.counterparts.keras_activations import LimitedReLU
    >>> LimitedReLU(limit=2.0, slope=0.5)(nd.asarray([-1.0, 1.0, 3.0])).tolist()
    [-0.5, 1.0, 2.0]
    """

    limit: float | None = None
    slope: float = 0.0
    threshold: float = 0.0

    def __call__(self, x: nd.NDArray) -> nd.NDArray:
        above = nd.clip(x, -math.inf, self.limit) if self.limit is not None else x
        return nd.where(x >= self.threshold, above, self.slope * (x - self.threshold))


@dataclass(frozen=True)
class SquarePlus(Activation):
    """(x + sqrt(x**2 + b)) / 2.  Barron 2021, https://arxiv.org/abs/2112.11687

    >>> from nd4py.keras.counterparts.keras_activations import SquarePlus
    >>> SquarePlus()(nd.asarray([0.0])).tolist()
    [1.0]
    """

    b: float = 4.0

    def __call__(self, x: nd.NDArray) -> nd.NDArray:
        return (x + nd.sqrt(nd.square(x) + self.b)) / 2.0


@dataclass(frozen=True)
class SparsePlus(Activation):
    """0 up to -1, (x + 1)**2 / 4 up to 1, and x above.

    >>> from nd4py.keras.counterparts.keras_activations import SparsePlus
    >>> SparsePlus()(nd.asarray([-2.0, 0.0, 3.0])).tolist()
    [0.0, 0.25, 3.0]
    """

    def __call__(self, x: nd.NDArray) -> nd.NDArray:
        return nd.where(x >= 1.0, x, nd.square(nd.clip(x, -1.0, 1.0) + 1.0) / 4.0)


@dataclass(frozen=True)
class SparseSigmoid(Activation):
    """(x + 1) / 2 limited to [0, 1].

    >>> from nd4py.keras.counterparts.keras_activations import SparseSigmoid
    >>> SparseSigmoid()(nd.asarray([-2.0, 0.0, 3.0])).tolist()
    [0.0, 0.5, 1.0]
    """

    def __call__(self, x: nd.NDArray) -> nd.NDArray:
        return (nd.clip(x, -1.0, 1.0) + 1.0) / 2.0
