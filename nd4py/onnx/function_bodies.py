"""Nodes that are written out: functions of the model, and operators that only have a body in the onnx package.

Design: the onnx package has an inliner for operators too, but it fails where a node leaves out an optional input or an
attribute, so that bodies are put in place here.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import onnx
from onnx import AttributeProto, FunctionProto, GraphProto, ModelProto, NodeProto, TypeProto, helper, inliner
from onnx import shape_inference as inference

from .contributed_bodies import contributed_body
from .operators import find, row_of
from .schemas import opsets, schema_of

MOST_ROUNDS = 16  # a body is made of operators that have bodies, to a depth of four


def expanded(model: ModelProto) -> ModelProto:
    """The model with bodies in place of nodes that have no code here.

    Raises ValueError for functions of the model that cannot be written out.
    """
    try:
        model = inliner.inline_local_functions(model, convert_version=True)
    except (RuntimeError, onnx.checker.ValidationError, inference.InferenceError) as error:
        raise ValueError(f"onnx.load: functions of the model cannot be expanded: {error}") from error
    versions, numbers = opsets(model), itertools.count()
    for _ in range(MOST_ROUNDS):
        graph = GraphProto()
        graph.CopyFrom(model.graph)
        if not expand_graph(graph, {}, versions, lambda: f"body{next(numbers)}/", types_of(model, versions)):
            break
        model.graph.CopyFrom(graph)
    return model


def has_body_only(node: NodeProto, versions: dict[str, int]) -> bool:
    schema = schema_of(node, versions)
    if schema is None:
        return contributed_body(node, versions) is not None
    if find(schema) is not None:
        return False
    return bool(schema.has_function or schema.has_context_dependent_function)


def types_of(model: ModelProto, versions: dict[str, int]) -> GraphProto:
    """The graph with the types of all values, as far as they can be told; bodies may depend on them."""
    if not any(has_body_only(node, versions) for node in model.graph.node) and not has_graphs(model.graph):
        return model.graph
    try:
        return inference.infer_shapes(model).graph
    except (inference.InferenceError, ValueError, RuntimeError) as error:
        raise ValueError(f"onnx.load: types of the model do not fit: {error}") from error


def has_graphs(graph: GraphProto) -> bool:
    return any(attribute.type == AttributeProto.GRAPH for node in graph.node for attribute in node.attribute)


def expand_graph(
    graph: GraphProto,
    known: dict[str, TypeProto],
    versions: dict[str, int],
    prefix: Callable[[], str],
    typed: GraphProto,
) -> bool:
    """Put bodies into `graph`, whose twin `typed` says the types of its values.  Returns whether there were any."""
    known = dict(known)
    known.update((value.name, value.type) for value in (*typed.input, *typed.value_info, *typed.output))
    known.update((t.name, helper.make_tensor_type_proto(t.data_type, list(t.dims))) for t in typed.initializer)
    has_changed = False
    nodes: list[NodeProto] = []
    for node, twin in zip(graph.node, typed.node, strict=True):
        for attribute, twin_attribute in zip(node.attribute, twin.attribute, strict=True):
            if attribute.type == AttributeProto.GRAPH:
                has_changed |= expand_graph(attribute.g, known, versions, prefix, twin_attribute.g)
        body = body_of(node, known, versions) if has_body_only(node, versions) else None
        nodes += [node] if body is None else nodes_of_body(node, body, versions, prefix())
        has_changed |= body is not None
    kept = [copied(node) for node in nodes]
    del graph.node[:]
    graph.node.extend(kept)
    return has_changed


def copied(node: NodeProto) -> NodeProto:
    copy = NodeProto()
    copy.CopyFrom(node)
    return copy


def body_of(node: NodeProto, known: dict[str, TypeProto], versions: dict[str, int]) -> FunctionProto | None:
    """The body of a node's operator, if there is one whose operators mean the same in the model's versions."""
    schema = schema_of(node, versions)
    if schema is None:
        return contributed_body(node, versions)
    version = versions[schema.domain]
    plain = [v for v in schema.function_opset_versions if v <= version]
    by_types = [v for v in schema.context_dependent_function_opset_versions if v <= version]
    try:
        if plain:
            content = schema.get_function_with_opset_version(max(plain))
        elif by_types:
            given = [known.get(name, TypeProto()).SerializeToString() for name in node.input]
            content = schema.get_context_dependent_function_with_opset_version(
                max(by_types), node.SerializeToString(), given
            )
        else:
            return None
    except (RuntimeError, ValueError, inference.InferenceError):
        return None
    body = FunctionProto()
    body.ParseFromString(content)
    own = {entry.domain: entry.version for entry in body.opset_import}
    return body if body.node and all(means_the_same(inner, own, versions) for inner in body.node) else None


def means_the_same(node: NodeProto, own: dict[str, int], versions: dict[str, int]) -> bool:
    """Whether an operator is defined, or at least computed here, alike in two sets of versions."""
    here, there = schema_of(node, versions), schema_of(node, own)
    if here is None or there is None:
        return False
    row = row_of(here)
    return here.since_version == there.since_version or (row is not None and row is row_of(there))


def nodes_of_body(node: NodeProto, body: FunctionProto, versions: dict[str, int], prefix: str) -> Iterator[NodeProto]:
    """The nodes of `body` with the names and attributes of `node`."""
    schema = schema_of(node, versions)
    own = schema.attributes.items() if schema is not None else ()
    attributes = {name: item.default_value for name, item in own if item.default_value.type}
    attributes.update((item.name, item) for item in body.attribute_proto)
    attributes.update((item.name, item) for item in node.attribute)
    names = dict(itertools.zip_longest(body.input, node.input[: len(body.input)], fillvalue=""))
    names.update((inner, outer) for inner, outer in zip(body.output, node.output, strict=False) if outer)
    names[""] = ""
    for inner in body.node:
        yield renamed(inner, names, attributes, prefix, node.name)


def renamed(node: NodeProto, names: dict[str, str], attributes: dict[str, Any], prefix: str, title: str) -> NodeProto:
    """A node of a body with the names that its values have in the graph."""
    made = NodeProto(op_type=node.op_type, domain=node.domain, name=f"{title or prefix}{node.op_type}")
    made.input.extend(names.get(name, prefix + name) for name in node.input)
    made.output.extend(names.get(name, prefix + name) for name in node.output)
    for attribute in node.attribute:
        source = attributes.get(attribute.ref_attr_name) if attribute.ref_attr_name else attribute
        if source is None:
            continue
        added = made.attribute.add()
        added.CopyFrom(source)
        added.name = attribute.name
        if added.type == AttributeProto.GRAPH and not attribute.ref_attr_name:
            rename_graph(added.g, names, attributes, prefix)
    return made


def rename_graph(graph: GraphProto, names: dict[str, str], attributes: dict[str, Any], prefix: str) -> None:
    for value in (*graph.input, *graph.output, *graph.value_info, *graph.initializer):
        value.name = names.get(value.name, prefix + value.name)
    nodes: Iterable[NodeProto] = [renamed(node, names, attributes, prefix, "") for node in graph.node]
    del graph.node[:]
    graph.node.extend(nodes)
