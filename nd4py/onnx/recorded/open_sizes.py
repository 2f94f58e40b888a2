"""Graphs of one function for several sizes of its inputs, joined to one for any sizes of the axes that are left open.

Design: the function runs on inputs of several sizes, so that what it computes from these in Python is seen as well.
The graphs must be alike but for numbers and arrays that formulas of the sizes give; these become nodes.  Rejected:
symbols as sizes, which code between the operations would have to take in the place of ints.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy
import onnx
from onnx import helper, numpy_helper

from .function_writer import FunctionWriter
from .size_formulas import Formulas, Sizes

SMALL = range(2, 11)
PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103)
N_CHECKS = 2  # runs of further sizes, which the formulas must hold for
MOST_NAMES = 3


class Graph(NamedTuple):
    """The graph for inputs of certain sizes, by the names of these."""

    sizes: Sizes
    proto: onnx.GraphProto


def sizes_to_try(is_first: Mapping[str, bool], fixed: set[int]) -> tuple[list[Sizes], list[Sizes]]:
    """(sizes that the function must take, further ones that it may refuse), by the names of axes.

    is_first: whether axes of a name are the first ones of their inputs: others, over which windows may slide, are
    larger where the function must take them
    fixed: sizes of the other axes, of which none is tried, so that none is taken for another one
    Raises NotImplementedError where these leave too few.
    """
    free = [n for n in PRIMES if n not in fixed]
    rows: dict[str, list[int]] = {}
    for name, is_batch in is_first.items():
        rows[name] = [n for n in free if is_batch or n not in SMALL][: 2 + N_CHECKS]
        free = [n for n in free if n not in rows[name]]
    if any(len(row) < 2 + N_CHECKS for row in rows.values()):
        raise NotImplementedError("export: axes have so many sizes that none is left to try for those that are open")
    pairs = product(*(row[:2] for row in rows.values()))
    needed: list[Sizes] = [dict(zip(rows, sizes, strict=True)) for sizes in pairs]
    needed += [{name: row[2 + i] for name, row in rows.items()} for i in range(N_CHECKS)]
    others = [name for name, is_batch in is_first.items() if not is_batch]
    return needed, [{**needed[-1], name: n} for name in others for n in SMALL if n not in fixed]


def joined(graphs: list[Graph], sources: Mapping[str, tuple[str, int]]) -> onnx.GraphProto:
    """The graph for every size; `sources` are an input and its axis that has the size of each name.

    Raises NotImplementedError where the graphs differ otherwise.
    """
    first = graphs[0].proto
    check_alike(graphs)
    writer, refused = FunctionWriter(numpy.dtype("int64"), title="sizes"), dict[str, None]()
    nodes = {name: writer.node("Shape", x, start=axis, end=axis + 1) for name, (x, axis) in sources.items()}
    formulas = Formulas(writer, nodes, [graph.sizes for graph in graphs])
    arrays = []
    for versions in zip(*(each.proto.initializer for each in graphs), strict=True):
        values = [numpy_helper.to_array(tensor) for tensor in versions]
        if all(value.shape == values[0].shape and value.tobytes() == values[0].tobytes() for value in values):
            arrays.append(versions[0])
        elif (found := formulas.of(values)) is not None:
            writer.nodes.append(helper.make_node("Identity", [found], [versions[0].name]))
        else:
            operation = versions[0].name.partition("/")[0]
            refused[f"{operation} ({'an array' if values[0].ndim else 'a number'})"] = None
    if refused:
        hint = "; arrays that are cut to size can be inputs" if any("an array" in each for each in refused) else ""
        raise NotImplementedError(
            f"export: {open_axes(sources)} cannot have any size: what is computed from it is neither "
            f"{' nor '.join(allowed(list(sources)))}, in {', '.join(refused)}; nothing is written{hint}"
        )
    edges = [[with_open_sizes(graphs, *each) for each in zip(*(list_of(one.proto) for one in graphs), strict=True)]
             for list_of in (lambda graph: graph.input, lambda graph: graph.output)]  # fmt: skip
    return helper.make_graph(
        [*writer.nodes, *first.node], first.name, edges[0], edges[1], [*writer.initializers, *arrays]
    )


def open_axes(names: Mapping[str, Any]) -> str:
    """What is left open, in words."""
    return " and ".join(f"the {name}" if name == "batch" else f"{name!r}" for name in names)


def allowed(names: Sequence[str]) -> list[str]:
    """The formulas that are known, in words."""
    size = "size" if len(names) == 1 else names[0]
    more = [] if len(names) == 1 else [f"a * {names[0]} * {names[1]} + b"]
    return [f"a * {size} + b", *more, f"a / {size}"]


def check_alike(graphs: list[Graph]) -> None:
    """Raises NotImplementedError where other operations run for other sizes."""
    one = graphs[0]
    for other in graphs[1:]:
        pairs = zip(one.proto.node, other.proto.node, strict=False)
        differ = [mine for mine, theirs in pairs if mine != theirs]
        same_arrays = [each.name for each in one.proto.initializer] == [each.name for each in other.proto.initializer]
        if differ or len(other.proto.node) != len(one.proto.node) or not same_arrays:
            where = f", the first at {differ[0].op_type} ({differ[0].name.partition('/')[0]})" if differ else ""
            raise NotImplementedError(
                f"export: {open_axes(one.sizes)} cannot have any size: the function does other steps for "
                f"{in_words(other.sizes)} than for {in_words(one.sizes)}{where}; nothing is written"
            )


def in_words(sizes: Sizes) -> str:
    """Sizes with their names."""
    return ", ".join(f"{n} examples" if name == "batch" else f"{name} {n}" for name, n in sizes.items())


def with_open_sizes(graphs: list[Graph], *versions: onnx.ValueInfoProto) -> onnx.ValueInfoProto:
    """An input or output with names in the place of sizes, and nothing where its axes depend on them otherwise."""
    shapes = [[axis.dim_value for axis in each.type.tensor_type.shape.dim] for each in versions]
    found: list[Any] = []
    for axis in zip(*shapes, strict=True):
        names = [name for name in graphs[0].sizes if list(axis) == [graph.sizes[name] for graph in graphs]]
        found.append(axis[0] if len(set(axis)) == 1 else names[0] if names else None)
    return helper.make_tensor_value_info(versions[0].name, versions[0].type.tensor_type.elem_type, found)
