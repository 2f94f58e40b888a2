"""Elements along an axis joined by a function of two arrays: log2(n) calls in any order, n - 1 in the given one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

Function = Callable[[Any, Any], Any]
Join = Callable[[list[Any], int], Any]


def part(x: Any, axis: int, start: int | None, end: int | None) -> Any:
    """The slices from `start` to `end` along an axis."""
    return x[(*(slice(None),) * axis, slice(start, end))]


def by_halves(function: Function, x: Any, axis: int, join: Join) -> Any:
    """All elements along an axis, which stays with size 1: n / 2 pairs, then the pairs of these."""
    while (n := x.shape[axis]) > 1:
        pairs = function(part(x, axis, 0, n // 2), part(x, axis, n // 2, n // 2 * 2))
        x = join([pairs, part(x, axis, n - 1, n)], axis) if n % 2 else pairs
    return x


def in_order(function: Function, x: Any, axis: int) -> Iterator[Any]:
    """The running results of a function whose order matters, one slice of size 1 after the other."""
    found = part(x, axis, 0, 1)
    yield found
    for i in range(1, x.shape[axis]):
        found = function(found, part(x, axis, i, i + 1))
        yield found


def running(function: Function, x: Any, axis: int, join: Join) -> Any:
    """All running results: each element is joined with that at distance 1, 2, 4 ... before it.

    Hillis & Steele 1986, https://doi.org/10.1145/7902.7903.
    """
    distance = 1
    while distance < x.shape[axis]:
        later = function(part(x, axis, None, -distance), part(x, axis, distance, None))
        x = join([part(x, axis, None, distance), later], axis)
        distance *= 2
    return x
