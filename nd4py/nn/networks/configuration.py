"""The configuration of a network: frozen data that JSON can hold."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from nd4py.api.arguments import instance, items

from ..initialization.distributions import DISTRIBUTIONS
from ..initialization.initializers import initializer
from ..inputs import InputType
from ..layers import LAYERS, Layer
from ..names import look_up
from ..numbers import real, whole
from ..regularization.gradient_normalization import normalization
from ..updaters.schedules import SCHEDULES
from ..updaters.updaters import UPDATERS, Sgd, Updater
from .workspaces import MODES

TYPES: dict[str, type] = {**LAYERS, **UPDATERS, **SCHEDULES, **DISTRIBUTIONS, InputType.__name__: InputType}
# Half types would need a loss scale and parameters kept in float32.
TRAINABLE = {name: name for name in ("float32", "float64")}


@dataclass(frozen=True, kw_only=True)
class NetworkConfiguration:
    """The configuration of a `MultiLayerNetwork`.  Raises ValueError or TypeError naming the field that is wrong.

    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> text = net.configuration.to_json()
    >>> nn.NetworkConfiguration.from_json(text) == net.configuration
    True
    """

    layers: tuple[Layer, ...]
    input_type: InputType
    updater: Updater = field(default_factory=Sgd)
    weight_init: Any = "xavier"
    l1: float = 0.0
    l2: float = 0.0
    weight_decay: float = 0.0
    gradient_normalization: str | None = None
    gradient_threshold: float = 1.0
    seed: int = 0
    dtype: str = "float32"
    workspace_mode: str = "enabled"

    def __post_init__(self) -> None:
        layers = layers_of(self.layers)
        if not layers:
            raise ValueError("layers: at least one layer is needed, given none")
        for index, layer in enumerate(layers):
            _check_type(layer, Layer, f"layers[{index}]")
        _check_type(self.input_type, InputType, "input_type")
        _check_type(self.updater, Updater, "updater")
        initializer(self.weight_init)
        for name in ("l1", "l2", "weight_decay", "gradient_threshold"):
            object.__setattr__(self, name, real(getattr(self, name), name, low=0.0))
        if self.gradient_normalization is not None:
            normalization(self.gradient_normalization)
        object.__setattr__(self, "seed", whole(self.seed, "seed", least=0))
        look_up(MODES, self.workspace_mode, "workspace_mode")
        object.__setattr__(self, "layers", layers)
        object.__setattr__(self, "dtype", look_up(TRAINABLE, str(self.dtype), "network dtype"))

    def settings(self) -> dict[str, Any]:
        """The fields by name, the values as they are.  Raises nothing."""
        return {row.name: getattr(self, row.name) for row in fields(self)}

    def to_json(self) -> str:
        """Text that `from_json` turns into an equal configuration.

        Returns a str.
        Raises TypeError for a value that JSON has no text for, ValueError for NaN and infinity.
        """
        return json.dumps(_encode(self.settings()), indent=2, allow_nan=False)

    @classmethod
    def from_json(cls, text: str | bytes, classes: tuple[type, ...] = ()) -> "NetworkConfiguration":
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
            return _construct(cls, {name: _decode(value, known) for name, value in settings.items()})
        except (ValueError, TypeError, RecursionError) as error:
            raise ValueError(f"network configuration: {error}") from None


def layers_of(layers: Any) -> tuple[Layer, ...]:
    """The layers that a caller gives.  Raises TypeError for anything but a sequence."""
    return items("layers", layers)


def checked(configuration: Any) -> NetworkConfiguration:
    """Raises TypeError for anything but a configuration."""
    return instance("configuration", configuration, NetworkConfiguration)


def _check_type(value: object, wanted: type, name: str) -> None:
    if not isinstance(value, wanted):
        raise TypeError(f"{name} must be a {wanted.__name__}, given {value!r}")


def _encode(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return {"type": type(value).__name__} | {row.name: _encode(getattr(value, row.name)) for row in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _encode(entry) for key, entry in value.items()}
    return [_encode(entry) for entry in value] if isinstance(value, tuple | list) else value


def _decode(value: Any, known: Mapping[str, type]) -> Any:
    if isinstance(value, list):
        return tuple(_decode(entry, known) for entry in value)
    if not isinstance(value, dict):
        return value
    entries = {name: _decode(entry, known) for name, entry in value.items() if name != "type"}
    return _construct(look_up(known, value["type"], "type"), entries) if "type" in value else entries


def _construct(wanted: type, entries: dict[str, Any]) -> Any:
    unknown = entries.keys() - {row.name for row in fields(wanted)}
    if unknown:
        raise ValueError(
            f"{wanted.__name__} has no field {', '.join(sorted(unknown))}; was it saved by a newer version?"
        )
    return wanted(**entries)


def _refuse_constant(text: str) -> float:
    raise ValueError(f"{text} is not a number a configuration can hold")
