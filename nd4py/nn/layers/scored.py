"""ScoredLayer: the base class of layers that end a network with a loss."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from nd4py import api as nd

from .layer import Layer, Output, State


@dataclass(frozen=True, kw_only=True)
class ScoredLayer(Layer, ABC):
    """The base class of layers that have a loss and may end a network.

    Its input `x` is what the layers below make; `forward` turns it into the network's output, `score` compares it with
    labels.  Raises nothing.

    >>> isinstance(nn.OutputLayer(2), nn.ScoredLayer), isinstance(nn.DenseLayer(2), nn.ScoredLayer)
    (True, False)
    """

    @abstractmethod
    def prepare_labels(self, labels: nd.NDArray, shape: tuple[int | None, ...], dtype: nd.DType) -> nd.NDArray:
        """`labels` in the form `score` takes.

        shape: of the layer's output for the batch, with the batch axis; None for a length that differs
        Returns an array.  Raises ValueError for labels of another shape than the loss takes.
        """

    @abstractmethod
    def example_labels(self, shape: tuple[int, ...], dtype: nd.DType) -> nd.NDArray:
        """Labels in the form `score` takes, all ones, for an output of `shape`.  Raises as `prepare_labels` does."""

    @abstractmethod
    def score(
        self,
        params: State,
        x: nd.NDArray,
        labels: nd.NDArray,
        *,
        train: bool = False,
        rng: Any = None,
        mask: nd.NDArray | None = None,
    ) -> Output:
        """The loss summed over examples and steps, a 0-d array; or (loss, new running values by name).

        mask: what counts, 1, and what does not, 0: (batch,), (batch, length), or the shape of the labels; None: all
        Raises TypeError for an argument that is not an array, ValueError for shapes that do not fit.
        """

    @abstractmethod
    def example_scores(
        self, params: State, x: nd.NDArray, labels: nd.NDArray, *, mask: nd.NDArray | None = None
    ) -> nd.NDArray:
        """The loss of each example, summed over its steps: an array (batch,).  Raises as `score` does."""
