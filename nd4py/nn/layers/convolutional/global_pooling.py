"""Pooling of whole images, volumes and sequences."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nd4py import api as nd

from ...inputs import FEED_FORWARD, InputType
from ...names import look_up
from ...numbers import whole
from ..layer import Layer
from .pooling_types import POOLING_TYPES, root


@dataclass(frozen=True)
class GlobalPoolingLayer(Layer):
    """One number for each feature: the largest, the mean, the sum or the p-norm of its pixels or steps.

    pooling_type: "max", "avg", "sum" or "pnorm", which is sum(|x| ** pnorm) ** (1 / pnorm); pnorm: at least 1
    x: sequences (batch, length, features), of which steps that a mask leaves out take no part, images or volumes
    (batch, features, ...).  A sequence without steps gives zeros.
    Raises ValueError for a setting out of its range or an unknown name.

    >>> nn.GlobalPoolingLayer("avg").forward({}, nd.asarray([[[1.0, 2.0], [3.0, 6.0]]]))
    array([[2., 4.]], dtype=float64)
    """

    pooling_type: str = "max"
    pnorm: int = 2

    def __post_init__(self) -> None:
        look_up(POOLING_TYPES, self.pooling_type, "pooling_type")
        whole(self.pnorm, f"{self.title}: pnorm")

    def output_type(self, given: InputType) -> InputType:
        if given.kind == FEED_FORWARD:
            raise ValueError("sequences, images or volumes are needed, given rows")
        return InputType.feed_forward(given.n_features)

    def output_mask(self, mask: nd.NDArray | None, given: InputType) -> None:
        return None

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
        axes = (1,) if x.ndim == 3 else tuple(range(2, x.ndim))
        if mask is not None:
            mask = mask.reshape((*mask.shape, 1))
            n_steps = nd.sum(mask, axis=1)
            if self.pooling_type == "max":
                largest = nd.max(nd.where(mask > 0, x, -math.inf), axis=axes)
                return nd.where(n_steps > 0, largest, 0.0)
            x = nd.where(mask > 0, x, 0.0)
            if self.pooling_type == "avg":
                return nd.sum(x, axis=axes) / nd.maximum(n_steps, 1.0)
        if self.pooling_type == "max":
            return nd.max(x, axis=axes)
        if self.pooling_type == "avg":
            return nd.mean(x, axis=axes)
        if self.pooling_type == "sum":
            return nd.sum(x, axis=axes)
        return root(nd.sum(nd.abs(x) ** self.pnorm, axis=axes), self.pnorm)
