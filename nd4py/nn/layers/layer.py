"""Layer: the base class of layers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from nd4py import api as nd
from nd4py.api.arguments import array, instance, items

from ..activations import activation
from ..initialization.initializers import initializer
from ..inputs import RECURRENT, InputType
from ..names import Settings
from ..numbers import real, whole
from ..parameters import Parameter
from ..regularization.constraints import Constraint
from ..regularization.dropouts import checked_noise
from ..regularization.gradient_normalization import normalization
from ..regularization.weight_noise import ParameterNoise
from ..updaters.updater import Updater
from .calls import checked, of_type
from .input_sizes import check_size, with_checked_size

State = Mapping[str, nd.NDArray]
Output = nd.NDArray | tuple[nd.NDArray, State]


@dataclass(frozen=True, kw_only=True)
class Layer(Settings):
    """The base class: a layer without parameters that keeps the shape.  Subclasses override what differs.

    name: how `summary()` and error messages call it; the class name when empty.
    n_in: the numbers of a row or of a step, or the channels, of the input; None takes them from the input type, with
        which a number is compared.  Of the first layer it stands for the input type of rows and sequences.
    A layer that learns running values declares them as parameters with `is_state`, finds them in `params`, and returns
    (y, new values by name) while it trains.  A layer whose `is_recurrent` is true takes the `state` that the sequence
    before ended with, None at the start, and returns (y, state).  One whose `needs_whole_sequences` is true looks at
    steps that come later, and is refused by `rnn_time_step`.  A layer whose `makes_mask` is true tells from its input
    which steps are there: the layers behind see what its `made_mask` returns.  A layer whose `keeps_precision` is true
    is given its parameters in float32 also where the network computes in half precision.
    Raises nothing.

    >>> from dataclasses import dataclass, field
    >>> @dataclass(frozen=True)
    ... class Doubled(nn.Layer):
    ...     def forward(self, params, x, *, train=False, rng=None, mask=None, state=None):
    ...         return 2 * x
    >>> Doubled().forward({}, nd.asarray([[1.0, 2.0]]))
    array([[2., 4.]], dtype=float64)
    """

    name: str = ""
    # A factory, so that classes with an n_in of their own, as embeddings, need not give it a default.
    n_in: int | None = field(default_factory=lambda: None, metadata={"is_size": True})

    wanted_input: ClassVar[str] = "any"  # or a kind of InputType
    is_recurrent: ClassVar[bool] = False
    needs_whole_sequences: ClassVar[bool] = False
    makes_mask: ClassVar[bool] = False
    keeps_precision: ClassVar[bool] = False

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        if "forward" in vars(cls):
            cls.forward = checked(vars(cls)["forward"])  # type: ignore[method-assign]
        for name in {"parameters", "output_type", "output_mask"} & vars(cls).keys():
            setattr(cls, name, of_type(vars(cls)[name]))
        if "__post_init__" in vars(cls):
            cls.__post_init__ = with_checked_size(vars(cls)["__post_init__"])  # type: ignore[assignment, method-assign]

    def __post_init__(self) -> None:
        check_size(self)

    @property
    def is_frozen(self) -> bool:
        """Whether training leaves its parameters as they are."""
        return False

    @property
    def title(self) -> str:
        return self.name or type(self).__name__

    @of_type
    def output_type(self, given: InputType) -> InputType:
        """The type of the output for the input type `given`.  Raises ValueError where the layer does not fit."""
        return given

    @of_type
    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        """The parameters for the input type `given`, in the order they have in the flat vector.

        Raises TypeError for anything but an `InputType`.
        """
        return ()

    def output_mask(self, mask: nd.NDArray | None, given: InputType) -> nd.NDArray | None:
        """The mask of the output for that of the input: the same for sequences, None where the output is none.

        mask: (batch, length), 1 at steps that are there and 0 at padding, in the network's dtype; None: all are there
        Raises TypeError for anything but an `InputType`.
        """
        return mask if self.output_type(instance("given", given, InputType)).kind == RECURRENT else None

    def made_mask(self, x: nd.NDArray, mask: nd.NDArray | None) -> nd.NDArray:
        """The mask of the output, of a layer whose `makes_mask` is true, in any dtype.

        x: the input    mask: of the input, (batch, length) or None
        Raises TypeError for an argument that is not an array.
        """
        return nd.ones(array("made_mask: x", x).shape[:2]) if mask is None else array("made_mask: mask", mask)

    def forward(
        self,
        params: State,
        x: nd.NDArray,
        *,
        train: bool = False,
        rng: Any = None,
        mask: nd.NDArray | None = None,
        state: State | None = None,
    ) -> Output:
        """The output for a batch `x`, or (output, new state).

        rng: a generator that is drawn from only when `train` is true; all randomness comes from it
        mask: (batch, length), 1 at steps of sequences that are there and 0 at padding; None: all are there
        state: of a recurrent layer, what it returned for the steps before these; None at the start
        Raises TypeError for an argument that is not an array, ValueError for shapes that do not fit the layer.
        """
        return array("forward: x", x)


@dataclass(frozen=True, kw_only=True)
class WeightedLayer(Layer):
    """A layer with weights.  Fields that are None take the network's setting.

    weight_init: a name of `INITIALIZERS`, or a `Distribution`; bias_init: what biases start with.
    l1, l2, weight_decay: coefficients for this layer's weights (biases are never regularised)
    dropout: in training, of the layer's input: the share that is dropped, or an `InputNoise`
    weight_noise: in training, of its weights: a `ParameterNoise`
    constraints, bias_constraints: of weights and of biases, applied in their order after every update; () for none
    updater, bias_updater: of its parameters, and of its biases
    gradient_normalization, gradient_threshold: see `NORMALIZATIONS`
    Raises ValueError for a setting out of its range or an unknown name, TypeError for one of another type.

    >>> [field for field in ("l1", "l2") if getattr(nn.DenseLayer(3, l2=1e-4), field)]
    ['l2']
    """

    weight_init: Any = None
    bias_init: float = 0.0
    l1: float | None = None
    l2: float | None = None
    weight_decay: float | None = None
    dropout: Any = None
    weight_noise: ParameterNoise | None = None
    constraints: tuple[Constraint, ...] | None = None
    bias_constraints: tuple[Constraint, ...] | None = None
    updater: Updater | None = None
    bias_updater: Updater | None = None
    gradient_normalization: str | None = None
    gradient_threshold: float | None = None

    def __post_init__(self) -> None:
        real(self.bias_init, f"{self.title}: bias_init")
        if self.weight_init is not None:
            initializer(self.weight_init)
        for name in ("l1", "l2", "weight_decay", "gradient_threshold"):
            if (coefficient := getattr(self, name)) is not None:
                real(coefficient, f"{self.title}: {name}", low=0.0)
        if self.dropout is not None:
            checked_noise(self.dropout, f"{self.title}: dropout")
        if self.gradient_normalization is not None:
            normalization(self.gradient_normalization)
        for name, wanted in (("weight_noise", ParameterNoise), ("updater", Updater), ("bias_updater", Updater)):
            if (setting := getattr(self, name)) is not None:
                instance(f"{self.title}: {name}", setting, wanted)
        for name in ("constraints", "bias_constraints"):
            if getattr(self, name) is None:
                continue
            given = items(f"{self.title}: {name}", getattr(self, name))
            for each in given:
                instance(f"{self.title}: each of {name}", each, Constraint)
            object.__setattr__(self, name, given)


def parameter(params: Any, name: str) -> nd.NDArray:
    """Raises TypeError for anything but a mapping of names to arrays, ValueError for one without `name`."""
    if name not in instance("params", params, Mapping):
        raise ValueError(f"params must have {name!r}, given {', '.join(map(str, params)) or 'none'}")
    found: nd.NDArray = params[name]
    return found


def weights(params: Any) -> Mapping[str, nd.NDArray]:
    """Raises TypeError for anything but a mapping of names to arrays, ValueError for one without weights."""
    if "W" not in instance("forward: params", params, Mapping):
        raise ValueError(f"forward: params must have the weights W, given {list(params)}")
    weighted: Mapping[str, nd.NDArray] = params
    return weighted


def checked_outputs(layer: Any) -> None:
    """Check the fields `n_out` and `activation` of a layer.  Raises ValueError naming the layer."""
    if isinstance(layer.activation, int | float):
        raise ValueError(
            f"{layer.title}: activation must be a name or an Activation, given {layer.activation}; the number of "
            "inputs is n_in=, by its keyword, and may be left out"
        )
    if type(layer.n_out) is int and layer.n_out == getattr(type(layer), "n_out", None):  # a default that says: none
        raise ValueError(f"{layer.title}: n_out, the number of outputs, must be given, at least 1 by n_out=; given 0")
    whole(layer.n_out, f"{layer.title}: n_out, the number of outputs,")
    activation(layer.activation)
