"""Activation functions by name, and `Activation`s with settings."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from nd4py import api as nd
from nd4py.api.arguments import array, having

from .names import Settings, look_up
from .numbers import real

Function = Callable[[nd.NDArray], nd.NDArray]


@dataclass(frozen=True)
class Activation(Settings, ABC):
    """The base class of activations with settings: `activation=nn.LeakyReLU(0.2)` in place of a name.

    Raises ValueError for a setting that is no finite number.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Sine(nn.Activation):
    ...     frequency: float = 1.0
    ...     def __call__(self, x):
    ...         return nd.sin(self.frequency * x)
    >>> nn.DenseLayer(2, activation=Sine(30.0)).activation
    Sine(frequency=30.0)
    """

    def __post_init__(self) -> None:
        for field in fields(self):
            if field.type in (float, "float"):
                real(getattr(self, field.name), f"{type(self).__name__}: {field.name}")

    @abstractmethod
    def __call__(self, x: nd.NDArray) -> nd.NDArray:
        """The outputs for `x`, of its shape.  Raises TypeError for an argument that is not an array."""

    def in_training(self, x: nd.NDArray, rng: Any) -> nd.NDArray:
        """The same while a network trains: activations that are random then draw from the generator `rng`.

        Returns an array of the shape of `x`.  Raises TypeError for an argument that is not an array.
        """
        return self(x)


@dataclass(frozen=True)
class LeakyReLU(Activation):
    """x above 0, alpha * x below.  Raises ValueError for a setting that is no finite number.

    >>> nn.LeakyReLU(0.2)(nd.asarray([-1.0, 2.0]))
    array([-0.2,  2. ], dtype=float64)
    """

    alpha: float = 0.01

    def __call__(self, x: nd.NDArray) -> nd.NDArray:
        return nd.leaky_relu(array("LeakyReLU: x", x), alpha=self.alpha)


@dataclass(frozen=True)
class ELU(Activation):
    """x above 0, alpha * (exp(x) - 1) below.  Clevert et al. 2015, https://arxiv.org/abs/1511.07289.

    Raises ValueError for a setting that is no finite number.

    >>> nn.ELU(alpha=0.5)(nd.asarray([-1.0, 2.0]))
    array([-0.31606028,  2.        ], dtype=float64)
    """

    alpha: float = 1.0

    def __call__(self, x: nd.NDArray) -> nd.NDArray:
        return nd.elu(array("ELU: x", x), alpha=self.alpha)


@dataclass(frozen=True)
class ThresholdedReLU(Activation):
    """x above theta, else 0.  Raises ValueError for a setting that is no finite number.

    >>> nn.ThresholdedReLU(0.5)(nd.asarray([0.4, 0.6]))
    array([0. , 0.6], dtype=float64)
    """

    theta: float = 1.0

    def __call__(self, x: nd.NDArray) -> nd.NDArray:
        return nd.threshold_relu(array("ThresholdedReLU: x", x), theta=self.theta)


@dataclass(frozen=True)
class RReLU(Activation):
    """x above 0, alpha * x below: in training alpha is drawn uniformly from [lower, upper) for every element.

    Otherwise alpha is the mean, (lower + upper) / 2.
    lower, upper: between which slopes lie.  Xu et al. 2015, https://arxiv.org/abs/1505.00853, section 2.4.
    Raises ValueError for settings that are no finite numbers, or an upper one below the lower.

    >>> nn.RReLU(0.1, 0.3)(nd.asarray([-1.0, 2.0]))
    array([-0.2,  2. ], dtype=float64)
    """

    lower: float = 1 / 8
    upper: float = 1 / 3

    def __post_init__(self) -> None:
        real(self.upper, "RReLU: upper", low=real(self.lower, "RReLU: lower"))

    def __call__(self, x: nd.NDArray) -> nd.NDArray:
        return nd.leaky_relu(array("RReLU: x", x), alpha=(self.lower + self.upper) / 2)

    def in_training(self, x: nd.NDArray, rng: Any) -> nd.NDArray:
        draw = having("RReLU: rng", rng, "a generator", "uniform").uniform
        slopes = draw(self.lower, self.upper, array("RReLU: x", x).shape, dtype=x.dtype, device=x.device)
        return nd.where(x > 0, x, slopes * x)


def identity(x: nd.NDArray) -> nd.NDArray:
    """x itself."""
    return x


def exponential(x: nd.NDArray) -> nd.NDArray:
    """exp(x)"""
    return nd.exp(x)


def tanh_shrink(x: nd.NDArray) -> nd.NDArray:
    """x - tanh(x)"""
    return x - nd.tanh(x)


def features_axis(x: nd.NDArray) -> int:
    """The axis of a batch that its features or channels lie along: the last of rows and sequences, 1 of images."""
    return 1 if x.ndim > 3 else x.ndim - 1


def softmax(x: nd.NDArray) -> nd.NDArray:
    """exp(x) / sum(exp(x)) over the outputs of a row, the numbers of a step of a sequence, the channels of an image."""
    return nd.softmax(x, axis=features_axis(x))


def log_softmax(x: nd.NDArray) -> nd.NDArray:
    """log(softmax(x)), without overflow."""
    return nd.log_softmax(x, axis=features_axis(x))


# Of a class, the name stands for an object with its defaults.
ACTIVATIONS: Mapping[str, Any] = {
    function.__name__: function
    for function in (
        identity,
        softmax,
        log_softmax,
        exponential,
        nd.celu,
        nd.cube,
        nd.elu,
        nd.gelu,
        nd.gelu_tanh,
        nd.hard_shrink,
        nd.hard_sigmoid,
        nd.hard_swish,
        nd.hard_tanh,
        nd.leaky_relu,
        nd.log_sigmoid,
        nd.mish,
        nd.rational_tanh,
        nd.rectified_tanh,
        nd.relu,
        nd.relu6,
        nd.selu,
        nd.sigmoid,
        nd.soft_shrink,
        nd.softplus,
        nd.softsign,
        nd.swish,
        nd.tanh,
        tanh_shrink,
        nd.threshold_relu,
    )
} | {"rrelu": RReLU, "silu": nd.swish}
# Activations with settings.
ACTIVATION_TYPES = {activation.__name__: activation for activation in (ELU, LeakyReLU, RReLU, ThresholdedReLU)}


def activation(setting: Any) -> Function:
    """The function called `setting`, or that `Activation` itself; `identity` for None.

    Raises ValueError that lists the names there are.
    """
    if setting is None or isinstance(setting, Activation):
        return identity if setting is None else setting
    found: Function = look_up(ACTIVATIONS, setting, "activation")
    return found() if isinstance(found, type) else found


def activated(setting: Any, x: nd.NDArray, *, train: bool = False, rng: Any = None) -> nd.NDArray:
    """The activation of `x`; while a network trains, a random one draws from `rng`.

    Raises ValueError for an unknown name.
    """
    function = activation(setting)
    return function.in_training(x, rng) if train and isinstance(function, Activation) else function(x)
