"""Graphs of one function for several sizes of the batch, joined to one whose batch has any size.

Design: the function runs on batches of four sizes, so that what it computes from the size in Python is seen as well.
The graphs must be alike but for numbers that are a * size + b, or a / size; these become nodes.  Rejected: symbols as
sizes, which code between the operations would have to take in the place of ints.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy
import onnx
from onnx import helper, numpy_helper

from .function_writer import FunctionWriter

PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31)
SIZE = "batch"
N_SIZES = 4


class Graph(NamedTuple):
    """The graph for one size."""

    size: int
    proto: onnx.GraphProto


def sizes_to_try(shapes: Sequence[tuple[int, ...]]) -> list[int]:
    """Sizes that no axis of an input has, so that none is taken for another one."""
    known = {n for shape in shapes for n in shape}
    return [n for n in PRIMES if n not in known][:N_SIZES]


def joined(graphs: list[Graph], batched: Sequence[str]) -> onnx.GraphProto:
    """The graph for every size of the first axis of the inputs `batched`.

    Raises NotImplementedError where the graphs differ in another way.
    """
    first = graphs[0].proto
    check_alike(graphs)
    writer, refused = FunctionWriter(numpy.dtype("int64"), title=SIZE), dict[str, None]()
    size = writer.node("Shape", batched[0], start=0, end=1)
    arrays = []
    for versions in zip(*(each.proto.initializer for each in graphs), strict=True):
        values = [numpy_helper.to_array(tensor) for tensor in versions]
        if all(value.shape == values[0].shape and value.tobytes() == values[0].tobytes() for value in values):
            arrays.append(versions[0])
        elif (found := of_size(writer, size, [each.size for each in graphs], values)) is not None:
            writer.nodes.append(helper.make_node("Identity", [found], [versions[0].name]))
        else:
            operation = versions[0].name.partition("/")[0]
            refused[f"{operation} ({'an array' if values[0].ndim else 'a number'})"] = None
    if refused:
        raise NotImplementedError(
            "export: the batch cannot have any size: what is computed from it is neither a * size + b nor a / size, "
            f"in {', '.join(refused)}; nothing is written"
        )
    edges = [[with_open_sizes(graphs, *each) for each in zip(*(list_of(one.proto) for one in graphs), strict=True)]
             for list_of in (lambda graph: graph.input, lambda graph: graph.output)]  # fmt: skip
    return helper.make_graph(
        [*writer.nodes, *first.node], first.name, edges[0], edges[1], [*writer.initializers, *arrays]
    )


def check_alike(graphs: list[Graph]) -> None:
    """Raises NotImplementedError where other operations run for another size."""
    for other in graphs[1:]:
        pairs = zip(graphs[0].proto.node, other.proto.node, strict=False)
        differ = [one.op_type for one, two in pairs if one != two]
        if differ or len(other.proto.node) != len(graphs[0].proto.node):
            where = f", the first at {differ[0]}" if differ else ""
            raise NotImplementedError(
                f"export: the batch cannot have any size: the function does other steps for {other.size} examples than "
                f"for {graphs[0].size}{where}; nothing is written"
            )


def of_size(writer: FunctionWriter, size: str, sizes: list[int], values: list[Any]) -> str | None:
    """The name of an array that is a * size + b, or a / size, or repeated to a shape that is; else None."""
    if len({value.shape for value in values}) == 1:
        return line(writer, size, sizes, values) or share(writer, size, sizes, values)
    if len({value.ndim for value in values}) != 1 or any(value.size == 0 for value in values):
        return None
    is_open = [len(set(axis)) > 1 for axis in zip(*(value.shape for value in values), strict=True)]
    part = values[0][tuple(slice(0, 1) if each else slice(None) for each in is_open)]
    if any(numpy.broadcast_to(part, value.shape).tobytes() != value.tobytes() for value in values):
        return None
    shape = line(writer, size, sizes, [numpy.array(value.shape) for value in values])
    return None if shape is None else writer.node("Expand", writer._held(part, "part"), shape)


def line(writer: FunctionWriter, size: str, sizes: list[int], values: list[Any]) -> str | None:
    """a * size + b with whole numbers a and b."""
    if values[0].dtype.kind not in "iuf" or not all(numpy.isfinite(value).all() for value in values):
        return None
    slope = (values[1].astype(object) - values[0].astype(object)) / (sizes[1] - sizes[0])
    start = values[0].astype(object) - slope * sizes[0]
    coefficients = [numpy.asarray(x, dtype=float) for x in (slope, start)]
    if any((x != numpy.rint(x)).any() for x in coefficients):
        return None
    if any((coefficients[0] * n + coefficients[1] != value).any() for n, value in zip(sizes, values, strict=True)):
        return None
    a, b = (writer.integers(x.astype(numpy.int64), "coefficients") for x in coefficients)
    given = size if values[0].ndim else writer.node("Squeeze", size)
    y = writer.node("Add", writer.node("Mul", given, a), b)
    dtype = values[0].dtype
    return y if dtype == numpy.int64 else writer.node("Cast", y, to=helper.np_dtype_to_tensor_dtype(dtype))


def share(writer: FunctionWriter, size: str, sizes: list[int], values: list[Any]) -> str | None:
    """a / size with floats a, as the mean of a batch is computed."""
    dtype = values[0].dtype
    if dtype not in (numpy.float32, numpy.float64):
        return None
    numerators = [value.astype(float) * n for n, value in zip(sizes, values, strict=True)]
    if any((abs(x - numerators[0]) > 2 * numpy.finfo(dtype).eps * abs(x)).any() for x in numerators):
        return None
    given = size if values[0].ndim else writer.node("Squeeze", size)
    n = writer.node("Cast", given, to=helper.np_dtype_to_tensor_dtype(dtype))
    return writer.node("Div", writer._held(numerators[0].astype(dtype), "numerators"), n)


def with_open_sizes(graphs: list[Graph], *versions: onnx.ValueInfoProto) -> onnx.ValueInfoProto:
    """An input or output with a name in the place of the size, and nothing where its axes depend on it otherwise."""
    shapes = [[axis.dim_value for axis in each.type.tensor_type.shape.dim] for each in versions]
    found: list[Any] = []
    for axis in zip(*shapes, strict=True):
        is_size = list(axis) == [graph.size for graph in graphs]
        found.append(axis[0] if len(set(axis)) == 1 else SIZE if is_size else None)
    return helper.make_tensor_value_info(versions[0].name, versions[0].type.tensor_type.elem_type, found)
