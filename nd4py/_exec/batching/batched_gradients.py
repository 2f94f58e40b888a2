"""Gradients of irregular functions of arrays of a batch.

Design: the tape inside of the batch records such a function as any other.  For the tape outside it is a function of the
values, whose gradient is that of the function for all examples at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..autodiff.nodes import is_array
from ..autodiff.tape import sum_to_shape
from .batch_operands import belongs, entered, is_outer, value_of
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
        return record(function, vjp, tuple(given), attributes)
    if not any(is_outer(x, batch) for x in given):
        return function(*given, **attributes)
    mine = [belongs(x, batch) for x in given]

    def of_values(*values: Any, **settings: Any) -> Any:
        return each(lambda y: value_of(y, batch), function(*wrapped(values, batch), **settings))

    def vjp_of_values(g: Any, values: tuple[Any, ...], output: Any, settings: dict[str, Any]) -> list[Any]:
        again = Batch(batch.size, batch.level)  # the batch has ended when gradients are computed
        gradients = [in_batch(piece, again) for piece in g] if isinstance(g, list) else in_batch(g, again)
        outputs = each(lambda y: in_batch(y, again), output)
        pieces = vjp(gradients, wrapped(values, again), outputs, settings)
        return [gathered(piece, x, is_mine, again) for piece, x, is_mine in zip(pieces, values, mine, strict=True)]

    def wrapped(values: tuple[Any, ...], of: Batch) -> tuple[Any, ...]:
        return tuple(batched(x, of) if is_mine else x for x, is_mine in zip(values, mine, strict=True))

    values = [value_of(x, batch) for x in given]
    return each(lambda y: in_batch(y, batch), watch(of_values, vjp_of_values)(*values, **attributes))


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
