"""The memory pool: statistics, limits, reports and recordings."""

from .._core.cache_statistics import CacheStatistics
from .._core.cache_statistics import cache_statistics as caches
from .._mem.arena.memory_plan import lay_out
from .._mem.diagnostics.memory_statistics import PoolStatistics, ThreadStatistics, reset_peak, stats, trim
from .._mem.diagnostics.pool_report import set_report_path, summary
from .._mem.diagnostics.recording import MemoryRecording, plot_timeline, start_recording, stop_recording
from .._mem.errors import MemoryFaultError
from .._mem.limits import Limits, limits, set_limits
from .._mem.pool.pool_guard import check
from .._mem.sizes import human

__all__ = [
    "CacheStatistics",
    "Limits",
    "MemoryFaultError",
    "MemoryRecording",
    "PoolStatistics",
    "ThreadStatistics",
    "caches",
    "check",
    "human",
    "lay_out",
    "limits",
    "plot_timeline",
    "reset_peak",
    "set_limits",
    "set_report_path",
    "start_recording",
    "stats",
    "stop_recording",
    "summary",
    "trim",
]
