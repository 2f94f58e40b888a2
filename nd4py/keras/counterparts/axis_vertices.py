"""Vertices that change the order of axes, and join along any of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from nd4py import api as nd
from nd4py.nn import InputType, Vertex
from nd4py.nn.vertices.shape_vertices import KIND_OF_SHAPE
from nd4py.nn.vertices.vertex import Arrays, Masks


def type_of_shape(shape: tuple[int | None, ...]) -> InputType:
    """The type of examples of that shape.  Raises ValueError for more than four axes, or none."""
    if len(shape) not in KIND_OF_SHAPE:
        raise ValueError(f"examples have 1 to 4 axes, not the shape {shape}")
    return InputType(KIND_OF_SHAPE[len(shape)], shape)


@dataclass(frozen=True)
class PermuteVertex(Vertex):
    """The axes of examples in another order.

    axes: axis i of the output is axis axes[i - 1] of the input, counted from 1 as the batch is axis 0
    Raises ValueError for anything but a permutation.

    >>> from nd4py.keras.counterparts.axis_vertices import PermuteVertex
    >>> PermuteVertex((2, 1)).forward({}, [nd.ones((5, 2, 3))]).shape
    (5, 3, 2)
    """

    axes: tuple[int, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "axes", tuple(self.axes))
        if sorted(self.axes) != list(range(1, len(self.axes) + 1)):
            raise ValueError(f"{self.title}: axes must be a permutation of 1 ... n, given {self.axes}")

    def output_type(self, *given: InputType) -> InputType:
        shape = self._types(given)[0].shape
        if len(shape) != len(self.axes):
            raise ValueError(f"{self.title}: examples of {len(self.axes)} axes are needed, given {given[0]}")
        return type_of_shape(tuple(shape[axis - 1] for axis in self.axes))

    def output_mask(self, masks: Sequence[nd.NDArray | None], given: Sequence[InputType]) -> None:
        return None

    def _computed(self, inputs: Arrays, masks: Masks) -> nd.NDArray:
        return nd.permute_dims(inputs[0], (0, *self.axes))


@dataclass(frozen=True)
class ConcatenateVertex(Vertex):
    """Arrays one behind the other along any axis of their examples.

    axis: counted from 1, as the batch is axis 0
    Raises ValueError for inputs that differ along other axes.

    >>> from nd4py.keras.counterparts.axis_vertices import ConcatenateVertex
    >>> ConcatenateVertex(1).forward({}, [nd.ones((5, 2, 3)), nd.ones((5, 4, 3))]).shape
    (5, 6, 3)
    """

    axis: int

    most: ClassVar[int | None] = None

    def output_type(self, *given: InputType) -> InputType:
        shapes = [list(each.shape) for each in self._types(given)]
        if not 1 <= self.axis <= len(shapes[0]):
            raise ValueError(f"{self.title}: axis {self.axis} is none of {given[0]}")
        along = [shape.pop(self.axis - 1) for shape in shapes if len(shape) >= self.axis]
        if len(along) < len(shapes) or any(shape != shapes[0] for shape in shapes):
            raise ValueError(f"{self.title}: the inputs must agree but for axis {self.axis}, given {given}")
        total = None if None in along else sum(size for size in along if size is not None)
        shapes[0].insert(self.axis - 1, total)
        return type_of_shape(tuple(shapes[0]))

    def output_mask(self, masks: Sequence[nd.NDArray | None], given: Sequence[InputType]) -> None:
        return None

    def _computed(self, inputs: Arrays, masks: Masks) -> nd.NDArray:
        return nd.concat(list(inputs), axis=self.axis)
