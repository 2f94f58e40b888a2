"""Statistics of the memory pool."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from ..pool.pool_counters import of_threads, reset_peak, totals, trim
from .memory_wants import deferred_reports

__all__ = ["PoolStatistics", "ThreadStatistics", "reset_peak", "stats", "trim"]


@dataclass(frozen=True)
class Requests:
    """How requests for memory were served.

    hits: from freed blocks    misses: by the system
    """

    hits: int
    misses: int

    @property
    def hit_rate(self) -> float:
        """Fraction of requests served from freed blocks, 0.0 before the first."""
        requests = self.hits + self.misses
        return self.hits / requests if requests else 0.0


@dataclass(frozen=True)
class ThreadStatistics(Requests):
    """Counters of the memory pool for one thread.

    name: of the thread; its number in the system if Python does not know it; "ended" for all threads that have ended
    hits, misses: requests served from freed blocks, and by the system
    allocated_bytes, released_bytes: allocated and freed by this thread, ever; any thread may free
    cached_bytes: freed blocks this thread keeps for itself

    >>> x = nd.ones(3)
    >>> sum(row.hits + row.misses for row in nd.memory.stats().threads) > 0
    True
    """

    name: str
    allocated_bytes: int
    released_bytes: int
    cached_bytes: int


@dataclass(frozen=True)
class PoolStatistics(Requests):
    """Counters of the memory pool, over all threads.

    hits, misses: requests served from freed blocks, and by the system
    live_bytes: allocated and not yet freed, rounded up to the sizes of blocks
    requested_bytes: the same without rounding
    cached_bytes: freed and kept for reuse
    taken_bytes: taken from the system, live and cached together
    peak_bytes, peak_live_bytes: the most that was taken, and in use, since the start or `reset_peak`
    system_allocations: how often the system was asked for a block
    pending_bytes: of the arrays that deferred operations will read; these are live, and freed once those have run
    pending_arrays: deferred arrays that are still referenced; they take memory when they run
    threads: `ThreadStatistics` of each

    >>> before = nd.memory.stats().live_bytes
    >>> x = nd.ones(1000)
    >>> nd.memory.stats().live_bytes - before >= 8000
    True
    """

    live_bytes: int
    requested_bytes: int
    cached_bytes: int
    taken_bytes: int
    peak_bytes: int
    peak_live_bytes: int
    system_allocations: int
    pending_bytes: int
    pending_arrays: int
    threads: tuple[ThreadStatistics, ...] = field(repr=False)

    @property
    def fragmentation(self) -> float:
        """Fraction of the memory taken that is not in use: cached, or the rest of a block; 0.0 of nothing."""
        return 1 - self.requested_bytes / self.taken_bytes if self.taken_bytes else 0.0


def stats() -> PoolStatistics:
    """The memory pool's counters now.

    Raises nothing.

    >>> x = nd.zeros(1000)
    >>> nd.memory.stats().live_bytes >= x.nbytes
    True
    """
    live, cached, requested, taken, peak, peak_live, calls = totals()
    deferred = [report() for report in deferred_reports]
    names = {thread.native_id: thread.name for thread in threading.enumerate()}
    threads = tuple(
        ThreadStatistics(hits, misses, names.get(thread, str(thread)) if thread else "ended", *rest)
        for thread, hits, misses, *rest in of_threads()
    )
    return PoolStatistics(
        hits=sum(thread.hits for thread in threads),
        misses=sum(thread.misses for thread in threads),
        live_bytes=live,
        requested_bytes=requested,
        cached_bytes=cached,
        taken_bytes=taken,
        peak_bytes=peak,
        peak_live_bytes=peak_live,
        system_allocations=calls,
        pending_bytes=sum(n_bytes for n_bytes, _ in deferred),
        pending_arrays=sum(n_arrays for _, n_arrays in deferred),
        threads=threads,
    )
