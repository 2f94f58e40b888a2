"""Adam and its relatives: means of gradients over means of their squares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from nd4py import api as nd

from ..numbers import whole
from .updater import Updater


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
class AdamW(Adam):
    """Adam's delta + lr * weight_decay * w, w being the parameters: decay that the gradients' means do not touch.

    All parameters decay, biases too, as in PyTorch: a bias_updater of a layer may be plain Adam.  A network's
    `weight_decay` does the same beside any updater, for weights alone.
    Loshchilov & Hutter 2019, https://arxiv.org/abs/1711.05101, algorithm 2.
    Raises ValueError for a setting that is no finite number in its range.

    >>> updater, params = nn.AdamW(learning_rate=0.1, weight_decay=0.1), nd.ones(1)
    >>> updater.update(nd.asarray([2.0]), updater.init(params), 0, 0, params)
    array([0.11], dtype=float64)
    """

    weight_decay: float = 0.01

    row = nd.adamw_step
    takes_params = True

    def settings(self, iteration: int, epoch: int) -> dict[str, Any]:
        return super().settings(iteration, epoch) | {"weight_decay": self.weight_decay}


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
