"""Zeros around sequences, images and volumes, and their opposite."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from nd4py import api as nd

from ...inputs import CONVOLUTIONAL, CONVOLUTIONAL_3D, RECURRENT
from ..calls import there
from .spatial_layer import SpatialLayer, ends, paired

Pair = int | tuple[int, int]
Four = Pair | tuple[int, int, int, int]
Six = int | tuple[int, int, int] | tuple[int, int, int, int, int, int]


@dataclass(frozen=True, kw_only=True)
class ZeroPadding(SpatialLayer):
    """The base class of layers that put zeros around what they are given."""

    if TYPE_CHECKING:  # a field of the subclasses
        padding: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "padding", ends(self.padding, f"{self.title}: padding", self._axes))

    def _new_sizes(self, sizes: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(size + sum(pair) for size, pair in zip(sizes, paired(self.padding), strict=True))

    def _new_mask(self, mask: nd.NDArray) -> nd.NDArray:
        # Each sequence as if it were alone: the zeros stand directly before and after its own steps.
        reach = sum(self.padding)
        rows = mask.reshape((mask.shape[0], 1, 1, mask.shape[1]))
        found = nd.max_pool2d(rows, (1, reach + 1), stride=1, padding=(0, 0, reach, reach))
        return found.reshape((mask.shape[0], found.shape[3]))

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
        x = there(x, mask)
        widths = [(0, 0)] * x.ndim
        widths[self._first_axis : self._first_axis + len(self._axes)] = paired(self.padding)
        return nd.pad(x, widths)


@dataclass(frozen=True, kw_only=True)
class Cropping(SpatialLayer):
    """The base class of layers that leave out the outermost elements of what they are given."""

    if TYPE_CHECKING:  # a field of the subclasses
        cropping: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "cropping", ends(self.cropping, f"{self.title}: cropping", self._axes))

    def _new_sizes(self, sizes: tuple[int, ...]) -> tuple[int, ...]:
        new = tuple(size - sum(pair) for size, pair in zip(sizes, paired(self.cropping), strict=True))
        if min(new) < 1:
            given = ", ".join(f"{axis} {size}" for axis, size in zip(self._axes, sizes, strict=True))
            raise ValueError(f"{self.title}: cropping {self.cropping} leaves nothing of {given}; crop less")
        return new

    def _new_mask(self, mask: nd.NDArray) -> nd.NDArray:
        return self._inside(mask, 1)

    def _inside(self, x: nd.NDArray, first_axis: int) -> nd.NDArray:
        sizes = x.shape[first_axis : first_axis + len(self._axes)]
        self._new_sizes(sizes)
        kept = [slice(pair[0], size - pair[1]) for size, pair in zip(sizes, paired(self.cropping), strict=True)]
        return x[(*(slice(None),) * first_axis, *kept)]

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
        return self._inside(x, self._first_axis)


@dataclass(frozen=True)
class ZeroPadding1DLayer(ZeroPadding):
    """Sequences with steps of zeros before and after them.

    padding: one number for both ends, or (before, after)
    x: (batch, length, size).  With a mask every sequence is padded as if it were alone: steps that the mask leaves out
    become zeros, and those around the steps that are there count.
    Raises ValueError for a padding that is no whole number, or negative.

    >>> nn.ZeroPadding1DLayer((0, 2)).forward({}, nd.ones((1, 1, 1)))[0, :, 0]
    array([1., 0., 0.], dtype=float64)
    """

    padding: Pair = (1, 1)

    wanted_input: ClassVar[str] = RECURRENT


@dataclass(frozen=True)
class ZeroPaddingLayer(ZeroPadding):
    """Images with a frame of zeros.

    padding: one number, (height, width) or (top, bottom, left, right)
    x: (batch, channels, height, width)
    Raises ValueError for a padding that is no whole number, or negative.

    >>> nn.ZeroPaddingLayer((0, 1)).forward({}, nd.ones((1, 1, 1, 1)))
    array([[[[0., 1., 0.]]]], dtype=float64)
    """

    padding: Four = (1, 1, 1, 1)

    wanted_input: ClassVar[str] = CONVOLUTIONAL


@dataclass(frozen=True)
class ZeroPadding3DLayer(ZeroPadding):
    """Volumes with zeros around them.

    padding: one number, (depth, height, width) or (front, back, top, bottom, left, right)
    x: (batch, channels, depth, height, width)
    Raises ValueError for a padding that is no whole number, or negative.

    >>> nn.ZeroPadding3DLayer((0, 0, 1)).forward({}, nd.ones((1, 1, 1, 1, 1)))
    array([[[[[0., 1., 0.]]]]], dtype=float64)
    """

    padding: Six = (1, 1, 1, 1, 1, 1)

    wanted_input: ClassVar[str] = CONVOLUTIONAL_3D


@dataclass(frozen=True)
class Cropping1D(Cropping):
    """Sequences without their outermost steps.

    cropping: one number for both ends, or (before, after)
    x: (batch, length, size); masks lose the same steps
    Raises ValueError for a cropping that is no whole number, negative, or leaves nothing.

    >>> nn.Cropping1D((1, 0)).forward({}, nd.asarray([[[1.0], [2.0], [3.0]]]))[0, :, 0]
    array([2., 3.], dtype=float64)
    """

    cropping: Pair = (0, 0)

    wanted_input: ClassVar[str] = RECURRENT


@dataclass(frozen=True)
class Cropping2D(Cropping):
    """Images without their outermost pixels.

    cropping: one number, (height, width) or (top, bottom, left, right)
    x: (batch, channels, height, width)
    Raises ValueError for a cropping that is no whole number, negative, or leaves nothing.

    >>> nn.Cropping2D((0, 0, 1, 0)).forward({}, nd.asarray([[[[1.0, 2.0, 3.0]]]]))
    array([[[[2., 3.]]]], dtype=float64)
    """

    cropping: Four = (0, 0, 0, 0)

    wanted_input: ClassVar[str] = CONVOLUTIONAL


@dataclass(frozen=True)
class Cropping3D(Cropping):
    """Volumes without their outermost elements.

    cropping: one number, (depth, height, width) or (front, back, top, bottom, left, right)
    x: (batch, channels, depth, height, width)
    Raises ValueError for a cropping that is no whole number, negative, or leaves nothing.

    >>> nn.Cropping3D((0, 0, 0, 0, 1, 0)).forward({}, nd.asarray([[[[[1.0, 2.0, 3.0]]]]]))
    array([[[[[2., 3.]]]]], dtype=float64)
    """

    cropping: Six = (0, 0, 0, 0, 0, 0)

    wanted_input: ClassVar[str] = CONVOLUTIONAL_3D
