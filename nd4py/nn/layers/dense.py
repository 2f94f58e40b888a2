"""Fully connected layers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from nd4py import api as nd
from nd4py.api.arguments import array

from ..activations import activated
from ..inputs import FEED_FORWARD, RECURRENT, InputType
from ..parameters import Parameter
from .layer import WeightedLayer, checked_outputs, weights


def output_of_rows(given: InputType, n_out: int) -> InputType:
    """Rows of `n_out` numbers, or sequences of such steps.  Raises TypeError for anything but an `InputType`."""
    if given.kind == RECURRENT:
        return InputType.recurrent(n_out, given.length)
    return InputType.feed_forward(n_out)


def product(x: nd.NDArray, w: nd.NDArray) -> nd.NDArray:
    """x @ w, with the steps of sequences as rows: one product, and one for the gradient of w."""
    if x.ndim < 3:
        return x @ w
    return (x.reshape((-1, x.shape[-1])) @ w).reshape((*x.shape[:-1], w.shape[1]))


@dataclass(frozen=True)
class DenseLayer(WeightedLayer):
    """y = activation(x @ W + b)    x: (batch, n_in)    W: (n_in, n_out)    b: (n_out,)

    Sequences (batch, length, n_in) give sequences: every step goes through the same weights.

    n_out: outputs
    activation: a name of `ACTIVATIONS`, or an `Activation`; None for the network's
    has_bias: whether b is added
    Raises ValueError for a setting out of its range or an unknown name.

    >>> layer = nn.DenseLayer(2, activation="relu")
    >>> layer.forward({"W": nd.ones((3, 2)), "b": nd.zeros(2)}, nd.asarray([[1.0, 2.0, 3.0]]))
    array([[6., 6.]], dtype=float64)
    """

    n_out: int
    activation: Any = None
    has_bias: bool = True

    wanted_input: ClassVar[str] = FEED_FORWARD

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_outputs(self)

    def output_type(self, given: InputType) -> InputType:
        return output_of_rows(given, self.n_out)

    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        weight = Parameter("W", (given.n_features, self.n_out), given.n_features, self.n_out)
        return (weight, Parameter("b", (self.n_out,), is_bias=True)) if self.has_bias else (weight,)

    def pre_activation(self, params: Mapping[str, nd.NDArray], x: nd.NDArray) -> nd.NDArray:
        """x @ W + b

        Returns an array (batch, n_out).  Raises TypeError for an argument that is not an array, ValueError for shapes
        that do not fit.
        """
        z = product(array("forward: x", x), weights(params)["W"])
        return z + params["b"] if self.has_bias else z

    def forward(
        self,
        params: Mapping[str, nd.NDArray],
        x: nd.NDArray,
        *,
        train: bool = False,
        rng: Any = None,
        mask: nd.NDArray | None = None,
        state: Mapping[str, nd.NDArray] | None = None,
    ) -> nd.NDArray:
        return activated(self.activation, self.pre_activation(params, x), train=train, rng=rng)
