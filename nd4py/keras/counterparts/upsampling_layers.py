"""Layers that make images larger: by lines between the pixels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy

from nd4py import api as nd
from nd4py import nn


@dataclass(frozen=True)
class BilinearUpsampling2D(nn.Upsampling2D):
    """Images `size` times as high and wide; between the centers of pixels values change along lines.

    x: (batch, channels, height, width)
    size: (height, width) or one number

    >>> from nd4py.keras.counterparts.upsampling_layers import BilinearUpsampling2D
    >>> BilinearUpsampling2D((1, 2)).forward({}, nd.asarray([[[[0.0, 4.0]]]])).tolist()
    [[[[0.0, 1.0, 3.0, 4.0]]]]
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
        rows, columns = (
            nd.asarray(weights_between(size, size * times)).astype(x.dtype)
            for size, times in zip(x.shape[2:], self._times, strict=True)
        )
        return nd.matmul(nd.matmul(rows, x), columns.T)


@lru_cache(maxsize=64)
def weights_between(size: int, n: int) -> numpy.ndarray:
    """Which old pixels the `n` new ones along an axis are made of: (new, old), rows that sum to 1."""
    places = numpy.clip((numpy.arange(n) + 0.5) * (size / n) - 0.5, 0, size - 1)
    low = numpy.floor(places).astype(int)
    weights = numpy.zeros((n, size))
    numpy.add.at(weights, (numpy.arange(n), low), 1 - (places - low))
    numpy.add.at(weights, (numpy.arange(n), numpy.minimum(low + 1, size - 1)), places - low)
    return weights


@lru_cache(maxsize=64)
def smooth_weights(size: int, n: int, kind: str) -> numpy.ndarray:
    """As `weights_between`, of filters as wide as the new pixels: "smooth bilinear", or "smooth bicubic" by the cubic
    of Keys 1981, doi 10.1109/TASSP.1981.1163711, with a = -0.5."""
    scale = max(size / n, 1.0)
    centers = (numpy.arange(n)[:, None] + 0.5) * (size / n)
    away = numpy.abs(numpy.arange(size) + 0.5 - centers) / scale
    if kind == "smooth bilinear":
        weights = numpy.maximum(1 - away, 0)
    else:
        near, far = (1.5 * away - 2.5) * away**2 + 1, ((-0.5 * away + 2.5) * away - 4) * away + 2
        weights = numpy.where(away < 1, near, numpy.where(away < 2, far, 0.0))
    return weights / weights.sum(1, keepdims=True)
