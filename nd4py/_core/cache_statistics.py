"""How the caches do, for people and tests."""

from dataclasses import dataclass

from .caches import CACHES
from .shape import shape_cache_statistics

__all__ = ["CacheStatistics", "cache_statistics"]


@dataclass(frozen=True)
class CacheStatistics:
    """How often a cache was asked, and what it holds.

    hits, misses: look-ups that found an entry, and that had to make one
    size, capacity: entries now, and at most; the one not used for longest makes room
    """

    hits: int
    misses: int
    size: int
    capacity: int


def cache_statistics() -> dict[str, CacheStatistics]:
    """`CacheStatistics` of each cache by name.

    "shape_info": descriptions of layouts, one for all arrays alike    "tad": how arrays fall into sub-arrays
    "constant": arrays that `nd4py.constant` shares

    >>> x = nd.ones((3, 4))
    >>> nd.memory.caches()["shape_info"].hits > 0
    True
    """
    return {"shape_info": CacheStatistics(*shape_cache_statistics())} | {
        name: cache.statistics() for name, cache in CACHES.items()
    }
