"""Products of tensors along chosen axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from nd4py import api as nd
from nd4py.nn import InputType, Vertex
from nd4py.nn.vertices.vertex import Arrays, Masks

from .axis_vertices import type_of_shape


@dataclass(frozen=True)
class DotVertex(Vertex):
    """Sums of products of two inputs along one axis of each, example by example.

    axes: of the first and of the second input, counted from 1 as the batch is axis 0
    is_normalized: whether both are scaled to length 1 along them before
    Returns examples with the other axes of the first and then those of the second, a row of one number without any.
    Raises ValueError for axes that are none, and for axes of different sizes.

    >>> from nd4py.keras.counterparts.product_vertices import DotVertex
    >>> DotVertex((2, 2)).forward({}, [nd.ones((1, 3, 5)), nd.ones((1, 4, 5))]).shape
    (1, 3, 4)
    """

    axes: tuple[int, int]
    is_normalized: bool = False

    fewest: ClassVar[int] = 2
    most: ClassVar[int | None] = 2

    def __post_init__(self) -> None:
        object.__setattr__(self, "axes", tuple(self.axes))

    def output_type(self, *given: InputType) -> InputType:
        shapes = [list(each.shape) for each in self._types(given)]
        if any(not 1 <= axis <= len(shape) for axis, shape in zip(self.axes, shapes, strict=True)):
            raise ValueError(f"{self.title}: axes {self.axes} are not those of {given[0]} and {given[1]}")
        sizes = [shape.pop(axis - 1) for axis, shape in zip(self.axes, shapes, strict=True)]
        if sizes[0] != sizes[1]:
            raise ValueError(f"{self.title}: axes {self.axes} of {given[0]} and {given[1]} have different sizes")
        return type_of_shape((*shapes[0], *shapes[1]) or (1,))

    def output_mask(self, masks: Sequence[nd.NDArray | None], given: Sequence[InputType]) -> None:
        return None

    def _computed(self, inputs: Arrays, masks: Masks) -> nd.NDArray:
        rows = []
        for x, axis in zip(inputs, self.axes, strict=True):
            if self.is_normalized:
                x = x * nd.rsqrt(nd.maximum(nd.sum(nd.square(x), axis=axis, keepdims=True), 1e-12))
            moved = nd.moveaxis(x, axis, -1)
            rows.append(moved.reshape((moved.shape[0], -1, moved.shape[-1])))
        product = nd.matmul(rows[0], nd.matrix_transpose(rows[1]))
        rest = [
            size
            for x, along in zip(inputs, self.axes, strict=True)
            for axis, size in enumerate(x.shape)
            if axis not in (0, along)
        ]
        return product.reshape((product.shape[0], *(rest or [1])))
