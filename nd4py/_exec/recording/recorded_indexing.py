"""Indexing with arrays, recorded: which elements they name along which axes."""

from __future__ import annotations

from typing import Any, NoReturn

from ..._core.annotations import Attributes, Gradients, Shape
from ..._core.array.released import type_name
from ..autodiff.nodes import is_array
from ..autodiff.tape import differentiable
from ..indexing import along_axis
from ..indexing.index_keys import Layout, parse
from .recorded_array import public_function
from .recorded_operands import example, noted
from .recorded_writes import assigned, replaced
from .recordings import NotRecorded


def getitem(x: Any, key: Any) -> Any:
    """x[key] where the key holds an array."""
    return selected(x, parse(x, key))


def selected(x: Any, layout: Layout) -> Any:
    """The elements of `x` that a layout names.  Raises NotRecorded for a mask without dimensions."""
    if -1 in layout.axes:
        raise NotRecorded("a mask without dimensions")
    return picked(layout.of(x), *layout.arrays, axes=layout.axes, where=layout.where)


def picked_vjp(g: Any, inputs: tuple[Any, ...], output: Any, attributes: Attributes) -> Gradients:
    """Raises NotRecorded."""
    raise NotRecorded("a gradient of indexing with arrays")


@differentiable(picked_vjp)
def picked(view: Any, *arrays: Any, axes: Shape, where: int) -> Any:
    """The elements that index arrays name along `axes`; their common shape stands at axis `where` of the result."""
    rest = [i for i in range(view.ndim) if i not in axes]
    indices = tuple(map(example, arrays))
    n = max(index.ndim for index in indices)
    y = example(view).permute_dims((*axes, *rest))[indices]
    order = (*range(n, n + where), *range(n), *range(n + where, n + len(rest)))
    return noted("index", "indexing", (view, *arrays), {"axes": axes, "where": where}, y.permute_dims(order))


def put(view: Any, arrays: list[Any], axes: Shape, where: int, values: Any, is_added: bool) -> None:
    """Write values where `picked` would read, or add them.  Raises NotRecorded where it is not along one axis."""
    if not is_added or len(arrays) != 1 or arrays[0].ndim != 1 or where != axes[0]:
        raise NotRecorded("writing to places that arrays name")
    given = assigned("index_add", view, values)
    after = view.ndim - where - 1
    index = arrays[0].reshape((-1, *(1,) * after)).broadcast_to((*view.shape[:where], arrays[0].size,
                                                                 *view.shape[where + 1 :]))  # fmt: skip
    spread = given.broadcast_to(index.shape)
    changed = example(view).copy()
    key = (*(slice(None),) * where, example(arrays[0]))
    changed[...] = added(changed, key, example(spread))
    replaced("index_add", view, noted("driver", "added_along", (view, index, spread), {"axis": where}, changed))


def added(x: Any, key: Any, values: Any) -> Any:
    """`x` with values added where a key names elements; what is named twice gets both."""
    return public_function("index_add")(x, key[-1], values, axis=len(key) - 1)


def taken_along(x: Any, indices: Any, axis: int) -> Any:
    """`take_along_axis`."""
    y = along_axis.taken_along(example(x), example(indices), axis=axis)
    return noted("driver", "taken_along", (x, indices), {"axis": axis}, y)


def added_along(g: Any, x: Any, indices: Any, axis: int) -> NoReturn:
    """Raises NotRecorded."""
    raise NotRecorded("a gradient of take_along_axis")


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
