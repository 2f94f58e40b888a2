"""Simple recurrence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nd4py import api as nd
from nd4py.api.sequences.steps import simple_steps

from ...activations import activation
from ..layer import State
from .recurrent_layer import RecurrentLayer, before, recurrent_weights

FUSED = ("tanh", "relu")


@dataclass(frozen=True)
class SimpleRnn(RecurrentLayer):
    """y_t = h_t = activation(x_t @ W + h @ RW + b).  Elman 1990, doi 10.1207/s15516709cog1402_1

    x: (batch, length, n_in)    W: (n_in, n_out)    RW: (n_out, n_out)    b: (n_out,)
    n_out: units; activation: a name of `ACTIVATIONS`; with tanh and relu all steps are one loop
    recurrent_weight_init: what RW starts with, as W if None
    `forward` returns (y, state), the state being {"h": (batch, n_out)}.
    Raises ValueError for a setting out of its range or an unknown name.

    >>> layer = nn.SimpleRnn(1, activation="identity")
    >>> y, state = layer.forward({"W": nd.ones((1, 1)), "RW": nd.ones((1, 1)), "b": nd.zeros(1)}, nd.ones((1, 3, 1)))
    >>> y[0, :, 0]
    array([1., 2., 3.], dtype=float64)
    """

    def forward(
        self,
        params: Mapping[str, nd.NDArray],
        x: nd.NDArray,
        *,
        train: bool = False,
        rng: Any = None,
        mask: nd.NDArray | None = None,
        state: State | None = None,
    ) -> tuple[nd.NDArray, State]:
        p, h = recurrent_weights(params), before(state, "h")
        operands = x, p["W"], p["RW"], p["b"]
        if self.activation in FUSED:
            y, h = nd.simple_rnn(*operands, h=h, mask=mask, activation=self.activation)
        else:
            y, h = simple_steps(*operands, h, mask, activation(self.activation))
        return y, {"h": h}
