"""Out-of-memory errors, with reports of other layers."""

import importlib
import os
from collections.abc import Callable

from ..first_limits import apply_environment
from ..pool.pool_counters import get_limits, totals
from ..sizes import human

__all__ = ["out_of_memory"]

# What waits to be computed, told by the layer that defers operations: () -> (deferred bytes, deferred arrays).
deferred_reports: list[Callable[[], tuple[int, int]]] = []

# What is told of a failed request besides the error: (bytes, message) -> a sentence for the error, or "".
failure_reports: list[Callable[[int, str], str]] = []


def out_of_memory(n_bytes, purpose, advice="free arrays or work in smaller pieces"):
    """The MemoryError for a request of `n_bytes` that the pool could not serve."""
    live, cached, _, _, _, peak, _ = totals()
    limits = zip(("maxbytes", "maxphysicalbytes"), get_limits(), strict=False)
    bounds = [f"{name} is {bound}" for name, bound in limits if bound]
    if os.environ.get("ND4PY_MEMORY_REPORT"):
        importlib.import_module(f"{__package__}.pool_report")
    message = (
        f"cannot allocate {n_bytes} bytes for {purpose}: {live} bytes ({human(live)}) are in use and {cached} cached, "
        f"{', '.join(bounds) or 'no limit is set'}, the most in use was {peak}; {advice}"
    )
    return MemoryError("".join([message, *(report(n_bytes, message) for report in failure_reports)]))


apply_environment()  # arrays import this module, so the limits hold before the first one is made
