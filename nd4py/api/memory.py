"""What the memory pool holds."""

from .._mem.statistics import PoolStatistics, stats, trim

__all__ = ["PoolStatistics", "stats", "trim"]
