"""A rate for each parameter, from the squares of its gradients: AdaGrad, RmsProp, AdaDelta."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nd4py import api as nd

from .updater import Updater


@dataclass(frozen=True)
class AdaGrad(Updater):
    """h += g**2;  delta = lr * g / (sqrt(h) + eps).  Duchi et al. 2011, https://jmlr.org/papers/v12/duchi11a.html

    Raises ValueError for a setting that is no finite number in its range.

    >>> updater = nn.AdaGrad(learning_rate=0.1)
    >>> updater.update(nd.asarray([2.0]), updater.init(nd.zeros(1)), 0, 0)
    array([0.09999995], dtype=float64)
    """

    learning_rate: Any = 0.1
    eps: float = 1e-6

    state = ("h",)
    row = nd.adagrad_step

    def settings(self, iteration: int, epoch: int) -> dict[str, Any]:
        return {"lr": self.rate(iteration, epoch), "eps": self.eps}


@dataclass(frozen=True)
class RmsProp(Updater):
    """v = decay * v + (1 - decay) * g**2;  delta = lr * g / (sqrt(v) + eps).  Tieleman & Hinton 2012.

    Raises ValueError for a setting that is no finite number in its range.

    >>> updater = nn.RmsProp(learning_rate=0.1)
    >>> updater.update(nd.asarray([2.0]), updater.init(nd.zeros(1)), 0, 0)
    array([0.44721359], dtype=float64)
    """

    learning_rate: Any = 0.1
    decay: float = 0.95
    eps: float = 1e-8

    state = ("v",)
    row = nd.rmsprop_step

    def settings(self, iteration: int, epoch: int) -> dict[str, Any]:
        return {"lr": self.rate(iteration, epoch), "decay": self.decay, "eps": self.eps}


@dataclass(frozen=True)
class AdaDelta(Updater):
    """delta = g * sqrt(x + eps) / sqrt(s + eps), s and x decaying means of g**2 and delta**2; no learning rate.

    rho: how much of the former means stays in a step.
    Zeiler 2012, https://arxiv.org/abs/1212.5701, algorithm 1.
    Raises ValueError for a setting that is no finite number in its range.

    >>> params = nd.zeros(2)
    >>> updater = nn.AdaDelta()
    >>> updater.update(nd.asarray([1.0, -1.0]), updater.init(params), 0, 0)
    array([ 0.00447209, -0.00447209], dtype=float64)
    """

    rho: float = 0.95
    eps: float = 1e-6

    state = ("s", "x")
    row = nd.adadelta_step
    results = ("s", "delta", "x")

    def settings(self, iteration: int, epoch: int) -> dict[str, Any]:
        return {"rho": self.rho, "eps": self.eps}
