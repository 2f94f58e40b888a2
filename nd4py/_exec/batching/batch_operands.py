"""Operands of operations in a batch: which batch it is, and what belongs to it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..autodiff.nodes import node_of, own_node, with_node, without_node
from ..autodiff.tape import Node
from .batched_array import BatchedArray, inner_node, same_for_all
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


def is_watched(x: BatchedArray) -> bool:
    """Whether a tape outside of its batch watches an array."""
    return node_of(x.value if x.source is None else x.source) is not None


def differs(x: Any, batch: Batch) -> bool:
    """Whether `x` is an array of the batch that differs from example to example."""
    return belongs(x, batch) and x.source is None


def from_outside(x: Any, batch: Batch) -> Any:
    """What is the same for all examples as it was before it was one of the batch."""
    return x.source if belongs(x, batch) and x.source is not None else x


def aligned(x: Any, batch: Batch, ndim: int, is_beside: bool = False) -> Any:
    """All examples with as many axes as `ndim` of an example, so that they broadcast beside others.

    is_beside: whether another operand has the axis of the batch; what is the same for all examples has none then
    """
    if not belongs(x, batch):
        return x
    if is_beside and x.source is not None:
        return x.source
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
        return is_watched(x)
    node = node_of(x)
    return node is not None and node.least < batch.level


def entered(operands: Iterable[Any]) -> tuple[Batch, list[Any], bool]:
    """(the batch, operands, whether the tape inside watches one): where it does, an array from outside that either
    tape watches is one of the batch, whose values the tape outside watches, so that nodes of both never meet."""
    given = list(operands)
    batch = batch_of(given)
    inner = [is_inner(x, batch) for x in given]
    if not any(inner):
        return batch, given, False
    return batch, [taken(x, is_mine, batch) for x, is_mine in zip(given, inner, strict=True)], True


def on_one_tape(operands: Iterable[Any]) -> list[Any]:
    """Operands as arrays that the tape inside of the batch may record beside each other."""
    return entered(operands)[1]


def taken(x: Any, is_mine: bool, batch: Batch) -> Any:
    """An operand of an operation that the tape inside watches; is_mine: whether it watches this operand."""
    if belongs(x, batch) or node_of(x) is None:
        return x
    if not is_outer(x, batch):
        return same_for_all(without_node(x), batch, x.node)
    return same_for_all(outside(x, batch) if is_mine else x, batch, own_node(x) if is_mine else None)


def outside(x: Any, batch: Batch) -> Any:
    """An array that both tapes watch as that outside sees it."""
    above = Node((own_node(x),), lambda g: [g], (), lambda g, node: [g])
    above.depth = batch.level - 1
    return with_node(x, above)


def check_untracked(name: str, operands: Iterable[Any], batch: Batch) -> None:
    """Raises NoBatchRule where a function that the tape does not know would lose a gradient."""
    if any(is_outer(x, batch) for x in operands):
        raise NoBatchRule(f"{name} has no gradient for a batch")
