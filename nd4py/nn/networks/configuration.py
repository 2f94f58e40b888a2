"""The configurations of networks: frozen data that JSON can hold."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, ClassVar, Self

from nd4py.api.arguments import instance, items

from ..activations import ACTIVATION_TYPES
from ..initialization.distributions import DISTRIBUTIONS
from ..inputs import InputType
from ..layers import Layer
from ..layers.input_sizes import input_type_from
from ..losses.losses import LOSS_TYPES
from ..names import look_up
from ..numbers import plain
from ..registries import LAYERS, SCHEDULES, UPDATERS, VERTICES
from ..regularization.rules import RULES
from .settings import TrainingConfiguration, check_type
from .stages import Node, layers_behind

TYPES: dict[str, type] = {
    **LAYERS,
    **VERTICES,
    **ACTIVATION_TYPES,
    **LOSS_TYPES,
    **UPDATERS,
    **SCHEDULES,
    **DISTRIBUTIONS,
    **RULES,
    InputType.__name__: InputType,
    Node.__name__: Node,
}


@dataclass(frozen=True, kw_only=True)
class Described(TrainingConfiguration):
    """A configuration that can be written as text."""

    network: ClassVar[str]  # the class of networks that it is of

    def to_json(self) -> str:
        """Text that `from_json` turns into an equal configuration.

        Returns a str.
        Raises TypeError for a value that JSON has no text for, ValueError for NaN and infinity.
        """
        return json.dumps(_encode(self.settings()), indent=2, allow_nan=False)

    @classmethod
    def from_json(cls, text: str | bytes, classes: tuple[type, ...] = ()) -> Self:
        """The configuration written by `to_json`; `classes` are layers, updaters ... of the caller's own.

        Raises ValueError that says what in the text is wrong.
        """
        own = [instance("from_json: each of classes", each, type) for each in items("from_json: classes", classes)]
        known = TYPES | {each.__name__: each for each in own}
        if not isinstance(text, str | bytes):
            raise TypeError(f"from_json: text must be text, given {type(text).__name__}")
        try:
            settings = json.loads(text, parse_constant=_refuse_constant)
            if not isinstance(settings, dict):
                raise ValueError(f"an object is needed at the top, given {type(settings).__name__}")
            if not issubclass(cls, kind := _class_of(settings)):
                raise ValueError(f"this is of a {kind.network}; {kind.__name__}.from_json reads it")
            return _construct(cls, {name: _decode(value, known) for name, value in settings.items()})
        except UnknownTypeError:
            raise
        except (ValueError, TypeError, RecursionError) as error:
            raise ValueError(f"network configuration: {error}") from None


@dataclass(frozen=True, kw_only=True)
class NetworkConfiguration(Described):
    """The configuration of a `MultiLayerNetwork`.  Raises ValueError or TypeError naming the field that is wrong.

    layers: the stack; the other fields are those of `TrainingConfiguration`
    input_type: what one example looks like; None where n_in of the first layer says it: rows for layers that take rows,
        sequences of any length for those that take sequences

    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> text = net.configuration.to_json()
    >>> nn.NetworkConfiguration.from_json(text) == net.configuration
    True
    """

    network = "MultiLayerNetwork"
    layers: tuple[Layer, ...]
    input_type: InputType = None  # type: ignore[assignment]  # an InputType takes its place at once

    def __post_init__(self) -> None:
        super().__post_init__()
        layers = items("layers", self.layers)
        if not layers:
            raise ValueError("layers: at least one layer is needed, given none")
        for index, layer in enumerate(layers):
            check_type(layer, Layer, f"layers[{index}]")
        given: Any = self.input_type
        input_type = input_type_from(layers, "input_type") if given is None else given
        check_type(input_type, InputType, "input_type")
        object.__setattr__(self, "input_type", input_type)
        object.__setattr__(self, "layers", layers)


@dataclass(frozen=True, kw_only=True)
class GraphConfiguration(Described):
    """The configuration of a `ComputationGraph`.  Raises ValueError or TypeError naming the field that is wrong.

    inputs: the type of each input by its name, None where n_in of the first layer that reads it says it
    vertices: a `Node` for each name    outputs: names of vertices
    output_weights: what the loss of each output is multiplied by; None for 1
    The other fields are those of `TrainingConfiguration`.

    >>> net = nn.ComputationGraph(
    ...     {"x": nn.InputType.feed_forward(4)}, {"out": (nn.OutputLayer(2), "x")}, outputs="out"
    ... )
    >>> nn.GraphConfiguration.from_json(net.configuration.to_json()) == net.configuration
    True
    """

    network = "ComputationGraph"
    inputs: Mapping[str, InputType | None]
    vertices: Mapping[str, Node]
    outputs: tuple[str, ...]
    output_weights: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "vertices", dict(instance("vertices", self.vertices, Mapping)))
        for name, node in self.vertices.items():
            check_type(node, Node, f"vertices[{name!r}]")
        inputs = {
            name: self._input_type(name, given) for name, given in instance("inputs", self.inputs, Mapping).items()
        }
        object.__setattr__(self, "inputs", inputs)
        outputs = items("outputs", self.outputs)
        object.__setattr__(self, "outputs", outputs)
        if self.output_weights is not None:
            weights = items("output_weights", self.output_weights)
            if len(weights) != len(outputs):
                raise ValueError(
                    f"output_weights: one number for each of the outputs {list(outputs)} is needed, given {weights}"
                )
            object.__setattr__(self, "output_weights", tuple(float(weight) for weight in weights))

    def _input_type(self, name: str, given: InputType | None) -> InputType:
        """The type of an input, which may follow from a layer that reads it.  Raises TypeError, ValueError."""
        what = f"inputs[{name!r}]"
        if given is None:
            return input_type_from(layers_behind(name, self.vertices), what)
        check_type(given, InputType, what)
        return given


class UnknownTypeError(ValueError):
    """A configuration names a class that is neither nd4py's nor among those that the caller gave."""


