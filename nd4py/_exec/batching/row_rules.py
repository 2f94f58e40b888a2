"""Rules for batches: what an operation on arrays of a batch is on their values.

Design: one rule per kind of row.  Elements are aligned by their axes and broadcast; axes that are named count one more;
matrices, lines and transforms stand behind the batch's axis as behind any other stack.  What has no rule raises
NoBatchRule.  An operation on values is one that the tape knows, so that gradients reach what lies outside of the
batch; those that are taken inside have nodes of their own, on arrays of the batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..._core.annotations import DTypeLike, Shape
from ..._core.array.released import type_name
from ..._core.layout.shape import normalize_axis
from ..._spec.ops import ALL
from ..autodiff.nodes import is_array
from ..autodiff.row_gradients import record_reduction, record_row
from ..autodiff.view_gradients import record_cast
from ..device.device_operations import filled_beside
from ..device.inner_family import values_for
from ..dispatch.dispatch import call
from ..dispatch.output_checks import check_fits
from ..reductions import argreduce, reduce
from .batch_operands import aligned, batch_of, belongs, differs, entered, from_outside, repeated
from .batched_array import BatchedArray, batched, inner_node, public_function
from .open_batches import NoBatchRule


def map_row(op: int, operands: tuple[Any, ...], params: tuple[Any, ...], out: Any) -> Any:
    """A map row: operands have the axes of one example, and broadcast beside each other for all."""
    batch, given, is_watched = entered(operands)
    if out is not None:
        return written(op, given, params, out, is_watched)
    ndim = max(x.ndim for x in given if is_array(x))
    is_beside = any(differs(x, batch) for x in given)
    values = tuple(aligned(x, batch, ndim, is_beside) for x in given)
    results: Any = call(op, values, params, None)
    outputs = [batched(y, batch) for y in (results if isinstance(results, tuple) else (results,))]
    if is_watched:
        recorded: BatchedArray = record_row(op, tuple(given), params, outputs)
        return recorded
    return outputs[0] if not isinstance(results, tuple) else tuple(outputs)


def written(op: int, operands: list[Any], params: tuple[Any, ...], out: Any, is_watched: bool) -> Any:
    """A map row whose results are written to arrays of the batch.  Raises as on arrays outside."""
    name = ALL[op].name
    if is_watched or any(is_array(x) and x.node is not None for x in (*operands, out)):
        raise ValueError(f"{name}: out= cannot be used while its operands are being differentiated; use x = x + 1")
    targets = tuple(out) if isinstance(out, tuple | list) else (out,)
    results: Any = call(op, tuple(operands), params, None)
    for target, result in zip(targets, results if isinstance(results, tuple) else (results,), strict=True):
        if not is_array(target):
            raise TypeError(f"{name}: out must be an nd4py array, given {type_name(target)}")
        check_fits(name, target, result.shape, result.dtype.number)
        target[...] = result
    return targets[0] if len(targets) == 1 else targets


def axes_behind(name: str, axis: Any, ndim: int) -> tuple[Shape, Shape]:
    """The axes to reduce, in order: of one example, and of all.  Raises ValueError."""
    if axis is None:
        axes = tuple(range(ndim))
    else:
        axes = tuple(sorted(normalize_axis(i, ndim) for i in (axis if isinstance(axis, tuple | list) else (axis,))))
    if len(set(axes)) != len(axes):
        raise ValueError(f"{name}: axis names one axis twice, given {axis}")
    return axes, tuple(i + 1 for i in axes)


def with_ones(shape: Shape, axes: Shape) -> Shape:
    """`shape` with the size 1 along `axes`."""
    return tuple(1 if i in axes else size for i, size in enumerate(shape))


def reduction(op: int, x: Any, axis: Any, dtype: DTypeLike | None, keepdims: bool) -> Any:
    """A reduction: each axis counts one more."""
    batch = batch_of((x,))
    given = x if dtype is None else x.astype(dtype, copy=False)
    axes, behind = axes_behind(ALL[op].name, axis, x.ndim)
    y = batched(reduce(op, given.value, behind, dtype), batch)
    if inner_node(given) is not None:
        y = record_reduction(op, given, axes, y)
    return y.reshape(with_ones(x.shape, axes)) if keepdims else y


def argreduction(op: int, x: Any, axis: int | None, keepdims: bool) -> Any:
    """The position of the best element, along an axis that counts one more, or of all that an example has."""
    batch = batch_of((x,))
    axes, _ = axes_behind(ALL[op].name, axis, x.ndim)
    lines = x.value if axis is not None else x.value.reshape((batch.size, x.size))
    y = batched(argreduce(op, lines, axes[0] + 1 if axis is not None else 1), batch)
    return y.reshape(with_ones(x.shape, axes)) if keepdims else y


def conversion(x: Any, dtype: DTypeLike, copy: bool) -> Any:
    """The elements as another dtype."""
    y = x.value.astype(dtype, copy=copy)
    if y is x.value:
        return x
    result = batched(y, batch_of((x,)))
    return result if inner_node(x) is None else record_cast(x, result)


def product(x1: Any, x2: Any) -> Any:
    """A matrix product: the batch's axis is one more of the stacks of matrices."""
    batch = batch_of((x1, x2))
    if x1.ndim == 0 or x2.ndim == 0:
        raise ValueError(f"matmul: arrays need a dimension at least, given shapes {x1.shape} and {x2.shape}")
    inner = (x1.shape[-1], x2.shape[-2] if x2.ndim > 1 else x2.shape[0])
    if inner[0] != inner[1]:
        raise ValueError(f"matmul: inner sizes differ, {x1.shape} @ {x2.shape}")
    if differs(x1, batch) != differs(x2, batch):  # one product for all examples where it can be
        x1, x2 = (x if differs(x, batch) else from_outside(x, batch) for x in (x1, x2))
    if not belongs(x1, batch) and x1.ndim == 2 and x2.ndim == 1:
        return batched(x2.value @ x1.mT, batch)
    if not belongs(x2, batch) and x1.ndim == 1:
        return batched(x1.value @ x2, batch)
    rows = x1 if x1.ndim > 1 else x1.reshape((1, x1.size))
    columns = x2 if x2.ndim > 1 else x2.reshape((x2.size, 1))
    ndim = max(rows.ndim, columns.ndim)
    y = batched(aligned(rows, batch, ndim) @ aligned(columns, batch, ndim), batch)
    shape = list(y.shape)
    if x2.ndim == 1:
        del shape[-1]
    if x1.ndim == 1:
        del shape[-1 if x2.ndim == 1 else -2]
    return y if x1.ndim > 1 < x2.ndim else y.reshape(tuple(shape))


