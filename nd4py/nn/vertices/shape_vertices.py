"""Vertices that change the shape of examples."""

from __future__ import annotations

from dataclasses import dataclass

from nd4py import api as nd
from nd4py.api.arguments import items

from ..inputs import (
    CONVOLUTIONAL,
    CONVOLUTIONAL_3D,
    FEED_FORWARD,
    RECURRENT,
    InputType,
    preprocess,
)
from ..names import look_up
from ..numbers import whole
from .vertex import Arrays, Masks, Vertex

KIND_OF_SHAPE = {1: FEED_FORWARD, 2: RECURRENT, 3: CONVOLUTIONAL, 4: CONVOLUTIONAL_3D}


@dataclass(frozen=True)
class ReshapeVertex(Vertex):
    """Examples in another shape, their numbers in the same order.

    shape: of an example, without the batch axis: (size,), (length, size), (channels, height, width) or
        (channels, depth, height, width)
    Raises ValueError for a shape of another number of axes.

    >>> nn.ReshapeVertex((2, 2)).forward({}, [nd.asarray([[1.0, 2.0, 3.0, 4.0]])]).shape
    (1, 2, 2)
    """

    shape: tuple[int, ...]

    def __post_init__(self) -> None:
        shape = tuple(whole(n, f"{self.title}: every size") for n in items(f"{self.title}: shape", self.shape))
        object.__setattr__(self, "shape", shape)
        if len(shape) not in KIND_OF_SHAPE:
            raise ValueError(f"{self.title}: the shape of an example has 1 to 4 sizes, given {shape}")

    def output_type(self, *given: InputType) -> InputType:
        given = self._types(given)
        only, wanted = given[0], InputType(KIND_OF_SHAPE[len(self.shape)], self.shape)
        if None in only.dimensions or only.size != wanted.size:
            raise ValueError(f"{self.title}: {only} cannot become {wanted}, the sizes differ")
        return wanted

    def _computed(self, inputs: Arrays, masks: Masks) -> nd.NDArray:
        return inputs[0].reshape((inputs[0].shape[0], *self.shape))


@dataclass(frozen=True)
class PreprocessorVertex(Vertex):
    """Examples as a layer would see them that wants this kind of input; see `InputType`.

    wanted: "feed_forward", "convolutional", "convolutional_3d" or "recurrent"
    Raises ValueError for another kind.

    >>> nn.PreprocessorVertex("feed_forward").output_type(nn.InputType.convolutional(4, 4, 2)).size
    32
    """

    wanted: str

    def __post_init__(self) -> None:
        look_up({kind: kind for kind in KIND_OF_SHAPE.values()}, self.wanted, "kind of input")

    def output_type(self, *given: InputType) -> InputType:
        given = self._types(given)
        return preprocess(given[0], self.wanted)

    def _computed(self, inputs: Arrays, masks: Masks) -> nd.NDArray:
        x = inputs[0]
        if self.wanted == FEED_FORWARD and x.ndim > 3:
            return x.reshape((x.shape[0], -1))
        return x


@dataclass(frozen=True)
class PoolHelperVertex(Vertex):
    """Images without their first row and column, as some networks need behind a pooling layer.

    Raises nothing.

    >>> nn.PoolHelperVertex().output_type(nn.InputType.convolutional(4, 4, 2)).dimensions
    (2, 3, 3)
    """

    def output_type(self, *given: InputType) -> InputType:
        given = self._types(given)
        only = given[0]
        if only.kind != CONVOLUTIONAL or min(only.spatial) < 2:
            raise ValueError(f"{self.title}: images of at least 2 x 2 are needed, given {only}")
        height, width = only.spatial
        return InputType.convolutional(height - 1, width - 1, only.n_features)

    def _computed(self, inputs: Arrays, masks: Masks) -> nd.NDArray:
        return inputs[0][:, :, 1:, 1:]