def configuration_class_of(text: str | bytes) -> type[NetworkConfiguration | GraphConfiguration]:
    """The class whose `from_json` reads a text, or says what is wrong with it."""
    try:
        return _class_of(json.loads(text))
    except (ValueError, RecursionError):
        return NetworkConfiguration


def _class_of(settings: Any) -> type[NetworkConfiguration | GraphConfiguration]:
    return GraphConfiguration if isinstance(settings, dict) and "vertices" in settings else NetworkConfiguration


def _encode(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return {"type": type(value).__name__} | {row.name: _encode(getattr(value, row.name)) for row in fields(value)}
    if callable(value):
        raise TypeError(
            f"to_json: a network with the function {value!r} cannot be written as text, nor saved; a class that "
            "derives from nn.Layer in place of a LambdaLayer can, and is named in classes= where it is loaded"
        )
    if isinstance(value, Mapping):
        return {str(key): _encode(entry) for key, entry in value.items()}
    return [_encode(entry) for entry in value] if isinstance(value, tuple | list) else plain(value)


def _decode(value: Any, known: Mapping[str, type]) -> Any:
    if isinstance(value, list):
        return tuple(_decode(entry, known) for entry in value)
    if not isinstance(value, dict):
        return value
    entries = {name: _decode(entry, known) for name, entry in value.items()}
    if isinstance(value.get("type", {}), dict):  # names of vertices or steps, one of which may be "type"
        return entries
    name = entries.pop("type")
    try:
        wanted = look_up(known, name, "type")
    except ValueError as error:
        told = str(error).partition(" Known:")[0]
        raise UnknownTypeError(
            f"network configuration: {told} Where it is a class of your own, name it: classes=({name},); where it is "
            "nd4py's, take the version that saved it, or a newer one"
        ) from None
    return _construct(wanted, entries)


def _construct(wanted: Any, entries: dict[str, Any]) -> Any:
    unknown = entries.keys() - {row.name for row in fields(wanted)}
    if unknown:
        raise ValueError(
            f"{wanted.__name__} has no field {', '.join(sorted(unknown))}; was it saved by a newer version?"
        )
    return wanted(**entries)


def _refuse_constant(text: str) -> float:
    raise ValueError(f"{text} is not a number a configuration can hold")
