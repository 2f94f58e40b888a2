"""Updaters: optimizers that compute the change of the parameters from a gradient.

An updater is a pair over one flat vector of n parameters: `init` makes its state, one vector of zeros that holds
`len(state)` parts of n elements; `update` changes the state in place and returns the amount to subtract.  `advance`
does the same and leaves the state as it is, so that a step that is interrupted has changed nothing.
The arithmetic is a row of the table, one pass over memory.  Where Deeplearning4j and the papers differ (the epsilon of
the Adam family, the second moment of Nadam) the papers are followed.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from nd4py import api as nd
from nd4py.api.arguments import array

from ..numbers import real, whole
from .schedules import checked_rate, rate_at

State = nd.NDArray | None


@dataclass(frozen=True)
class Updater(ABC):
    """The base class of updaters.

    learning_rate: a number or a schedule
    eps: a number >= 0 that keeps divisors away from 0
    b1, b2, decay, momentum, rho: how much of a former mean stays in a step, a number in [0, 1)
    Raises ValueError for a setting that is no finite number in its range.

    >>> isinstance(nn.Adam(), nn.Updater), nn.Adam().state
    (True, ('m', 'v'))
    """

    state: ClassVar[tuple[str, ...]] = ()  # names of the parts, which are operands and results of `row`
    row: ClassVar[Callable[..., Any]]  # (gradient, *parts, **settings) -> (*parts, delta)

    def __post_init__(self) -> None:
        for field in fields(self):
            what, value = f"{type(self).__name__}: {field.name}", getattr(self, field.name)
            if field.name == "learning_rate":
                value = checked_rate(value, what)
            elif real(value, what, low=0.0) >= 1.0 and field.name != "eps":
                raise ValueError(f"{what} must be at least 0 and less than 1, given {value!r}")
            object.__setattr__(self, field.name, value)

    def init(self, params: nd.NDArray) -> State:
        """The state before the first update, or None for updaters without any.

        Raises TypeError for an argument that is not an array.
        """
        if not self.state:
            return None
        array(f"{type(self).__name__}.init: params", params)
        return nd.zeros(len(self.state) * params.size, dtype=params.dtype, device=params.device)

    def rate(self, iteration: int, epoch: int) -> float:
        """The learning rate at this point of the training; 1 for updaters that have none.

        Raises ValueError unless `iteration` and `epoch` are whole numbers of at least 0.
        """
        return rate_at(getattr(self, "learning_rate", 1.0), iteration, epoch)

    @abstractmethod
    def settings(self, iteration: int, epoch: int) -> dict[str, Any]:
        """The numbers `row` takes at `iteration`, counted from 0.

        Raises ValueError unless `iteration` is a whole number of at least 0, and what a schedule raises.
        """

    def update(self, gradient: nd.NDArray, state: State, iteration: int, epoch: int) -> nd.NDArray:
        """The amount to subtract from the parameters, at `iteration` counted from 0.  Changes `state` in place.

        Raises TypeError for an argument that is not an array, ValueError for a state of another size.
        """
        return self._by_row(gradient, state, state, nd.empty_like(gradient), iteration, epoch)

    def advance(self, gradient: nd.NDArray, state: State, iteration: int, epoch: int) -> tuple[nd.NDArray, State]:
        """The amount to subtract, and the state after the update, a new vector; `state` stays as it is.

        The amount may be written over `gradient`.
        Raises TypeError for an argument that is not an array, ValueError for a state of another size.
        """
        if state is None:
            return self.update(gradient, None, iteration, epoch), None
        if type(self).update is Updater.update:
            advanced = nd.empty_like(array("advance: state", state))
            return self._by_row(gradient, state, advanced, gradient, iteration, epoch), advanced
        advanced = array("advance: state", state).copy()  # an update of its own writes where it reads
        return self.update(gradient, advanced, iteration, epoch), advanced

    def _by_row(
        self, gradient: nd.NDArray, state: State, into: State, delta: nd.NDArray, iteration: int, epoch: int
    ) -> nd.NDArray:
        settings, n = self.settings(iteration, epoch), array("update: gradient", gradient).size
        n_parts = len(self.state)
        type(self).row(gradient, *parts(state, n_parts, n), **settings, out=(*parts(into, n_parts, n), delta))
        return delta


def parts(state: Any, n_parts: int, n: int) -> list[nd.NDArray]:
    """Views of the parts of `n` elements that a flat state is made of.  Raises ValueError unless it has as many."""
    if array("update: state", state).shape != (n_parts * n,):
        raise ValueError(f"update: state must have {n_parts} elements for each of {n}, given shape {state.shape}")
    return [state[start : start + n] for start in range(0, n_parts * n, n or 1)]


@dataclass(frozen=True)
class NoOp(Updater):
    """delta = g

    Raises nothing.

    >>> nn.NoOp().update(nd.asarray([1.0, 2.0]), None, 0, 0)
    array([1., 2.], dtype=float64)
    """

    def settings(self, iteration: int, epoch: int) -> dict[str, Any]:
        return {}

    def update(self, gradient: nd.NDArray, state: State, iteration: int, epoch: int) -> nd.NDArray:
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

    def update(self, gradient: nd.NDArray, state: State, iteration: int, epoch: int) -> nd.NDArray:
        return nd.sgd_step(array("update: gradient", gradient), **self.settings(iteration, epoch))


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

    def settings(self, iteration: int, epoch: int) -> dict[str, Any]:
        return {"rho": self.rho, "eps": self.eps}

    def update(self, gradient: nd.NDArray, state: State, iteration: int, epoch: int) -> nd.NDArray:
        s, x = parts(state, 2, array("update: gradient", gradient).size)
        delta = nd.empty_like(gradient)
        nd.adadelta_step(gradient, s, x, **self.settings(iteration, epoch), out=(s, delta, x))
        return delta


@dataclass(frozen=True)
class Adam(Updater):
    """m, v = decaying means of g, g**2;  delta = lr * (m / c1) / (sqrt(v / c2) + eps)

    c1 = 1 - b1**t and c2 = 1 - b2**t make up for means that start at 0; t counts iterations from 1.
    Kingma & Ba 2015, https://arxiv.org/abs/1412.6980, algorithm 1.  Deeplearning4j adds eps before the correction c2.
    Raises ValueError for a setting that is no finite number in its range.

    >>> updater = nn.Adam(learning_rate=0.1)
    >>> updater.update(nd.asarray([2.0]), updater.init(nd.zeros(1)), 0, 0)
    array([0.1], dtype=float64)
    """

    learning_rate: Any = 1e-3
    b1: float = 0.9
    b2: float = 0.999
    eps: float = 1e-8

    state: ClassVar[tuple[str, ...]] = ("m", "v")
    row: ClassVar[Callable[..., Any]] = nd.adam_step

    def settings(self, iteration: int, epoch: int) -> dict[str, Any]:
        t = whole(iteration, "iteration", least=0) + 1
        moments = {"lr": self.rate(iteration, epoch), "b1": self.b1, "b2": self.b2, "eps": self.eps}
        return moments | {"c1": 1.0 - self.b1**t, "c2": 1.0 - self.b2**t}


@dataclass(frozen=True)
class AdaMax(Adam):
    """u = max(b2 * u, |g| + eps);  delta = lr * (m / c1) / u.  Kingma & Ba 2015, algorithm 2.

    Raises ValueError for a setting that is no finite number in its range.

    >>> updater = nn.AdaMax(learning_rate=0.1)
    >>> updater.update(nd.asarray([2.0]), updater.init(nd.zeros(1)), 0, 0)
    array([0.1], dtype=float64)
    """

    state = ("m", "u")
    row = nd.adamax_step

    def settings(self, iteration: int, epoch: int) -> dict[str, Any]:
        return {name: value for name, value in super().settings(iteration, epoch).items() if name != "c2"}


@dataclass(frozen=True)
class AMSGrad(Adam):
    """Adam with h, the largest v so far, in place of v.  Reddi et al. 2018, https://arxiv.org/abs/1904.09237.

    Raises ValueError for a setting that is no finite number in its range.

    >>> updater = nn.AMSGrad(learning_rate=0.1)
    >>> updater.update(nd.asarray([2.0]), updater.init(nd.zeros(1)), 0, 0)
    array([0.1], dtype=float64)
    """

    state = ("m", "v", "h")
    row = nd.amsgrad_step


@dataclass(frozen=True)
class Nadam(Adam):
    """delta = lr * (b1 * m / c1_next + (1 - b1) * g / c1) / (sqrt(v / c2) + eps), c1_next that of the next step.

    Dozat 2016, ICLR workshop, algorithm 2.  Deeplearning4j leaves v uncorrected, which makes early steps huge.
    Raises ValueError for a setting that is no finite number in its range.

    >>> updater = nn.Nadam(learning_rate=0.1)
    >>> updater.update(nd.asarray([2.0]), updater.init(nd.zeros(1)), 0, 0)
    array([0.14736842], dtype=float64)
    """

    row = nd.nadam_step

    def settings(self, iteration: int, epoch: int) -> dict[str, Any]:
        return super().settings(iteration, epoch) | {"c1_next": 1.0 - self.b1 ** (iteration + 2)}


@dataclass(frozen=True)
class AdaBelief(Adam):
    """Adam with s, the decaying mean of (g - m)**2, in place of v.  Zhuang et al. 2020, arXiv:2010.07468.

    Raises ValueError for a setting that is no finite number in its range.

    >>> updater = nn.AdaBelief(learning_rate=0.1)
    >>> updater.update(nd.asarray([2.0]), updater.init(nd.zeros(1)), 0, 0)
    array([0.11111111], dtype=float64)
    """

    eps: float = 1e-14

    state = ("m", "s")
    row = nd.adabelief_step


UPDATERS = {
    updater.__name__: updater
    for updater in (NoOp, Sgd, Nesterovs, AdaGrad, RmsProp, AdaDelta, Adam, AdaMax, AMSGrad, Nadam, AdaBelief)
}
