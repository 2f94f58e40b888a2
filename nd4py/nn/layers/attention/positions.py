"""Layers that tell attention where in a sequence a step stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy

from nd4py import api as nd

from ...inputs import RECURRENT, InputType
from ...numbers import whole
from ...parameters import Parameter
from ..calls import there
from ..layer import Layer, Output, State, WeightedLayer, weights
from ..recurrent.recurrent_layer import sequences
from .multi_head_attention import behind

LONGEST_PERIOD = 10_000.0


@dataclass(frozen=True)
class PositionEmbeddingLayer(WeightedLayer):
    """y = x + W[t] for step t: a learnt row for each place in a sequence.

    x: (batch, length, n)    W: (max_length, n)    max_length: how long sequences may be
    Steps that are given one by one are counted on: the state is {"there": (batch, steps so far)}.  Steps whose mask is
    0 give 0.
    Gehring et al. 2017, https://arxiv.org/abs/1705.03122, section 3.1
    Raises ValueError for a length that is no whole number of at least 1; `forward` for a longer sequence.

    >>> layer = nn.PositionEmbeddingLayer(3)
    >>> layer.forward({"W": nd.asarray([[1.0], [2.0], [3.0]])}, nd.ones((1, 2, 1)))[0][0, :, 0]
    array([2., 3.], dtype=float64)
    """

    max_length: int

    wanted_input: ClassVar[str] = RECURRENT
    is_recurrent: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        whole(self.max_length, f"{self.title}: max_length")

    def output_type(self, given: InputType) -> InputType:
        length = sequences(self.title, given).length
        if length is not None:
            self._check(length)
        return given

    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        n_features = sequences(self.title, given).n_features
        return (Parameter("W", (self.max_length, n_features), self.max_length, n_features),)

    def _check(self, length: int) -> None:
        """Raises ValueError for a sequence that is too long."""
        if length > self.max_length:
            raise ValueError(f"{self.title}: sequences have at most max_length={self.max_length} steps, given {length}")

    def forward(
        self,
        params: Mapping[str, nd.NDArray],
        x: nd.NDArray,
        *,
        train: bool = False,
        rng: Any = None,
        mask: nd.NDArray | None = None,
        state: State | None = None,
    ) -> Output:
        first, new = counted(x, state)
        self._check(first + x.shape[1])
        return there(x + weights(params)["W"][first : first + x.shape[1]], mask), new


@dataclass(frozen=True)
class PositionEncodingLayer(Layer):
    """y[t, 2 i] = x[t, 2 i] + sin(t / 10000**(2 i / n)), y[t, 2 i + 1] = x[t, 2 i + 1] + cos(t / 10000**(2 i / n))

    x: (batch, length, n)
    Waves of n / 2 lengths tell the places of a sequence apart; nothing is learnt, and any length will do.
    Steps that are given one by one are counted on: the state is {"there": (batch, steps so far)}.  Steps whose mask is
    0 give 0.
    Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 3.5
    Raises nothing.

    >>> y, _ = nn.PositionEncodingLayer().forward({}, nd.zeros((1, 2, 2)))
    >>> nd.round(y[0], 4)
    array([[0.    , 1.    ],
           [0.8415, 0.5403]], dtype=float64)
    """

    wanted_input: ClassVar[str] = RECURRENT
    is_recurrent: ClassVar[bool] = True

    def output_type(self, given: InputType) -> InputType:
        return sequences(self.title, given)

    def forward(
        self,
        params: Mapping[str, nd.NDArray],
        x: nd.NDArray,
        *,
        train: bool = False,
        rng: Any = None,
        mask: nd.NDArray | None = None,
        state: State | None = None,
    ) -> Output:
        first, new = counted(x, state)
        last = first + x.shape[1]
        rows = waves(x.shape[2], 1 << max(last - 1, 0).bit_length())[first:last]
        return there(x + nd.asarray(rows, dtype=x.dtype, device=x.device), mask), new


def counted(x: nd.NDArray, state: State | None) -> tuple[int, dict[str, nd.NDArray]]:
    """The place of the first of these steps, and the state behind them, whose length says how many there were."""
    steps = behind(state, "there", nd.ones(x.shape[:2], dtype=x.dtype, device=x.device), 1)
    return steps.shape[1] - x.shape[1], {"there": steps}


@lru_cache(maxsize=16)
def waves(n_features: int, length: int) -> Any:
    """(length, n_features): the sines and cosines of `PositionEncodingLayer`."""
    features = numpy.arange(n_features)
    angles = numpy.arange(length)[:, None] / LONGEST_PERIOD ** (features // 2 * 2 / n_features)
    return numpy.where(features % 2, numpy.cos(angles), numpy.sin(angles))
