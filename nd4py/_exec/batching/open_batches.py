"""Batches: calls of functions over all examples at once."""

from __future__ import annotations

from ..._core.devices import UnsupportedOnDevice


class NoBatchRule(UnsupportedOnDevice):
    """An operation that has no rule for a batch: `nd.vmap` then calls the function for each example."""


class Batch:
    """One call of a function over all examples at once.

    size: how many examples    level: how many such calls it is the innermost of, itself counted
    """

    __slots__ = ("is_open", "level", "size")

    def __init__(self, size: int, level: int) -> None:
        self.size = size
        self.level = level
        self.is_open = True
