"""Vertices that join arrays and take parts of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from nd4py import api as nd

from ..activations import features_axis
from ..inputs import FEED_FORWARD, RECURRENT, InputType
from ..numbers import whole
from .number_vertices import same_types
from .vertex import Arrays, Masks, Vertex


def with_features(given: InputType, n_features: int) -> InputType:
    """The same kind of input with another number of features or channels."""
    if given.kind == FEED_FORWARD:
        return InputType.feed_forward(n_features)
    if given.kind == RECURRENT:
        return InputType.recurrent(n_features, given.length)
    return InputType(given.kind, (n_features, *given.dimensions[1:]))


@dataclass(frozen=True)
class MergeVertex(Vertex):
    """Arrays side by side: rows and the steps of sequences along their numbers, images along their channels.

    Raises nothing.

    >>> nn.MergeVertex().forward({}, [nd.asarray([[1.0]]), nd.asarray([[2.0, 3.0]])])
    array([[1., 2., 3.]], dtype=float64)
    """

    most: ClassVar[int | None] = None

    def output_type(self, *given: InputType) -> InputType:
        given = self._types(given)
        alike = [with_features(each, 1) for each in given]
        try:
            same_types(self.title, alike)
        except ValueError:
            raise ValueError(
                f"{self.title}: the inputs must be of one kind, and of one size but for their features or channels, "
                f"given {' and '.join(map(str, given))}"
            ) from None
        first = next((each for each in given if None not in each.dimensions), given[0])
        return with_features(first, sum(each.n_features for each in given))

    def _computed(self, inputs: Arrays, masks: Masks) -> nd.NDArray:
        return nd.concat(list(inputs), axis=features_axis(inputs[0]))


@dataclass(frozen=True)
class SubsetVertex(Vertex):
    """The features or channels start .. stop, as a slice of them.

    start, stop: whole numbers, 0 <= start < stop; stop itself is left out
    Raises ValueError for others.

    >>> nn.SubsetVertex(1, 3).forward({}, [nd.asarray([[1.0, 2.0, 3.0]])])
    array([[2., 3.]], dtype=float64)
    """

    start: int
    stop: int

    def __post_init__(self) -> None:
        whole(self.start, f"{self.title}: start", least=0)
        whole(self.stop, f"{self.title}: stop", least=self.start + 1)

    def output_type(self, *given: InputType) -> InputType:
        given = self._types(given)
        only = given[0]
        if self.stop > only.n_features:
            raise ValueError(f"{self.title}: stop {self.stop} is beyond the {only.n_features} features of {only}")
        return with_features(only, self.stop - self.start)

    def _computed(self, inputs: Arrays, masks: Masks) -> nd.NDArray:
        before: tuple[slice, ...] = (slice(None),) * features_axis(inputs[0])
        return inputs[0][(*before, slice(self.start, self.stop))]


@dataclass(frozen=True)
class StackVertex(Vertex):
    """The examples of all inputs, one after another along the batch, so that they go through one layer.

    Raises nothing.

    >>> nn.StackVertex().forward({}, [nd.asarray([[1.0]]), nd.asarray([[2.0]])])
    array([[1.],
           [2.]], dtype=float64)
    """

    most: ClassVar[int | None] = None

    def output_type(self, *given: InputType) -> InputType:
        given = self._types(given)
        return same_types(self.title, given)

    def output_mask(self, masks: Sequence[nd.NDArray | None], given: Sequence[InputType]) -> nd.NDArray | None:
        masks = self._masks(masks)[: len(self._types(given))]
        if any(mask is None for mask in masks):
            raise ValueError(f"{self.title}: give a mask for each of the inputs that are stacked, or for none")
        return nd.concat([mask for mask in masks if mask is not None], axis=0)

    def _computed(self, inputs: Arrays, masks: Masks) -> nd.NDArray:
        return nd.concat(list(inputs), axis=0)


@dataclass(frozen=True)
class UnstackVertex(Vertex):
    """One of the parts that a `StackVertex` has put together.

    index: the number of the part, from 0; n_stacked: how many there are
    Raises ValueError for an index of no part.

    >>> nn.UnstackVertex(1, 2).forward({}, [nd.asarray([[1.0], [2.0]])])
    array([[2.]], dtype=float64)
    """

    index: int
    n_stacked: int

    def __post_init__(self) -> None:
        whole(self.n_stacked, f"{self.title}: n_stacked")
        if whole(self.index, f"{self.title}: index", least=0) >= self.n_stacked:
            raise ValueError(f"{self.title}: index must be less than n_stacked={self.n_stacked}, given {self.index}")

    def output_type(self, *given: InputType) -> InputType:
        given = self._types(given)
        return given[0]

    def output_mask(self, masks: Sequence[nd.NDArray | None], given: Sequence[InputType]) -> nd.NDArray | None:
        masks = self._masks(masks)
        return None if masks[0] is None else self._part(masks[0])

    def _computed(self, inputs: Arrays, masks: Masks) -> nd.NDArray:
        return self._part(inputs[0])

    def _part(self, x: nd.NDArray) -> nd.NDArray:
        n, rest = divmod(x.shape[0], self.n_stacked)
        if rest:
            raise ValueError(f"{self.title}: {x.shape[0]} examples cannot be divided into {self.n_stacked} parts")
        return x[self.index * n : (self.index + 1) * n]
