"""Dense layers with a loss: of rows, and of every step of a sequence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from ...inputs import RECURRENT, InputType
from ..dense import DenseLayer
from .loss_scored import LossScoredLayer


@dataclass(frozen=True)
class OutputLayer(DenseLayer, LossScoredLayer):
    """A dense layer with a loss.

    activation: a name of `ACTIVATIONS`, or an `Activation`; loss: a name of `LOSSES`, or a `Loss`
    has_bias: whether b is added.
    loss_weights: None, or what each output counts; label_smoothing: share of the labels that all classes have equally.
    The loss is computed from the values before the activation, so that softmax with negative log likelihood and sigmoid
    with binary cross entropy neither overflow nor take the logarithm of 0.
    Raises ValueError for a setting out of its range or an unknown name.

    >>> layer = nn.OutputLayer(2, activation="softmax", loss="mcxent")
    >>> layer.forward({"W": nd.zeros((3, 2)), "b": nd.zeros(2)}, nd.ones((1, 3)))
    array([[0.5, 0.5]], dtype=float64)
    """

    activation: Any = "softmax"
    loss: Any = "negative_log_likelihood"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_settings()

    def output_type(self, given: InputType) -> InputType:
        if given.kind == RECURRENT:
            raise ValueError(
                f"an {type(self).__name__} takes rows, given sequences; use a RnnOutputLayer for a loss at every step, "
                "or a LastTimeStep or GlobalPoolingLayer before it for one loss of the whole sequence"
            )
        return InputType.feed_forward(self.n_out)


@dataclass(frozen=True)
class RnnOutputLayer(OutputLayer):
    """A dense layer with a loss at every step of a sequence; all steps have the same weights.

    x: (batch, length, n_in)    y: (batch, length, n_out)
    The score is the sum over the steps that count, divided by the number of examples, as in Deeplearning4j; divide by
    the length for the mean over steps that PyTorch and Keras give.  Steps that the mask of labels leaves out cost
    nothing.
    Raises ValueError for a setting out of its range or an unknown name.

    >>> layer = nn.RnnOutputLayer(2)
    >>> params = {"W": nd.zeros((3, 2)), "b": nd.zeros(2)}
    >>> layer.forward(params, nd.ones((1, 4, 3))).shape
    (1, 4, 2)
    """

    wanted_input: ClassVar[str] = RECURRENT

    def output_type(self, given: InputType) -> InputType:
        return InputType.recurrent(self.n_out, given.length)
