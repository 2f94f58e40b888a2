"""Upsampling of sequences, images and volumes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from nd4py import api as nd

from ...inputs import CONVOLUTIONAL, CONVOLUTIONAL_3D, RECURRENT
from ...numbers import for_axes, whole
from .spatial_layer import SpatialLayer


@dataclass(frozen=True, kw_only=True)
class Upsampling(SpatialLayer):
    """The base class of layers that repeat what they are given, `size` times along the spatial axes."""

    if TYPE_CHECKING:  # a field of the subclasses
        size: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", for_axes(self.size, f"{self.title}: size", self._axes))

    @property
    def _times(self) -> tuple[int, ...]:
        return self.size if isinstance(self.size, tuple) else (self.size,)

    def _new_sizes(self, sizes: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(size * times for size, times in zip(sizes, self._times, strict=True))

    def _new_mask(self, mask: nd.NDArray) -> nd.NDArray:
        return repeated(mask, 1, self._times)

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
        return repeated(x, self._first_axis, self._times)


def repeated(x: nd.NDArray, first_axis: int, times: tuple[int, ...]) -> nd.NDArray:
    """Every element repeated, so many times along each of the axes from `first_axis` on."""
    before, after = x.shape[:first_axis], x.shape[first_axis + len(times) :]
    sizes = x.shape[first_axis : first_axis + len(times)]
    wide = [n for size in sizes for n in (size, 1)]
    copies = [n for size, many in zip(sizes, times, strict=True) for n in (size, many)]
    cells = nd.broadcast_to(x.reshape((*before, *wide, *after)), (*before, *copies, *after))
    return cells.reshape((*before, *(size * many for size, many in zip(sizes, times, strict=True)), *after))


@dataclass(frozen=True)
class Upsampling1D(Upsampling):
    """Every step of sequences repeated: y[:, i] = x[:, i // size].

    size: how many times
    x: (batch, length, size of a step); masks are repeated likewise
    Raises ValueError for a size that is no whole number of at least 1.

    >>> nn.Upsampling1D(2).forward({}, nd.asarray([[[1.0], [2.0]]]))[0, :, 0]
    array([1., 1., 2., 2.], dtype=float64)
    """

    size: int = 2

    wanted_input: ClassVar[str] = RECURRENT

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", whole(self.size, f"{self.title}: size"))


@dataclass(frozen=True)
class Upsampling2D(Upsampling):
    """Every pixel repeated: y[..., i, j] = x[..., i // height, j // width], of `size` (height, width) or one number.

    x: (batch, channels, height, width)
    Raises ValueError for a size that is no whole number of at least 1.

    >>> nn.Upsampling2D(2).forward({}, nd.asarray([[[[1.0, 2.0]]]]))
    array([[[[1., 1., 2., 2.],
             [1., 1., 2., 2.]]]], dtype=float64)
    """

    size: int | tuple[int, int] = (2, 2)

    wanted_input: ClassVar[str] = CONVOLUTIONAL


@dataclass(frozen=True)
class Upsampling3D(Upsampling):
    """Every element of volumes repeated: y[..., i, j, k] = x[..., i // depth, j // height, k // width].

    size: (depth, height, width) or one number
    x: (batch, channels, depth, height, width)
    Raises ValueError for a size that is no whole number of at least 1.

    >>> nn.Upsampling3D((1, 1, 2)).forward({}, nd.asarray([[[[[1.0, 2.0]]]]]))
    array([[[[[1., 1., 2., 2.]]]]], dtype=float64)
    """

    size: int | tuple[int, int, int] = (2, 2, 2)

    wanted_input: ClassVar[str] = CONVOLUTIONAL_3D
