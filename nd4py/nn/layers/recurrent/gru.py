"""Gated recurrent units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from nd4py import api as nd
from nd4py.api.sequences.steps import gru_steps

from ...activations import activation
from ...inputs import InputType
from ...parameters import Parameter
from ..layer import State
from .recurrent_layer import RecurrentLayer, before, checked_gate, is_fused, recurrent_weights


@dataclass(frozen=True)
class GRU(RecurrentLayer):
    """Gated recurrent units: y_t = h_t = u * h + (1 - u) * n, with the gates

    r = s(x_t @ W_r + h @ RW_r + b_r) and u, alike, s being the `gate_activation`, and the candidate
    n = activation(x_t @ W_n + b_n + r * (h @ RW_n + Rb)), as cuDNN, Keras and PyTorch have it, or with `reset_after`
    false n = activation(x_t @ W_n + b_n + (r * h) @ RW_n), as Cho et al. 2014, https://arxiv.org/abs/1406.1078

    x: (batch, length, n_in)    W: (n_in, 3 * n_out)    RW: (n_out, 3 * n_out)    b: (3 * n_out,)    Rb: (n_out,), only
    with `reset_after`.  The gates lie in the order r, u, n.
    n_out: units; activation, gate_activation: names of `ACTIVATIONS`; with tanh and sigmoid all steps are one loop
    reset_after: whether the reset gate acts behind the product with RW_n
    recurrent_weight_init: what RW starts with, as W if None
    `forward` returns (y, state), the state being {"h": (batch, n_out)}.
    Raises ValueError for a setting out of its range or an unknown name.

    >>> layer = nn.GRU(2, reset_after=False)
    >>> params = {"W": nd.ones((1, 6)), "RW": nd.ones((2, 6)), "b": nd.zeros(6)}
    >>> y, state = layer.forward(params, nd.ones((1, 3, 1)))
    >>> nd.round(y[0, :, 0], 4)
    array([0.2048, 0.3352, 0.4272], dtype=float64)
    """

    gate_activation: str = "sigmoid"
    reset_after: bool = field(default=True, kw_only=True)

    n_gates: ClassVar[int] = 3

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_gate(self)

    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        inner = (Parameter("Rb", (self.n_out,), is_bias=True),) if self.reset_after else ()
        return (*super().parameters(given), *inner)

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
        operands = x, p["W"], p["RW"], p["b"], p.get("Rb")
        if is_fused(self, "tanh", "sigmoid"):
            y, h = nd.gru(*operands, h=h, mask=mask, reset_after=self.reset_after)
        else:
            functions = activation(self.activation), activation(self.gate_activation)
            y, h = gru_steps(*operands, h, mask, self.reset_after, *functions)
        return y, {"h": h}
