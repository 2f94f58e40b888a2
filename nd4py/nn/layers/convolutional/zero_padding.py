"""Frames of zeros around images, and their opposite."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from nd4py import api as nd
from nd4py.api.arguments import instance

from ...inputs import CONVOLUTIONAL, InputType
from ...numbers import shown, whole
from ..layer import Layer

Edges = tuple[int, int, int, int]


def edges(value: Any, what: str) -> Edges:
    """(top, bottom, left, right) of one number, (height, width) or all four.  Raises ValueError naming `what`."""
    numbers = tuple(value) if isinstance(value, tuple | list) else (value, value)
    if len(numbers) not in (2, 4):
        raise ValueError(
            f"{what} must be one number, (height, width) or (top, bottom, left, right), given {shown(value)}"
        )
    numbers = tuple(whole(number, what, least=0) for number in numbers)
    top, bottom, left, right = numbers if len(numbers) == 4 else (numbers[0], numbers[0], numbers[1], numbers[1])
    return top, bottom, left, right


@dataclass(frozen=True)
class ZeroPaddingLayer(Layer):
    """Images with a frame of zeros.

    padding: one number, (height, width) or (top, bottom, left, right)
    x: (batch, channels, height, width)
    Raises ValueError for a padding that is no whole number, or negative.

    >>> nn.ZeroPaddingLayer((0, 1)).forward({}, nd.ones((1, 1, 1, 1)))
    array([[[[0., 1., 0.]]]], dtype=float64)
    """

    padding: Edges = (1, 1, 1, 1)

    wanted_input: ClassVar[str] = CONVOLUTIONAL

    def __post_init__(self) -> None:
        object.__setattr__(self, "padding", edges(self.padding, f"{self.title}: padding"))

    def output_type(self, given: InputType) -> InputType:
        height, width = instance("given", given, InputType).spatial
        top, bottom, left, right = self.padding
        return InputType.convolutional(height + top + bottom, width + left + right, given.n_features)

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
        top, bottom, left, right = self.padding
        return nd.pad(x, ((0, 0), (0, 0), (top, bottom), (left, right)))


@dataclass(frozen=True)
class Cropping2D(Layer):
    """Images without their outermost pixels.

    cropping: one number, (height, width) or (top, bottom, left, right)
    x: (batch, channels, height, width)
    Raises ValueError for a cropping that is no whole number, negative, or leaves nothing.

    >>> nn.Cropping2D((0, 0, 1, 0)).forward({}, nd.asarray([[[[1.0, 2.0, 3.0]]]]))
    array([[[[2., 3.]]]], dtype=float64)
    """

    cropping: Edges = (0, 0, 0, 0)

    wanted_input: ClassVar[str] = CONVOLUTIONAL

    def __post_init__(self) -> None:
        object.__setattr__(self, "cropping", edges(self.cropping, f"{self.title}: cropping"))

    def output_type(self, given: InputType) -> InputType:
        height, width = instance("given", given, InputType).spatial
        top, bottom, left, right = self.cropping
        if height <= top + bottom or width <= left + right:
            raise ValueError(
                f"cropping {self.cropping} (top, bottom, left, right) leaves nothing of images of {height} x {width}; "
                "crop less"
            )
        return InputType.convolutional(height - top - bottom, width - left - right, given.n_features)

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
        height, width = x.shape[2:]
        top, bottom, left, right = self.cropping
        return x[:, :, top : height - bottom, left : width - right]
