"""The launches of a graph that are needed, and memory for the arrays between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..._mem.arena.memory_plan import lay_out

CACHE_LINE = 64


def needed_launches(launches: Sequence[Any], wanted: set[int]) -> list[Any]:
    """The launches, in order, that make the buffers `wanted`, or what these are made of."""
    needed, kept = set(wanted), []
    for launch in reversed(launches):
        if launch.written & needed:
            needed |= launch.read | launch.written
            kept.append(launch)
    return kept[::-1]


def arena_places(launches: Sequence[Any], sizes: Sequence[int], outside: set[int]) -> tuple[dict[int, int], int]:
    """({buffer: where it lies}, bytes of all) for the buffers that launches use, but those in `outside`.

    A buffer takes room from the first launch that uses it to the last.
    """
    used = [sorted((launch.read | launch.written) - outside) for launch in launches]
    last = {number: i for i, numbers in enumerate(used) for number in numbers}
    events: list[tuple[int, int]] = []
    order: list[int] = []
    for i, numbers in enumerate(used):
        for number in numbers:
            if number not in order:
                order.append(number)
                events.append((number, max(sizes[number] + CACHE_LINE - 1, 1) // CACHE_LINE * CACHE_LINE or CACHE_LINE))
        events += [(number, 0) for number in numbers if last[number] == i]
    laid_out, n_bytes = lay_out(events)
    return {number: start for number, (_, start) in zip(order, laid_out, strict=True)}, n_bytes


def separate_places(sizes: Sequence[int]) -> tuple[dict[int, int], int]:
    """The same with room of its own for every buffer."""
    starts, n_bytes = {}, 0
    for number, size in enumerate(sizes):
        starts[number] = n_bytes
        n_bytes += (size + CACHE_LINE) // CACHE_LINE * CACHE_LINE
    return starts, n_bytes
