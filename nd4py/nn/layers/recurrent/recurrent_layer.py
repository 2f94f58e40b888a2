"""RecurrentLayer: the base class of layers that carry a state from step to step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from nd4py import api as nd
from nd4py.api.arguments import instance

from ...activations import activation
from ...initialization.initializers import initializer
from ...inputs import RECURRENT, InputType
from ...parameters import Parameter
from ..layer import State, WeightedLayer, checked_outputs, weights


@dataclass(frozen=True)
class RecurrentLayer(WeightedLayer):
    """A layer over sequences x (batch, length, n_in) whose every step sees the state that the step before left.

    Parameters: W (n_in, n_gates * n_out), RW (n_out, n_gates * n_out), b (n_gates * n_out,)
    n_out: units; activation: a name of `ACTIVATIONS`
    recurrent_weight_init: what RW starts with, a name of `INITIALIZERS` or a `Distribution`; as W if None
    `forward` returns (y, state).  Where the mask is 0 the state stays as it is, and y is 0.
    Raises ValueError for a setting out of its range or an unknown name.

    >>> nn.SimpleRnn(3).is_recurrent
    True
    """

    n_out: int
    activation: str = "tanh"
    recurrent_weight_init: Any = field(default=None, kw_only=True)

    wanted_input: ClassVar[str] = RECURRENT
    is_recurrent: ClassVar[bool] = True
    n_gates: ClassVar[int] = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_outputs(self)
        if self.recurrent_weight_init is not None:
            initializer(self.recurrent_weight_init)

    def output_type(self, given: InputType) -> InputType:
        return InputType.recurrent(self.n_out, sequences(self.title, given).length)

    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        n_in, n_out = sequences(self.title, given).n_features, self.n_out
        first = None if self.recurrent_weight_init is None else initializer(self.recurrent_weight_init)
        return (
            Parameter("W", (n_in, self.n_gates * n_out), n_in, n_out),
            Parameter("RW", (n_out, self.n_gates * n_out), n_out, n_out, initial=first),
            Parameter("b", (self.n_gates * n_out,), is_bias=True, initial=self.first_bias()),
        )

    def first_bias(self) -> Any:
        """What the bias starts with, as `Parameter.initial`.  Raises nothing."""
        return None


def sequences(title: str, given: Any) -> InputType:
    """An input type that must be sequences.  Raises ValueError for another, TypeError for what is none."""
    if given.kind != RECURRENT:
        raise ValueError(f"{title}: sequences are needed, InputType.recurrent(size, length), given {given}")
    return given


def recurrent_weights(params: Any) -> Mapping[str, nd.NDArray]:
    """Raises TypeError for anything but a mapping of names to arrays, ValueError for one without W and RW."""
    if "RW" not in weights(params):
        raise ValueError(f"forward: params must have the recurrent weights RW, given {list(params)}")
    return weights(params)


def before(state: State | None, name: str) -> nd.NDArray | None:
    """The state before the first step, None at the start.  Raises ValueError for a state of another layer."""
    if state is None:
        return None
    if name not in instance("forward: state", state, Mapping):
        raise ValueError(f"forward: state must have {name}, as the layer returned it, given {list(state)}")
    return state[name]


def is_fused(layer: Any, *activations: str) -> bool:
    """Whether a layer's activations are those of the function that runs all steps in one loop."""
    return (layer.activation, *((layer.gate_activation,) if len(activations) > 1 else ())) == activations


def checked_gate(layer: Any) -> None:
    """Raises ValueError for an unknown `gate_activation`."""
    activation(layer.gate_activation)
