"""Rules for indexing with arrays in a batch: an index array of the examples' own numbers stands before the others."""

from __future__ import annotations

from typing import Any

from ..._core.annotations import Attributes, Gradients, Shape
from ..._spec.dtypes import BY_NAME
from ..autodiff.nodes import without_node
from ..autodiff.tape import differentiable, linear
from ..device.device_operations import broadcast_shapes, filled_beside, rules_for
from ..device.placement import numbers_beside
from ..dispatch.row_table import row_number
from ..indexing import along_axis, host_indexing
from ..indexing.index_keys import Layout, parse
from .batch_operands import aligned, batch_of, belongs, repeated
from .batched_array import BatchedArray, batched
from .open_batches import Batch, NoBatchRule
from .row_rules import assign, assigned

ADD = row_number("add")


def getitem(x: Any, key: Any) -> Any:
    """x[key] where the key holds an array."""
    return selected(x, parse(x, key))


def selected(x: Any, layout: Layout) -> Any:
    """The elements of `x` that a layout names."""
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
    batch = batch_of((view, *arrays))
    rest = others(view.ndim, axes)
    source = indexed_first(view, axes, batch)
    n = common_ndim(arrays)
    indices = [aligned(index, batch, n) for index in arrays]
    if any(belongs(index, batch) for index in arrays):
        y = source[(example_numbers(view, batch, n), *indices) if belongs(view, batch) else tuple(indices)]
    else:
        y = source[(slice(None), *indices)]
    order = (*range(n, n + where), *range(n), *range(n + where, n + len(rest)))
    return batched(y, batch).permute_dims(order)


def others(ndim: int, axes: Shape) -> list[int]:
    """The axes that no index array names.  Raises NoBatchRule for a mask without dimensions, which names none."""
    if -1 in axes:
        raise NoBatchRule("a mask without dimensions has no rule for a batch")
    return [i for i in range(ndim) if i not in axes]


def indexed_first(view: Any, axes: Shape, batch: Batch) -> Any:
    """All examples of an array with the indexed axes before the rest."""
    order = (*axes, *others(view.ndim, axes))
    return view.permute_dims(order).value if belongs(view, batch) else view.permute_dims(order)


def common_ndim(arrays: Any) -> int:
    """How many axes index arrays have together."""
    return max(index.ndim for index in arrays)


def example_numbers(view: Any, batch: Batch, n_axes: int) -> Any:
    """The examples' own numbers, to stand beside index arrays of so many axes."""
    numbers = numbers_beside(view.value if type(view) is BatchedArray else view, 0, batch.size)
    return numbers.reshape((batch.size, *(1,) * n_axes))


# Writing.


def setitem(x: Any, key: Any, value: Any) -> None:
    """x[key] = value for any key.  Raises NoBatchRule for an array from outside."""
    if x.__class__ is BatchedArray and not holds_array(key):
        assign(x, key, value)
        return
    layout = parse(x, key)
    given = assigned("assignment", x, value)
    put(layout.of(x), list(layout.arrays), layout.axes, layout.where, given.astype(x.dtype, copy=False), False)


def holds_array(key: Any) -> bool:
    """Whether a key has an item besides ints, slices, None and an Ellipsis."""
    return any(
        not (item is None or item is Ellipsis or isinstance(item, slice | int)) or isinstance(item, bool)
        for item in (key if isinstance(key, tuple) else (key,))
    )


def put(view: Any, arrays: list[Any], axes: Shape, where: int, values: Any, is_added: bool) -> None:
    """Write values where `picked` would read, or add them.  Raises NoBatchRule for an array from outside."""
    batch = batch_of((view, *arrays, values))
    if not belongs(view, batch):
        raise NoBatchRule("one array cannot take the values of all examples; make it with nd.zeros_like(x)")
    n = common_ndim(arrays)
    rest = [view.shape[i] for i in others(view.ndim, axes)]
    common = broadcast_shapes("indexing", [index.shape for index in arrays])
    while values.ndim > n + len(rest) and values.shape[0] == 1:
        values = values.reshape(values.shape[1:])
    spread = values.broadcast_to((*rest[:where], *common, *rest[where:]))
    order = (*range(where, where + n), *range(where), *range(where + n, n + len(rest)))
    spread = repeated(spread.permute_dims(order), batch)
    target = indexed_first(view, axes, batch)
    indices = [example_numbers(view, batch, n), *[aligned(index, batch, n) for index in arrays]]
    if is_added:
        add_to(target, indices, spread)
    else:
        target[tuple(indices)] = spread


def add_to(target: Any, indices: list[Any], values: Any) -> None:
    """Add values where index arrays of the first axes name elements; what is named twice gets both."""
    axes = tuple(range(len(indices)))
    rules: Any = rules_for((target,))
    if rules is not None:  # of an outer batch, or of a recording
        rules.put(target, indices, axes, 0, values, True)
    else:
        host_indexing.put(target, Layout((), tuple(indices), axes, axes, 0), without_node(values), ADD)


# Along an axis.


def taken_along(x: Any, indices: Any, axis: int) -> Any:
    """`take_along_axis`, whose axis counts one more."""
    batch = batch_of((x, indices))
    return batched(along_axis.taken_along(repeated(x, batch), repeated(indices, batch), axis=axis + 1), batch)


def added_along(g: Any, x: Any, indices: Any, axis: int) -> Any:
    """The gradient of `take_along_axis` for what was read."""
    batch = batch_of((g, x, indices))
    values = (repeated(x, batch), repeated(indices, batch))
    g = repeated(g, batch)
    pieces = along_axis.taken_along_vjp(g, values, g, {"axis": axis + 1})
    return batched(pieces[0], batch)


def write_along(x: Any, target: Any, indices: Any, value: Any, axis: int) -> None:
    """Write where `take_along_axis` would read."""
    given = assigned("put_along_axis", x, value)
    batch = x.batch
    if type(given) is BatchedArray:
        given = aligned(given, batch, target.ndim)
    along_axis.write_along(x.value, target.value, repeated(indices, batch), given, axis + 1)
