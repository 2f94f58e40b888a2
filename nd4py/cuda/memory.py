"""Statistics and limits of the caches of device memory and pinned host memory."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from typing import Any

from .._mem.sizes import byte_count
from .allocation.allocator import counters, get_limits, put_limits, reset_peak, set_first_limits, trim_cache
from .driver.driver_choice import driver
from .launch.current_stream import attached_device, bound_device, check_device_number, whole_number
from .program.device_defer import deferred_counts

__all__ = [
    "MemoryLimits",
    "MemoryStatistics",
    "limits",
    "memory_info",
    "reset_peak_bytes",
    "set_limits",
    "stats",
    "trim",
]

PINNED = -1  # the number that pinned host memory has among devices
GIB = 2**30
MOST_BLOCKS = 100  # blocks taken ahead of requests

# What is kept by default, of devices a share of their memory.  ND4J keeps 512 MiB of blocks up to 16 MiB; but a long
# result that is not kept is taken from the driver and given back each time, and the driver waits for the device.
FIRST: dict[bool, dict[str, int | str]] = {
    False: {"max_cache": "75%", "cacheable_length": "25%"},
    True: {"max_cache": GIB, "cacheable_length": GIB // 8},
}


@dataclass(frozen=True)
class MemoryStatistics:
    """Counters of the memory of one device, or of pinned host memory.

    live_bytes: of arrays that are alive, rounded up to the sizes of blocks
    requested_bytes: the same as it was asked for
    cached_bytes: freed and kept for reuse
    waiting_bytes: freed, but another stream may still work on them
    peak_bytes: the most that was live since the start or `reset_peak_bytes`
    n_blocks: blocks in use
    hits, misses: requests served from freed blocks, and by the driver
    evicted: blocks that went back to the driver when they were freed, for the limits
    trims: how often freed blocks were given back, for want of room or on request
    driver_calls: how often the driver was asked for memory
    failed_releases: blocks that the driver refused to take back, as a lost device does
    pending_bytes: of the arrays that deferred operations will read
    pending_arrays: deferred arrays that are still referenced; they have no memory yet

    >>> nd.cuda.memory.stats("cuda:0").n_blocks >= 0
    True
    """

    live_bytes: int
    requested_bytes: int
    cached_bytes: int
    waiting_bytes: int
    peak_bytes: int
    n_blocks: int
    hits: int
    misses: int
    evicted: int
    trims: int
    driver_calls: int
    failed_releases: int
    pending_bytes: int
    pending_arrays: int

    @property
    def taken_bytes(self) -> int:
        """What was taken from the driver and not given back."""
        return self.live_bytes + self.cached_bytes + self.waiting_bytes

    @property
    def hit_rate(self) -> float:
        """Fraction of requests served from freed blocks, 0.0 before the first."""
        requests = self.hits + self.misses
        return self.hits / requests if requests else 0.0


@dataclass(frozen=True)
class MemoryLimits:
    """What may be taken and kept, in bytes.

    max_bytes: the most taken from the driver, live and cached together; 0 is no limit but the driver's
    max_cache: the most freed memory kept for reuse
    cacheable_length: blocks longer than this go back to the driver when they are freed
    n_ahead: blocks of the same size taken along when the driver is asked for one, 0 to 100, while little is cached

    >>> 0 <= nd.cuda.memory.limits("cuda:0").n_ahead <= 100
    True
    """

    max_bytes: int
    max_cache: int
    cacheable_length: int
    n_ahead: int


def number_of(device: int | str | None) -> int:
    """The number of a device given as one, as "cuda:0", as "pinned", or as None, this thread's."""
    if device is None:
        return attached_device()
    if device == "pinned":
        return PINNED
    if isinstance(device, str):
        family, _, digits = device.partition(":")
        if family != "cuda" or not (digits.isdigit() or not digits):
            raise ValueError(f"device: 'cuda:0' and so on, a number, or 'pinned' for host memory, given {device!r}")
        return check_device_number(int(digits)) if digits else attached_device()
    return check_device_number(device)


def stats(device: int | str | None = None) -> MemoryStatistics:
    """The counters of a device's memory, of this thread's device by default, or of "pinned" host memory.

    Raises ValueError for a device that does not exist.

    >>> nd.cuda.memory.stats("cuda:0").live_bytes >= 0
    True
    """
    number = number_of(device)
    return MemoryStatistics(*counters(number), *deferred_counts(number))


def limits(device: int | str | None = None) -> MemoryLimits:
    """The limits of a device's memory, of this thread's device by default, or of "pinned" host memory.

    Raises ValueError for a device that does not exist.

    >>> nd.cuda.memory.limits("cuda:0").max_bytes  # 0: as much as the device has
    0
    """
    return MemoryLimits(*get_limits(number_of(device)))


