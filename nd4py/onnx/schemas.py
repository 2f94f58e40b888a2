"""Definitions of operators, as the onnx package has them, for nodes of a model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, defs

DOMAINS = {"ai.onnx": ""}  # two names of one domain


def opsets(model: ModelProto) -> dict[str, int]:
    """The version of each domain that the model is written in."""
    return {DOMAINS.get(entry.domain, entry.domain): entry.version for entry in model.opset_import}


def domain_of(node: NodeProto) -> str:
    return DOMAINS.get(node.domain, node.domain)


def schema_of(node: NodeProto, versions: dict[str, int]) -> Any:
    """The definition of a node's operator in the model's version of it, or None where the onnx package has none.

    An `onnx.defs.OpSchema`; the stubs of the package leave out half of its properties.
    """
    domain = domain_of(node)
    version = versions.get(domain)
    if version is None or (domain == "" and version > defs.onnx_opset_version()):
        return None
    try:
        return defs.get_schema(node.op_type, version, domain)
    except defs.SchemaError:
        return None


def graphs_in(graph: GraphProto) -> Iterator[GraphProto]:
    """`graph`, and the graphs that are attributes of its nodes, at any depth."""
    yield graph
    for node in graph.node:
        for inner in graphs_of(node):
            yield from graphs_in(inner)


def graphs_of(node: NodeProto) -> Iterator[GraphProto]:
    """The graphs that are attributes of a node."""
    for attribute in node.attribute:
        yield from [attribute.g] if attribute.type == AttributeProto.GRAPH else attribute.graphs


def nodes_in(graph: GraphProto) -> Iterator[NodeProto]:
    """The nodes of `graph`, and of the graphs inside of it."""
    for part in graphs_in(graph):
        yield from part.node
