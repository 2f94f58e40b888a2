"""Limits of the pool: the memory it may take and keep, and functions to set them."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from .pool.pool_counters import get_limits, put_limits
from .sizes import byte_count, human, physical_memory

__all__ = ["Limits", "limits", "set_limits"]


@dataclass(frozen=True)
class Limits:
    """What the memory pool may take from the system and keep, in bytes.

    maxbytes: the most taken for arrays and scratch memory, live and cached together; 0 is no limit
    maxphysicalbytes: the most physical memory of the whole process at which the pool still takes more; 0 is no limit
    cache_bytes: the most freed memory kept for reuse, a quarter of physical memory at first
    cacheable_length: blocks longer than this are given back to the system when they are freed

    >>> nd.memory.limits().maxbytes  # 0: none
    0
    """

    maxbytes: int
    maxphysicalbytes: int
    cache_bytes: int
    cacheable_length: int


def limits() -> Limits:
    """The limits of the memory pool.

    Raises nothing.

    >>> nd.memory.limits().maxbytes
    0
    """
    return Limits(*get_limits())


def set_limits(
    maxbytes: int | str | None = None,
    maxphysicalbytes: int | str | None = None,
    cache_bytes: int | str | None = None,
    cacheable_length: int | str | None = None,
) -> Limits:
    """Change limits of the memory pool, see `Limits`; None leaves a limit as it is.  Returns the limits before.

    Each is bytes, or text such as "512M", "2G" (powers of 1024) or "50%" of the memory that this process may use: the
    machine's, or its control group's if that is less.  Cached memory beyond a new limit goes back to the system.
    Raises ValueError, changing nothing, when more than `maxbytes` is in use already, and for other text.

    >>> before = nd.memory.set_limits(maxbytes="50%", cacheable_length="1G")
    >>> nd.memory.limits().cacheable_length
    1073741824
    >>> after = nd.memory.set_limits(**vars(before))
    """
    before = limits()
    given = {
        "maxbytes": maxbytes,
        "maxphysicalbytes": maxphysicalbytes,
        "cache_bytes": cache_bytes,
        "cacheable_length": cacheable_length,
    }
    wanted = asdict(before)
    wanted.update(
        {name: byte_count(value, name, physical_memory) for name, value in given.items() if value is not None}
    )
    in_use = put_limits(**wanted)
    if in_use:
        raise ValueError(
            f"maxbytes: {human(in_use)} ({in_use} bytes) are in use already, given {wanted['maxbytes']}; "
            "free arrays first"
        )
    return before