def join(arrays: Sequence[Any], axis: int, is_new_axis: bool) -> Any:
    """Arrays one after the other, along an axis that counts one more."""
    batch = batch_of(arrays)
    along = normalize_axis(axis, arrays[0].ndim + is_new_axis) + 1
    values = [repeated(x, batch) for x in arrays]
    return batched(public_function("stack" if is_new_axis else "concat")(values, along), batch)


def filled(x: Any, shape: Shape, dtype: Any, value: float) -> Any:
    """An array of the batch whose elements all are `value`."""
    return batched(filled_beside(x.value, (x.batch.size, *shape), dtype, value), x.batch)


# Writing.


def assigned(name: str, target: Any, value: Any) -> Any:
    """`value` as it may be written to `target`.  Raises ValueError where that is read-only, or either is being
    differentiated, NoBatchRule for an array from outside, which cannot hold what the examples have."""
    batch = batch_of((target, value))
    if not belongs(target, batch):
        raise NoBatchRule(f"{name}: an array from outside cannot hold the values of all examples")
    if not target.is_writable:
        raise ValueError(f"{name}: this array is read-only; write to a copy, x.copy()")
    if any(is_array(x) and x.node is not None for x in (target, value)):
        raise ValueError(f"{name}: gradients do not flow through x[...] = value; use where or concat instead")
    return values_for(name, target, value, is_converted=True)


def assign(target: Any, key: Any, value: Any) -> None:
    """target[key] = value for a key of ints, slices, None and an Ellipsis."""
    given = assigned("assignment", target, value)
    batch = target.batch
    whole = (slice(None), *(key if isinstance(key, tuple) else (key,)))
    shape = target.value[whole].shape[1:]
    while given.ndim > len(shape) and given.shape[0] == 1:
        given = given.reshape(given.shape[1:])
    if given.ndim > len(shape):
        raise ValueError(f"assignment: shapes {given.shape} and {shape} do not broadcast")
    target.value[whole] = aligned(given, batch, len(shape))
