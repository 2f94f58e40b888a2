"""Sequential and functional models as graphs: which layer is applied to what, also of models in models."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from graphlib import CycleError, TopologicalSorter
from typing import Any

from .call_arguments import calls_of, first_calls, found, leaves, refs_in, renumbered, with_tensors
from .counterparts.function_vertices import ExamplesToSteps, StepsToExamples
from .described_layers import (
    FUNCTIONAL,
    SEQUENTIAL,
    Described,
    described,
    dtype_of,
    input_shape,
    is_trained,
    layers_of,
    sequential_shape,
)
from .graph_builder import Call, GraphBuilder, MaskTensor, Tensor
from .saved_models import Place
from .settings_reader import Settings, UnsupportedError
from .translations import CASTS, MASK_OPERATIONS, NORMALIZATIONS, TRANSLATIONS, Translation, custom_layer, keeps_masks
from .translations.recurrence_translations import is_of_rows

# Classes that Keras calls otherwise where it writes their weights.
WRITTEN_AS = {"Model": "Functional", "GroupQueryAttention": "GroupedQueryAttention"}


@dataclass
class ModelReader:
    """Reads a model into a graph.

    custom_layers: classes for layers that are none of Keras, by their names
    is_legacy: whether Keras 2 wrote the file    trains: whether the network is to be trained as the file says
    refused: what was found to have no counterpart    dtypes: the policies of the layers
    """

    custom_layers: Mapping[str, type]
    is_legacy: bool
    trains: bool
    builder: GraphBuilder = field(default_factory=GraphBuilder)
    refused: list[str] = field(default_factory=list)
    dtypes: set[str] = field(default_factory=set)

    def translation(self, layer: Described) -> Translation | None:
        """What makes vertices of a layer, None where nothing does."""
        if layer.is_own:
            return TRANSLATIONS.get(layer.kind)
        return custom_layer if layer.kind in self.custom_layers else None

    def check(self, model: Described) -> None:
        """Raises UnsupportedError naming all layers, also of models inside, whose classes have no counterpart."""
        unknown = [layer.title for layer in self._every_layer(model) if self.translation(layer) is None]
        if unknown:
            raise UnsupportedError("; ".join(unknown))
        self.builder.half = half_of(self._every_layer(model))

    def _every_layer(self, model: Described) -> Iterator[Described]:
        for layer in layers_of(model):
            if layer.is_model:
                yield from self._every_layer(layer)
            elif layer.kind != "InputLayer":
                yield layer

    def read(self, model: Described) -> list[Tensor | None]:
        """The outputs of the outermost model, None for those behind a layer that was refused."""
        return self._outputs(model, None, "", Place("", "", (), is_trained(model)))

    def _outputs(
        self, model: Described, inputs: Sequence[Tensor | None] | None, prefix: str, place: Place
    ) -> list[Tensor | None]:
        layers, places = layers_of(model), dict[str, Place]()
        for layer, path in zip(layers, weight_paths(layers, place.path), strict=True):
            order = (*place.order, len(places))
            places[layer.name] = Place(path, place.top or layer.name, order, place.is_trained and is_trained(layer))
        if model.kind in SEQUENTIAL:
            return self._sequential(model, layers, inputs, prefix, places)
        return self._functional(model, layers, inputs, prefix, places)

    def _sequential(
        self,
        model: Described,
        layers: Sequence[Described],
        inputs: Sequence[Tensor | None] | None,
        prefix: str,
        places: Mapping[str, Place],
    ) -> list[Tensor | None]:
        rest = [layer for layer in layers if layer.kind != "InputLayer"]
        if inputs is None:
            name = next((layer.name for layer in layers if layer.kind == "InputLayer"), "input")
            inputs = [self._input(name if name not in places else f"{name}_input", sequential_shape(model, layers))]
        for layer in rest:
            inputs = self._applied(layer, tuple(inputs), {}, prefix, places[layer.name])
        return list(inputs)

    def _check_masks(self, layer: Described, call: Call) -> None:
        """Raises UnsupportedError for a mask that is given to a layer and is not the one that its input has."""
        given = [*call.inputs, *(each for each in call.keywords.values() if isinstance(each, Tensor))]
        found = {self.builder.vertices[each.mask].inputs[0] for each in given if each.mask is not None}
        for name, value in call.keywords.items():
            if name.endswith("mask") and name != "attention_mask" and value is not None and not isinstance(value, bool):
                for mask in value if isinstance(value, list) else [value]:
                    if mask is not None and not (isinstance(mask, MaskTensor) and mask.source in found):
                        raise UnsupportedError(f"{name} of its own")
        if layer.kind not in MASK_OPERATIONS and any(isinstance(each, MaskTensor) for each in call.inputs):
            raise UnsupportedError("a mask as its input")

    def _input(self, name: str, shape: Any) -> Tensor | None:
        try:
            return self.builder.add_input(name, shape)
        except UnsupportedError as error:
            self.refused.append(f"{name} (InputLayer): {error}")
            return None

    def _functional(
        self,
        model: Described,
        layers: Sequence[Described],
        inputs: Sequence[Tensor | None] | None,
        prefix: str,
        places: Mapping[str, Place],
    ) -> list[Tensor | None]:
        by_name = {layer.name: layer for layer in layers}
        made: dict[tuple[str, int], Sequence[Tensor | None]] = {}
        names = [ref.layer for ref in refs_in(model.config.get("input_layers"), "input_layers")]
        if inputs is not None and len(inputs) != len(names):
            raise ValueError(f"keras.load: model {model.name!r} has {len(names)} inputs, it is given {len(inputs)}")
        for number, name in enumerate(names):
            if name not in by_name or by_name[name].kind != "InputLayer":
                raise ValueError(f"keras.load: model {model.name!r}: the input {name!r} is no InputLayer")
            made[name, 0] = [inputs[number] if inputs else self._input(name, input_shape(by_name[name]))]
        calls = {
            (layer.name, number): call
            for layer in layers
            if layer.kind != "InputLayer"
            for number, call in enumerate(calls_of(layer))
        }
        outputs = refs_in(model.config.get("output_layers"), "output_layers")
        models = [layer for layer in layers if layer.is_model]
        first = {layer.name: 1 for layer in models if layer.kind in FUNCTIONAL}
        if self.is_legacy:
            n_calls = Counter(name for name, _ in calls)
            first = first_calls(models, [*leaves(list(calls.values())), *outputs], n_calls)
            calls = {key: renumbered(list(call), first) for key, call in calls.items()}
        outputs = renumbered(outputs, first)
        for key in in_order(model, made, calls):
            args, keywords = calls[key]
            given = tuple(found(ref, made) for ref in leaves(args))
            named = {name: with_tensors(value, made) for name, value in keywords.items()}
            layer = by_name[key[0]]
            made[key] = self._applied(layer, given, {"args": args, **named}, prefix, places[layer.name])
        return [found(ref, made) for ref in outputs]

    def _applied(
        self,
        layer: Described,
        inputs: tuple[Tensor | None, ...],
        keywords: Mapping[str, Any],
        prefix: str,
        place: Place,
    ) -> list[Tensor | None]:
        """What a layer makes of tensors.  A refusal is noted; where one came before, nothing is known of the rest."""
        if layer.is_model:
            return self._outputs(layer, inputs, f"{prefix}{layer.name}/", place)
        if any(each is None for each in inputs):
            return [None] * 9
        if not self.is_legacy and is_function(layer, keywords.get("args")):
            layer = replace(layer, kind=f"ops.{layer.kind}")
        translation = self.translation(layer)
        assert translation is not None  # `check` has seen to it
        settings = Settings(f"keras.load: layer {prefix + layer.name!r} ({layer.kind})", layer.config)
        given = tuple(each for each in inputs if each is not None)
        call = Call(
            self.builder, prefix + layer.name, settings, given, keywords, place, self.is_legacy, self.custom_layers,
            self.trains, is_normalization=layer.kind in NORMALIZATIONS,
        )  # fmt: skip
        try:
            if layer.kind not in MASK_OPERATIONS and layer.kind not in CASTS:
                dtype = dtype_of(settings)
                self.dtypes.add(dtype)
                if dtype == "float32" and self.builder.half and not layer.kind.startswith("ops."):
                    call = replace(call, is_full=True)
            self._check_masks(layer, call)
            call = call if keeps_masks(layer.kind, call) or layer.kind in MASK_OPERATIONS else call.without_masks()
            if layer.kind == "TimeDistributed" and not is_of_rows(call):
                return self._on_every_step(layer, call, prefix, place)
            made = translation(call)
        except UnsupportedError as error:
            self.refused.append(f"{prefix}{layer.title}: {error}")
            return [None] * 9
        return [made] if isinstance(made, Tensor) else list(made)

    def _on_every_step(self, layer: Described, call: Call, prefix: str, place: Place) -> list[Tensor | None]:
        """What a layer, or a model, makes of each step as an example of its own."""
        inner = described(layer.config.get("layer"))
        if not inner.is_model and self.translation(inner) is None:
            raise UnsupportedError(f"layer {inner.title}")
        if len(call.x.shape) < 2:
            raise UnsupportedError(f"input of shape {('batch', *call.x.shape)}; steps are needed")
        examples = self.builder.tensor(call.add(StepsToExamples(), call.last, part="steps"), is_last=True)
        within = replace(place, path=f"{place.path}/layer", is_trained=place.is_trained and is_trained(inner))
        found = self._applied(inner, (examples,), {}, f"{prefix}{layer.name}/", within)
        made: list[Tensor | None] = []
        for number, each in enumerate(found):
            if each is None:
                made.append(None)
                continue
            part = f"steps of output {number}" if number else ""
            steps = call.add(ExamplesToSteps(), self.builder.last(each), call.last, part=part)
            made.append(call.made(steps, is_last=True))
        return made


def half_of(layers: Iterator[Described]) -> str | None:
    """The dtype of a network some of whose layers compute in half precision, None for others."""
    for layer in layers:
        try:
            found = dtype_of(Settings(layer.name, layer.config))
        except UnsupportedError:
            continue
        if found in ("float16", "bfloat16"):
            return found
    return None


def is_function(layer: Described, args: Any) -> bool:
    """Whether a call is that of a function, which .h5 files call as the layer that takes a list: `x + y`, not `Add`."""
    is_pair = isinstance(args, list) and len(args) == 2 and not isinstance(args[0], list)
    return layer.is_own and is_pair and f"ops.{layer.kind}" in TRANSLATIONS


def weight_paths(layers: Sequence[Described], above: str) -> list[str]:
    """Where the weights of layers lie in a `.keras` file: by their classes, numbered from the second on."""
    counts: dict[str, int] = {}
    paths = []
    for layer in layers:
        kind = snake_case(WRITTEN_AS.get(layer.kind, layer.kind.removeprefix("ops.")))
        number = counts.get(kind, 0)
        counts[kind] = number + 1
        paths.append(f"{above}/layers/{kind}_{number}" if number else f"{above}/layers/{kind}")
    return [path.lstrip("/") for path in paths]


def snake_case(name: str) -> str:
    """The name of a class as Keras writes it in paths."""
    name = re.sub(r"(.)([A-Z][a-z]+)", r"\1_\2", re.sub(r"\W+", "", name))
    return re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower()


def in_order(model: Described, made: Any, calls: Mapping[tuple[str, int], Any]) -> list[tuple[str, int]]:
    """The calls of a model, each after what it reads.  Raises ValueError for a cycle, and what nothing makes."""
    sorter: TopologicalSorter[tuple[str, int]] = TopologicalSorter()
    for key, (args, keywords) in calls.items():
        before = [(ref.layer, ref.call) for ref in leaves([args, keywords])]
        for each in before:
            if each not in calls and each not in made:
                raise ValueError(
                    f"keras.load: layer {key[0]!r} reads call {each[1]} of {each[0]!r}, which there is not"
                )
        sorter.add(key, *(each for each in before if each in calls))
    try:
        return list(sorter.static_order())
    except CycleError as error:
        names = " -> ".join(each[0] for each in error.args[1])
        raise ValueError(f"keras.load: the layers of model {model.name!r} read each other: {names}") from None
