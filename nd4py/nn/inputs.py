"""Input types of layers, and the conversions between them."""

import math
from dataclasses import dataclass

from nd4py.api.arguments import items

from .numbers import whole

FEED_FORWARD = "feed_forward"
CONVOLUTIONAL = "convolutional"
CONVOLUTIONAL_FLAT = "convolutional_flat"
KINDS = (FEED_FORWARD, CONVOLUTIONAL, CONVOLUTIONAL_FLAT)


@dataclass(frozen=True)
class InputType:
    """The shape of one example without the batch axis; made by the three class methods.

    dimensions: (size,) for feed forward, (channels, height, width) for both kinds of image.
    Raises ValueError for an unknown kind or wrong sizes, TypeError for anything but a sequence of sizes.

    >>> str(nn.InputType.convolutional(height=28, width=28, channels=1))
    '(batch, 1, 28, 28)'
    """

    kind: str
    dimensions: tuple[int, ...]

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"InputType: unknown kind {self.kind!r}. Known: {', '.join(KINDS)}")
        n_dimensions = 1 if self.kind == FEED_FORWARD else 3
        given = items(f"InputType.{self.kind}: dimensions", self.dimensions)
        dimensions = tuple(whole(n, f"InputType.{self.kind}: every size") for n in given)
        if len(dimensions) != n_dimensions:
            raise ValueError(f"InputType.{self.kind}: {n_dimensions} sizes needed, given {dimensions}")
        object.__setattr__(self, "dimensions", dimensions)

    @classmethod
    def feed_forward(cls, size: int) -> "InputType":
        """Rows of `size` numbers: arrays of shape (batch, size).

        Returns the type.  Raises ValueError for a size that is no whole number of at least 1.
        """
        return cls(FEED_FORWARD, (size,))

    @classmethod
    def convolutional(cls, height: int, width: int, channels: int) -> "InputType":
        """Images: arrays of shape (batch, channels, height, width).

        Returns the type.  Raises ValueError for a size that is no whole number of at least 1.
        """
        return cls(CONVOLUTIONAL, (channels, height, width))

    @classmethod
    def convolutional_flat(cls, height: int, width: int, channels: int) -> "InputType":
        """Images stored as rows: arrays of shape (batch, channels * height * width).

        Returns the type.  Raises ValueError for a size that is no whole number of at least 1.
        """
        return cls(CONVOLUTIONAL_FLAT, (channels, height, width))

    @property
    def size(self) -> int:
        """How many numbers one example has."""
        return math.prod(self.dimensions)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one example's array, without the batch axis."""
        return self.dimensions if self.kind == CONVOLUTIONAL else (self.size,)

    def __str__(self) -> str:
        return f"(batch, {', '.join(map(str, self.shape))})"


def preprocess(given: InputType, wanted: str) -> InputType:
    """The type a layer sees when it is `given` one type and wants the kind `wanted` ("any" takes all).

    Turning one into the other is a reshape to (batch, *shape): rows to images and images to rows keep the order of
    the numbers.  Raises ValueError when rows that are not images meet a layer that wants images.
    """
    if wanted == "any":
        return InputType.feed_forward(given.size) if given.kind == CONVOLUTIONAL_FLAT else given
    if wanted == FEED_FORWARD:
        return InputType.feed_forward(given.size)
    if given.kind == FEED_FORWARD:
        raise ValueError(
            f"images are needed, given rows of {given.size} numbers; "
            "say how they are laid out with input_type=InputType.convolutional_flat(height, width, channels)"
        )
    return InputType(CONVOLUTIONAL, given.dimensions)
