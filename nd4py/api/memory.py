"""What the memory pool holds, and its limits."""

from .._mem.limits import Limits, limits, set_limits
from .._mem.statistics import PoolStatistics, ThreadStatistics, reset_peak, stats, trim

__all__ = ["Limits", "PoolStatistics", "ThreadStatistics", "limits", "reset_peak", "set_limits", "stats", "trim"]
