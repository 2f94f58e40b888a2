"""Models as files, bytes or protocol buffers, checked before anything is computed."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import onnx
from google.protobuf.message import DecodeError, EncodeError
from onnx import AttributeProto, GraphProto, ModelProto, TensorProto, external_data_helper

from .contributed_bodies import name_domain
from .large_tensors import LEAST_BYTES, LargeTensors, copy_fields, fill_from, parts_of_file, parts_of_model
from .node_order import sort_nodes
from .schemas import graphs_in

MOST_AXES = 1 << 10  # of an array, and two numbers for each in paddings
TAKE_SHAPES = (
    *("AffineGrid", "CenterCropPad", "Col2Im", "Expand", "Pad", "Reshape", "Resize", "Slice", "Squeeze", "Tile"),
    *("Unsqueeze", "Upsample"),
)
MOST_BYTES = 1 << 40  # of one tensor: a shape that asks for more is damaged


def read_model(source: Any) -> tuple[ModelProto, LargeTensors]:
    """The model that `source` is, the path of, or the bytes of, with its external data; and its large tensors.

    In the place of these the model has inputs.  Raises ValueError for what is no model, a model that breaks the rules
    of the format, and external data that lies outside of the folder of the file; FileNotFoundError where there is no
    file; TypeError for other objects.
    """
    folder, large = None, LargeTensors()
    with ExitStack() as opened:
        if isinstance(source, ModelProto):
            model, parts = parts_of_model(source)
        elif isinstance(source, (bytes, bytearray, memoryview)):
            content, parts = parts_of_file(io.BytesIO(source))
            model = parsed(content)
        elif isinstance(source, (str, os.PathLike)):
            path = Path(source)
            content, parts = parts_of_file(opened.enter_context(path.open("rb")))
            model, folder = parsed(content, path), path.parent
        else:
            raise TypeError(f"onnx.load: takes a path, bytes or a ModelProto, got {type(source).__name__}")
        for tensor in tensors_of(model.graph):
            check_size(tensor)
        large.take(model.graph, parts)
    take_external_data(model.graph, folder, large)
    large.declare(model.graph)
    sort_nodes(model.graph)
    name_domain(model, graphs_in(model.graph))
    check_format(model)
    for graph in graphs_in(model.graph):
        check_shapes(graph)
    return model, large


def parsed(content: bytes, path: Path | None = None) -> ModelProto:
    what = "the bytes are" if path is None else f"{path} is"
    try:
        model = onnx.load_model_from_string(content)
    except DecodeError as error:
        raise ValueError(f"onnx.load: {what} no ONNX model, or cut short: {error}") from error
    if not model.HasField("graph"):
        raise ValueError(f"onnx.load: {what} no ONNX model: it has no graph")
    return model


def check_format(model: ModelProto) -> None:
    """Raises ValueError for cycles, names that nothing computes, nodes without what they need, and the like."""
    # Of outputs the format wants a shape, which converters leave out where they do not know it.
    bare = [value.type.tensor_type for value in model.graph.output if value.type.WhichOneof("value") == "tensor_type"]
    bare = [each for each in bare if not each.HasField("shape")]
    for each in bare:
        each.shape.SetInParent()
    try:
        onnx.checker.check_model(model)
    except (onnx.checker.ValidationError, EncodeError) as error:
        raise ValueError(f"onnx.load: not a sound model: {error}") from error
    finally:
        for each in bare:
            each.ClearField("shape")


def tensors_of(graph: GraphProto) -> Iterator[TensorProto]:
    """All tensors that a graph holds: initializers, and attributes of nodes."""
    for part in graphs_in(graph):
        yield from part.initializer
        for sparse in part.sparse_initializer:
            yield from (sparse.values, sparse.indices)
        for node in part.node:
            for attribute in node.attribute:
                if attribute.type == AttributeProto.TENSOR:
                    yield attribute.t
                yield from attribute.tensors


def check_size(tensor: TensorProto) -> None:
    size = 1
    for length in tensor.dims:
        if length < 0:
            raise ValueError(f"tensor {tensor.name!r}: negative sizes in its shape {list(tensor.dims)}")
        size *= length
    if size > MOST_BYTES:
        raise ValueError(f"tensor {tensor.name!r}: its shape {list(tensor.dims)} has {size} elements")


def check_shapes(graph: GraphProto) -> None:
    """Raises ValueError for sizes that nothing has, and shapes of so many axes that inferring types would not end."""
    known = {t.name: list(t.dims) for t in graph.initializer}
    for value in (*graph.input, *graph.output, *graph.value_info):
        known[value.name] = [size.dim_value for size in value.type.tensor_type.shape.dim]
    for name, sizes in known.items():
        if any(not 0 <= size <= MOST_BYTES for size in sizes):
            raise ValueError(f"onnx.load: value {name!r} has the shape {sizes}")
    for node in graph.node:
        for name in node.input:
            sizes = known.get(name, [])
            if node.op_type in TAKE_SHAPES and len(sizes) == 1 and sizes[0] > MOST_AXES and name != node.input[0]:
                raise ValueError(f"onnx.load: {node.op_type} with a shape of {sizes[0]} axes, {name!r}")
        if node.op_type == "ConstantOfShape" and known.get(node.input[0], [0])[0:1] > [MOST_AXES]:
            raise ValueError(f"onnx.load: ConstantOfShape with a shape of {known[node.input[0]][0]} axes")


def take_external_data(graph: GraphProto, folder: Path | None, large: LargeTensors) -> None:
    """Read data in other files: of large initializers of the graph into arrays, else into the tensors."""
    for number, tensor in enumerate(graph.initializer):
        if external_data_helper.uses_external_data(tensor):
            twin = TensorProto()  # whose memory is free again when its data are in an array
            twin.CopyFrom(tensor)
            read_external_data(twin, folder)
            if len(twin.raw_data) >= LEAST_BYTES:
                copy_fields(twin, cleared(tensor), "raw_data")
                large.take(graph, [(number, len(twin.raw_data), partial(fill_from, twin))])
            else:
                tensor.CopyFrom(twin)
    for tensor in tensors_of(graph):
        if external_data_helper.uses_external_data(tensor):
            read_external_data(tensor, folder)


def cleared(tensor: TensorProto) -> TensorProto:
    tensor.Clear()
    return tensor


def read_external_data(tensor: TensorProto, folder: Path | None) -> None:
    """Fill `tensor` from its file.  Raises ValueError for files outside of `folder`, and where data are missing."""
    if folder is None:
        raise ValueError(f"tensor {tensor.name!r}: external data need the path of the model; load it by its path")
    location = external_data_helper.ExternalDataInfo(tensor).location
    root = folder.resolve()
    path = (root / location).resolve()
    if not location or not path.is_relative_to(root) or path == root:
        raise ValueError(f"tensor {tensor.name!r}: external data {location!r} lie outside of the model's folder")
    try:
        external_data_helper.load_external_data_for_tensor(tensor, str(root))
    except (OSError, ValueError, onnx.checker.ValidationError) as error:
        raise ValueError(f"tensor {tensor.name!r}: external data {location!r} cannot be read: {error}") from error
    tensor.ClearField("external_data")
    tensor.data_location = TensorProto.DEFAULT
