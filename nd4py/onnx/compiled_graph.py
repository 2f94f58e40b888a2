"""Graphs as lists of steps: a function, where its inputs come from, and where its outputs go."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from onnx import AttributeProto, GraphProto, NodeProto, TensorProto, defs, helper

from nd4py import api as nd

from .element_types import DTYPES, array_of
from .operators import find, wants_output_count
from .schemas import schema_of


@dataclass(frozen=True, eq=False)
class Step:
    """One node: `function(*inputs, **attributes)` gives the outputs."""

    title: str
    operator: str
    function: Callable[..., Any]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: dict[str, Any]
    graphs: dict[str, CompiledGraph]
    last_uses: list[str] = field(default_factory=list)  # values that nothing reads after this step

    def run(self, values: dict[str, Any]) -> None:
        """Take inputs out of `values`, and put outputs into it."""
        bound = {name: BoundGraph(graph, values) for name, graph in self.graphs.items()}
        inputs = [values[name] if name else None for name in self.inputs]
        try:
            found = self.function(*inputs, **self.attributes, **bound)
        except (ValueError, TypeError, IndexError, OverflowError) as error:
            error.add_note(f"in {self.title}")
            raise
        except KeyError as error:
            raise ValueError(f"in {self.title}: an attribute has the unknown value {error}") from error
        results = found if isinstance(found, tuple) else (found,)
        values.update((name, value) for name, value in zip(self.outputs, results, strict=False) if name)
        for name in self.last_uses:
            values.pop(name, None)


@dataclass(frozen=True)
class CompiledGraph:
    """A graph that runs.  `outer` are the names of the surrounding graph that it reads."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    constants: dict[str, Any]
    steps: tuple[Step, ...]
    outer: frozenset[str]
    output_types: tuple[Any, ...]

    def run(self, surrounding: dict[str, Any], *inputs: Any) -> list[Any]:
        """The outputs of the graph, in their order."""
        values = {name: surrounding[name] for name in self.outer}
        values.update(self.constants)
        values.update(zip(self.inputs, inputs, strict=False))
        for step in self.steps:
            step.run(values)
        return [values[name] for name in self.outputs]


@dataclass(frozen=True)
class BoundGraph:
    """A graph inside of a node, with the values of the graph around it."""

    graph: CompiledGraph
    surrounding: dict[str, Any]

    def __call__(self, *inputs: Any) -> list[Any]:
        return self.graph.run(self.surrounding, *inputs)

    def empty_outputs(self, first: int) -> list[Any]:
        """Outputs from the number `first` on with an axis of no steps before their own; unknown sizes are 0."""
        return [
            nd.zeros((0, *(size.dim_value for size in kind.shape.dim)), dtype=DTYPES[kind.elem_type])
            for kind in self.graph.output_types[first:]
        ]


def compiled(graph: GraphProto, versions: dict[str, int], arrays: Mapping[str, Any] | None = None) -> CompiledGraph:
    """The steps of a graph whose operators are all known.  arrays: initializers that are not in it"""
    steps = tuple(step_of(node, versions) for node in graph.node)
    inputs = tuple(value.name for value in graph.input)
    outputs = tuple(value.name for value in graph.output)
    constants = {**(arrays or {}), **{tensor.name: array_of(tensor) for tensor in graph.initializer}}
    types = tuple(value.type.tensor_type for value in graph.output)
    return assembled(inputs, outputs, constants, steps, types)


def assembled(
    inputs: tuple[str, ...],
    outputs: tuple[str, ...],
    constants: dict[str, Any],
    steps: tuple[Step, ...],
    output_types: tuple[Any, ...],
) -> CompiledGraph:
    """A graph of these steps, each of which is told what is not read behind it."""
    made = {*inputs, *constants, *(name for step in steps for name in step.outputs)}
    read = {name for step in steps for name in names_read(step)} | set(outputs)
    note_last_uses(steps, made - set(outputs) - constants.keys())
    return CompiledGraph(inputs, outputs, constants, steps, frozenset(read - made), output_types)


def names_read(step: Step) -> set[str]:
    inner = {name for graph in step.graphs.values() for name in graph.outer}
    return ({*step.inputs} | inner) - {""}


def note_last_uses(steps: Sequence[Step], names: set[str]) -> None:
    """Tell each step which of `names` nothing reads behind it, so that their memory is free again."""
    waiting = set(names)
    for step in reversed(steps):
        done = waiting & (names_read(step) | {*step.outputs})
        step.last_uses.extend(sorted(done))
        waiting -= done


def step_of(node: NodeProto, versions: dict[str, int]) -> Step:
    schema = schema_of(node, versions)
    function = find(schema)
    attributes = {name: value for name, item in schema.attributes.items() if (value := default_of(item)) is not None}
    graphs = {}
    for attribute in node.attribute:
        if attribute.type == AttributeProto.GRAPH:
            graphs[attribute.name] = compiled(attribute.g, versions)
        else:
            attributes[attribute.name] = value_of(attribute)
    if wants_output_count(function):
        attributes["n_outputs"] = len(node.output)
    title = f"node {node.name or next(iter(node.output), '')!r} ({node.op_type})"
    if isinstance(function, type):
        function, attributes = made_of(function, attributes, title), {}
    return Step(title, node.op_type, function, tuple(node.input), tuple(node.output), attributes, graphs)


def made_of(kind: type, attributes: dict[str, Any], title: str) -> Any:
    """What computes a node, made of its attributes.  Raises ValueError where they do not fit."""
    try:
        return kind(**attributes)
    except (KeyError, IndexError, TypeError, ValueError, OverflowError, MemoryError) as error:
        raise ValueError(f"onnx.load: attributes of {title} do not fit: {error}") from error


def default_of(attribute: defs.OpSchema.Attribute) -> Any:
    """The value that an attribute has where a node does not give it, None where it has none."""
    default = attribute.default_value
    return value_of(default) if default.type != AttributeProto.UNDEFINED else None


def value_of(attribute: AttributeProto) -> Any:
    """An attribute as numbers, texts, lists of them, or arrays."""
    value = helper.get_attribute_value(attribute)
    if isinstance(value, TensorProto):
        return array_of(value)
    if isinstance(value, bytes):
        return value.decode()
    if attribute.type == AttributeProto.STRINGS:
        return [text.decode() for text in value]
    return list(value) if attribute.type in (AttributeProto.INTS, AttributeProto.FLOATS) else value
