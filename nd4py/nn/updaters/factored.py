"""AdaFactor: Adam's second moments of a matrix, kept as the means of its rows and of its columns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nd4py import api as nd
from nd4py.api.arguments import array

from ..numbers import real, whole
from .schedule import checked_rate
from .updater import State, Updater, parts, sizes


@dataclass(frozen=True)
class AdaFactor(Updater):
    """delta = rate * max(parameter_eps, rms(p)) * u / max(1, rms(u) / clipping_threshold),  u = g / sqrt(v)

    Of a parameter with two axes or more, v is r * c / mean(r), where r and c are the decaying means of g**2 + eps over
    the columns and over the rows of its two longest axes: the state of an n x m matrix has n + m elements, where Adam's
    has 2 n m.  Of a vector v is the decaying mean of g**2 + eps itself.  In step t, counted from 1, a share of
    1 - t**-decay_exponent of the former means stays.
    Shazeer & Stern 2018, https://arxiv.org/abs/1804.04235, algorithms 4 to 6.

    learning_rate: a number or a schedule
    relative_step: whether the rate of step t is at most 1 / sqrt(t)
    scale_parameter: whether steps are multiplied by the size of the parameter, its root mean square
    parameter_eps: the least size that a parameter is taken to have
    clipping_threshold: what the root mean square of u may be
    decay_exponent: how fast the means slow down
    eps: a number above 0 that keeps divisors away from 0
    Raises ValueError for a setting that is no finite number in its range.

    >>> updater = nn.AdaFactor(learning_rate=0.1)
    >>> params = nd.asarray([[1.0, -1.0], [2.0, 0.0]])
    >>> updater.state_size(params.shape)
    4
    >>> updater.update(nd.asarray([[1.0, 1.0], [2.0, 2.0]]), updater.init(params), 0, 0, params)
    array([[0.12247449, 0.12247449],
           [0.12247449, 0.12247449]], dtype=float64)
    """

    learning_rate: Any = 0.01
    relative_step: bool = True
    scale_parameter: bool = True
    parameter_eps: float = 1e-3
    clipping_threshold: float = 1.0
    decay_exponent: float = 0.8
    eps: float = 1e-30

    state = ("v",)
    takes_params = True
    sees_shapes = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "learning_rate", checked_rate(self.learning_rate, "AdaFactor: learning_rate"))
        for name in ("relative_step", "scale_parameter"):
            if not isinstance(getattr(self, name), bool):
                raise ValueError(f"AdaFactor: {name} must be True or False, given {getattr(self, name)!r}")
        for name in ("parameter_eps", "clipping_threshold", "decay_exponent", "eps"):
            value = real(getattr(self, name), f"AdaFactor: {name}", low=0.0)
            if value == 0.0:
                raise ValueError(f"AdaFactor: {name} must be above 0, given {getattr(self, name)!r}")
            object.__setattr__(self, name, value)

    def state_size(self, shape: Sequence[int]) -> int:
        return sum(math.prod(kept) for kept, _ in _moments(sizes(shape)))

    def rate(self, iteration: int, epoch: int) -> float:
        rate = super().rate(iteration, epoch)
        return min(rate, 1 / math.sqrt(_number(iteration))) if self.relative_step else rate

    def settings(self, iteration: int, epoch: int) -> dict[str, Any]:
        return {"rate": self.rate(iteration, epoch), "b2": 1 - _number(iteration) ** -self.decay_exponent}

    def update(
        self, gradient: nd.NDArray, state: State, iteration: int, epoch: int, params: State = None
    ) -> nd.NDArray:
        settings, size = self.settings(iteration, epoch), self._size(params, gradient)
        step = self._divided(gradient, state, settings["b2"])
        clipped = nd.maximum(_root_mean_square(step) / self.clipping_threshold, 1.0)
        delta: nd.NDArray = step * (settings["rate"] * size / clipped)
        return delta

    def _size(self, params: Any, gradient: nd.NDArray) -> Any:
        """What the parameter's steps are multiplied by."""
        if not self.scale_parameter:
            return 1.0
        if params is None:
            raise ValueError("AdaFactor.update: params: steps are as long as the parameters say, given None")
        if array("AdaFactor.update: params", params).shape != gradient.shape:
            raise ValueError(
                f"AdaFactor.update: params must have the shape of the gradient, {gradient.shape}, given {params.shape}"
            )
        return nd.maximum(_root_mean_square(params), self.parameter_eps)

    def _divided(self, gradient: nd.NDArray, state: State, b2: float) -> nd.NDArray:
        """g / sqrt(v), after the means in `state` have taken in the squares of the gradient."""
        squares, means, start = gradient * gradient + self.eps, [], 0
        moments = _moments(gradient.shape)
        (vector,) = parts(state, 1, (self.state_size(gradient.shape),))
        for shape, axis in moments:
            mean = vector[start : start + math.prod(shape)].reshape(shape)
            found = squares if axis is None else nd.mean(squares, axis=axis, keepdims=True)
            mean[...] = b2 * mean + (1 - b2) * found
            means.append(mean)
            start += mean.size
        if len(means) == 1:
            return gradient / nd.sqrt(means[0])
        (rows, columns), length = means, moments[1][1]
        # One root after the other: in float32 the product of two small means would be 0.
        relative = nd.maximum(rows / nd.mean(rows, axis=length, keepdims=True), self.eps)
        return gradient / nd.sqrt(relative) / nd.sqrt(columns)


def _moments(shape: tuple[int, ...]) -> list[tuple[tuple[int, ...], int | None]]:
    """The means that are kept for a parameter: the shape of each, and the axis that it is the mean over, if any."""
    if len(shape) < 2:
        return [(shape, None)]
    longest = sorted(range(len(shape)), key=shape.__getitem__)[-2:]
    row_axis, column_axis = sorted(longest)
    return [((*shape[:axis], 1, *shape[axis + 1 :]), axis) for axis in (column_axis, row_axis)]


def _number(iteration: int) -> int:
    """The number of a step, counted from 1."""
    return whole(iteration, "AdaFactor: iteration", least=0) + 1


def _root_mean_square(x: nd.NDArray) -> nd.NDArray:
    return nd.sqrt(nd.mean(x * x))
