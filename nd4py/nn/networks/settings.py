"""Settings that every kind of network has, and those of them that layers take over."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any

from nd4py import api as nd
from nd4py.api.arguments import items

from ..activations import activation
from ..initialization.initializers import initializer
from ..layers import Layer
from ..names import Settings, look_up
from ..numbers import plain, real, whole
from ..regularization.gradient_normalization import normalization
from ..updaters import Sgd, Updater
from .workspaces import MODES

# The dtype that parameters and gradients are kept in, by the dtype that layers compute in.
KEPT_IN = {"float32": "float32", "float64": "float64", "float16": "float32", "bfloat16": "float32"}
# What stands for a setting of a class, by the name of the class.
EXAMPLES = {
    "Updater": "nn.Adam(1e-3)",
    "InputType": "nn.InputType.feed_forward(4)",
    "Layer": "nn.DenseLayer(8)",
}
# Fields of layers that are None where the network's setting holds, and its name there.
TAKEN_OVER = (
    *("activation", "weight_init", "updater", "bias_updater", "l1", "l2", "weight_decay", "dropout", "weight_noise"),
    *("constraints", "bias_constraints", "gradient_normalization", "gradient_threshold"),
)


@dataclass(frozen=True, kw_only=True)
class TrainingConfiguration(Settings):
    """The settings of training that every kind of network has.

    A field that a layer has too, such as `activation`, holds for the layers where it is None.

    updater, bias_updater: of all parameters, and of biases where they have another; None for the same
    activation: of layers with weights that name none    weight_init: a name of `INITIALIZERS`, or a `Distribution`
    l1, l2: regularisation of the weights, added to the score and to the gradient before the updater
    weight_decay: share of the weights taken off beside the updater, times the learning rate
    dropout: of the input of every layer with weights, while it trains; None for none
    weight_noise: how weights are disturbed while the network trains; None for none
    constraints, bias_constraints: what weights, and biases, are held to after each step
    gradient_normalization, gradient_threshold: see `gradient_normalization`
    gradient_accumulation: into how many parts a batch is divided, whose gradients are added up before the one step: so
        that large batches need the memory of small ones
    tbptt_length: steps of sequences that are trained on at a time (truncated back-propagation through time); the state
        of recurrent layers goes on to the next steps, gradients do not.  None for whole sequences
    seed: of initial weights, and of all that is random in training
    dtype: "float32" or "float64"; with "float16" and "bfloat16" layers compute in it, and parameters, gradients, losses
        and updater state are kept in float32.  Losses in float16 are scaled, and a step whose gradient is not finite
        then is left out
    workspace_mode: "enabled" puts the arrays of a step into an arena that is reused, "none" into plain memory
    Raises ValueError or TypeError naming what is wrong.

    >>> issubclass(nn.NetworkConfiguration, nn.TrainingConfiguration)
    True
    """

    updater: Updater = field(default_factory=Sgd)
    bias_updater: Updater | None = None
    activation: str = "identity"
    weight_init: Any = "xavier"
    l1: float = 0.0
    l2: float = 0.0
    weight_decay: float = 0.0
    dropout: Any = None
    weight_noise: Any = None
    constraints: tuple[Any, ...] = ()
    bias_constraints: tuple[Any, ...] = ()
    gradient_normalization: str | None = None
    gradient_threshold: float = 1.0
    gradient_accumulation: int = 1
    tbptt_length: int | None = None
    seed: int = 0
    dtype: str = "float32"
    workspace_mode: str = "enabled"

    def __post_init__(self) -> None:
        check_type(self.updater, Updater, "updater")
        if self.bias_updater is not None:
            check_type(self.bias_updater, Updater, "bias_updater")
        activation(self.activation)
        initializer(self.weight_init)
        for name in ("l1", "l2", "weight_decay", "gradient_threshold"):
            object.__setattr__(self, name, real(getattr(self, name), name, low=0.0))
        for name in ("constraints", "bias_constraints"):
            object.__setattr__(self, name, items(name, getattr(self, name)))
        if self.gradient_normalization is not None:
            normalization(self.gradient_normalization)
        whole(self.gradient_accumulation, "gradient_accumulation")
        if self.tbptt_length is not None:
            whole(self.tbptt_length, "tbptt_length")
        object.__setattr__(self, "seed", whole(self.seed, "seed", least=0))
        look_up(MODES, self.workspace_mode, "workspace_mode")
        object.__setattr__(
            self, "dtype", look_up({name: name for name in KEPT_IN}, _dtype_name(self.dtype), "network dtype")
        )

    @property
    def kept_dtype(self) -> str:
        """The dtype of parameters, gradients and updater state: float32 where layers compute in half precision."""
        return KEPT_IN[self.dtype]

    def settings(self) -> dict[str, Any]:
        """The fields by name, the values as they are.  Raises nothing."""
        return {row.name: getattr(self, row.name) for row in fields(self)}

    def taken_over(self, layer: Any) -> Any:
        """The layer with the network's settings where its own fields are None.

        Raises as the layer's class does.
        """
        own = {row.name: getattr(layer, row.name) for row in fields(layer) if row.init}
        changed = {name: getattr(self, name) for name in TAKEN_OVER if name in own and own[name] is None}
        changed |= {name: self.taken_over(inner) for name, inner in own.items() if isinstance(inner, Layer)}
        # Sizes that are numbers of NumPy, as of y.max() + 1, would be added up in their dtype.
        changed |= {
            name: number for name, value in own.items() if name not in changed and (number := plain(value)) is not value
        }
        return replace(layer, **changed) if changed else layer


def check_type(value: object, wanted: type, name: str) -> None:
    """Raises TypeError unless the setting `name` is of the class `wanted`."""
    if isinstance(value, wanted):
        unset = [row.name for row in fields(value) if not hasattr(value, row.name)] if is_dataclass(value) else []
        if unset:
            raise TypeError(
                f"{name}: {type(value).__name__} has no {unset[0]!r}, a setting of its base class; a class of your own "
                "has @dataclass(frozen=True) above it and its settings as fields, `scale: float = 1.0`, in place of "
                "__init__"
            )
        return
    if isinstance(value, type) and issubclass(value, wanted):
        raise TypeError(f"{name} must be an object of a class, given the class itself; write {value.__name__}(...)")
    article = "an" if wanted.__name__[0] in "AEIOU" else "a"
    example = f", such as {EXAMPLES[wanted.__name__]}" if wanted.__name__ in EXAMPLES else ""
    raise TypeError(f"{name} must be {article} {wanted.__name__}{example}; given {value!r}")


def _dtype_name(given: Any) -> str:
    """The name of a dtype of nd4py, NumPy or Python; of anything else its text, which is no name."""
    try:
        return nd.dtype(given).name if given is not None else "None"
    except (TypeError, ValueError):
        return str(given)
