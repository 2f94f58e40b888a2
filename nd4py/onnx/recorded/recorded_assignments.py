"""Writing to arrays as nodes: to known places, and to those that the inputs name."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy

from nd4py import api as nd

from .function_writer import Call, FunctionWriter
from .recorded_views import is_whole, whole_key


def assigned(writer: FunctionWriter, call: Call, x: str, given: str) -> str:
    """x with other elements at the places that a key names, which are known."""
    target, values = call.operands
    shape = target.shape
    key = tuple(item.to_numpy() if isinstance(item, nd.NDArray) else item for item in call.settings["key"])
    places = numpy.arange(numpy.prod(shape, dtype=int)).reshape(shape)[key]
    if not places.size:
        return writer.node("Identity", x)
    given = writer.operand(values, target.dtype)
    extra = len(values.shape) - places.ndim
    if extra > 0:
        given = writer.shaped(given, values.shape[extra:])
    spread = writer.node("Expand", given, writer.integers(list(places.shape), "shape"))
    if all(item is None or item is Ellipsis or isinstance(item, slice) or type(item) is int for item in key):
        return assigned_parts(writer, shape, whole_key(key, len(shape)), x, spread)
    flat, updates = places.reshape(-1), writer.flat(spread)
    last = len(flat) - 1 - numpy.unique(flat[::-1], return_index=True)[1]  # of values for one place the last stays
    if len(last) != len(flat):
        updates = writer.node("Gather", updates, writer.integers(last, "places"), axis=0)
        flat = flat[last]
    y = writer.node("ScatterND", writer.flat(x), writer.integers(flat.reshape(-1, 1), "places"), updates)
    return writer.shaped(y, shape)


def assigned_parts(writer: FunctionWriter, shape: Any, key: list[Any], x: str, given: str) -> str:
    """x with other elements at ints and slices, whatever the sizes of the axes that are taken as a whole."""
    items = [item for item in key if item is not None]
    named = [i for i, item in enumerate(items) if not is_whole(item)]
    picked = {i: numpy.atleast_1d(numpy.arange(shape[i])[items[i]]) for i in named}
    given = writer.shaped(given, [len(picked[i]) if i in picked else n for i, n in enumerate(shape)])
    return with_block(writer, shape, picked, [i for i in named if isinstance(items[i], slice)], x, given)


def with_block(
    writer: FunctionWriter, shape: Any, picked: dict[int, Any], sliced: list[int], x: str, given: str
) -> str:
    """x with other elements at places of some axes; of several that are sliced, one after the other, so that the places
    of each are a line, which may have any length."""
    if not picked:
        return given
    rest = [i for i in range(len(shape)) if i not in picked]
    if len(sliced) > 1:
        axis, *others = sliced
        part = writer.node("Gather", x, writer.integers(picked[axis], "places"), axis=axis)
        sizes = [len(picked[i]) if i == axis else n for i, n in enumerate(shape)]
        inner = {i: places for i, places in picked.items() if i != axis}
        given = with_block(writer, sizes, inner, others, part, given)
        picked, rest = {axis: picked[axis]}, [i for i in range(len(shape)) if i != axis]
    named = list(picked)
    places = numpy.stack(numpy.meshgrid(*picked.values(), indexing="ij"), axis=-1).reshape(-1, len(named))
    order = (*named, *rest)
    updates = writer.shaped(writer.transposed(given, *order), (len(places), *(shape[i] for i in rest)))
    y = writer.node("ScatterND", writer.transposed(x, *order), writer.integers(places, "places"), updates)
    return writer.transposed(y, *(order.index(i) for i in range(len(shape))))


def put(writer: FunctionWriter, call: Call, x: str, given: str, *_: str) -> str:
    """x with other elements, or with more added, where index arrays name them: the axes that they index as one."""
    target, values, *arrays = call.operands
    axes, shape = call.settings["axes"], target.shape
    order = (*axes, *(i for i in range(len(shape)) if i not in axes))
    sizes, rest = [shape[i] for i in axes], [shape[i] for i in order[len(axes) :]]
    if 0 in values.shape:
        return writer.node("Identity", x)
    common = writer.integers(list(values.shape[: len(values.shape) - len(rest)]), "shape")
    place = ""
    for array, size in zip(arrays, sizes, strict=True):
        index = writer.node("Expand", writer.operand(array, nd.int64), common)
        if len(axes) > 1:
            from_front = writer.node("Add", index, writer.integers(size))
            index = writer.node("Where", writer.node("Less", index, writer.integers(0)), from_front, index)
        place = index if not place else writer.node(
            "Add", writer.node("Mul", place, writer.integers(size)), index
        )  # fmt: skip
    rows = writer.shaped(writer.transposed(x, *order), (prod(sizes), prod(rest)))
    n = prod(values.shape[: len(values.shape) - len(rest)])
    updates = writer.shaped(writer.operand(values, target.dtype), (n, prod(rest)))
    places = writer.node("Expand", writer.shaped(place, (n, 1)), writer.integers([n, prod(rest)], "shape"))
    settings = {"reduction": "add"} if call.settings["is_added"] else {}
    y = writer.node("ScatterElements", rows, places, updates, axis=0, **settings)
    y = writer.shaped(y, [shape[i] for i in order])
    return writer.transposed(y, *(order.index(i) for i in range(len(shape))))


def scattered_along(writer: FunctionWriter, call: Call, x: str, indices: str, values: str) -> str:
    return writer.node("ScatterElements", x, indices, values, axis=call.settings["axis"])


def added_along(writer: FunctionWriter, call: Call, x: str, indices: str, values: str) -> str:
    values = writer.operand(call.operands[2], call.operands[0].dtype)
    return writer.node("ScatterElements", x, indices, values, axis=call.settings["axis"], reduction="add")


def put_along_last(writer: FunctionWriter, call: Call, values: str, indices: str) -> str:
    """Lines of zeros with values at places of which no two are equal."""
    y = call.results[0]
    zeros = writer.node("Expand", writer.number(0, y.dtype), writer.integers(list(y.shape), "shape"))
    return writer.node("ScatterElements", zeros, indices, values, axis=len(y.shape) - 1)
