"""Long short-term memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from nd4py import api as nd
from nd4py.api.sequences.steps import lstm_steps

from ...activations import activation
from ...inputs import InputType
from ...numbers import real
from ...parameters import Parameter
from ..layer import State
from .recurrent_layer import RecurrentLayer, before, checked_gate, is_fused, recurrent_weights


@dataclass(frozen=True)
class LSTM(RecurrentLayer):
    """Long short-term memory: c_t = f * c + i * g, and y_t = h_t = o * activation(c_t), with the gates

    i = s(z_i), f = s(z_f), g = activation(z_g), o = s(z_o) of z = x_t @ W + h @ RW + b, s the `gate_activation`.
    Hochreiter & Schmidhuber 1997, doi 10.1162/neco.1997.9.8.1735; with forget gates, Gers et al. 2000, doi
    10.1162/089976600300015015

    x: (batch, length, n_in)    W: (n_in, 4 * n_out)    RW: (n_out, 4 * n_out)    b: (4 * n_out,)
    The gates lie in the order i, f, g, o, as in Keras and PyTorch; Deeplearning4j has g, f, o, i.
    n_out: units; activation, gate_activation: names of `ACTIVATIONS`; with tanh and sigmoid all steps are one loop
    recurrent_weight_init: what RW starts with, as W if None
    forget_gate_bias_init: what the part of b for f starts with; at 1 the cell remembers at first (Gers et al.)
    `forward` returns (y, state), the state being {"h": (batch, n_out), "c": (batch, n_out)}.
    Raises ValueError for a setting out of its range or an unknown name.

    >>> layer = nn.LSTM(2)
    >>> params = {"W": nd.ones((1, 8)), "RW": nd.ones((2, 8)), "b": nd.zeros(8)}
    >>> y, state = layer.forward(params, nd.ones((1, 3, 1)))
    >>> nd.round(y[0], 4)
    array([[0.3696, 0.3696],
           [0.727 , 0.727 ],
           [0.8925, 0.8925]], dtype=float64)
    """

    gate_activation: str = "sigmoid"
    forget_gate_bias_init: float = field(default=1.0, kw_only=True)

    n_gates: ClassVar[int] = 4

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_gate(self)
        real(self.forget_gate_bias_init, f"{self.title}: forget_gate_bias_init")

    def first_bias(self) -> Any:
        return ForgetBias(self.bias_init, self.forget_gate_bias_init)

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
        p = recurrent_weights(params)
        h, c = before(state, "h"), before(state, "c")
        if is_fused(self, "tanh", "sigmoid"):
            y, h, c = nd.lstm(x, p["W"], p["RW"], p["b"], peepholes=p.get("P"), h=h, c=c, mask=mask)
        else:
            functions = activation(self.activation), activation(self.gate_activation)
            operands = x, p["W"], p["RW"], p["b"], p.get("P"), h, c, mask
            y, h, c = lstm_steps(*operands, *functions)
        return y, {"h": h, "c": c}


@dataclass(frozen=True)
class GravesLSTM(LSTM):
    """Long short-term memory whose gates see the cell through peepholes P: i and f that before the step, o that behind.

    i = s(z_i + P_0 * c), f = s(z_f + P_1 * c), o = s(z_o + P_2 * c_t); the rest is that of `LSTM`.
    Graves 2013, https://arxiv.org/abs/1308.0850, equations 7 to 11

    x: (batch, length, n_in)    P: (3, n_out), which in Deeplearning4j are three more columns of RW
    n_out: units; activation, gate_activation: names of `ACTIVATIONS`
    recurrent_weight_init: what RW starts with, as W if None; forget_gate_bias_init: the part of b for f
    Raises ValueError for a setting out of its range or an unknown name.

    >>> [p.name for p in nn.GravesLSTM(2).parameters(nn.InputType.recurrent(3))]
    ['W', 'RW', 'b', 'P']
    """

    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        return (*super().parameters(given), Parameter("P", (3, self.n_out), self.n_out, self.n_out))


@dataclass(frozen=True)
class ForgetBias:
    """The first bias of the gates i, f, g, o: one number for f, another for the rest."""

    others: float
    forget: float

    def __call__(self, rng: Any, parameter: Parameter, dtype: Any) -> nd.NDArray:
        bias = nd.full(parameter.shape, self.others, dtype=dtype, device="cpu")
        units = parameter.shape[0] // 4
        bias[units : 2 * units] = self.forget
        return bias
