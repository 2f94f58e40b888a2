"""Input types of layers, and the conversions between them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from nd4py import api as nd
from nd4py.api.arguments import items

from .numbers import whole

FEED_FORWARD = "feed_forward"
RECURRENT = "recurrent"
CONVOLUTIONAL = "convolutional"
CONVOLUTIONAL_NHWC = "convolutional_nhwc"
CONVOLUTIONAL_FLAT = "convolutional_flat"
CONVOLUTIONAL_3D = "convolutional_3d"
# How many dimensions each kind has.
KINDS = {
    FEED_FORWARD: 1,
    RECURRENT: 2,
    CONVOLUTIONAL: 3,
    CONVOLUTIONAL_NHWC: 3,
    CONVOLUTIONAL_FLAT: 3,
    CONVOLUTIONAL_3D: 4,
}
# The spatial axes: what windows move over.
AXES = {RECURRENT: ("length",), CONVOLUTIONAL: ("height", "width"), CONVOLUTIONAL_3D: ("depth", "height", "width")}
DATA_FORMATS = {"NCHW": CONVOLUTIONAL, "NHWC": CONVOLUTIONAL_NHWC}


@dataclass(frozen=True)
class InputType:
    """The shape of one example without the batch axis; made by the class methods.

    kind: "feed_forward", "recurrent", "convolutional", "convolutional_nhwc", "convolutional_flat" or
        "convolutional_3d"
    dimensions: (size,) for feed forward, (length, size) for sequences, whose length is None where it differs from batch
        to batch, (channels, height, width) for every kind of image, (channels, depth, height, width) for volumes
    Raises ValueError for an unknown kind or wrong sizes, TypeError for anything but a sequence of sizes.

    >>> str(nn.InputType.convolutional(height=28, width=28, channels=1))
    '(batch, 1, 28, 28)'
    >>> str(nn.InputType.recurrent(size=16))
    '(batch, any length, 16)'
    """

    kind: str
    dimensions: tuple[int | None, ...]

    def __post_init__(self) -> None:
        if not isinstance(self.kind, str) or self.kind not in KINDS:
            raise ValueError(f"InputType: unknown kind {self.kind!r}. Known: {', '.join(KINDS)}")
        given = items(f"InputType.{self.kind}: dimensions", self.dimensions)
        if len(given) != KINDS[self.kind]:
            raise ValueError(f"InputType.{self.kind}: {KINDS[self.kind]} sizes needed, given {given}")
        is_free = self.kind == RECURRENT and given[0] is None
        what = f"InputType.{self.kind}: every size"
        dimensions = tuple(None if is_free and not i else whole(n, what) for i, n in enumerate(given))
        object.__setattr__(self, "dimensions", dimensions)

    @classmethod
    def feed_forward(cls, size: int) -> InputType:
        """Rows of `size` numbers: arrays of shape (batch, size).

        Returns the type.  Raises ValueError for a size that is no whole number of at least 1.
        """
        return cls(FEED_FORWARD, (size,))

    @classmethod
    def recurrent(cls, size: int, length: int | None = None) -> InputType:
        """Sequences of `length` steps of `size` numbers: arrays of shape (batch, length, size).

        length: None where it may differ from batch to batch
        Returns the type.  Raises ValueError for a size that is no whole number of at least 1.
        """
        return cls(RECURRENT, (length, size))

    @classmethod
    def convolutional(cls, height: int, width: int, channels: int, data_format: str = "NCHW") -> InputType:
        """Images: arrays of shape (batch, channels, height, width).

        data_format: "NHWC" for arrays of shape (batch, height, width, channels), which the network transposes
        Returns the type.  Raises ValueError for a size that is no whole number of at least 1, or another format.
        """
        if not isinstance(data_format, str) or data_format not in DATA_FORMATS:
            raise ValueError(f"InputType.convolutional: data_format must be 'NCHW' or 'NHWC', given {data_format!r}")
        return cls(DATA_FORMATS[data_format], (channels, height, width))

    @classmethod
    def convolutional_flat(cls, height: int, width: int, channels: int) -> InputType:
        """Images stored as rows: arrays of shape (batch, channels * height * width).

        Returns the type.  Raises ValueError for a size that is no whole number of at least 1.
        """
        return cls(CONVOLUTIONAL_FLAT, (channels, height, width))

    @classmethod
    def convolutional_3d(cls, depth: int, height: int, width: int, channels: int) -> InputType:
        """Volumes: arrays of shape (batch, channels, depth, height, width).

        Returns the type.  Raises ValueError for a size that is no whole number of at least 1.
        """
        return cls(CONVOLUTIONAL_3D, (channels, depth, height, width))

    @property
    def size(self) -> int:
        """How many numbers one example has; of a sequence of any length, how many one step has."""
        return math.prod(n for n in self.dimensions if n is not None)

    @property
    def n_features(self) -> int:
        """The numbers of one step of a sequence, the channels of an image, the size of a row."""
        n_features = self.dimensions[-1 if self.kind == RECURRENT else 0]
        assert n_features is not None  # of these only a length may be
        return n_features

    @property
    def length(self) -> int | None:
        """The steps of a sequence; None where they differ, and for what is no sequence."""
        return self.dimensions[0] if self.kind == RECURRENT else None

    @property
    def spatial(self) -> tuple[int, ...]:
        """The sizes that windows move over: (height, width), (depth, height, width), (length,), or none."""
        sizes = self.dimensions[:1] if self.kind == RECURRENT else self.dimensions[1:]
        return tuple(n for n in sizes if n is not None)

    @property
    def shape(self) -> tuple[int | None, ...]:
        """The shape of one example's array, without the batch axis; None where any length will do."""
        if self.kind == CONVOLUTIONAL_FLAT:
            return (self.size,)
        return (*self.dimensions[1:], self.dimensions[0]) if self.kind == CONVOLUTIONAL_NHWC else self.dimensions

    def fits(self, shape: tuple[int, ...]) -> bool:
        """Whether arrays of `shape`, with the batch axis, are batches of this type.  Raises nothing."""
        shape, wanted = items("fits: shape", shape), self.shape
        return len(shape) == len(wanted) + 1 and all(
            n is None or n == given for n, given in zip(wanted, shape[1:], strict=True)
        )

    def __str__(self) -> str:
        return f"(batch, {', '.join('any length' if n is None else str(n) for n in self.shape)})"


