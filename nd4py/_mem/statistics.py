"""What the pool holds, for people and tests."""

from dataclasses import dataclass

from .pool import counters, trim

__all__ = ["PoolStatistics", "out_of_memory", "stats", "trim"]


@dataclass(frozen=True)
class PoolStatistics:
    """Counters of the memory pool, over all threads.

    live_bytes: handed out and not yet freed (rounded up to size classes)
    cached_bytes: freed and kept for reuse
    peak_bytes: the most the pool ever held, live and cached together
    hits, misses: requests served from the cache, and from the system
    """

    live_bytes: int
    cached_bytes: int
    peak_bytes: int
    hits: int
    misses: int

    @property
    def hit_rate(self):
        """Fraction of requests served from the cache, 0.0 before the first."""
        requests = self.hits + self.misses
        return self.hits / requests if requests else 0.0


def stats():
    """The pool's counters now, as `PoolStatistics`."""
    return PoolStatistics(*counters())


def out_of_memory(n_bytes, purpose):
    """The MemoryError for a request of `n_bytes` that the pool could not serve."""
    used = stats()
    return MemoryError(
        f"cannot allocate {n_bytes} bytes for {purpose}: {used.live_bytes} bytes are in use and {used.cached_bytes} "
        "were cached; free arrays or work in smaller pieces"
    )
