"""Distributions that weights may be drawn from, such as `weight_init=Uniform(-0.1, 0.1)`."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from nd4py import api as nd

from ..names import Settings, look_up
from ..numbers import real, whole
from ..parameters import Parameter

# The standard deviation of a standard normal variable cut at -2 and 2.
CUT_NORMAL_STD = 0.87962566103423978


class Distribution(Settings, ABC):
    """A distribution for the initial values of a weight.

    >>> class Ones(nn.Distribution):
    ...     def __call__(self, rng, parameter, dtype):
    ...         return nd.ones(parameter.shape, dtype=dtype)
    >>> layers = [nn.OutputLayer(2, weight_init=Ones())]
    >>> net = nn.MultiLayerNetwork(layers, input_type=nn.InputType.feed_forward(1))
    >>> net.param_table()["0_W"]
    array([[1., 1.]], dtype=float32)
    """

    @abstractmethod
    def __call__(self, rng: Any, parameter: Parameter, dtype: Any) -> nd.NDArray:
        """An array of `parameter.shape`."""


@dataclass(frozen=True)
class Constant(Distribution):
    """The same value everywhere.  Raises ValueError for a parameter that is no finite number in its range.

    >>> net = nn.MultiLayerNetwork(
    ...     [nn.OutputLayer(2, weight_init=nn.Constant(0.5))], input_type=nn.InputType.feed_forward(2)
    ... )
    >>> net.param_table()["0_W"]
    array([[0.5, 0.5],
           [0.5, 0.5]], dtype=float32)
    """

    value: float

    def __post_init__(self) -> None:
        real(self.value, "Constant: value")

    def __call__(self, rng: Any, parameter: Parameter, dtype: Any) -> nd.NDArray:
        return nd.full(parameter.shape, self.value, dtype=dtype)


@dataclass(frozen=True)
class Normal(Distribution):
    """N(mean, std**2)

    Raises ValueError for a parameter that is no finite number in its range.

    >>> nn.Normal(0.0, 0.01)(nd.random.Generator(1), nn.Parameter("W", (2, 3)), "float64")
    array([[-0.0011368 , -0.0045787 , -0.00288596],
           [-0.00431052,  0.00953909, -0.00512086]], dtype=float64)
    """

    mean: float = 0.0
    std: float = 1.0

    def __post_init__(self) -> None:
        real(self.mean, f"{type(self).__name__}: mean")
        real(self.std, f"{type(self).__name__}: std", low=0.0)

    def __call__(self, rng: Any, parameter: Parameter, dtype: Any) -> nd.NDArray:
        return rng.normal(self.mean, self.std, parameter.shape, dtype=dtype)


@dataclass(frozen=True)
class TruncatedNormal(Normal):
    """N(mean, std**2) with values more than two `std` from the mean drawn again.

    Raises ValueError for a parameter that is no finite number in its range.

    >>> nn.TruncatedNormal(mean=0.0, std=0.1)(nd.random.Generator(1), nn.Parameter("W", (2, 3)), "float64")
    array([[-0.01136802, -0.04578696, -0.02885956],
           [-0.04310525,  0.09539093, -0.05120863]], dtype=float64)
    """

    def __call__(self, rng: Any, parameter: Parameter, dtype: Any) -> nd.NDArray:
        x = rng.normal(size=parameter.shape, dtype=dtype)
        while nd.any(is_far := nd.abs(x) > 2.0):
            x = nd.where(is_far, rng.normal(size=parameter.shape, dtype=dtype), x)
        return x * self.std + self.mean


@dataclass(frozen=True)
class LogNormal(Normal):
    """exp(N(mean, std**2))

    Raises ValueError for a parameter that is no finite number in its range.

    >>> nn.LogNormal(mean=0.0, std=0.5)(nd.random.Generator(1), nn.Parameter("W", (2, 3)), "float64")
    array([[0.94474512, 0.79538038, 0.86562991],
           [0.80611712, 1.61116037, 0.77410855]], dtype=float64)
    """

    def __call__(self, rng: Any, parameter: Parameter, dtype: Any) -> nd.NDArray:
        return nd.exp(super().__call__(rng, parameter, dtype))


@dataclass(frozen=True)
class Uniform(Distribution):
    """Uniform in [low, high).  Raises ValueError for a parameter that is no finite number in its range.

    >>> nn.Uniform(-0.1, 0.1)(nd.random.Generator(1), nn.Parameter("W", (2, 3)), "float64")
    array([[0.07893694, 0.04225362, 0.07482239],
           [0.03122063, 0.01130005, 0.08431767]], dtype=float64)
    """

    low: float
    high: float

    def __post_init__(self) -> None:
        real(self.high, "Uniform: high", low=real(self.low, "Uniform: low"))

    def __call__(self, rng: Any, parameter: Parameter, dtype: Any) -> nd.NDArray:
        return rng.uniform(self.low, self.high, parameter.shape, dtype=dtype)


@dataclass(frozen=True)
class Binomial(Distribution):
    """How many of `trials` independent trials of probability `p` succeed.

    Raises ValueError for a parameter that is no finite number in its range.

    >>> nn.Binomial(trials=4, p=0.5)(nd.random.Generator(1), nn.Parameter("W", (2, 3)), "float64")
    array([[2., 2., 1.],
           [0., 1., 2.]], dtype=float64)
    """

    trials: int
    p: float

    def __post_init__(self) -> None:
        whole(self.trials, "Binomial: trials")
        real(self.p, "Binomial: p", low=0.0, high=1.0)

    def __call__(self, rng: Any, parameter: Parameter, dtype: Any) -> nd.NDArray:
        successes = nd.zeros(parameter.shape, dtype=dtype)
        for _ in range(self.trials):
            successes += nd.astype(rng.uniform(size=parameter.shape, dtype=dtype) < self.p, dtype)
        return successes


@dataclass(frozen=True)
class Orthogonal(Distribution):
    """Orthonormal rows (or columns, whichever are fewer) of the weight seen as a matrix, times `gain`.

    The matrix has the first size as rows and the rest as columns.
    Saxe et al. 2014, https://arxiv.org/abs/1312.6120; by Gram-Schmidt, each row projected twice, which is as exact as
    Householder's method (Giraud et al. 2005, "twice is enough").
    Raises ValueError for a parameter that is no finite number in its range.

    >>> nn.Orthogonal(gain=1.0)(nd.random.Generator(1), nn.Parameter("W", (2, 3)), "float64")
    array([[-0.20555444, -0.82791145, -0.52183332],
           [-0.48103236,  0.54983462, -0.68285413]], dtype=float64)
    """

    gain: float = 1.0

    def __post_init__(self) -> None:
        real(self.gain, "Orthogonal: gain")

    def __call__(self, rng: Any, parameter: Parameter, dtype: Any) -> nd.NDArray:
        rows, columns = parameter.shape[0], math.prod(parameter.shape[1:])
        is_tall = rows > columns
        matrix = rng.normal(size=(columns, rows) if is_tall else (rows, columns), dtype="float64")
        orthonormalize_rows(matrix)
        matrix = (matrix.T if is_tall else matrix) * self.gain
        return nd.astype(nd.reshape(matrix, parameter.shape), dtype)


def orthonormalize_rows(matrix: nd.NDArray) -> None:
    """Make the rows of `matrix` (rows <= columns) orthonormal, in place."""
    for i in range(matrix.shape[0]):
        row, done = matrix[i], matrix[:i]
        for _ in range(2 if i else 0):
            row = row - (done @ row) @ done
        matrix[i] = row / math.sqrt(float(nd.sum_of_squares(row)))


MODES: dict[str, Callable[[Parameter], float]] = {
    "fan_in": lambda parameter: parameter.fan_in,
    "fan_out": lambda parameter: parameter.fan_out,
    "fan_avg": lambda parameter: (parameter.fan_in + parameter.fan_out) / 2,
}
# What has a variance and a mean of 0.  A cut normal variable has the variance after the cut.
SHAPES: dict[str, Callable[[float], Distribution]] = {
    "normal": lambda variance: Normal(0.0, math.sqrt(variance)),
    "truncated_normal": lambda variance: TruncatedNormal(0.0, math.sqrt(variance) / CUT_NORMAL_STD),
    "uniform": lambda variance: Uniform(-math.sqrt(3 * variance), math.sqrt(3 * variance)),
}


@dataclass(frozen=True)
class VarianceScaling(Distribution):
    """A distribution of mean 0 and variance scale / n, where n is a number of inputs or outputs of the layer.

    mode: n is "fan_in", the inputs that one output is made of, "fan_out", the outputs that one input goes to, or
        "fan_avg", their mean.  Of convolutions they are channels * kernel height * kernel width and
        filters * kernel height * kernel width
    distribution: "normal", "uniform", in +-sqrt(3 scale / n), or "truncated_normal": cut at two standard deviations,
        and wider before the cut, so that the variance is the same
    Keras calls its "normal" one "untruncated_normal"; its `HeNormal` is VarianceScaling(2.0), its `GlorotUniform`
    VarianceScaling(1.0, "fan_avg", "uniform").
    Raises ValueError for a scale that is no number above 0, and for unknown names.

    >>> nn.VarianceScaling(2.0, "fan_in", "uniform")(nd.random.Generator(1), nn.Parameter("W", (2, 2), 2, 2), "float64")
    array([[1.36722796, 0.73185409],
           [1.29596176, 0.54075724]], dtype=float64)
    """

    scale: float = 1.0
    mode: str = "fan_in"
    distribution: str = "truncated_normal"

    def __post_init__(self) -> None:
        if real(self.scale, "VarianceScaling: scale", low=0.0) == 0.0:
            raise ValueError(f"VarianceScaling: scale must be above 0, given {self.scale!r}; use Constant(0.0)")
        look_up(MODES, self.mode, "mode")
        look_up(SHAPES, self.distribution, "distribution")

    def __call__(self, rng: Any, parameter: Parameter, dtype: Any) -> nd.NDArray:
        return SHAPES[self.distribution](self.scale / MODES[self.mode](parameter))(rng, parameter, dtype)


DISTRIBUTIONS = {
    distribution.__name__: distribution
    for distribution in (
        Constant,
        Normal,
        TruncatedNormal,
        LogNormal,
        Uniform,
        Binomial,
        Orthogonal,
        VarianceScaling,
    )
}
