"""Gradients of irregular functions of arrays of a batch.

Design: the tape inside of the batch records such a function as any other.  For the tape outside it is a function of the
values, whose gradient is that of the function for all examples at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..autodiff.nodes import is_array, is_watched_outside
from ..autodiff.tape import sum_to_shape
from .batch_operands import belongs, entered, from_outside, is_outer, repeated, value_of
from .batched_array import batched
from .open_batches import Batch

Watch = Callable[[Callable[..., Any], Callable[..., Any]], Callable[..., Any]]


def differentiated(
    function: Callable[..., Any],
    vjp: Callable[..., Any],
    inputs: tuple[Any, ...],
    attributes: dict[str, Any],
    record: Callable[..., Any],
    watch: Watch,
) -> Any:
    """The result of an irregular function, on the tape that watches its operands.

    record: calls the function, and records it; watch: gives a function a gradient
    """
    batch, given, is_watched = entered(inputs)
    if is_watched:
        return record(again_outside(function, vjp, record, watch), vjp, tuple(given), attributes)
    given = [from_outside(x, batch) for x in given]
    if not any(belongs(x, batch) for x in given):
        given = [repeated_in(x, batch) for x in given]
    if not any(is_outer(x, batch) for x in given):
        return function(*given, **attributes)
    mine = [belongs(x, batch) for x in given]

    def of_values(*values: Any, **settings: Any) -> Any:
        return each(lambda y: value_of(y, batch), function(*wrapped(values, batch), **settings))

    def vjp_of_values(g: Any, values: tuple[Any, ...], output: Any, settings: dict[str, Any]) -> list[Any]:
        with reopened(batch):
            gradients = [in_batch(piece, batch) for piece in g] if isinstance(g, list) else in_batch(g, batch)
            outputs = each(lambda y: in_batch(y, batch), output)
            pieces = vjp(gradients, wrapped(values, batch), outputs, settings)
            return [gathered(piece, x, is_mine, batch) for piece, x, is_mine in zip(pieces, values, mine, strict=True)]

    def wrapped(values: tuple[Any, ...], of: Batch) -> tuple[Any, ...]:
        return tuple(batched(x, of) if is_mine else x for x, is_mine in zip(values, mine, strict=True))

    values = [value_of(x, batch) for x in given]
    return each(lambda y: in_batch(y, batch), watch(of_values, vjp_of_values)(*values, **attributes))


@contextmanager
def reopened(batch: Batch) -> Iterator[None]:
    """The batch, which has ended when gradients are computed outside of it, open for what its functions kept."""
    was_open, batch.is_open = batch.is_open, True
    try:
        yield
    finally:
        batch.is_open = was_open


def again_outside(
    function: Callable[..., Any], vjp: Callable[..., Any], record: Callable[..., Any], watch: Watch
) -> Callable[..., Any]:
    """An irregular function that the tape inside has recorded, as one that the tape outside may watch."""

    def watched(*inputs: Any, **attributes: Any) -> Any:
        if not any(map(is_watched_outside, inputs)):
            return function(*inputs, **attributes)
        return differentiated(function, vjp, inputs, attributes, record, watch)

    return watched


def repeated_in(x: Any, batch: Batch) -> Any:
    """An array from outside with the axis of the batch."""
    return batched(repeated(x, batch), batch) if is_array(x) else x


def in_batch(x: Any, batch: Batch) -> Any:
    """Values as an array of a batch; what is no array as it is."""
    return batched(x, batch) if is_array(x) else x


def gathered(piece: Any, x: Any, is_mine: bool, batch: Batch) -> Any:
    """A gradient for all examples as that of the values, or of an array from outside: the sum over the examples."""
    if piece is None:
        return None
    found = value_of(piece, batch)
    return found.broadcast_to(x.shape) if is_mine else sum_to_shape(found, x.shape)


def each(change: Callable[[Any], Any], result: Any) -> Any:
    """A result, or each one of a tuple, changed."""
    if isinstance(result, tuple):
        items = [change(item) for item in result]
        return result._make(items) if hasattr(result, "_make") else tuple(items)
    return change(result)
