"""Initial limits of the pool, from environment variables."""

from __future__ import annotations

import os

from .pool.pool_counters import put_limits
from .sizes import byte_count, physical_memory

__all__: list[str] = []

CACHED_SHARE = 4  # of physical memory, what is kept for reuse by default
NO_LENGTH = 2**52  # that a block could have


def apply_environment() -> None:
    """Set the limits that this process starts with.  Raises ValueError naming the variable."""
    physical = physical_memory()
    wanted = {"maxbytes": 0, "maxphysicalbytes": 0, "cache_bytes": physical // CACHED_SHARE}
    wanted["cacheable_length"] = NO_LENGTH
    for name in wanted:
        text = os.environ.get(variable := f"ND4PY_{name.upper()}", "").strip()
        if text:
            wanted[name] = byte_count(_as_given(text), variable, lambda: physical)
    put_limits(**wanted)


def _as_given(text):
    """Text of digits alone is a number, so that errors about it read like those of a call."""
    return int(text) if text.lstrip("-").isdigit() else text