def spatial_type(kind: str, n_features: int, sizes: tuple[int | None, ...]) -> InputType:
    """Sequences, images or volumes of these sizes along their spatial axes.

    Raises ValueError for sizes that are no whole numbers of at least 1.
    """
    return InputType(kind, (*sizes, n_features) if kind == RECURRENT else (n_features, *sizes))


def preprocess(given: InputType, wanted: str) -> InputType:
    """The type a layer sees when it is `given` one type and wants the kind `wanted` ("any" takes all).

    Images become rows, and rows that are images become images, by a reshape that keeps the order of the numbers; rows
    of a layer that works on single steps may be sequences.  Raises ValueError for what cannot become the other.
    """
    if given.kind == CONVOLUTIONAL_NHWC:
        given = InputType(CONVOLUTIONAL, given.dimensions)
    if wanted == "any":
        return InputType.feed_forward(given.size) if given.kind == CONVOLUTIONAL_FLAT else given
    if given.kind == wanted or (given.kind == RECURRENT and wanted == FEED_FORWARD):
        return given
    if wanted == FEED_FORWARD:
        return InputType.feed_forward(given.size)
    if wanted == CONVOLUTIONAL and given.kind == CONVOLUTIONAL_FLAT:
        return InputType(CONVOLUTIONAL, given.dimensions)
    raise ValueError(WHAT_TO_DO[wanted].format(given=given, kind=given.kind))


WHAT_TO_DO = {
    CONVOLUTIONAL: "images are needed, given {kind} input {given}; rows that are images need "
    "input_type=InputType.convolutional_flat(height, width, channels), sequences of images a TimeDistributed layer",
    CONVOLUTIONAL_3D: "volumes are needed, given {kind} input {given}; "
    "say how they are laid out with InputType.convolutional_3d(depth, height, width, channels)",
    RECURRENT: "sequences are needed, given {kind} input {given}; give InputType.recurrent(size, length), or "
    "repeat rows with a RepeatVector layer",
}


def converted(x: nd.NDArray, given: InputType, seen: InputType) -> nd.NDArray:
    """A batch of the type `given` as the layer sees it, `seen` being what `preprocess` returned."""
    if given.kind == CONVOLUTIONAL_NHWC:
        x = nd.permute_dims(x, (0, 3, 1, 2))
    return x if seen.fits(x.shape) else x.reshape((x.shape[0], *(int(n or -1) for n in seen.dimensions)))
