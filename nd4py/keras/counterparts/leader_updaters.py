"""Updaters that look at the parameters: LAMB, whose steps are as long as the parameters, and
follow-the-regularized-leader."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nd4py import api as nd
from nd4py import nn
from nd4py.nn.numbers import real

from .keras_updaters import State, parts


def given(updater: nn.Updater, params: State) -> nd.NDArray:
    """The parameters.  Raises ValueError where they are missing."""
    if params is None:
        raise ValueError(f"{type(updater).__name__}.update: params: steps depend on the parameters, given None")
    return params


@dataclass(frozen=True)
class LayerwiseAdam(nn.Updater):
    """LAMB: delta = lr * |p| / |u| * u,  u = m / (1 - b1**t) / (sqrt(v / (1 - b2**t)) + eps), m and v those of Adam.

    The lengths are those of a whole parameter; where either is 0 their quotient counts as 1.
    You et al. 2019, https://arxiv.org/abs/1904.00962, algorithm 2.

    >>> from nd4py.keras.counterparts.leader_updaters import LayerwiseAdam
    >>> updater, params = LayerwiseAdam(0.5, eps=0.0), nd.asarray([3.0, 4.0])
    >>> nd.round(updater.update(nd.asarray([1.0, 0.0]), updater.init(params) + 1e-30, 0, 0, params), 4).tolist()
    [2.5, 0.0]
    """

    learning_rate: Any = 1e-3
    b1: float = 0.9
    b2: float = 0.999
    eps: float = 1e-7

    state = ("m", "v")
    takes_params = True
    sees_shapes = True

    def settings(self, iteration: int, epoch: int) -> dict[str, Any]:
        t = iteration + 1
        return {"lr": self.rate(iteration, epoch), "c1": 1 - self.b1**t, "c2": 1 - self.b2**t}

    def update(
        self, gradient: nd.NDArray, state: State, iteration: int, epoch: int, params: State = None
    ) -> nd.NDArray:
        own, now = given(self, params), self.settings(iteration, epoch)
        m, v = parts(self, state, gradient)
        m[...] = m * self.b1 + gradient * (1 - self.b1)
        v[...] = v * self.b2 + nd.square(gradient) * (1 - self.b2)
        step = m / now["c1"] / (nd.sqrt(v / now["c2"]) + self.eps)
        length, own_length = nd.sqrt(nd.sum(nd.square(step))), nd.sqrt(nd.sum(nd.square(own)))
        is_there = nd.logical_and(length > 0, own_length > 0)
        ratio = nd.where(is_there, own_length / nd.where(is_there, length, 1.0), 1.0)
        return step * (ratio * now["lr"])


@dataclass(frozen=True)
class FollowTheLeader(nn.Updater):
    """FTRL-Proximal: p' = (clip(z', -l1, l1) - z') / (n'**power / lr + 2 * l2 + beta / lr);  delta = p - p'.

    n' = n + g**2;  z' = z + g + 2 * l2_shrinkage * p - (n'**power - n**power) / lr * p
    McMahan et al. 2013, https://research.google/pubs/pub41159, algorithm 1, section 3.1.

    power: of the sum of squares    start: what that sum begins with    beta, l1, l2, l2_shrinkage: numbers >= 0
    Raises ValueError for a setting that is no finite number of at least 0.

    >>> from nd4py.keras.counterparts.leader_updaters import FollowTheLeader
    >>> updater, params = FollowTheLeader(0.5, start=0.0), nd.zeros(1)
    >>> updater.update(nd.asarray([2.0]), updater.init(params), 0, 0, params).tolist()
    [0.5]
    """

    learning_rate: Any = 1e-3
    power: float = 0.5
    start: float = 0.1
    beta: float = 0.0
    l1: float = 0.0
    l2: float = 0.0
    l2_shrinkage: float = 0.0

    state = ("n", "z")
    takes_params = True

    def __post_init__(self) -> None:
        for name in ("power", "start", "beta", "l1", "l2", "l2_shrinkage"):
            real(getattr(self, name), f"FollowTheLeader: {name}", low=0.0)
        nn.Sgd(self.learning_rate)  # raises for what is no rate

    def settings(self, iteration: int, epoch: int) -> dict[str, Any]:
        return {"lr": self.rate(iteration, epoch)}

    def update(
        self, gradient: nd.NDArray, state: State, iteration: int, epoch: int, params: State = None
    ) -> nd.NDArray:
        own, lr = given(self, params), self.rate(iteration, epoch)
        n, z = parts(self, state, gradient)
        before = (n + self.start) ** self.power
        n[...] = n + nd.square(gradient)
        after = (n + self.start) ** self.power
        z[...] = z + gradient + own * (2 * self.l2_shrinkage) - (after - before) / lr * own
        new = (nd.clip(z, -self.l1, self.l1) - z) / (after / lr + (2 * self.l2 + self.beta / lr))
        return own - new
