"""Memory planning: offsets for arrays whose sizes and lifetimes are known."""

from __future__ import annotations

from bisect import insort
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from ..sizes import shortened

__all__ = ["lay_out"]


def lay_out(events: Sequence[tuple[Hashable, int]]) -> tuple[list[tuple[int, int]], int]:
    """Offsets for what was taken and given back in this order, close to the least memory that can hold it.

    events: (key, size) takes `size` bytes, (key, 0) gives back what was taken last under that key
    Returns ([(size, start)] in the order of taking, the bytes needed).  The largest come first, each into the smallest
    gap between those it meets that holds it: best fit by decreasing size, as compilers lay out buffers.
    Raises TypeError for anything but a sequence, ValueError for an event that is no (key, size).

    >>> nd.memory.lay_out([("a", 64), ("b", 128), ("a", 0), ("c", 64)])  # c lies where a was
    ([(64, 128), (128, 0), (64, 128)], 192)
    """
    sizes, begins, ends = _lifetimes(list(map(_checked, _items(events))))
    starts = [0] * len(sizes)
    laid_out: list[tuple[int, int, int, int]] = []  # (start, end, first moment, last moment), by start
    for i in sorted(range(len(sizes)), key=lambda i: (-sizes[i], i)):
        starts[i] = _best_gap([row for row in laid_out if row[2] < ends[i] and begins[i] < row[3]], sizes[i])
        insort(laid_out, (starts[i], starts[i] + sizes[i], begins[i], ends[i]))
    return list(zip(sizes, starts, strict=True)), max((row[1] for row in laid_out), default=0)


def _items(events: Any) -> Any:
    """Raises TypeError for what has no items."""
    if isinstance(events, str | bytes) or not isinstance(events, Iterable):
        raise TypeError(f"lay_out: events must be a sequence of (key, size), given {shortened(events)}")
    return events


def _checked(event: Any) -> tuple[Hashable, int]:
    """An event.  Raises ValueError unless it is a key and a size, which may not be negative."""
    if not isinstance(event, tuple | list) or len(event) != 2:
        raise ValueError(f"lay_out: an event is (key, size), given {shortened(event)}")
    key, size = event
    if not isinstance(key, Hashable) or not isinstance(size, int) or size < 0:
        raise ValueError(f"lay_out: an event is a key and a number of bytes, 0 to give back, given {shortened(event)}")
    return key, size


def _lifetimes(events: Sequence[tuple[Hashable, int]]) -> tuple[list[int], list[int], list[int]]:
    """The size of each array, and the moments when it is taken and given back."""
    sizes: list[int] = []
    begins: list[int] = []
    ends: list[int] = []
    alive: dict[Hashable, int] = {}
    for moment, (key, size) in enumerate(events):
        if not size and key not in alive:
            raise ValueError(f"lay_out: event {moment} gives back {key!r}, which was not taken")
        if size:
            alive[key] = len(sizes)
            sizes.append(size)
            begins.append(moment)
            ends.append(len(events))
        else:
            ends[alive.pop(key)] = moment
    return sizes, begins, ends


def _best_gap(taken: Sequence[tuple[int, int, int, int]], size: int) -> int:
    """The start of the smallest gap between `taken`, sorted by start, that holds `size`."""
    best, best_room, end = -1, 0, 0
    for start, stop, *_ in taken:
        room = start - end
        if room >= size and (best < 0 or room < best_room):
            best, best_room = end, room
        end = max(end, stop)
    return end if best < 0 else best
