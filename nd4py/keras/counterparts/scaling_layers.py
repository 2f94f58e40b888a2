"""Layers that scale features: by statistics of data that were seen before, and to length 1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nd4py import api as nd
from nd4py.nn import InputType, Layer, Parameter
from nd4py.nn.activations import features_axis


@dataclass(frozen=True)
class StandardizingLayer(Layer):
    """y = (x - mean) / max(sqrt(var), 1e-7), or the way back, x * max(sqrt(var), 1e-7) + mean

    mean, var: one number for each feature, which training leaves as they are
    is_inverted: whether it goes the way back

    >>> from nd4py.keras.counterparts.scaling_layers import StandardizingLayer
    >>> params = {"mean": nd.asarray([1.0]), "var": nd.asarray([4.0])}
    >>> StandardizingLayer().forward(params, nd.asarray([[5.0]])).tolist()
    [[2.0]]
    """

    is_inverted: bool = False

    @property
    def is_frozen(self) -> bool:
        return True

    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        shape = (given.n_features,)
        return (
            Parameter("mean", shape, is_state=True, initial=0.0),
            Parameter("var", shape, is_state=True, initial=1.0),
        )

    def forward(
        self,
        params: Mapping[str, nd.NDArray],
        x: nd.NDArray,
        *,
        train: bool = False,
        rng: Any = None,
        mask: nd.NDArray | None = None,
        state: Mapping[str, nd.NDArray] | None = None,
    ) -> nd.NDArray:
        shape = (-1, *(1,) * (x.ndim - 1 - features_axis(x)))
        mean = params["mean"].reshape(shape)
        deviation = nd.maximum(nd.sqrt(params["var"]), 1e-7).reshape(shape)
        return x * deviation + mean if self.is_inverted else (x - mean) / deviation


@dataclass(frozen=True)
class IdleLayer(Layer):
    """x as it is, beside a number that nothing reads: what a network without any other parameter has.

    >>> from nd4py.keras.counterparts.scaling_layers import IdleLayer
    >>> IdleLayer().forward({"idle": nd.zeros(1)}, nd.asarray([2.0])).tolist()
    [2.0]
    """

    @property
    def is_frozen(self) -> bool:
        return True

    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        return (Parameter("idle", (1,), is_state=True, initial=0.0),)

    def forward(
        self,
        params: Mapping[str, nd.NDArray],
        x: nd.NDArray,
        *,
        train: bool = False,
        rng: Any = None,
        mask: nd.NDArray | None = None,
        state: Mapping[str, nd.NDArray] | None = None,
    ) -> nd.NDArray:
        return x


@dataclass(frozen=True)
class UnitLengthLayer(Layer):
    """y = x / sqrt(max(sum(x**2), 1e-24)), the sum over the features of a row, a step or a pixel.

    >>> from nd4py.keras.counterparts.scaling_layers import UnitLengthLayer
    >>> nd.round(UnitLengthLayer().forward({}, nd.asarray([[3.0, 4.0]])), 6).tolist()
    [[0.6, 0.8]]
    """

    def forward(
        self,
        params: Mapping[str, nd.NDArray],
        x: nd.NDArray,
        *,
        train: bool = False,
        rng: Any = None,
        mask: nd.NDArray | None = None,
        state: Mapping[str, nd.NDArray] | None = None,
    ) -> nd.NDArray:
        squares = nd.sum(nd.square(x), axis=features_axis(x), keepdims=True)
        return x * nd.rsqrt(nd.maximum(squares, 1e-24))
