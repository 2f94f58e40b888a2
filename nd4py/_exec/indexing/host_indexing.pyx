"""Indexing with arrays on the host: integers of any shape, and boolean masks."""

from nd4py._core.array.array cimport NDArray
from nd4py._core.lazy.deferred cimport is_deferred, materialized
from nd4py._exec.indexing.few_rows cimport read_few_rows, write_few_rows

from typing import Any

import numpy

from ..._core.annotations import Attributes, Gradients, Operand
from ..._core.array.array_base import mark_written
from ..._core.graphs.launch_recording import is_capturing
from ..._core.lazy_modules import LazyModule
from ..._spec.dtypes import BY_NAME
from ..autodiff.tape import differentiable, linear
from ..conversion import copy, filled, with_values
from ..device.device_operations import rules_for
from ..dispatch.dispatch import call
from ..dispatch.row_table import row_number
from .assignment import apart, assigned, fitted
from .index_keys import Layout, as_index, is_whole_mask, parse

gather = LazyModule("nd4py.cpu.index.gather", globals())
index_arrays = LazyModule("nd4py.cpu.index.index_arrays", globals())
masks = LazyModule("nd4py.cpu.index.masks", globals())

ADD: int = row_number("add")
WHERE = row_number("where")


def zeros_to_add_to(x: NDArray) -> NDArray:
    """Zeros of the shape of `x`, in the dtype its sums are computed in."""
    return filled(x.shape, BY_NAME[x.dtype.name].compute, 0)


def put(x: NDArray, layout: Layout, values: NDArray, row: int = -1) -> None:
    """Write `values`, repeated to the shape they need, where the layout says, or join them by a row; -1 for none.

    Raises IndexError for an index out of range, ValueError for values that do not broadcast; nothing is written then.
    """
    view, arrays = layout.of(x), tuple([apart(array, x) for array in layout.arrays])
    shape, n_axes = index_arrays.selected_shape(view, arrays, layout.axes, layout.where)
    values = fitted(apart(values, x), shape)
    values = with_values(values if values.dtype is x.dtype else values.astype(x.dtype))
    if not gather.is_one_axis(values, layout.where, layout.where + n_axes):
        values = copy(values)
    gather.scatter(view, arrays, layout.axes, layout.where, layout.names, values, row, layout.is_unique)


def selected_vjp(g: NDArray, inputs: tuple[NDArray, ...], output: NDArray, attributes: Attributes) -> Gradients:
    """Gradient of an index: every element of g added to where it came from."""
    layout = attributes["layout"]

    def spread(values: NDArray) -> NDArray:
        full = zeros_to_add_to(inputs[0])
        put(full, layout, values, ADD)
        return full.astype(values.dtype, copy=False)

    return [linear(g, spread, lambda values: selected(with_values(values), layout)), *(None for _ in inputs[1:])]


@differentiable(selected_vjp, keeps_output=False)
def watched(x: NDArray, *arrays: NDArray, layout: Layout) -> NDArray:
    """`selected` with the layout's arrays as operands, which the tape watches."""
    return gather.gather(layout.of(x), layout.arrays, layout.axes, layout.where, layout.names)


def selected(x: NDArray, layout: Layout) -> NDArray:
    """The elements of `x` that the layout names."""
    if x.node is None:
        return gather.gather(layout.of(x), layout.arrays, layout.axes, layout.where, layout.names)
    return watched(x, *layout.arrays, layout=layout)


def masked_vjp(g: NDArray, inputs: tuple[NDArray, NDArray], output: NDArray, attributes: Attributes) -> Gradients:
    """Gradient of a mask: g where it holds, zero elsewhere."""
    x, mask = inputs

    def spread(values: NDArray) -> NDArray:
        full = filled(x.shape, x.dtype, 0)
        masks.write_selected(full, masks.PackedMask(mask), with_values(values.astype(x.dtype, copy=False)))
        return full

    return linear(g, spread, lambda values: masked(with_values(values), mask)), None


@differentiable(masked_vjp, keeps_output=False)
def masked(x: NDArray, mask: NDArray) -> NDArray:
    """The elements of `x` where a mask of its shape holds, in C order."""
    return masks.select(x, masks.PackedMask(mask))


cdef object with_index_array(object key):
    """An index array in place of a list or an array of NumPy, and in place of a deferred one its values.

    Other keys as they are.  Raises IndexError.
    """
    if is_deferred(key):
        return materialized(key)
    return as_index(key) if type(key) is list or type(key) is numpy.ndarray and key.ndim else key


def getitem(x: NDArray, key: Any) -> NDArray:
    """x[key] where the key holds an array.  Raises IndexError."""
    key = with_index_array(key)
    if (rows := read_few_rows(x, key)) is not None:
        return rows
    if (rules := rules_for(key if isinstance(key, tuple) else (key,))) is not None:
        return rules.getitem(x, key)
    if is_whole_mask(x, key):
        return masks.select(x, masks.PackedMask(key)) if x.node is None else masked(x, key)
    return selected(x, parse(x, key))


def join_to_elements(row: int, x: NDArray, key: Any, values: Operand) -> None:
    """Join values by a row to the elements that a key names, in order; what is named twice gets both.

    Raises IndexError, ValueError for values of another shape, TypeError for complex values among real elements; nothing
    is written then.
    """
    x = with_values(x)
    given = assigned(x, values)
    layout = parse(x, key)
    if not layout.arrays:
        x[key] = call(row, (x[key], given.astype(x.dtype, copy=False)), (), None)
        return
    mark_written(x)  # before: it may be interrupted
    put(x, layout, given, row)


def setitem(x: NDArray, key: Any, value: Operand) -> None:
    """x[key] = value where the key holds an array.

    Raises IndexError, ValueError for values of another shape, TypeError for complex values among real elements; nothing
    is written then.
    """
    key = with_index_array(key)
    if write_few_rows(x, key, value):
        return
    if (rules := rules_for(key if isinstance(key, tuple) else (key,))) is not None:
        rules.setitem(x, key, value)
        return
    values = assigned(x, value)
    if is_whole_mask(x, key) and values.size == 1 and is_capturing():
        x[...] = call(WHERE, (key, values.reshape(()).astype(x.dtype, copy=False), x), (), None)
    elif is_whole_mask(x, key):
        mask = masks.PackedMask(key)
        values = fitted(apart(values, x), (mask.count,)).astype(x.dtype, copy=False)
        mark_written(x)  # before: it may be interrupted
        masks.write_selected(x, mask, with_values(values))
    else:
        layout = parse(x, key)
        mark_written(x)
        put(x, layout, values)
