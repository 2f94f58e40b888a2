"""What changes the input of a layer at random while it trains: dropout in its kinds, and noise."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from nd4py import api as nd
from nd4py.api.arguments import array, having

from ..activations import features_axis
from ..names import Settings
from ..numbers import real

# Where SELU goes for large negative numbers, -scale * alpha, which dropped elements become.
SELU_LIMIT = -1.7580993408473766


class InputNoise(Settings, ABC):
    """The base class of what `dropout=` of a layer takes beside a rate.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Halved(nn.InputNoise):
    ...     def apply(self, x, rng):
    ...         return x / 2
    >>> nn.DropoutLayer(Halved()).forward({}, nd.ones(2), train=True)
    array([0.5, 0.5], dtype=float64)
    """

    @abstractmethod
    def apply(self, x: nd.NDArray, rng: Any) -> nd.NDArray:
        """`x` as a layer sees it in training; all randomness comes from the generator `rng`.

        Returns an array of the shape of `x`.  Raises TypeError for other arguments than an array and a generator.
        """


@dataclass(frozen=True)
class Dropout(InputNoise):
    """Each element is 0 with probability `rate`, the others grow by 1 / (1 - rate).

    `rate` is the share that is dropped; in Deeplearning4j's dropOut(p) the number is the share that is kept.
    Srivastava et al. 2014, https://jmlr.org/papers/v15/srivastava14a.html
    Raises ValueError for a rate outside [0, 1).

    >>> nn.Dropout(0.5).apply(nd.ones(4), nd.random.Generator(1))
    array([2., 2., 2., 2.], dtype=float64)
    """

    rate: float = 0.5

    def __post_init__(self) -> None:
        checked_rate(self.rate, f"{type(self).__name__}: rate")

    def apply(self, x: nd.NDArray, rng: Any) -> nd.NDArray:
        kept = keep_mask(array("apply: x", x), x.shape, self.rate, rng)
        return x * (kept * (1.0 / (1.0 - self.rate)))


@dataclass(frozen=True)
class SpatialDropout(Dropout):
    """Dropout of whole channels of images, and of whole features of sequences, for each example anew.

    Tompson et al. 2015, https://arxiv.org/abs/1411.4280, section 3.2.
    Raises ValueError for a rate outside [0, 1).

    >>> nn.SpatialDropout(0.5).apply(nd.ones((1, 3, 2)), nd.random.Generator(3))  # three steps of two features
    array([[[0., 2.],
            [0., 2.],
            [0., 2.]]], dtype=float64)
    """

    def apply(self, x: nd.NDArray, rng: Any) -> nd.NDArray:
        axis = features_axis(array("apply: x", x))
        if x.ndim < 3:
            raise ValueError(f"SpatialDropout: sequences, images or volumes are needed, given shape {x.shape}")
        shape = tuple(n if i in (0, axis) else 1 for i, n in enumerate(x.shape))
        return x * (keep_mask(x, shape, self.rate, rng) * (1.0 / (1.0 - self.rate)))


@dataclass(frozen=True)
class AlphaDropout(Dropout):
    """Dropout for layers with "selu": mean 0 and variance 1 stay, because elements drop to SELU's limit, not to 0.

    y = a * (x * kept - 1.7581 * (1 - kept)) + b, a and b such that mean and variance of N(0, 1) stay.
    Klambauer et al. 2017, https://arxiv.org/abs/1706.02515, section 3.
    Raises ValueError for a rate outside [0, 1).

    >>> nn.AlphaDropout(0.5).apply(nd.zeros(4), nd.random.Generator(1))
    array([0.77919393, 0.77919393, 0.77919393, 0.77919393], dtype=float64)
    """

    def apply(self, x: nd.NDArray, rng: Any) -> nd.NDArray:
        kept, share = keep_mask(array("apply: x", x), x.shape, self.rate, rng), 1.0 - self.rate
        scale = 1.0 / math.sqrt(share + SELU_LIMIT**2 * share * self.rate)
        return (x * kept + SELU_LIMIT * (1.0 - kept)) * scale - scale * self.rate * SELU_LIMIT


@dataclass(frozen=True)
class GaussianDropout(Dropout):
    """Each element times a draw of N(1, rate / (1 - rate)), which has the mean and variance of dropout.

    Srivastava et al. 2014, https://jmlr.org/papers/v15/srivastava14a.html, section 10.
    Raises ValueError for a rate outside [0, 1).

    >>> nn.GaussianDropout(0.2).apply(nd.ones(3), nd.random.Generator(1))
    array([0.9431599 , 0.77106518, 0.85570218], dtype=float64)
    """

    def apply(self, x: nd.NDArray, rng: Any) -> nd.NDArray:
        return x * _normal(x, 1.0, math.sqrt(self.rate / (1.0 - self.rate)), rng)


@dataclass(frozen=True)
class GaussianNoise(InputNoise):
    """x + N(0, stddev**2).  Raises ValueError for a negative deviation.

    >>> nn.GaussianNoise(0.1).apply(nd.zeros(3), nd.random.Generator(1))
    array([-0.01136802, -0.04578696, -0.02885956], dtype=float64)
    """

    stddev: float = 0.1

    def __post_init__(self) -> None:
        real(self.stddev, "GaussianNoise: stddev", low=0.0)

    def apply(self, x: nd.NDArray, rng: Any) -> nd.NDArray:
        return x + _normal(x, 0.0, self.stddev, rng)


def checked_rate(rate: Any, what: str) -> None:
    """Raises ValueError naming `what` for a rate outside [0, 1)."""
    if real(rate, what, low=0.0, high=1.0) == 1.0:
        raise ValueError(f"{what} 1 would drop everything; rate is the share that is dropped")


def checked_noise(dropout: Any, what: str) -> None:
    """Raises ValueError naming `what` for what is no rate and no `InputNoise`."""
    if not isinstance(dropout, InputNoise):
        checked_rate(dropout, what)


def with_noise(dropout: Any, x: nd.NDArray, rng: Any) -> nd.NDArray:
    """`x` with dropout of a rate, or with an `InputNoise`."""
    noise = dropout if isinstance(dropout, InputNoise) else Dropout(dropout)
    return x if isinstance(noise, Dropout) and noise.rate == 0.0 else noise.apply(x, rng)


def keep_mask(x: nd.NDArray, shape: tuple[int, ...], rate: float, rng: Any) -> nd.NDArray:
    """1 for what is kept, 0 for what is dropped."""
    draw = having("dropout: rng", rng, "a generator", "uniform").uniform
    return nd.astype(draw(size=shape, dtype=drawn_dtype(x), device=x.device) >= rate, x.dtype)


def drawn_dtype(x: nd.NDArray) -> Any:
    """The dtype that random numbers for `x` are drawn in: generators draw none of 16 bits."""
    return nd.result_type(x.dtype, "float32")


def _normal(x: nd.NDArray, mean: float, stddev: float, rng: Any) -> nd.NDArray:
    draw = having("dropout: rng", rng, "a generator", "normal").normal
    drawn: nd.NDArray = draw(mean, stddev, array("apply: x", x).shape, dtype=drawn_dtype(x), device=x.device)
    return nd.astype(drawn, x.dtype, copy=False)


DROPOUTS = {
    dropout.__name__: dropout for dropout in (AlphaDropout, Dropout, GaussianDropout, GaussianNoise, SpatialDropout)
}
