"""Blocks of pixels as channels, and channels as blocks of pixels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from nd4py import api as nd

from ...inputs import CONVOLUTIONAL, InputType
from ...numbers import whole
from ..layer import Layer


@dataclass(frozen=True)
class SpaceToDepthLayer(Layer):
    """y[:, (i * n + j) * channels + c, h, w] = x[:, c, h * n + i, w * n + j], n being `block_size`.

    block_size: of the blocks of pixels that become channels; height and width must be multiples of it
    x: (batch, channels, height, width)
    Raises ValueError for a size that is no whole number of at least 1.

    >>> nn.SpaceToDepthLayer(2).forward({}, nd.arange(4.0).reshape(1, 1, 2, 2))[0, :, 0, 0]
    array([0., 1., 2., 3.], dtype=float64)
    """

    block_size: int = 2

    wanted_input: ClassVar[str] = CONVOLUTIONAL

    def __post_init__(self) -> None:
        whole(self.block_size, f"{self.title}: block_size")

    def output_type(self, given: InputType) -> InputType:
        height, width = block_counts(given.spatial, (self.block_size,) * 2)
        return InputType.convolutional(height, width, given.n_features * self.block_size**2)

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
        batch, channels, *sizes = x.shape
        n, (height, width) = self.block_size, block_counts(tuple(sizes), (self.block_size,) * 2)
        blocks = nd.permute_dims(x.reshape((batch, channels, height, n, width, n)), (0, 3, 5, 1, 2, 4))
        return blocks.reshape((batch, n * n * channels, height, width))


@dataclass(frozen=True)
class DepthToSpaceLayer(Layer):
    """The opposite of `SpaceToDepthLayer`: groups of channels become blocks of pixels.

    block_size: of the blocks; the number of channels must be a multiple of its square
    x: (batch, channels, height, width)
    Raises ValueError for a size that is no whole number of at least 1.

    >>> nn.DepthToSpaceLayer(2).forward({}, nd.arange(4.0).reshape(1, 4, 1, 1))[0, 0]
    array([[0., 1.],
           [2., 3.]], dtype=float64)
    """

    block_size: int = 2

    wanted_input: ClassVar[str] = CONVOLUTIONAL

    def __post_init__(self) -> None:
        whole(self.block_size, f"{self.title}: block_size")

    def output_type(self, given: InputType) -> InputType:
        channels = self._channels(given.n_features)
        height, width = given.spatial
        return InputType.convolutional(height * self.block_size, width * self.block_size, channels)

    def _channels(self, given: int) -> int:
        channels, rest = divmod(given, self.block_size**2)
        if rest or not channels:
            raise ValueError(f"{given} channels are no multiple of block_size**2 = {self.block_size**2}")
        return channels

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
        batch, given, height, width = x.shape
        n, channels = self.block_size, self._channels(given)
        pixels = nd.permute_dims(x.reshape((batch, n, n, channels, height, width)), (0, 3, 4, 1, 5, 2))
        return pixels.reshape((batch, channels, height * n, width * n))


def block_counts(sizes: tuple[int, ...], block: tuple[int, int]) -> tuple[int, int]:
    """How many blocks there are along (height, width).  Raises ValueError where they do not divide the image."""
    height, width = sizes
    if height % block[0] or width % block[1]:
        raise ValueError(f"images of {height} x {width} cannot be divided into blocks of {block[0]} x {block[1]}")
    return height // block[0], width // block[1]
