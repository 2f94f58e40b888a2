"""Sequences of arrays, which are lists, and optional values, which may be None."""

from __future__ import annotations

from typing import Any

from nd4py import api as nd

from .host_values import one_number, own_axis, whole_numbers
from .operator_rows import Rows


def construct(*items: Any) -> Any:
    return list(items)


def empty(**dtype: Any) -> Any:
    return []


def length(items: Any) -> Any:
    return nd.asarray(len(items), dtype=nd.int64)


def place(items: Any, position: Any, n: int) -> int:
    index = int(one_number(position))
    if not -len(items) <= index < n:
        raise IndexError(f"position {index} of a sequence of {len(items)}")
    return index + len(items) if index < 0 else index


def at(items: Any, position: Any) -> Any:
    return items[place(items, position, len(items))]


def insert(items: Any, item: Any, position: Any = None) -> Any:
    index = len(items) if position is None else place(items, position, len(items) + 1)
    return [*items[:index], item, *items[index:]]


def erase(items: Any, position: Any = None) -> Any:
    index = len(items) - 1 if position is None else place(items, position, len(items))
    return [*items[:index], *items[index + 1 :]]


def concat_items(items: Any, *, axis: int, new_axis: int = 0) -> Any:
    return nd.stack(items, axis=axis) if new_axis else nd.concat(items, axis=axis)


def split_to_items(x: Any, sizes: Any = None, *, axis: int = 0, keepdims: int = 1) -> Any:
    axis = own_axis(axis, x.ndim)
    n, before = x.shape[axis], (slice(None),) * axis
    if sizes is None:
        parts = [x[(*before, slice(i, i + 1))] for i in range(n)]
        return parts if keepdims else [nd.squeeze(part, axis=axis) for part in parts]
    lengths = whole_numbers(sizes)
    if sizes.ndim == 0:
        starts = range(0, n, lengths[0])
        return [x[(*before, slice(i, i + lengths[0]))] for i in starts]
    if sum(lengths) != n:
        raise ValueError(f"SplitToSequence: sizes {lengths} of an axis of {n}")
    return [x[(*before, slice(sum(lengths[:i]), sum(lengths[: i + 1])))] for i in range(len(lengths))]


def optional(value: Any = None, **value_type: Any) -> Any:
    return value


def has_element(value: Any = None) -> Any:
    return nd.asarray(value is not None)


def get_element(value: Any) -> Any:
    if value is None:
        raise ValueError("OptionalGetElement: there is no value")
    return value


OPERATORS: Rows = {
    "ConcatFromSequence": [(11, 11, concat_items)],
    "Optional": [(15, 28, optional)],
    "OptionalGetElement": [(15, 28, get_element)],
    "OptionalHasElement": [(15, 28, has_element)],
    "SequenceAt": [(11, 11, at)],
    "SequenceConstruct": [(11, 11, construct)],
    "SequenceEmpty": [(11, 11, empty)],
    "SequenceErase": [(11, 11, erase)],
    "SequenceInsert": [(11, 11, insert)],
    "SequenceLength": [(11, 11, length)],
    "SplitToSequence": [(11, 24, split_to_items)],
}
