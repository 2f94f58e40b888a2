"""Updaters as Keras has them, where those of `nn` start or go on in another way.

They run as functions of arrays, not as rows of the table: a few passes over the parameters instead of one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

from nd4py import api as nd
from nd4py import nn

State = nd.NDArray | None
MOST_FACTORS = 1024  # of the schedule of Nadam: 0.96**1024 is 7e-19, so that all later ones are 1


@dataclass(frozen=True)
class MomentumUpdater(nn.Updater):
    """v' = momentum * v + lr * g;  delta = v'.  Polyak 1964, doi 10.1016/0041-5553(64)90137-5.

    >>> from nd4py.keras.counterparts.keras_updaters import MomentumUpdater
    >>> updater, state = MomentumUpdater(0.1, momentum=0.5), nd.asarray([1.0])
    >>> updater.update(nd.asarray([2.0]), state, 0, 0).tolist(), state.tolist()
    ([0.7], [0.7])
    """

    learning_rate: Any = 0.01
    momentum: float = 0.9

    state = ("v",)

    def settings(self, iteration: int, epoch: int) -> dict[str, Any]:
        return {"lr": self.rate(iteration, epoch), "momentum": self.momentum}

    def update(
        self, gradient: nd.NDArray, state: State, iteration: int, epoch: int, params: State = None
    ) -> nd.NDArray:
        (v,) = parts(self, state, gradient)
        v[...] = v * self.momentum + gradient * self.rate(iteration, epoch)
        return nd.copy(v)


@dataclass(frozen=True)
class ScheduledNadam(nn.Updater):
    """Nadam whose b1 grows from step to step, u = b1 * (1 - 0.5 * 0.96**t), t counted from 1.

    delta = lr * (u_next * m / (1 - U * u_next) + (1 - u) * g / (1 - U)) / (sqrt(v / (1 - b2**t)) + eps), U the product
    of all u so far.  Dozat 2015, http://cs229.stanford.edu/proj2015/054_report.pdf, algorithm 8.

    >>> from nd4py.keras.counterparts.keras_updaters import ScheduledNadam
    >>> updater, params = ScheduledNadam(0.1), nd.zeros(1)
    >>> nd.round(updater.update(nd.asarray([2.0]), updater.init(params), 0, 0), 4).tolist()
    [0.1063]
    """

    learning_rate: Any = 1e-3
    b1: float = 0.9
    b2: float = 0.999
    eps: float = 1e-7

    state = ("m", "v")

    def settings(self, iteration: int, epoch: int) -> dict[str, Any]:
        t = iteration + 1
        u, u_next = (self.b1 * (1 - 0.5 * 0.96**each) for each in (t, t + 1))
        product = self.b1**t * product_of_schedule(min(t, MOST_FACTORS))
        return {
            "lr": self.rate(iteration, epoch),
            "of_mean": u_next / (1 - product * u_next),
            "of_gradient": (1 - u) / (1 - product),
            "c2": 1 - self.b2**t,
        }

    def update(
        self, gradient: nd.NDArray, state: State, iteration: int, epoch: int, params: State = None
    ) -> nd.NDArray:
        m, v = parts(self, state, gradient)
        now = self.settings(iteration, epoch)
        m[...] = m * self.b1 + gradient * (1 - self.b1)
        v[...] = v * self.b2 + nd.square(gradient) * (1 - self.b2)
        direction = m * now["of_mean"] + gradient * now["of_gradient"]
        return direction * now["lr"] / (nd.sqrt(v / now["c2"]) + self.eps)


@cache
def product_of_schedule(t: int) -> float:
    """Of 1 - 0.5 * 0.96**i, i from 1 to t."""
    found = 1.0
    for i in range(1, t + 1):
        found *= 1 - 0.5 * 0.96**i
    return found


@dataclass(frozen=True)
class StartedAdaGrad(nn.Updater):
    """s' = s + g**2;  delta = lr * g / sqrt(start + s' + eps).  Duchi et al. 2011, jmlr.org/papers/v12/duchi11a.html.

    start: what the sum of squares begins with, any number of at least 0 and less than 1

    >>> from nd4py.keras.counterparts.keras_updaters import StartedAdaGrad
    >>> updater, params = StartedAdaGrad(0.5, start=0.44, eps=0.0), nd.zeros(1)
    >>> nd.round(updater.update(nd.asarray([1.0]), updater.init(params), 0, 0), 6).tolist()
    [0.416667]
    """

    learning_rate: Any = 1e-3
    start: float = 0.1
    eps: float = 1e-7

    state = ("s",)

    def settings(self, iteration: int, epoch: int) -> dict[str, Any]:
        return {"lr": self.rate(iteration, epoch), "start": self.start, "eps": self.eps}

    def update(
        self, gradient: nd.NDArray, state: State, iteration: int, epoch: int, params: State = None
    ) -> nd.NDArray:
        (s,) = parts(self, state, gradient)
        s[...] = s + nd.square(gradient)
        return gradient * self.rate(iteration, epoch) * nd.rsqrt(s + (self.start + self.eps))


@dataclass(frozen=True)
class ScaledAdaDelta(nn.AdaDelta):
    """AdaDelta whose steps are multiplied by a learning rate.

    >>> from nd4py.keras.counterparts.keras_updaters import ScaledAdaDelta
    >>> updater, params = ScaledAdaDelta(learning_rate=0.5), nd.zeros(1)
    >>> whole = nn.AdaDelta().update(nd.asarray([1.0]), updater.init(params), 0, 0)
    >>> bool(nd.allclose(updater.update(nd.asarray([1.0]), updater.init(params), 0, 0), whole / 2))
    True
    """

    learning_rate: Any = 1e-3

    def settings(self, iteration: int, epoch: int) -> dict[str, Any]:
        return nn.AdaDelta(self.rho, self.eps).settings(iteration, epoch)

    def update(
        self, gradient: nd.NDArray, state: State, iteration: int, epoch: int, params: State = None
    ) -> nd.NDArray:
        step = nn.AdaDelta(self.rho, self.eps).update(gradient, state, iteration, epoch)
        return step * self.rate(iteration, epoch)


@dataclass(frozen=True)
class MomentumRmsProp(nn.Updater):
    """v' = decay * v + (1 - decay) * g**2;  m' = momentum * m + lr * g / sqrt(v' + eps);  delta = m'.

    >>> from nd4py.keras.counterparts.keras_updaters import MomentumRmsProp
    >>> updater, state = MomentumRmsProp(0.1, decay=0.75, momentum=0.5, eps=0.0), nd.zeros(2)
    >>> [float(updater.update(nd.asarray([1.0]), state, i, 0)[0]) for i in range(1)]
    [0.2]
    """

    learning_rate: Any = 1e-3
    decay: float = 0.9
    momentum: float = 0.0
    eps: float = 1e-7

    state: ClassVar[tuple[str, ...]] = ("v", "m")

    def settings(self, iteration: int, epoch: int) -> dict[str, Any]:
        return {"lr": self.rate(iteration, epoch), "decay": self.decay, "momentum": self.momentum, "eps": self.eps}

    def update(
        self, gradient: nd.NDArray, state: State, iteration: int, epoch: int, params: State = None
    ) -> nd.NDArray:
        v, m = parts(self, state, gradient)
        v[...] = v * self.decay + nd.square(gradient) * (1 - self.decay)
        m[...] = m * self.momentum + gradient * self.rate(iteration, epoch) * nd.rsqrt(v + self.eps)
        return nd.copy(m)


@dataclass(frozen=True)
class CenteredRmsProp(MomentumRmsProp):
    """RmsProp by the variance of gradients: v' as in `MomentumRmsProp`, a' = decay * a + (1 - decay) * g;
    m' = momentum * m + lr * g / sqrt(v' - a'**2 + eps);  delta = m'.

    Graves 2013, https://arxiv.org/abs/1308.0850, section 4.2.

    >>> from nd4py.keras.counterparts.keras_updaters import CenteredRmsProp
    >>> updater, state = CenteredRmsProp(0.1, decay=0.5, eps=0.0), nd.zeros(3)
    >>> updater.update(nd.asarray([1.0]), state, 0, 0).tolist(), state.tolist()
    ([0.2], [0.5, 0.2, 0.5])
    """

    state: ClassVar[tuple[str, ...]] = ("v", "m", "a")

    def update(
        self, gradient: nd.NDArray, state: State, iteration: int, epoch: int, params: State = None
    ) -> nd.NDArray:
        v, m, a = parts(self, state, gradient)
        v[...] = v * self.decay + nd.square(gradient) * (1 - self.decay)
        a[...] = a * self.decay + gradient * (1 - self.decay)
        scale = nd.rsqrt(v - nd.square(a) + self.eps)
        m[...] = m * self.momentum + gradient * self.rate(iteration, epoch) * scale
        return nd.copy(m)


def parts(updater: nn.Updater, state: State, gradient: nd.NDArray) -> list[nd.NDArray]:
    """The parts of a state, views in the shape of the gradient.  Raises ValueError for a state of another size."""
    names = updater.state
    if state is None or state.size != len(names) * gradient.size:
        raise ValueError(f"{type(updater).__name__}.update: state must have {len(names)} numbers for each parameter")
    return [
        state.reshape(-1)[i * gradient.size : (i + 1) * gradient.size].reshape(gradient.shape)
        for i in range(len(names))
    ]
