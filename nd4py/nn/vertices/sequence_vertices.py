"""Vertices over the steps of sequences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from nd4py import api as nd

from ..inputs import FEED_FORWARD, RECURRENT, InputType
from ..layers.recurrent.last_time_step import last_steps
from .vertex import Arrays, Masks, Vertex


def sequence(title: str, given: InputType) -> InputType:
    """Raises ValueError for anything but sequences."""
    if given.kind != RECURRENT:
        raise ValueError(f"{title}: sequences are needed, given {given}")
    return given


@dataclass(frozen=True)
class LastTimeStepVertex(Vertex):
    """The last step of each sequence that is not padding: rows (batch, size); zeros where all is padding.

    Raises nothing.

    >>> x, mask = nd.asarray([[[1.0], [2.0], [0.0]]]), nd.asarray([[1.0, 1.0, 0.0]])
    >>> nn.LastTimeStepVertex().forward({}, [x], masks=[mask])
    array([[2.]], dtype=float64)
    """

    def output_type(self, *given: InputType) -> InputType:
        given = self._types(given)
        return InputType.feed_forward(sequence(self.title, given[0]).n_features)

    def _computed(self, inputs: Arrays, masks: Masks) -> nd.NDArray:
        x, mask = inputs[0], masks[0]
        if mask is None:
            return x[:, -1]
        return nd.where(nd.any(mask != 0, axis=1, keepdims=True), last_steps(x, mask), 0.0)


@dataclass(frozen=True)
class DuplicateToTimeSeriesVertex(Vertex):
    """Rows repeated for every step of a sequence.  It reads the rows, then the sequence whose length they get.

    Raises nothing.

    >>> nn.DuplicateToTimeSeriesVertex().forward({}, [nd.ones((2, 3)), nd.ones((2, 5, 1))]).shape
    (2, 5, 3)
    """

    fewest: ClassVar[int] = 2
    most: ClassVar[int | None] = 2

    def output_type(self, *given: InputType) -> InputType:
        given = self._types(given)
        if given[0].kind != FEED_FORWARD:
            shown = " and ".join(map(str, given))
            raise ValueError(f"{self.title}: it reads rows and a sequence, given {shown}")
        return InputType.recurrent(given[0].n_features, sequence(self.title, given[1]).length)

    def output_mask(self, masks: Sequence[nd.NDArray | None], given: Sequence[InputType]) -> nd.NDArray | None:
        masks = self._masks(masks)
        return masks[1]

    def _computed(self, inputs: Arrays, masks: Masks) -> nd.NDArray:
        rows, steps = inputs[0], inputs[1].shape[1]
        return nd.broadcast_to(nd.expand_dims(rows, axis=1), (rows.shape[0], steps, rows.shape[1]))


@dataclass(frozen=True)
class ReverseTimeSeriesVertex(Vertex):
    """Sequences with their steps in reverse; padding stays at its place at the end.

    Raises nothing.

    >>> x, mask = nd.asarray([[[1.0], [2.0], [0.0]]]), nd.asarray([[1.0, 1.0, 0.0]])
    >>> nn.ReverseTimeSeriesVertex().forward({}, [x], masks=[mask])[0, :, 0]
    array([2., 1., 0.], dtype=float64)
    """

    needs_whole_sequences: ClassVar[bool] = True

    def output_type(self, *given: InputType) -> InputType:
        given = self._types(given)
        return sequence(self.title, given[0])

    def _computed(self, inputs: Arrays, masks: Masks) -> nd.NDArray:
        x, mask = inputs[0], masks[0]
        if mask is None:
            return nd.flip(x, axis=1)
        steps = nd.arange(x.shape[1], dtype="int64", device=x.device)
        n_steps = nd.max(nd.where(mask != 0, steps + 1, 0), axis=1, keepdims=True)
        source = nd.where(steps < n_steps, n_steps - 1 - steps, steps)
        return nd.take_along_axis(x, nd.broadcast_to(nd.expand_dims(source, axis=2), x.shape), axis=1)


@dataclass(frozen=True)
class DotProductAttentionVertex(Vertex):
    """softmax(q k^T / sqrt(size)) v.  It reads queries, keys and values: sequences; without values the keys are these.

    Keys at padding, by the mask of the second input, get no weight.
    Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, equation 1
    Raises nothing.

    >>> q, k, v = nd.ones((2, 3, 4)), nd.ones((2, 5, 4)), nd.ones((2, 5, 6))
    >>> nn.DotProductAttentionVertex().forward({}, [q, k, v]).shape
    (2, 3, 6)
    """

    fewest: ClassVar[int] = 2
    most: ClassVar[int | None] = 3

    def output_type(self, *given: InputType) -> InputType:
        given = self._types(given)
        for each in given:
            sequence(self.title, each)
        if given[0].n_features != given[1].n_features:
            raise ValueError(f"{self.title}: queries and keys need one size, given {given[0]} and {given[1]}")
        return InputType.recurrent(given[-1].n_features, given[0].length)

    def output_mask(self, masks: Sequence[nd.NDArray | None], given: Sequence[InputType]) -> nd.NDArray | None:
        masks = self._masks(masks)
        return masks[0]

    def _computed(self, inputs: Arrays, masks: Masks) -> nd.NDArray:
        queries, keys, values = inputs[0], inputs[1], inputs[-1]
        mask = None if masks[1] is None else nd.expand_dims(masks[1], axis=1)
        return nd.dot_product_attention(queries, keys, values, mask=mask)
