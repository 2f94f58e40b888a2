"""The policy for operations without a kernel: an error, or the host instead."""

from __future__ import annotations

import os
import warnings
from collections import Counter

__all__ = ["HostFallbackWarning", "fallback", "fallbacks"]

MODES = ("error", "host")
counts: Counter[str] = Counter()
mode = "error"


class HostFallbackWarning(RuntimeWarning):
    """An operation on a device ran on the host, with its operands copied there and its result back.

    >>> issubclass(nd.cuda.HostFallbackWarning, RuntimeWarning)
    True
    """


def fallback(wanted: str) -> str:
    """Let operations without a CUDA kernel run on the "host", copied there and back, or be an "error", the default.

    wanted: "host" or "error".
    Holds for all threads.  Each operation that falls back warns once (`HostFallbackWarning`) and is counted in
    `fallbacks()`.  Returns what held before; ND4PY_CUDA_FALLBACK says what holds at first.
    Raises ValueError for another word.

    >>> before = nd.cuda.fallback("host")
    >>> nd.cuda.fallback(before)
    'host'
    """
    global mode
    before, mode = mode, checked_mode("fallback", wanted)
    return before


def checked_mode(name: str, wanted: str) -> str:
    """`wanted`, if it is one of the modes."""
    if wanted not in MODES:
        raise ValueError(f"{name}: 'error' or 'host', given {wanted!r}")
    return wanted


def fallbacks() -> dict[str, int]:
    """How often each operation ran on the host in place of a device.  Raises nothing.

    >>> sum(nd.cuda.fallbacks().values()) >= 0
    True
    """
    return dict(counts)


def falls_back(name: str) -> bool:
    """Whether operation `name` may run on the host; if so it is counted, and warned of the first time."""
    if mode == "error":
        return False
    counts[name] += 1
    if counts[name] == 1:
        warnings.warn(
            f"{name} has no CUDA kernel and ran on the host, its operands copied there and its result back",
            HostFallbackWarning,
            stacklevel=3,
        )
    return True


def apply_environment() -> None:
    """The mode that this process starts with.  Raises ValueError naming the variable."""
    fallback(checked_mode("ND4PY_CUDA_FALLBACK", os.environ.get("ND4PY_CUDA_FALLBACK", "").strip() or "error"))


apply_environment()
