"""Layers that are a loss and an activation alone: of rows, of the steps of sequences, of the places of images."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from nd4py import api as nd
from nd4py.api.arguments import array

from ...activations import activated
from ...inputs import CONVOLUTIONAL, FEED_FORWARD, RECURRENT, InputType
from ..layer import State
from .loss_scored import LossScoredLayer


@dataclass(frozen=True)
class LossLayer(LossScoredLayer):
    """y = activation(x), and a loss: an output layer without parameters.    x: (batch, n)

    loss: a name of `LOSSES`, or a `Loss`; activation: a name of `ACTIVATIONS`, or an `Activation`
    loss_weights: None, or what each output counts; label_smoothing: share of the labels that all classes have equally.
    Raises ValueError for a setting out of its range or an unknown name.

    >>> layer = nn.LossLayer(loss="mse", activation="tanh")
    >>> layer.forward({}, nd.zeros((1, 2)))
    array([[0., 0.]], dtype=float64)
    >>> float(layer.score({}, nd.zeros((1, 2)), nd.ones((1, 2))))
    1.0
    """

    loss: Any = "negative_log_likelihood"
    activation: Any = "identity"

    wanted_input: ClassVar[str] = FEED_FORWARD

    def __post_init__(self) -> None:
        self.check_settings()

    def output_type(self, given: InputType) -> InputType:
        kind = given.kind
        if kind != self.wanted_input:
            raise ValueError(f"a {type(self).__name__} needs {self.wanted_input} input, given {kind} input {given}")
        return given

    def pre_activation(self, params: State, x: nd.NDArray) -> nd.NDArray:
        """x itself.  Returns an array.  Raises TypeError for an argument that is not an array."""
        values: nd.NDArray = array("forward: x", x)
        return values

    def forward(
        self,
        params: State,
        x: nd.NDArray,
        *,
        train: bool = False,
        rng: Any = None,
        mask: nd.NDArray | None = None,
        state: State | None = None,
    ) -> nd.NDArray:
        return activated(self.activation, x, train=train, rng=rng)


@dataclass(frozen=True)
class RnnLossLayer(LossLayer):
    """y = activation(x), and a loss at every step of a sequence.    x: (batch, length, n)

    The score is the sum over the steps that count, divided by the number of examples.
    Raises ValueError for a setting out of its range or an unknown name.

    >>> layer = nn.RnnLossLayer(loss="mse")
    >>> x, labels = nd.zeros((1, 3, 2)), nd.ones((1, 3, 2))
    >>> float(layer.score({}, x, labels, mask=nd.asarray([[1.0, 1.0, 0.0]])))
    2.0
    """

    wanted_input: ClassVar[str] = RECURRENT


@dataclass(frozen=True)
class CnnLossLayer(LossLayer):
    """y = activation(x), and a loss at every place of an image.    x: (batch, channels, height, width)

    The channels of a place are its outputs: softmax is over them, and labels have them along axis 1.  A mask is
    (batch,), or has the shape of the labels, with one channel or all.
    The score is the sum over the places, divided by the number of examples.
    Raises ValueError for a setting out of its range or an unknown name.

    >>> layer = nn.CnnLossLayer(loss="mcxent", activation="softmax")
    >>> layer.forward({}, nd.zeros((1, 2, 1, 3)))[0, :, 0, 0]
    array([0.5, 0.5], dtype=float64)
    """

    wanted_input: ClassVar[str] = CONVOLUTIONAL