def set_limits(
    device: int | str | None = None,
    *,
    max_bytes: int | str | None = None,
    max_cache: int | str | None = None,
    cacheable_length: int | str | None = None,
    n_ahead: int | None = None,
) -> MemoryLimits:
    """Change limits, see `MemoryLimits`; what is None stays.  Returns those that held before.

    Bytes are a number, or text such as "512M", "2G" (powers of 1024) or, of the device's memory, "50%".
    Raises ValueError, changing nothing, when more than `max_bytes` is in use already, and for other text.

    >>> before = nd.cuda.memory.set_limits("cuda:0", max_cache="64M")
    >>> nd.cuda.memory.limits("cuda:0").max_cache
    67108864
    >>> changed = nd.cuda.memory.set_limits("cuda:0", max_cache=before.max_cache)
    """
    number = number_of(device)
    before = MemoryLimits(*get_limits(number))
    given = {"max_bytes": max_bytes, "max_cache": max_cache, "cacheable_length": cacheable_length}
    wanted = {name: bytes_of(number, value, name) for name, value in given.items() if value is not None}
    if n_ahead is not None:
        wanted["n_ahead"] = checked_count(n_ahead)
    in_use = put_limits(number, **wanted)
    if in_use:
        raise ValueError(
            f"max_bytes: {in_use} bytes are in use already, given {wanted['max_bytes']}; free arrays first"
        )
    return before


def checked_count(n_ahead: int) -> int:
    """A number of blocks to take ahead.  Raises TypeError, ValueError."""
    number = whole_number(n_ahead)
    if number is None:
        raise TypeError(f"n_ahead: a whole number, given {n_ahead!r}")
    if not 0 <= number <= MOST_BLOCKS:
        raise ValueError(f"n_ahead: 0 to {MOST_BLOCKS}, given {n_ahead}")
    return number


def trim(device: int | str | None = None, keep: int | str = 0) -> int:
    """Give cached blocks back to the driver until at most `keep` bytes are kept; returns how many bytes went.

    Blocks that other streams still work on stay.  Raises ValueError for a device that does not exist.

    >>> n_bytes = nd.cuda.memory.trim("cuda:0")
    >>> nd.cuda.memory.stats("cuda:0").cached_bytes
    0
    """
    return trim_cache(number_of(device), byte_count(keep, "keep", None))


def reset_peak_bytes(device: int | str | None = None) -> None:
    """Let `peak_bytes` begin at what is live now.  Raises ValueError for a device that does not exist.

    >>> nd.cuda.memory.reset_peak_bytes("cuda:0")
    >>> statistics = nd.cuda.memory.stats("cuda:0")
    >>> statistics.peak_bytes == statistics.live_bytes
    True
    """
    reset_peak(number_of(device))


def memory_info(device: int | str | None = None) -> tuple[int, int]:
    """(free, total) bytes of a device as its driver counts them; what is cached here is not free there.

    Raises ValueError for a device that does not exist, and for "pinned".

    >>> free, total = nd.cuda.memory.memory_info("cuda:0")
    >>> 0 <= free <= total
    True
    """
    number = number_of(device)
    if number == PINNED:
        raise ValueError("memory_info: a device such as 'cuda:0', given 'pinned'")
    bound_device(number)
    return driver().mem_info()


def bytes_of(number: int, value: int | str, name: str) -> int:
    """Bytes given as a number, text, or a share of a device's memory.  Raises ValueError, TypeError naming `name`."""
    return byte_count(value, name, None if number == PINNED else (lambda: bytes_of_device(number)))


def bytes_of_device(number: int) -> int:
    """The memory that a device has."""
    bound_device(number)
    return driver().mem_info()[1]


def given_limits(is_pinned: bool) -> dict[str, int | str]:
    """The limits that caches start with: FIRST, and ND4PY_CUDA_MAX_CACHE and the like.  Raises ValueError naming the
    variable."""
    found = dict(FIRST[is_pinned])
    for field in fields(MemoryLimits):
        name = f"{'ND4PY_PINNED_' if is_pinned else 'ND4PY_CUDA_'}{field.name.upper()}"
        text = os.environ.get(name, "").strip()
        if not text:
            continue
        value: Any = int(text) if text.lstrip("-").isdigit() else text
        if field.name == "n_ahead":
            checked_count(value)
        else:
            byte_count(value, name, None if is_pinned else (lambda: 0))  # no device is asked yet
        found[field.name] = value
    return found


starting: dict[bool, dict[str, int | str]] = {}  # `given_limits`, once they were read


def first_limits(number: int) -> dict[str, int]:
    """The limits that the cache of a device, or of pinned memory, starts with, as `put_limits` takes them."""
    limits = starting[number == PINNED].items()
    return {name: int(value) if name == "n_ahead" else bytes_of(number, value, name) for name, value in limits}


def apply_environment() -> None:
    """Let caches start with what is given.  Raises ValueError naming the variable."""
    starting.update((is_pinned, given_limits(is_pinned)) for is_pinned in (False, True))
    set_first_limits(first_limits)


apply_environment()
