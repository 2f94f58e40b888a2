"""Noise of weights: what a network computes with in training in place of its weights."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from nd4py import api as nd
from nd4py.api.arguments import array, having, instance

from ..initialization.distributions import Distribution
from ..names import Settings
from ..parameters import Parameter
from .dropouts import checked_rate, drawn_dtype


@dataclass(frozen=True, kw_only=True)
class ParameterNoise(Settings, ABC):
    """The base class of what `weight_noise=` of a layer takes.

    biases: whether they are changed too.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Rounded(nn.ParameterNoise):
    ...     def changed(self, weights, parameter, rng):
    ...         return nd.round(weights)
    >>> Rounded().apply(nd.asarray([0.4, 1.6]), nn.Parameter("W", (2,)), None)
    array([0., 2.], dtype=float64)
    """

    biases: bool = False

    def apply(self, weights: nd.NDArray, parameter: Parameter, rng: Any) -> nd.NDArray:
        """The array that a layer computes with in training; `weights`, the values of `parameter`, stay as they are.

        rng: a generator, which all randomness comes from
        Returns an array of the same shape, `weights` itself for running values and, unless `biases`, for biases.
        Raises TypeError for other arguments than an array, a parameter and a generator.
        """
        array("apply: weights", weights)
        is_left = instance("apply: parameter", parameter, Parameter).is_state or (parameter.is_bias and not self.biases)
        return weights if is_left else self.changed(weights, parameter, rng)

    @abstractmethod
    def changed(self, weights: nd.NDArray, parameter: Parameter, rng: Any) -> nd.NDArray:
        """The same for a parameter that is to change.  Raises TypeError for anything but a generator."""


@dataclass(frozen=True)
class DropConnect(ParameterNoise):
    """Each weight is 0 with probability `rate`, the others grow by 1 / (1 - rate), so that their mean stays.

    Wan et al. 2013, https://proceedings.mlr.press/v28/wan13.html, whose weights shrink after training instead.
    Raises ValueError for a rate outside [0, 1).

    >>> nn.DropConnect(0.5).apply(nd.ones(4), nn.Parameter("W", (4,)), nd.random.Generator(7))
    array([2., 0., 2., 2.], dtype=float64)
    """

    rate: float = 0.5

    def __post_init__(self) -> None:
        checked_rate(self.rate, "DropConnect: rate")

    def changed(self, weights: nd.NDArray, parameter: Parameter, rng: Any) -> nd.NDArray:
        draw = having("DropConnect: rng", rng, "a generator", "uniform").uniform
        shape = array("DropConnect: weights", weights).shape
        drawn = draw(size=shape, dtype=drawn_dtype(weights), device=weights.device)
        return weights * (nd.astype(drawn >= self.rate, weights.dtype) * (1.0 / (1.0 - self.rate)))


@dataclass(frozen=True)
class WeightNoise(ParameterNoise):
    """Draws of a distribution are added to the weights, or multiplied with them.

    distribution: what is drawn from; additive: whether draws are added.
    Raises TypeError for anything but a `Distribution`, ValueError for an `additive` that is no bool.

    >>> nn.WeightNoise(nn.Constant(0.5)).apply(nd.ones(2), nn.Parameter("W", (2,)), nd.random.Generator(1))
    array([1.5, 1.5], dtype=float64)
    """

    distribution: Distribution
    additive: bool = True

    def __post_init__(self) -> None:
        instance("WeightNoise: distribution", self.distribution, Distribution)
        if not isinstance(self.additive, bool):
            raise ValueError(f"WeightNoise: additive must be True or False, given {self.additive!r}")

    def changed(self, weights: nd.NDArray, parameter: Parameter, rng: Any) -> nd.NDArray:
        rng = having("WeightNoise: rng", rng, "a generator", "normal", "uniform")
        instance("WeightNoise: parameter", parameter, Parameter)
        drawn = self.distribution(rng, parameter, drawn_dtype(array("WeightNoise: weights", weights)))
        drawn = nd.astype(nd.asarray(drawn, device=weights.device), weights.dtype, copy=False)
        return weights + drawn if self.additive else weights * drawn


WEIGHT_NOISES = {noise.__name__: noise for noise in (DropConnect, WeightNoise)}
