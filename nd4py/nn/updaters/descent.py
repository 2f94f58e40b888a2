"""Gradient descent: plain, with momentum, and by the sign of the gradient."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nd4py import api as nd

from .updater import State, Updater


@dataclass(frozen=True)
class NoOp(Updater):
    """delta = g

    Raises nothing.

    >>> nn.NoOp().update(nd.asarray([1.0, 2.0]), None, 0, 0)
    array([1., 2.], dtype=float64)
    """

    def settings(self, iteration: int, epoch: int) -> dict[str, Any]:
        return {}

    def update(
        self, gradient: nd.NDArray, state: State, iteration: int, epoch: int, params: State = None
    ) -> nd.NDArray:
        return gradient


@dataclass(frozen=True)
class Sgd(Updater):
    """delta = lr * g

    Raises ValueError for a setting that is no finite number in its range.

    >>> nn.Sgd(learning_rate=0.1).update(nd.asarray([1.0, -2.0]), None, 0, 0)
    array([ 0.1, -0.2], dtype=float64)
    """

    learning_rate: Any = 1e-3

    def settings(self, iteration: int, epoch: int) -> dict[str, Any]:
        return {"lr": self.rate(iteration, epoch)}

    def update(
        self, gradient: nd.NDArray, state: State, iteration: int, epoch: int, params: State = None
    ) -> nd.NDArray:
        return nd.sgd_step(gradient, **self.settings(iteration, epoch))


@dataclass(frozen=True)
class Nesterovs(Updater):
    """v' = momentum * v - lr * g;  delta = momentum * v - (1 + momentum) * v'

    Nesterov's momentum, written for parameters that stand at the look-ahead point.
    Bengio et al. 2013, https://arxiv.org/abs/1212.0901, section 3.5.
    Raises ValueError for a setting that is no finite number in its range.

    >>> updater = nn.Nesterovs(learning_rate=0.1, momentum=0.9)
    >>> updater.update(nd.asarray([1.0]), updater.init(nd.zeros(1)), 0, 0)
    array([0.19], dtype=float64)
    """

    learning_rate: Any = 0.1
    momentum: float = 0.9

    state = ("v",)
    row = nd.nesterovs_step

    def settings(self, iteration: int, epoch: int) -> dict[str, Any]:
        return {"lr": self.rate(iteration, epoch), "momentum": self.momentum}


@dataclass(frozen=True)
class Lion(Updater):
    """delta = lr * (sign(b1 * m + (1 - b1) * g) + weight_decay * w);  m' = b2 * m + (1 - b2) * g

    Every step has the same size, whatever the gradient; rates are 3 to 10 times smaller than Adam's.
    w are the parameters, biases too: a bias_updater of a layer may have another decay.
    Chen et al. 2023, https://arxiv.org/abs/2302.06675, algorithm 2.
    Raises ValueError for a setting that is no finite number in its range.

    >>> updater, params = nn.Lion(learning_rate=0.1), nd.zeros(2)
    >>> updater.update(nd.asarray([2.0, -0.5]), updater.init(params), 0, 0, params)
    array([ 0.1, -0.1], dtype=float64)
    """

    learning_rate: Any = 1e-4
    b1: float = 0.9
    b2: float = 0.99
    weight_decay: float = 0.0

    state = ("m",)
    row = nd.lion_step
    results = ("delta", "m")
    takes_params = True

    def settings(self, iteration: int, epoch: int) -> dict[str, Any]:
        rate = self.rate(iteration, epoch)
        return {"lr": rate, "b1": self.b1, "decay": self.b2, "weight_decay": self.weight_decay}
