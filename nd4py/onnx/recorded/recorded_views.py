"""Views, joins and indexing as nodes."""

from __future__ import annotations

from typing import Any

import numpy

from nd4py import api as nd

from ..writers.graph_writer import LAST
from .function_writer import Call, FunctionWriter, NoCounterpart


def permuted(writer: FunctionWriter, call: Call, x: str) -> str:
    return writer.transposed(x, *call.settings["axes"]) if call.settings["axes"] else writer.node("Identity", x)


def reshaped(writer: FunctionWriter, call: Call, x: str) -> str:
    return writer.shaped(x, call.settings["shape"])


def broadcast(writer: FunctionWriter, call: Call, x: str) -> str:
    return writer.node("Expand", x, writer.integers(list(call.settings["shape"]), "shape"))


def part(writer: FunctionWriter, call: Call, x: str) -> str:
    """x[key] for ints, slices, None and an Ellipsis."""
    key = whole_key(call.settings["key"], len(call.operands[0].shape))
    edges: list[tuple[int, ...]] = []
    dropped: list[int] = []
    added: list[int] = []
    axis = 0
    for item in key:
        if item is None:
            added.append(axis - len(dropped) + len(added))
            continue
        if isinstance(item, slice):
            if not is_whole(item):
                edges.append((*ends(item), axis, int(item.step or 1)))
        else:
            place = int(item)
            edges.append((place, place + 1 or LAST, axis, 1))
            dropped.append(axis)
        axis += 1
    if edges:
        x = writer.node("Slice", x, *(writer.integers(list(each), "edges") for each in zip(*edges, strict=True)))
    if dropped:
        x = writer.node("Squeeze", x, writer.integers(dropped, "axes"))
    if added:
        x = writer.node("Unsqueeze", x, writer.integers(added, "axes"))
    return x if edges or added else writer.node("Identity", x)


def whole_key(key: Any, n_axes: int) -> list[Any]:
    """A key with a slice for each axis that it does not name."""
    items = list(key)
    n_named = sum(item is not None and item is not Ellipsis for item in items)
    at = next((i for i, item in enumerate(items) if item is Ellipsis), len(items))
    items[at : at + 1] = [slice(None)] * (n_axes - n_named)
    return items


def is_whole(item: Any) -> bool:
    """Whether an item of a key takes an axis as it is."""
    return isinstance(item, slice) and (item.start or 0, item.stop, item.step or 1) == (0, None, 1)


def ends(item: slice) -> tuple[int, int]:
    """(start, stop) of a slice of any axis."""
    first, last = (0, LAST) if (item.step or 1) > 0 else (LAST, -LAST)
    start, stop = first if item.start is None else item.start, last if item.stop is None else item.stop
    return max(-LAST, min(int(start), LAST)), max(-LAST, min(int(stop), LAST))


def converted(writer: FunctionWriter, call: Call, x: str) -> str:
    return writer.cast(x, call.results[0].dtype)


def filled(writer: FunctionWriter, call: Call) -> str:
    y = call.results[0]
    value = writer.number(call.settings["value"], y.dtype)
    return writer.node("Expand", value, writer.integers(list(y.shape), "shape"))


def constant(writer: FunctionWriter, call: Call, x: str) -> str:
    return x


def joined(writer: FunctionWriter, call: Call, *_: str) -> str:
    axis, names = call.settings["axis"], [writer.operand(x, call.results[0].dtype) for x in call.operands[0]]
    if call.settings["is_new_axis"]:
        names = [writer.node("Unsqueeze", x, writer.integers([axis], "axes")) for x in names]
    return writer.node("Concat", *names, axis=axis)


def indexed(writer: FunctionWriter, call: Call, x: str, *indices: str) -> str:
    """What index arrays name: along one axis by `Gather`, else by `GatherND` with these axes first."""
    view, *arrays = call.operands
    axes, where = call.settings["axes"], call.settings["where"]
    indices = tuple(writer.operand(array, nd.int64) for array in arrays)
    if len(axes) == 1 and axes[0] == where:
        return writer.node("Gather", x, *indices, axis=where)
    n, rest = max(len(array.shape) for array in arrays), [i for i in range(len(view.shape)) if i not in axes]
    common = numpy.broadcast_shapes(*(array.shape for array in arrays))
    shape = writer.integers(list(common), "shape")
    columns = [
        writer.node("Unsqueeze", writer.node("Expand", index, shape), writer.integers([-1], "axes"))
        for index in indices
    ]
    moved = writer.transposed(x, *axes, *rest)
    y = writer.node("GatherND", moved, writer.node("Concat", *columns, axis=-1))
    order = (*range(n, n + where), *range(n), *range(n + where, n + len(rest)))
    return writer.transposed(y, *order) if order != tuple(range(len(order))) else y


