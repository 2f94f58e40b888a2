"""Indexing with arrays, recorded: which elements they name along which axes."""

from __future__ import annotations

from typing import Any

from ..._core.annotations import Attributes, Gradients, Shape
from ..._core.array.released import type_name
from ..._spec.dtypes import BY_NAME
from ..autodiff.nodes import is_array
from ..autodiff.tape import differentiable, linear, sum_to_shape
from ..device.device_operations import broadcast_shapes, filled_beside
from ..indexing import along_axis, host_indexing
from ..indexing.index_keys import Layout, parse
from . import recorded_writes
from .recorded_array import RecordedArray, public_function
from .recorded_operands import example, noted
from .recorded_writes import assigned, replaced
from .recordings import NotRecorded

ADD = host_indexing.ADD


def getitem(x: Any, key: Any) -> Any:
    """x[key] where the key holds an array."""
    return selected(x, parse(x, key))


def selected(x: Any, layout: Layout) -> Any:
    """The elements of `x` that a layout names.  Raises NotRecorded for a mask without dimensions."""
    if -1 in layout.axes:
        raise NotRecorded("a mask without dimensions")
    return picked(layout.of(x), *layout.arrays, axes=layout.axes, where=layout.where)


def picked_vjp(g: Any, inputs: tuple[Any, ...], output: Any, attributes: Attributes) -> Gradients:
    """Gradient of an index: every element of g added to where it came from."""
    view, *arrays = inputs

    def spread(values: Any) -> Any:
        sums = filled_beside(values, view.shape, BY_NAME[view.dtype.name].compute, 0)
        put(sums, arrays, attributes["axes"], attributes["where"], values.astype(sums.dtype, copy=False), True)
        return sums.astype(view.dtype, copy=False)

    return [linear(g, spread, lambda values: picked(values, *arrays, **attributes)), *(None for _ in arrays)]


@differentiable(picked_vjp)
def picked(view: Any, *arrays: Any, axes: Shape, where: int) -> Any:
    """The elements that index arrays name along `axes`; their common shape stands at axis `where` of the result."""
    rest = [i for i in range(view.ndim) if i not in axes]
    indices = tuple(map(example, arrays))
    n = max(index.ndim for index in indices)
    y = example(view).permute_dims((*axes, *rest))[indices]
    order = (*range(n, n + where), *range(n), *range(n + where, n + len(rest)))
    return noted("index", "indexing", (view, *arrays), {"axes": axes, "where": where}, y.permute_dims(order))


# Writing.


def setitem(x: Any, key: Any, value: Any) -> None:
    """x[key] = value.  Raises NotRecorded for an array from outside, and masks beside other items."""
    items: tuple[Any, ...] = key if isinstance(key, tuple) else (key,)
    target: Any = x
    recorded_items = [item for item in items if type(item) is RecordedArray]
    if not recorded_items or type(x) is not RecordedArray:
        recorded_writes.setitem(x, key, value)
    elif len(items) == 1 and items[0].dtype == "bool":
        given = assigned("assignment", x, value).astype(x.dtype, copy=False)
        if items[0].shape != x.shape or given.size != 1:
            raise NotRecorded("assignment of several values where a mask holds; use nd.where(condition, a, b)")
        replaced("assignment", x, public_function("where")(items[0], given.reshape(()), x))
    elif any(item.dtype == "bool" for item in recorded_items):
        raise NotRecorded("assignment to places that depend on the inputs; use nd.where(condition, a, b)")
    else:
        layout = parse(target, key)
        put(layout.of(target), list(layout.arrays), layout.axes, layout.where, value, False)


def put(view: Any, arrays: list[Any], axes: Shape, where: int, values: Any, is_added: bool) -> None:
    """Write values where `picked` would read, or add them.

    Raises NotRecorded where several values may go to one element, of which the last would have to stay.
    """
    given = assigned("index_add" if is_added else "assignment", view, values, not is_added).astype(
        view.dtype, copy=False
    )
    indices = tuple(map(example, arrays))
    if -1 in axes:
        raise NotRecorded("a mask without dimensions")
    if not is_added and given.size > 1 and any(index.size > 1 for index in indices):
        raise NotRecorded("assignment of several values to places that depend on the inputs; use nd.put_along_axis")
    rest = [i for i in range(view.ndim) if i not in axes]
    common = broadcast_shapes("indexing", [index.shape for index in indices])
    n, sizes = len(common), [view.shape[i] for i in rest]
    while given.ndim > n + len(rest) and given.shape[0] == 1:
        given = given.reshape(given.shape[1:])
    given = given.broadcast_to((*sizes[:where], *common, *sizes[where:]))
    spread = given.permute_dims((*range(where, where + n), *range(where), *range(where + n, n + len(rest))))
    changed = view.value.copy()
    first = tuple(range(len(axes)))
    target = changed.permute_dims((*axes, *rest))
    host_indexing.put(target, Layout((), indices, first, first, 0), example(spread), ADD if is_added else -1)
    settings = {"axes": axes, "is_added": is_added}
    replaced("indexing", view, noted("index", "put", (view, spread, *arrays), settings, changed))


# Along an axis.


def taken_along(x: Any, indices: Any, axis: int) -> Any:
    """`take_along_axis`."""
    y = along_axis.taken_along(example(x), example(indices), axis=axis)
    return noted("driver", "taken_along", (x, indices), {"axis": axis}, y)


def added_along(g: Any, x: Any, indices: Any, axis: int) -> Any:
    """The gradient of `take_along_axis` for what was read."""
    beside = tuple(x.shape[i] if i == axis else max(n, x.shape[i]) for i, n in enumerate(g.shape))
    zeros = filled_beside(g, beside, BY_NAME[x.dtype.name].compute, 0)
    places = indices.broadcast_to(g.shape)
    values = g.astype(zeros.dtype, copy=False)
    given = example(values)
    sums = along_axis.taken_along_vjp(given, (example(zeros), example(places)), given, {"axis": axis})[0]
    found = noted("driver", "added_along", (zeros, places, values), {"axis": axis}, sums)
    return sum_to_shape(found, x.shape).astype(x.dtype, copy=False)


def write_along(x: Any, target: Any, indices: Any, value: Any, axis: int) -> None:
    """Write where `take_along_axis` would read."""
    given = assigned("put_along_axis", x, value)
    if target.shape != x.shape:
        raise NotRecorded("put_along_axis to a view")
    if not is_array(indices):
        raise TypeError(f"put_along_axis: indices must be an array, given {type_name(indices)}")
    places = example(indices)
    shape = tuple(places.shape[i] if i == axis else size for i, size in enumerate(x.shape))
    spread = given.astype(x.dtype, copy=False).broadcast_to(shape)
    changed = x.value.copy()
    along_axis.write_along(changed, changed, places, example(spread), axis)
    replaced(
        "put_along_axis", x,
        noted("driver", "written_along", (x, indices.broadcast_to(shape), spread), {"axis": axis}, changed),
    )  # fmt: skip
