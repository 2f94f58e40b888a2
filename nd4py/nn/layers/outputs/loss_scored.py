"""LossScoredLayer: the base class of layers whose score is a loss of the values before their activation."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nd4py import api as nd
from nd4py.api.arguments import array, items

from ...activations import activation
from ...losses.losses import check_loss, check_outputs, checked_labels, labels_of_ones, losses_of
from ...numbers import real
from ..layer import State
from ..scored import ScoredLayer


@dataclass(frozen=True, kw_only=True)
class LossScoredLayer(ScoredLayer):
    """The base class of layers with the fields `activation` and `loss`.

    The loss is computed from the values before the activation, so that softmax with negative log likelihood and sigmoid
    with binary cross entropy neither overflow nor take the logarithm of 0.
    loss_weights: None, or what each output counts, one number an output
    label_smoothing: of cross entropies, the share of the labels that all classes have equally

    >>> isinstance(nn.OutputLayer(2), nn.LossScoredLayer), isinstance(nn.LossLayer("mse"), nn.LossScoredLayer)
    (True, True)
    """

    loss_weights: tuple[float, ...] | None = None
    label_smoothing: float = 0.0

    if TYPE_CHECKING:  # fields of the subclasses, which say where they stand among the others

        @property
        def activation(self) -> Any: ...

        @property
        def loss(self) -> Any: ...

    @abstractmethod
    def pre_activation(self, params: State, x: nd.NDArray) -> nd.NDArray:
        """The values before the activation.

        Returns an array of the output's shape.  Raises TypeError for an argument that is not an array, ValueError for
        shapes that do not fit.
        """

    def check_settings(self) -> None:
        """Raises ValueError for an unknown name, and for settings that do not go together."""
        activation(self.activation)
        real(self.label_smoothing, f"{self.title}: label_smoothing", low=0.0, high=1.0)
        check_loss(self.loss, self.activation, self.label_smoothing, self.title)
        if (n_out := getattr(self, "n_out", None)) is not None:  # without weights what comes in may be probabilities
            check_outputs(self.loss, self.activation, n_out, self.title)
        if self.loss_weights is not None:
            given = items(f"{self.title}: loss_weights", self.loss_weights)
            numbers = tuple(real(weight, f"{self.title}: each of loss_weights", low=0.0) for weight in given)
            object.__setattr__(self, "loss_weights", numbers)

    def prepare_labels(self, labels: nd.NDArray, shape: tuple[int | None, ...], dtype: nd.DType) -> nd.NDArray:
        return checked_labels(self.loss, labels, shape, dtype, self.title)

    def example_labels(self, shape: tuple[int, ...], dtype: nd.DType) -> nd.NDArray:
        return labels_of_ones(self.loss, shape, dtype)

    def score(
        self,
        params: State,
        x: nd.NDArray,
        labels: nd.NDArray,
        *,
        train: bool = False,
        rng: Any = None,
        mask: nd.NDArray | None = None,
    ) -> Any:
        return nd.sum(self._losses(params, x, array("score: labels", labels), mask))

    def example_scores(
        self, params: State, x: nd.NDArray, labels: nd.NDArray, *, mask: nd.NDArray | None = None
    ) -> nd.NDArray:
        losses = self._losses(params, x, array("example_scores: labels", labels), mask)
        return nd.sum(losses, axis=tuple(range(1, losses.ndim)))

    def _losses(self, params: State, x: nd.NDArray, labels: nd.NDArray, mask: nd.NDArray | None) -> nd.NDArray:
        z, weights = self.pre_activation(params, x), self.loss_weights
        return losses_of(self.loss, labels, z, self.activation, mask, weights=weights, smoothing=self.label_smoothing)