def gathered_along(writer: FunctionWriter, call: Call, x: str, indices: str) -> str:
    """Elements of lines; the axes beside may be 1 and stand for many."""
    source, places = call.operands
    axis = call.settings.get("axis", len(source.shape) - 1)
    x, indices = in_lines(writer, source, x, places, axis), in_lines(writer, places, indices, source, axis)
    return writer.node("GatherElements", x, indices, axis=axis)


def in_lines(writer: FunctionWriter, x: Any, name: str, other: Any, axis: int) -> str:
    """`x` with its axes beside `axis` as many as another one has."""
    wanted = tuple(n if i == axis else max(n, other.shape[i]) for i, n in enumerate(x.shape))
    return name if wanted == x.shape else writer.node("Expand", name, writer.integers(list(wanted), "shape"))


def framed(writer: FunctionWriter, call: Call, x: str) -> str | None:
    """Constants around an array, the same on all sides."""
    widths, values = call.settings["widths"], {float(v) for pair in call.settings["values"] for v in pair}
    if len(values) != 1 or not writer_takes_padding(call):
        return None
    edges = [*(before for before, _ in widths), *(after for _, after in widths)]
    (value,) = values
    return writer.node("Pad", x, writer.integers(edges, "pads"), writer.number(value, call.results[0].dtype))


def writer_takes_padding(call: Call) -> bool:
    """Whether runtimes pad such elements."""
    return str(call.results[0].dtype) in ("float32", "float64", "int32", "int64")


def rolled(writer: FunctionWriter, call: Call, x: str) -> str:
    """Axes whose last part comes first."""
    for axis, (shift, size) in enumerate(zip(call.settings["shifts"], call.operands[0].shape, strict=True)):
        if size and (n := shift % size):
            x = writer.node(
                "Concat", writer.part(x, size - n, size, axis), writer.part(x, 0, size - n, axis), axis=axis
            )
    return writer.node("Identity", x)


def diagonal(writer: FunctionWriter, call: Call, x: str) -> str:
    """Elements whose places are known."""
    return of_places(writer, call, x, *(call.settings[name] for name in ("offset", "axis1", "axis2")))


def diagonal_view(writer: FunctionWriter, call: Call, x: str) -> str:
    """The same with the axes as operands."""
    _, axis1, axis2, *offset = call.operands
    return of_places(writer, call, x, offset[0] if offset else call.settings.get("offset", 0), axis1, axis2)


def of_places(writer: FunctionWriter, call: Call, x: str, offset: int, axis1: int, axis2: int) -> str:
    """The elements of a diagonal."""
    shape = call.operands[0].shape
    places = numpy.diagonal(numpy.arange(numpy.prod(shape, dtype=int)).reshape(shape), offset, axis1, axis2)
    return writer.node("Gather", writer.flat(x), writer.integers(places, "places"), axis=0)


def repeated(writer: FunctionWriter, call: Call, x: str, *_: str) -> str:
    """Slices as often as counts say, which are known.  Raises NoCounterpart for counts that depend on the inputs."""
    source, counts, axis = call.operands
    if not isinstance(counts, nd.NDArray):
        raise NoCounterpart("counts that depend on the inputs")
    places = numpy.repeat(numpy.arange(source.shape[axis]), counts.to_numpy())
    return writer.node("Gather", x, writer.integers(places, "places"), axis=axis)


def on_diagonal(writer: FunctionWriter, call: Call, x: str) -> str:
    """A line as the diagonal of a matrix of zeros."""
    (n,), y = call.operands[0].shape, call.results[0]
    places = numpy.flatnonzero(numpy.diag(numpy.ones(n), call.settings["k"]))
    zeros = writer.node("Expand", writer.number(0, y.dtype), writer.integers([y.shape[0] * y.shape[1]], "shape"))
    return writer.shaped(writer.node("ScatterND", zeros, writer.integers(places.reshape(-1, 1), "places"), x), y.shape)


def viewed(writer: FunctionWriter, call: Call, x: str) -> str:
    """Raises NoCounterpart."""
    raise NoCounterpart("bytes read as another dtype")
