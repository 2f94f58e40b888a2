"""Layers and models as files describe them: names, classes, settings, shapes of inputs and dtypes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .settings_reader import Settings, UnsupportedError, plain, shown

SEQUENTIAL, FUNCTIONAL = ("Sequential",), ("Functional", "Model")
DTYPES = {
    "float32": "float32",
    "float64": "float64",
    "float16": "float16",
    "bfloat16": "bfloat16",
    "mixed_float16": "float16",
    "mixed_bfloat16": "bfloat16",
}


@dataclass(frozen=True)
class Described:
    """A layer as a file describes it.

    name, kind: its own, and that of its class    config: its settings    whole: all that the file says of it
    is_own: whether the class is one of Keras
    """

    name: str
    kind: str
    config: Mapping[str, Any]
    whole: Mapping[str, Any]
    is_own: bool

    @property
    def is_model(self) -> bool:
        return self.is_own and self.kind in SEQUENTIAL + FUNCTIONAL

    @property
    def title(self) -> str:
        return f"{self.name} ({self.kind})"


def described(value: Any) -> Described:
    """A layer of a file.  Raises ValueError for what is no description of one."""
    whole = Settings("keras.load: a layer", value)
    kind, config = whole.text("class_name"), whole.values.get("config")
    if isinstance(config, list) and kind in SEQUENTIAL:  # as the first versions of Keras 2 have it
        config = {"layers": config, "name": whole.values.get("name", "sequential")}
    config = Settings(f"keras.load: {kind}", config).values
    name = config.get("name", whole.values.get("name"))
    if not isinstance(name, str) or not name:
        raise ValueError(f"keras.load: a layer of class {shown(kind)} has no name, but {shown(name)}")
    module, registered = whole.values.get("module"), whole.values.get("registered_name")
    is_own = not (isinstance(module, str) and not module.startswith(("keras", "tf_keras", "tensorflow.keras")))
    is_own = is_own and not (isinstance(registered, str) and ">" in registered)
    if isinstance(module, str) and ".ops." in module:
        kind = f"ops.{kind}"
    return Described(name, kind, config, whole.values, is_own)


def layers_of(model: Described) -> list[Described]:
    """The layers of a model.  Raises ValueError where they are not described, or two have one name."""
    found = [described(each) for each in Settings(f"keras.load: model {model.name!r}", model.config).items("layers")]
    names = [each.name for each in found]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"keras.load: two layers of model {model.name!r} are called {twice!r}")
    return found


def dtype_of(settings: Settings) -> str:
    """The dtype that a layer computes in.  Raises UnsupportedError for policies of quantization."""
    policy = settings.values.get("dtype")
    if isinstance(policy, Mapping):
        policy = policy.get("config", {}).get("name") if isinstance(policy.get("config"), Mapping) else None
    if policy is None:
        return "float32"
    if not isinstance(policy, str) or policy not in DTYPES:
        raise UnsupportedError(f"dtype {shown(policy)}")
    return DTYPES[policy]


def is_trained(layer: Described) -> bool:
    return layer.config.get("trainable", True) is not False


def input_shape(layer: Described) -> tuple[int | None, ...]:
    """The shape of examples of an InputLayer.

    Raises ValueError for what is none, UnsupportedError for sparse inputs.
    """
    settings = Settings(f"keras.load: input {layer.name!r}", layer.config)
    settings.refuse(sparse=False, ragged=False)
    return example_shape(layer.config.get("batch_shape", layer.config.get("batch_input_shape")), layer.name)


def example_shape(value: Any, name: str) -> tuple[int | None, ...]:
    sizes = plain(value)
    if not isinstance(sizes, list) or not 1 <= len(sizes) <= 9:
        raise ValueError(f"keras.load: {name!r} has no shape of a batch, but {shown(value)}")
    for size in sizes:
        if size is not None and (isinstance(size, bool) or not isinstance(size, int) or not 1 <= size < 2**31):
            raise ValueError(f"keras.load: {name!r} has the shape {shown(value)}, which is none")
    return tuple(sizes[1:])


def sequential_shape(model: Described, layers: Sequence[Described]) -> tuple[int | None, ...]:
    """The shape of examples that a Sequential takes.  Raises ValueError where the file does not say it."""
    for layer in layers:
        if layer.kind == "InputLayer":
            return input_shape(layer)
    for values in (model.config, *(layer.config for layer in layers[:1])):
        for name in ("batch_input_shape", "batch_shape", "build_input_shape"):
            if values.get(name) is not None:
                return example_shape(values[name], model.name)
    for whole in (model.whole, *(layer.whole for layer in layers[:1])):
        built = whole.get("build_config")
        if isinstance(built, Mapping) and built.get("input_shape") is not None:
            return example_shape(built["input_shape"], model.name)
    raise ValueError(f"keras.load: the file does not say what model {model.name!r} takes; build it, then save it")
