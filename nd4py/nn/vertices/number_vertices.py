"""Vertices that combine or change numbers and keep the shape."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from nd4py import api as nd

from ..inputs import InputType
from ..names import look_up
from ..numbers import real
from .vertex import Arrays, Masks, Vertex


def _added(inputs: Sequence[nd.NDArray]) -> nd.NDArray:
    total = inputs[0]
    for x in inputs[1:]:
        total = total + x
    return total


def _subtracted(inputs: Sequence[nd.NDArray]) -> nd.NDArray:
    return inputs[0] - inputs[1]


def _multiplied(inputs: Sequence[nd.NDArray]) -> nd.NDArray:
    product = inputs[0]
    for x in inputs[1:]:
        product = product * x
    return product


def _averaged(inputs: Sequence[nd.NDArray]) -> nd.NDArray:
    return _added(inputs) / len(inputs)


def _largest(inputs: Sequence[nd.NDArray]) -> nd.NDArray:
    largest = inputs[0]
    for x in inputs[1:]:
        largest = nd.maximum(largest, x)
    return largest


def _smallest(inputs: Sequence[nd.NDArray]) -> nd.NDArray:
    smallest = inputs[0]
    for x in inputs[1:]:
        smallest = nd.minimum(smallest, x)
    return smallest


ELEMENT_WISE: dict[str, Callable[[Sequence[nd.NDArray]], nd.NDArray]] = {
    "add": _added,
    "subtract": _subtracted,
    "product": _multiplied,
    "average": _averaged,
    "max": _largest,
    "min": _smallest,
}


def same_types(title: str, given: Sequence[InputType]) -> InputType:
    """The type of inputs that are all alike.  Raises ValueError where they are not."""
    first = next((each for each in given if None not in each.dimensions), given[0])
    for each in given:
        if each.kind != first.kind or (each.dimensions != first.dimensions and None not in each.dimensions):
            raise ValueError(f"{title}: the inputs must have one type, given {' and '.join(map(str, given))}")
    return first


def stretched(title: str, given: Sequence[InputType]) -> InputType:
    """The type of inputs of one kind whose sizes differ at most where they are 1.  Raises ValueError for others."""
    if len({each.kind for each in given}) > 1:
        return same_types(title, given)
    largest = []
    for along in zip(*(each.dimensions for each in given), strict=True):
        sizes = {size for size in along if size is not None}
        if len(sizes - {1}) > 1:
            return same_types(title, given)
        largest.append(max(sizes) if sizes and (None not in along or sizes != {1}) else None)
    return InputType(given[0].kind, tuple(largest))


@dataclass(frozen=True)
class ElementWiseVertex(Vertex):
    """The sum, difference, product, mean, maximum or minimum of arrays of one shape, element by element.

    operation: "add", "subtract" (of two inputs), "product", "average", "max" or "min"
    Sizes of 1 stretch: images times one number for each channel, (channels, 1, 1), are images.
    Raises ValueError for another operation.

    >>> nn.ElementWiseVertex("product").forward({}, [nd.asarray([2.0]), nd.asarray([3.0])])
    array([6.], dtype=float64)
    """

    operation: str = "add"

    most: ClassVar[int | None] = None

    def __post_init__(self) -> None:
        look_up(ELEMENT_WISE, self.operation, "operation of an ElementWiseVertex")

    def output_type(self, *given: InputType) -> InputType:
        given = self._types(given)
        if self.operation == "subtract" and len(given) != 2:
            raise ValueError(f"{self.title}: subtract needs two inputs, given {len(given)}")
        return stretched(self.title, given)

    def _computed(self, inputs: Arrays, masks: Masks) -> nd.NDArray:
        return ELEMENT_WISE[self.operation](inputs)


@dataclass(frozen=True)
class ScaleVertex(Vertex):
    """y = factor * x

    factor: a finite number
    Raises ValueError for anything else.

    >>> nn.ScaleVertex(2.0).forward({}, [nd.asarray([3.0])])
    array([6.], dtype=float64)
    """

    factor: float = 1.0

    def __post_init__(self) -> None:
        real(self.factor, f"{self.title}: factor")

    def output_type(self, *given: InputType) -> InputType:
        given = self._types(given)
        return given[0]

    def _computed(self, inputs: Arrays, masks: Masks) -> nd.NDArray:
        return inputs[0] * self.factor


@dataclass(frozen=True)
class ShiftVertex(Vertex):
    """y = x + amount

    amount: a finite number
    Raises ValueError for anything else.

    >>> nn.ShiftVertex(1.0).forward({}, [nd.asarray([3.0])])
    array([4.], dtype=float64)
    """

    amount: float = 0.0

    def __post_init__(self) -> None:
        real(self.amount, f"{self.title}: amount")

    def output_type(self, *given: InputType) -> InputType:
        given = self._types(given)
        return given[0]

    def _computed(self, inputs: Arrays, masks: Masks) -> nd.NDArray:
        return inputs[0] + self.amount


@dataclass(frozen=True)
class L2Vertex(Vertex):
    """The Euclidean distance of two arrays, example by example: sqrt(sum((x1 - x2)**2) + eps).

    eps: a small number that keeps the gradient finite where the arrays are equal
    Returns rows of one number.  Raises ValueError for a negative eps.

    >>> nn.L2Vertex(eps=0.0).forward({}, [nd.asarray([[3.0, 4.0]]), nd.zeros((1, 2))])
    array([[5.]], dtype=float64)
    """

    eps: float = 1e-8

    fewest: ClassVar[int] = 2
    most: ClassVar[int | None] = 2

    def __post_init__(self) -> None:
        real(self.eps, f"{self.title}: eps", low=0.0)

    def output_type(self, *given: InputType) -> InputType:
        given = self._types(given)
        same_types(self.title, given)
        return InputType.feed_forward(1)

    def _computed(self, inputs: Arrays, masks: Masks) -> nd.NDArray:
        difference = (inputs[0] - inputs[1]).reshape((inputs[0].shape[0], -1))
        return nd.sqrt(nd.sum_of_squares(difference, axis=1, keepdims=True) + self.eps)


@dataclass(frozen=True)
class L2NormalizeVertex(Vertex):
    """y = x / sqrt(sum(x**2) + eps), the sum over all numbers of an example.

    eps: a small number that keeps the divisor away from 0
    Raises ValueError for a negative eps.

    >>> nn.L2NormalizeVertex(eps=0.0).forward({}, [nd.asarray([[3.0, 4.0]])])
    array([[0.6, 0.8]], dtype=float64)
    """

    eps: float = 1e-8

    def __post_init__(self) -> None:
        real(self.eps, f"{self.title}: eps", low=0.0)

    def output_type(self, *given: InputType) -> InputType:
        given = self._types(given)
        return given[0]

    def _computed(self, inputs: Arrays, masks: Masks) -> nd.NDArray:
        x = inputs[0]
        squares = nd.sum_of_squares(x, axis=tuple(range(1, x.ndim)), keepdims=True)
        return x / nd.sqrt(squares + self.eps)
