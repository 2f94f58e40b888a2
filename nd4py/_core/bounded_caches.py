"""Bounded caches."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

__all__ = ["BoundedCache", "CacheStatistics"]


class CacheStatistics(NamedTuple):
    """How often a cache was asked, and what it holds.

    hits, misses: look-ups that found an entry, and that had to make one
    size, capacity: entries now, and at most; the one not used for longest makes room

    >>> nd.memory.caches()["shape_info"].capacity
    4096
    """

    hits: int
    misses: int
    size: int
    capacity: int


class BoundedCache:
    """At most `capacity` values by their keys; the one not used for longest goes first.

    A look-up takes no lock: single operations on the dictionary are atomic, and two threads that make the same value at
    once agree on one of them.
    """

    def __init__(self, name: str, capacity: int) -> None:
        self._entries: OrderedDict[Hashable, Any] = OrderedDict()
        self._capacity = capacity
        self._hits = self._misses = 0
        CACHES[name] = self

    def find(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """The value of `key`, made if there is none."""
        try:
            value = self._entries[key]
            self._entries.move_to_end(key)
            self._hits += 1
        except KeyError:  # not there, or just evicted by another thread
            self._misses += 1
            value = self._entries.setdefault(key, make())
            while len(self._entries) > self._capacity:
                self._entries.popitem(last=False)
        return value

    def clear(self) -> None:
        """Forget all entries."""
        self._entries.clear()

    def statistics(self) -> CacheStatistics:
        """The counters now."""
        return CacheStatistics(self._hits, self._misses, len(self._entries), self._capacity)


CACHES: dict[str, BoundedCache] = {}
