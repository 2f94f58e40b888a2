"""OutputLayer: a dense layer with a loss."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nd4py import api as nd
from nd4py.api.arguments import array, instance

from ..inputs import RECURRENT, InputType
from ..losses.losses import checked_labels, labels_of_ones, loss_function, masked
from .dense import DenseLayer
from .layer import State
from .scored import ScoredLayer


@dataclass(frozen=True)
class OutputLayer(DenseLayer, ScoredLayer):
    """A dense layer with a loss.

    has_bias: whether b is added.
    The loss is computed from the values before the activation, so that softmax with negative log likelihood and sigmoid
    with binary cross entropy neither overflow nor take the logarithm of 0.
    Raises ValueError for a setting out of its range or an unknown name.

    >>> layer = nn.OutputLayer(2, activation="softmax", loss="mcxent")
    >>> layer.forward({"W": nd.zeros((3, 2)), "b": nd.zeros(2)}, nd.ones((1, 3)))
    array([[0.5, 0.5]], dtype=float64)
    """

    activation: str | None = "softmax"
    loss: str = "negative_log_likelihood"

    def __post_init__(self) -> None:
        super().__post_init__()
        loss_function(self.loss)

    def output_type(self, given: InputType) -> InputType:
        if instance("given", given, InputType).kind == RECURRENT:
            raise ValueError(
                "an OutputLayer takes rows, given sequences; use a RnnOutputLayer for a loss at every step, or a "
                "LastTimeStep or GlobalPoolingLayer before it for one loss of the whole sequence"
            )
        return InputType.feed_forward(self.n_out)

    def prepare_labels(self, labels: nd.NDArray, shape: tuple[int | None, ...], dtype: nd.DType) -> nd.NDArray:
        return checked_labels(self.loss, labels, shape, dtype, self.title)

    def example_labels(self, shape: tuple[int, ...], dtype: nd.DType) -> nd.NDArray:
        return labels_of_ones(self.loss, shape, dtype)

    def score(
        self,
        params: Mapping[str, nd.NDArray],
        x: nd.NDArray,
        labels: nd.NDArray,
        *,
        train: bool = False,
        rng: Any = None,
        mask: nd.NDArray | None = None,
    ) -> nd.NDArray:
        array("score: labels", labels)
        losses = loss_function(self.loss)(labels, self.pre_activation(params, x), self.activation or "identity")
        return nd.sum(losses if mask is None else masked(losses, mask))

    def example_scores(
        self, params: State, x: nd.NDArray, labels: nd.NDArray, *, mask: nd.NDArray | None = None
    ) -> nd.NDArray:
        array("example_scores: labels", labels)
        losses = loss_function(self.loss)(labels, self.pre_activation(params, x), self.activation or "identity")
        return nd.sum(losses if mask is None else masked(losses, mask), axis=tuple(range(1, losses.ndim)))
