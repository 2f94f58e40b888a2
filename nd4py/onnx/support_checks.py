"""What of a model is not supported, found before it runs."""

from __future__ import annotations

from collections.abc import Iterator

from onnx import AttributeProto, ModelProto, NodeProto, TensorProto

from .element_types import DTYPES, HOST_DTYPES, element_types_in, type_name
from .model_files import tensors_of
from .operators import find, reason_against
from .operators.host_arrays import TAKES_HOST_ARRAYS
from .schemas import domain_of, graphs_in, nodes_in, opsets, schema_of

TYPE_ATTRIBUTES = ("to", "dtype", "output_dtype", "output_datatype", "stash_type", "softmax_precision")


def check_supported(model: ModelProto) -> None:
    """Raises NotImplementedError that names every node, operator, version and element type that is not supported."""
    versions, constants, host = opsets(model), constants_of(model), host_types(model)
    reasons = [text for node in nodes_in(model.graph) for text in node_reasons(node, versions, constants, host)]
    reasons += [f"tensor {t.name!r} of {type_name(t.data_type)}" for t in tensors_of(model.graph) if not known(t)]
    for graph in graphs_in(model.graph):
        reasons += [f"sparse tensor {sparse.values.name!r}" for sparse in graph.sparse_initializer]
        for value in (*graph.input, *graph.output, *graph.value_info):
            unknown = element_types_in(value.type) - DTYPES.keys() - HOST_DTYPES.keys()
            reasons += [f"value {value.name!r} of {type_name(element)}" for element in unknown]
    if reasons:
        raise NotImplementedError("onnx.load: not supported: " + "; ".join(dict.fromkeys(reasons)))


def constants_of(model: ModelProto) -> dict[str, TensorProto]:
    """Tensors that the file holds, by the names of their values; those that are inputs as well may be replaced."""
    replaceable = {value.name for value in model.graph.input}
    found = {t.name: t for part in graphs_in(model.graph) for t in part.initializer if t.name not in replaceable}
    for node in nodes_in(model.graph):
        if node.op_type == "Constant" and node.output:
            found.update((node.output[0], item.t) for item in node.attribute if item.name == "value")
    return found


def known(tensor: TensorProto) -> bool:
    return tensor.data_type in DTYPES or tensor.data_type in HOST_DTYPES


def host_types(model: ModelProto) -> dict[str, set[int]]:
    """By the names of values the element types that only NumPy's arrays hold, as far as types are known."""
    found: dict[str, set[int]] = {}
    for graph in graphs_in(model.graph):
        for value in (*graph.input, *graph.output, *graph.value_info):
            found[value.name] = element_types_in(value.type) & HOST_DTYPES.keys()
        found.update((t.name, {t.data_type} & HOST_DTYPES.keys()) for t in graph.initializer)
    return found


def node_reasons(
    node: NodeProto, versions: dict[str, int], constants: dict[str, TensorProto], host: dict[str, set[int]]
) -> Iterator[str]:
    """Why a node cannot run, if it cannot."""
    domain = domain_of(node)
    name = f"node {node.name or next(iter(node.output), '')!r}: {domain + ':' * bool(domain)}{node.op_type}"
    schema = schema_of(node, versions)
    if schema is None:
        yield f"{name} of opset {versions.get(domain)}"
        return
    if find(schema) is None:
        yield f"{name} (version {schema.since_version}, opset {versions[domain]})"
        return
    takes_host = schema.name in TAKES_HOST_ARRAYS
    if not takes_host:
        types = set().union(*(host.get(value, set()) for value in (*node.input, *node.output)))
        yield from (f"{name} of {type_name(element)}" for element in sorted(types))
    for attribute in node.attribute:
        if attribute.name in TYPE_ATTRIBUTES and attribute.type == AttributeProto.INT and attribute.i:
            if attribute.i not in DTYPES and not (takes_host and attribute.i in HOST_DTYPES):
                yield f"{name} with {attribute.name}={type_name(attribute.i)}"
        elif attribute.type in (AttributeProto.SPARSE_TENSOR, AttributeProto.SPARSE_TENSORS):
            yield f"{name} with a sparse tensor"
        elif attribute.name in ("value_string", "value_strings"):
            yield f"{name} with strings"
    if (reason := reason_against(schema, node, constants)) is not None:
        yield f"{name} {reason}"
