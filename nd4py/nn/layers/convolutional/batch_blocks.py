"""Pixels of blocks as images of their own, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from nd4py import api as nd

from ...inputs import AXES, CONVOLUTIONAL, InputType
from ...numbers import for_axes
from ..layer import Layer
from .pixel_blocks import block_counts
from .spatial_layer import ends
from .zero_padding import Cropping2D, Four, ZeroPaddingLayer

SIZES = AXES[CONVOLUTIONAL]


@dataclass(frozen=True)
class SpaceToBatchLayer(Layer):
    """y[(i * columns + j) * batch + b, :, h, w] = x[b, :, h * rows + i, w * columns + j]

    Layers behind it see pixels that lie so far apart as neighbours.  There are more images then; a `BatchToSpaceLayer`
    puts them together again, and must do so before a loss.
    blocks: (rows, columns) or one number; height and width with their padding must be multiples of it
    padding: zeros around the images: one number, (height, width) or (top, bottom, left, right)
    x: (batch, channels, height, width)
    Raises ValueError for a setting that is no whole number, or too small.

    >>> nn.SpaceToBatchLayer((1, 2)).forward({}, nd.arange(4.0).reshape(1, 1, 1, 4))[:, 0, 0]
    array([[0., 2.],
           [1., 3.]], dtype=float64)
    """

    blocks: Any = (2, 2)
    padding: Four = (0, 0, 0, 0)

    wanted_input: ClassVar[str] = CONVOLUTIONAL

    def __post_init__(self) -> None:
        object.__setattr__(self, "blocks", for_axes(self.blocks, f"{self.title}: blocks", SIZES))
        object.__setattr__(self, "padding", ends(self.padding, f"{self.title}: padding", SIZES))

    def output_type(self, given: InputType) -> InputType:
        padded = ZeroPaddingLayer(self.padding).output_type(given)
        height, width = block_counts(padded.spatial, self.blocks)
        return InputType.convolutional(height, width, padded.n_features)

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
        x = ZeroPaddingLayer(self.padding).forward({}, x)
        batch, channels, *sizes = x.shape
        (rows, columns), (height, width) = self.blocks, block_counts(tuple(sizes), self.blocks)
        cells = nd.permute_dims(x.reshape((batch, channels, height, rows, width, columns)), (3, 5, 0, 1, 2, 4))
        return cells.reshape((rows * columns * batch, channels, height, width))


@dataclass(frozen=True)
class BatchToSpaceLayer(Layer):
    """The opposite of `SpaceToBatchLayer`: groups of images become the pixels of blocks.

    blocks: (rows, columns) or one number; the number of images must be a multiple of rows * columns
    cropping: what is taken off the images: one number, (height, width) or (top, bottom, left, right)
    x: (batch, channels, height, width)
    Raises ValueError for a setting that is no whole number, or too small.

    >>> nn.BatchToSpaceLayer((1, 2)).forward({}, nd.asarray([[[[0.0, 2.0]]], [[[1.0, 3.0]]]]))
    array([[[[0., 1., 2., 3.]]]], dtype=float64)
    """

    blocks: Any = (2, 2)
    cropping: Four = (0, 0, 0, 0)

    wanted_input: ClassVar[str] = CONVOLUTIONAL

    def __post_init__(self) -> None:
        object.__setattr__(self, "blocks", for_axes(self.blocks, f"{self.title}: blocks", SIZES))
        object.__setattr__(self, "cropping", ends(self.cropping, f"{self.title}: cropping", SIZES))

    def output_type(self, given: InputType) -> InputType:
        (height, width), (rows, columns) = given.spatial, self.blocks
        whole = InputType.convolutional(height * rows, width * columns, given.n_features)
        return Cropping2D(self.cropping).output_type(whole)

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
        (images, channels, height, width), (rows, columns) = x.shape, self.blocks
        batch, rest = divmod(images, rows * columns)
        if rest:
            raise ValueError(f"{images} images are no multiple of the {rows * columns} pixels of blocks")
        cells = nd.permute_dims(x.reshape((rows, columns, batch, channels, height, width)), (2, 3, 4, 0, 5, 1))
        return Cropping2D(self.cropping).forward({}, cells.reshape((batch, channels, height * rows, width * columns)))
