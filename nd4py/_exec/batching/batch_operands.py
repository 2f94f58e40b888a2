"""Operands of operations in a batch: which batch it is, and what belongs to it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..autodiff.nodes import node_of, without_node
from .batched_array import BatchedArray, batched, inner_node
from .open_batches import Batch, NoBatchRule

SECOND = "a gradient for each example of a batch is differentiated again"


def batch_of(operands: Iterable[Any]) -> Batch:
    """The innermost batch that an operand belongs to.  Raises ValueError for one that has ended."""
    batch = max((x.batch for x in operands if type(x) is BatchedArray), key=lambda each: each.level)
    if not batch.is_open:
        raise ValueError("this array belongs to a call of nd.vmap that has ended; return it from the function instead")
    return batch


def belongs(x: Any, batch: Batch) -> bool:
    """Whether `x` has an array for each example of a batch."""
    return type(x) is BatchedArray and x.batch is batch


def value_of(x: Any, batch: Batch) -> Any:
    """All examples of an array of the batch; anything else as it is."""
    return x.value if belongs(x, batch) else x


def repeated(x: Any, batch: Batch) -> Any:
    """All examples of an array, those of one from outside being equal."""
    return x.value if belongs(x, batch) else x.broadcast_to((batch.size, *x.shape))


def aligned(x: Any, batch: Batch, ndim: int) -> Any:
    """All examples with as many axes as `ndim` of an example, so that they broadcast beside others."""
    if not belongs(x, batch):
        return x
    missing = ndim - x.ndim
    return x.value.reshape((batch.size, *(1,) * missing, *x.shape)) if missing else x.value


def is_inner(x: Any, batch: Batch) -> bool:
    """Whether a gradient is taken of `x` by a function that the batch calls."""
    if belongs(x, batch):
        return inner_node(x) is not None
    node = node_of(x)
    return node is not None and node.depth >= batch.level


def is_outer(x: Any, batch: Batch) -> bool:
    """Whether a gradient is taken of `x` outside of the batch, be it of one that is taken inside too."""
    if belongs(x, batch):
        return node_of(x.value) is not None
    node = node_of(x)
    return node is not None and node.least < batch.level


def entered(operands: Iterable[Any]) -> tuple[Batch, list[Any], bool]:
    """(the batch, operands, whether the tape inside watches one): an array from outside that it watches is one of the
    batch, so that nodes of both tapes never meet.

    Raises NoBatchRule where both tapes watch.
    """
    given = list(operands)
    batch = batch_of(given)
    inner = [is_inner(x, batch) for x in given]
    if any(inner) and any(is_outer(x, batch) for x in given):
        raise NoBatchRule(SECOND)
    taken = [
        batched(repeated(without_node(x), batch), batch, x.node) if is_watched and not belongs(x, batch) else x
        for x, is_watched in zip(given, inner, strict=True)
    ]
    return batch, taken, any(inner)


def check_untracked(name: str, operands: Iterable[Any], batch: Batch) -> None:
    """Raises NoBatchRule where a function that the tape does not know would lose a gradient."""
    if any(is_outer(x, batch) for x in operands):
        raise NoBatchRule(f"{name} has no gradient for a batch")
