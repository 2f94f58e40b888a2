"""Partitions on devices: lines in order are partitioned everywhere."""

from __future__ import annotations

from ..._core.array.array import NDArray
from .driver_table import argsort, sorted_lines


def partitioned_lines(x: NDArray, first: int, last: int) -> NDArray:
    """The elements of every line in order."""
    return sorted_lines(x, False)


def argpartition(x: NDArray, first: int, last: int) -> NDArray:
    """The position in its line, int64, of every element in order."""
    return argsort(x, False)
