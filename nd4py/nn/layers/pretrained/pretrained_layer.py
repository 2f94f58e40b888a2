"""PretrainedLayer: the base class of layers that have a loss of their own for pretraining."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from nd4py import api as nd

from ..layer import State, WeightedLayer


@dataclass(frozen=True, kw_only=True)
class PretrainedLayer(WeightedLayer, ABC):
    """The base class of layers that `network.pretrain` trains alone, without labels.

    Parameters that only pretraining needs, such as those of a decoder, say `is_pretrained`: `fit` leaves them as they
    are.  Raises as `WeightedLayer` does.

    >>> isinstance(nn.AutoEncoder(2), nn.PretrainedLayer), isinstance(nn.DenseLayer(2), nn.PretrainedLayer)
    (True, False)
    """

    @abstractmethod
    def pretrain_score(
        self, params: State, x: nd.NDArray, *, rng: Any = None, mask: nd.NDArray | None = None
    ) -> nd.NDArray:
        """The loss that pretraining makes small, summed over examples and steps: a 0-d array.

        x: what the layers below make of a batch
        rng: a generator for what is random in it; None: nothing is
        mask: (batch, length), 1 at steps of sequences that are there and 0 at padding, which costs nothing
        Raises TypeError for an argument that is not an array, ValueError for shapes that do not fit.
        """
