"""Layers that make images larger: by lines between the pixels, or smooth curves."""

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
            nd.asarray(self._weights(size, size * times)).astype(x.dtype)
            for size, times in zip(x.shape[2:], self._times, strict=True)
        )
        return nd.matmul(nd.matmul(rows, x), columns.T)

    def _weights(self, size: int, n: int) -> numpy.ndarray:
        return weights_between(size, n)


@dataclass(frozen=True)
class CurvedUpsampling2D(BilinearUpsampling2D):
    """Images `size` times as high and wide, between whose pixels values change along curves.

    interpolation: "bicubic", "lanczos3" or "lanczos5"; or "clamped bicubic", the curve that PyTorch has
    Raises ValueError for another interpolation.

    >>> from nd4py.keras.counterparts.upsampling_layers import CurvedUpsampling2D
    >>> layer = CurvedUpsampling2D((1, 2), interpolation="bicubic")
    >>> nd.round(layer.forward({}, nd.asarray([[[[0.0, 4.0]]]])), 2).tolist()
    [[[[-0.35, 0.83, 3.17, 4.35]]]]
    """

    interpolation: str = "bicubic"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.interpolation not in CURVES:
            raise ValueError(f"{self.title}: interpolation must be one of {', '.join(CURVES)}")

    def _weights(self, size: int, n: int) -> numpy.ndarray:
        if self.interpolation == "clamped bicubic":
            return clamped_weights(size, n)
        return smooth_weights(size, n, f"smooth {self.interpolation}")


CURVES = ("bicubic", "clamped bicubic", "lanczos3", "lanczos5")


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
def clamped_weights(size: int, n: int) -> numpy.ndarray:
    """As `weights_between`, of four pixels by the cubic of `cubic` with a = -0.75; beyond the edges stands the pixel at
    the edge."""
    places = (numpy.arange(n) + 0.5) * (size / n) - 0.5
    low, weights = numpy.floor(places).astype(int), numpy.zeros((n, size))
    for tap in range(-1, 3):
        shares = cubic(numpy.abs(places - low - tap), -0.75)
        numpy.add.at(weights, (numpy.arange(n), numpy.clip(low + tap, 0, size - 1)), shares)
    return weights


@lru_cache(maxsize=64)
def smooth_weights(size: int, n: int, kind: str) -> numpy.ndarray:
    """As `weights_between`, of filters as wide as the new pixels: "smooth bilinear", "smooth bicubic", a cubic with
    a = -0.5, or "smooth lanczos3" and "smooth lanczos5"; what lies beyond the edges counts for nothing."""
    scale = max(size / n, 1.0)
    centers = (numpy.arange(n)[:, None] + 0.5) * (size / n)
    away = numpy.abs(numpy.arange(size) + 0.5 - centers) / scale
    if kind == "smooth bilinear":
        weights = numpy.maximum(1 - away, 0)
    elif kind == "smooth bicubic":
        weights = cubic(away, -0.5)
    else:
        reach = int(kind[-1])
        weights = numpy.where(away < reach, numpy.sinc(away) * numpy.sinc(away / reach), 0.0)
    return weights / weights.sum(1, keepdims=True)


def cubic(away: numpy.ndarray, a: float) -> numpy.ndarray:
    """The cubic convolution of Keys 1981, doi 10.1109/TASSP.1981.1163711, at distances."""
    near, far = ((a + 2) * away - (a + 3)) * away**2 + 1, ((a * away - 5 * a) * away + 8 * a) * away - 4 * a
    return numpy.where(away < 1, near, numpy.where(away < 2, far, 0.0))
