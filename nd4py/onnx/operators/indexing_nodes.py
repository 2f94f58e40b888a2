"""Elements by their indices: slices, gathers and scatters."""

from __future__ import annotations

from math import prod
from typing import Any

from nd4py import api as nd

from .host_values import one_number, own_axis, whole_numbers
from .operator_rows import Rows

AT = {"add": nd.add, "mul": nd.multiply, "max": nd.maximum, "min": nd.minimum}


def slice_by_attributes(x: Any, *, starts: Any, ends: Any, axes: Any = None) -> Any:
    return part(x, starts, ends, axes if axes is not None else range(len(starts)), [1] * len(starts))


def slice_by_inputs(x: Any, starts: Any, ends: Any, axes: Any = None, steps: Any = None) -> Any:
    first = whole_numbers(starts)
    axis = whole_numbers(axes) if axes is not None else range(len(first))
    return part(x, first, whole_numbers(ends), axis, whole_numbers(steps) if steps is not None else [1] * len(first))


def part(x: Any, starts: Any, ends: Any, axes: Any, steps: Any) -> Any:
    key = [slice(None)] * x.ndim
    for start, end, axis, step in zip(starts, ends, axes, steps, strict=True):
        key[own_axis(axis, x.ndim)] = slice(start, end, step)
    return x[tuple(key)]


def gather(x: Any, indices: Any, *, axis: int = 0) -> Any:
    return nd.take(x, indices, axis=axis)


def gather_elements(x: Any, indices: Any, *, axis: int = 0) -> Any:
    return x[places_along(x, indices, axis)]


def places_along(x: Any, indices: Any, axis: int) -> tuple[Any, ...]:
    """For each element of `indices` its own place, but for `axis`, where the index stands."""
    axis = own_axis(axis, x.ndim)
    sizes = indices.shape
    if len(sizes) != x.ndim:
        raise ValueError(f"indices have {len(sizes)} axes, the data {x.ndim}")
    places = [nd.arange(n).reshape([-1 if i == j else 1 for j in range(x.ndim)]) for i, n in enumerate(sizes)]
    return (*places[:axis], indices, *places[axis + 1 :])


def scatter_elements(x: Any, indices: Any, updates: Any, *, axis: int = 0, reduction: str = "none") -> Any:
    return written(x, places_along(x, indices, axis), updates, reduction)


def written(x: Any, places: tuple[Any, ...], updates: Any, reduction: str) -> Any:
    """A copy of x with `updates` at `places`, or combined with what stands there."""
    result = nd.asarray(x, copy=True)
    if reduction == "none":
        result[places] = updates
    else:
        AT[reduction].at(result, places, updates)
    return result


def gather_nd(x: Any, indices: Any, *, batch_dims: int = 0) -> Any:
    batch, depth = x.shape[:batch_dims], indices.shape[-1]
    n = prod(batch)
    rows = x.reshape(n, *x.shape[batch_dims:])
    picked = indices.reshape(n, -1, depth)
    keys = tuple(picked[:, :, i] for i in range(depth))
    found = rows[(nd.arange(n)[:, None], *keys)]
    return found.reshape(*indices.shape[:-1], *x.shape[batch_dims + depth :])


def scatter_nd(x: Any, indices: Any, updates: Any, *, reduction: str = "none") -> Any:
    places = tuple(indices[..., i] for i in range(indices.shape[-1]))
    return written(x, places, updates, reduction)


def tensor_scatter(past: Any, update: Any, write_indices: Any = None, *, axis: int = -2, mode: str = "linear") -> Any:
    """A cache with `update` written from each batch element's index on; "circular" goes on at the beginning."""
    axis = own_axis(axis, past.ndim)
    starts = nd.zeros(past.shape[0], dtype=nd.int64) if write_indices is None else write_indices
    places = [nd.arange(n).reshape([-1 if i == j else 1 for j in range(past.ndim)]) for i, n in enumerate(update.shape)]
    places[axis] = places[axis] + starts.reshape(-1, *[1] * (past.ndim - 1))
    if mode == "circular":
        places[axis] = places[axis] % past.shape[axis]
    return written(past, tuple(places), update, "none")


def one_hot(indices: Any, depth: Any, values: Any, *, axis: int = -1) -> Any:
    """values[1] where an index, counted from the end if negative, is that of the place, else values[0]."""
    n = int(one_number(depth))
    axis = own_axis(axis, indices.ndim + 1)
    wanted = indices.astype(nd.int64)
    is_inside = (wanted >= -n) & (wanted < n)
    wanted = nd.where(is_inside, wanted % n, -1)
    places = nd.arange(n).reshape([-1 if i == axis else 1 for i in range(indices.ndim + 1)])
    return nd.where(nd.expand_dims(wanted, axis=axis) == places, values[1], values[0])


def nonzero(x: Any) -> Any:
    return nd.stack(nd.nonzero(x)).astype(nd.int64)


def compress(x: Any, condition: Any, *, axis: int | None = None) -> Any:
    if axis is None:
        return nd.compress(condition, x.reshape(-1))
    return nd.compress(condition, x, axis=axis)


def unique(x: Any, *, axis: int | None = None, sorted: int = 1) -> Any:
    values, first, inverse, counts = nd.unique(x, True, True, True, axis=axis)
    inverse = inverse.reshape(-1)
    if not sorted:  # in the order in which they occur
        order = nd.argsort(first)
        rank = nd.argsort(order)
        values, first, counts = nd.take(values, order, axis=axis or 0), first[order], counts[order]
        inverse = rank[inverse]
    return values, first.astype(nd.int64), inverse.astype(nd.int64), counts.astype(nd.int64)


def reverse_sequence(x: Any, lengths: Any, *, batch_axis: int = 1, time_axis: int = 0) -> Any:
    """Each sequence of the batch backwards, as far as it goes."""
    steps = nd.arange(x.shape[time_axis])[:, None]
    sources = nd.where(steps < lengths, lengths - 1 - steps, steps)
    return nd.take_along_axis(x, spread(sources, x.ndim, time_axis, batch_axis), axis=time_axis)


def spread(table: Any, n_axes: int, row_axis: int, column_axis: int) -> Any:
    """A table with its rows and columns as two of `n_axes` axes."""
    table = table.T if row_axis > column_axis else table
    sizes = [1] * n_axes
    sizes[min(row_axis, column_axis)], sizes[max(row_axis, column_axis)] = table.shape
    return table.reshape(sizes)


OPERATORS: Rows = {
    "Compress": [(9, 28, compress)],
    "Gather": [(1, 13, gather)],
    "GatherElements": [(11, 13, gather_elements)],
    "GatherND": [(11, 13, gather_nd)],
    "NonZero": [(9, 13, nonzero)],
    "OneHot": [(9, 28, one_hot)],
    "ReverseSequence": [(10, 28, reverse_sequence)],
    "Scatter": [(9, 9, scatter_elements)],
    "ScatterElements": [(11, 18, scatter_elements)],
    "ScatterND": [(11, 18, scatter_nd)],
    "Slice": [(1, 1, slice_by_attributes), (10, 13, slice_by_inputs)],
    "TensorScatter": [(24, 24, tensor_scatter)],
    "Unique": [(11, 28, unique)],
}
