"""Statistics of caches: hits, misses and entries."""

from __future__ import annotations

from .bounded_caches import CACHES, CacheStatistics
from .layout.shape import shape_cache_statistics

__all__ = ["CacheStatistics", "cache_statistics"]


def cache_statistics() -> dict[str, CacheStatistics]:
    """`CacheStatistics` of each cache by name.

    "shape_info": descriptions of layouts, one for all arrays alike    "tad": how arrays fall into sub-arrays
    "constant": arrays that `nd4py.constant` shares
    Returns a dict.  Raises nothing.

    >>> x = nd.ones((3, 4))
    >>> nd.memory.caches()["shape_info"].hits > 0
    True
    """
    return {"shape_info": CacheStatistics(*shape_cache_statistics())} | {
        name: cache.statistics() for name, cache in CACHES.items()
    }
