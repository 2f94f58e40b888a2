"""Indexing with arrays on devices.

Design: several index arrays become one, over their axes brought together; so every kind of key comes down to slices
along one axis, at the price of a copy where the axes cannot be joined in place.
"""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

from ..._core.annotations import Attributes, Gradients, Operand, Shape
from ..._core.array.array import NDArray
from ..._core.array.array_base import mark_written
from ..._core.devices import UnsupportedOnDevice, backends
from ..._core.layout.layouts import dense
from ..autodiff.tape import differentiable, linear
from ..device.device_functions import apart_elsewhere, fetched, sent, taken
from ..device.device_operations import assigned_elsewhere, broadcast_shapes, filled_beside, without_unit_axes
from ..dispatch.dispatch import call
from ..dispatch.row_table import row_number
from ..drivers.index_drivers import (
    add_to_slices,
    index_beside,
    numbers_from_front,
    selected_by_mask,
    write_selected,
    write_slices,
)
from .index_keys import Layout, is_whole_mask, parse

WHERE = row_number("where")


class Slices(NamedTuple):
    """Slices along one axis.

    seen: the view of a layout, its indexed axes side by side
    where, n: the first of these, and how many there are
    numbers: int64 numbers from the front, of these axes joined to one
    """

    seen: NDArray
    where: int
    n: int
    numbers: NDArray

    def joined(self) -> tuple[NDArray, Shape, Shape]:
        """(the view with its indexed axes joined to one, the sizes before them, those behind)."""
        before, behind = self.seen.shape[: self.where], self.seen.shape[self.where + self.n :]
        size = prod(self.seen.shape[self.where : self.where + self.n])
        return self.seen.reshape((*before, size, *behind)), before, behind


def slices_of(x: NDArray, layout: Layout) -> Slices:
    """What a layout names.  Raises IndexError for an index out of range, or arrays that do not broadcast."""
    view = layout.of(x)
    axes = [axis for axis in layout.axes if axis >= 0]
    rest = [i for i in range(view.ndim) if i not in axes]
    order = (*rest[: layout.where], *axes, *rest[layout.where :])
    arrays = [index_beside(x, array) for array in layout.arrays]
    shape = shape_of_indices(arrays)
    joined = None
    for array, axis, name in zip(arrays, layout.axes, layout.names, strict=True):
        if axis >= 0:
            numbers = numbers_from_front(array, view.shape[axis], name)
            joined = numbers if joined is None else joined * view.shape[axis] + numbers
    if joined is None:
        joined = arrays[0]  # of masks without dimensions: the only element
    numbers = dense(joined.broadcast_to(shape))
    return Slices(view.permute_dims(order), layout.where, len(axes), numbers)


def shape_of_indices(arrays: list[NDArray]) -> Shape:
    """The shape that index arrays broadcast to.  Raises IndexError."""
    shapes = [x.shape for x in arrays]
    try:
        return broadcast_shapes("indexing", shapes)
    except ValueError:
        given = " and ".join(map(str, shapes))
        raise IndexError(f"the index arrays have shapes {given}, which do not broadcast") from None


# Reading.


def masked_vjp(g: NDArray, inputs: tuple[NDArray, NDArray], output: NDArray, attributes: Attributes) -> Gradients:
    """Gradient of a mask: g where it holds, zero elsewhere."""
    x, mask = inputs

    def spread(values: NDArray) -> NDArray:
        full = filled_beside(x, x.shape, x.dtype, 0)
        write_selected(full, dense(mask), dense(values.astype(x.dtype, copy=False)))
        return full

    return linear(g, spread, lambda values: masked(values, mask)), None


@differentiable(masked_vjp, keeps_output=False)
def masked(x: NDArray, mask: NDArray) -> NDArray:
    """The elements of `x` where a mask of its shape holds, in C order."""
    return selected_by_mask(dense(x), dense(mask))


def selected_elsewhere(x: NDArray, layout: Layout) -> NDArray:
    """The elements of `x` that the layout names.  Raises IndexError; for one array, when the elements are read."""
    if len(layout.arrays) == 1 and layout.axes[0] == layout.names[0] == layout.where:
        return taken(layout.of(x), dense(index_beside(x, layout.arrays[0])), axis=layout.where)
    slices = slices_of(x, layout)
    return taken(slices.joined()[0], slices.numbers, axis=slices.where)


def add_elsewhere(x: NDArray, layout: Layout, values: NDArray) -> None:
    """Add `values` to the slices of the dense `x` that the layout's one array names."""
    add_to_slices(x, index_beside(x, layout.arrays[0]), values, layout.where)


def getitem(x: NDArray, key: Any) -> NDArray:
    """x[key] where the key holds an array.  Raises IndexError."""
    backend = backends[type(x)]
    try:
        return masked(x, key) if is_whole_mask(x, key) else selected_elsewhere(x, parse(x, key))
    except UnsupportedOnDevice:
        if x.node is not None or not backend.falls_back("indexing"):
            raise
    result: NDArray = sent(backend.to_host(x)[fetched(key)], backend, backend.device_of(x))
    return result


# Writing.


def setitem(x: NDArray, key: Any, value: Operand) -> None:
    """x[key] = value where the key holds an array.  Raises as `nd4py._exec.indexing.host_indexing.setitem` does."""
    values = assigned_elsewhere(x, value)
    backend = backends[type(x)]
    backend.prepare_to_write(x)
    mark_written(x)  # before: it may be interrupted
    try:
        if is_whole_mask(x, key):
            write_where(x, key, values)
        else:
            write_by(x, parse(x, key), values)
    except UnsupportedOnDevice:
        if not backend.falls_back("assignment by index"):
            raise
        host = backend.to_host(x)
        host[fetched(key)] = backend.to_host(values)
        backend.write(x, backend.from_host(host, backend.device_of(x)))


def write_where(x: NDArray, mask: NDArray, values: NDArray) -> None:
    """x[mask] = values for a mask of the shape of `x`: one element for all, or one for each that is set."""
    if values.size == 1:
        x[...] = call(WHERE, (mask, values.reshape(()), x), (), None)
        return
    values = dense(without_unit_axes(values, 1))
    target = dense(x)
    n = write_selected(target, apart_elsewhere(dense(mask), target), apart_elsewhere(values, target))
    if values.shape != (n,):
        values.broadcast_to((n,))  # says that it cannot be
    if target is not x:
        x[...] = target


def write_by(x: NDArray, layout: Layout, values: NDArray) -> None:
    """Write `values`, repeated to the shape they need, where the layout says."""
    slices = slices_of(x, layout)
    source, before, behind = slices.joined()
    shape = (*before, *slices.numbers.shape, *behind)
    spread = dense(without_unit_axes(values, len(shape)).broadcast_to(shape))
    target = source.copy()
    write_slices(target, slices.numbers.reshape(-1), spread, (prod(before), source.shape[slices.where], prod(behind)))
    slices.seen[...] = target.reshape(slices.seen.shape)
