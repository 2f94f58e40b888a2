"""Arguments of the calls of layers in functional models: which tensors of which other calls they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .described_layers import Described
from .graph_builder import Tensor
from .settings_reader import Settings, plain, shown


@dataclass(frozen=True)
class Ref:
    """A tensor that a call reads: of which layer, of which of its calls, and which of what that returned."""

    layer: str
    call: int
    index: int


Made = Mapping[tuple[str, int], Sequence[Tensor | None]]


def found(ref: Ref, made: Made) -> Tensor | None:
    """The tensor, of those that calls have made.  Raises ValueError where none made it."""
    results = made.get((ref.layer, ref.call), ())
    if not 0 <= ref.index < len(results):
        raise ValueError(f"keras.load: nothing makes the tensor {ref.index} of call {ref.call} of {ref.layer!r}")
    return results[ref.index]


def renumbered(value: Any, first: Mapping[str, int]) -> Any:
    """Lists and dicts of tensors, whose calls of some layers are counted from another number than 0."""
    if isinstance(value, Ref):
        return replace(value, call=value.call - first.get(value.layer, 0))
    if isinstance(value, Mapping):
        return {name: renumbered(each, first) for name, each in value.items()}
    return [renumbered(each, first) for each in value] if isinstance(value, list) else value


def first_calls(models: Sequence[Described], refs: Sequence[Ref], n_calls: Mapping[str, int]) -> dict[str, int]:
    """From which number on Keras 2 counts the calls of models inside a model: from 1 on where that makes one more."""
    last = {each.name: max((ref.call for ref in refs if ref.layer == each.name), default=0) for each in models}
    return {name: 1 for name, number in last.items() if number == n_calls[name]}


def refs_in(value: Any, what: str) -> list[Ref]:
    """The tensors in lists and dicts of [layer, call, index].  Raises ValueError for anything else."""
    value = plain(value)
    if is_ref(value):
        return [Ref(*value)]
    if isinstance(value, Mapping):
        value = [value[name] for name in sorted(value, key=str)]  # as Keras lists them
    if not isinstance(value, list) or not value:
        raise ValueError(f"keras.load: {what} must be lists [layer, call, index], the file has {shown(value)}")
    return [ref for each in value for ref in refs_in(each, what)]


def is_ref(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 3
        and isinstance(value[0], str)
        and all(isinstance(each, int) and not isinstance(each, bool) for each in value[1:])
    )


def calls_of(layer: Described) -> list[tuple[list[Any], dict[str, Any]]]:
    """The arguments of each call of a layer, with a `Ref` for each tensor.  Raises ValueError for what is no call."""
    calls = []
    for node in Settings(f"keras.load: layer {layer.name!r}", layer.whole).items("inbound_nodes"):
        if isinstance(node, Mapping):
            values = Settings(f"keras.load: a call of layer {layer.name!r}", node)
            keywords = values.inner("kwargs").values if values.has("kwargs") else {}
            calls.append(
                (with_refs(values.items("args")), {name: with_refs(value) for name, value in keywords.items()})
            )
        elif isinstance(node, list):
            calls.append(legacy_call(layer, node))
        else:
            raise ValueError(f"keras.load: layer {layer.name!r}: {shown(node)} is no call")
    return calls


def legacy_call(layer: Described, node: list[Any]) -> tuple[list[Any], dict[str, Any]]:
    """A call as Keras 2 has it: a list of [layer, call, index, keywords], or one of these."""
    node = [node] if node and isinstance(node[0], str) else node
    refs: list[Any] = []
    keywords: dict[str, Any] = {}
    for each in node:
        if not isinstance(each, list) or not is_ref(each[:3]) or len(each) > 4:
            raise ValueError(f"keras.load: layer {layer.name!r}: {shown(each)} is no tensor that it is given")
        refs.append(Ref(*each[:3]))
        if len(each) == 4:
            named = Settings(f"keras.load: a call of layer {layer.name!r}", each[3]).values
            keywords |= {name: legacy_refs(value) for name, value in named.items()}
    return refs, keywords


def legacy_refs(value: Any) -> Any:
    if is_ref(value) or (isinstance(value, list) and len(value) == 4 and is_ref(value[:3])):
        return Ref(*value[:3])
    return [legacy_refs(each) for each in value] if isinstance(value, list) else value


def with_refs(value: Any) -> Any:
    """A value of a call as newer files have it, with a `Ref` for each tensor."""
    value = plain(value)
    if isinstance(value, Mapping) and value.get("class_name") == "__keras_tensor__":
        history = Settings("keras.load: a tensor", value.get("config")).values.get("keras_history")
        if not is_ref(plain(history)):
            raise ValueError(f"keras.load: {shown(history)} is no tensor")
        return Ref(*plain(history))
    return [with_refs(each) for each in value] if isinstance(value, list) else value


def leaves(value: Any) -> Iterator[Ref]:
    """The tensors in lists and dicts, in their order."""
    if isinstance(value, Ref):
        yield value
    elif isinstance(value, list | tuple | Mapping):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from leaves(each)


def with_tensors(value: Any, made: Made) -> Any:
    """The value of a keyword with the tensors in place of the refs.  Raises ValueError for those nothing makes."""
    if isinstance(value, Ref):
        return found(value, made)
    return [with_tensors(each, made) for each in value] if isinstance(value, list) else value
