"""Deferred operations of the host and all devices: running, waiting for, counting and explaining them."""

from __future__ import annotations

from typing import Any

from ..._core.array.array import NDArray
from ..._core.devices import backends
from . import materialize


def flush() -> None:
    """Run what this thread has deferred; devices are not waited for."""
    materialize.flush_chains()
    for backend in set(backends.values()):
        backend.flush()


def synchronize() -> None:
    """Run what any thread has deferred, and wait for it.  Raises errors of devices."""
    materialize.flush_chains(True)
    for backend in set(backends.values()):
        backend.flush(True)
        backend.synchronize()


def combine_counts() -> tuple[int, ...]:
    """As `nd4py._exec.lazy.materialize.combine_counts`, of the host and all devices together."""
    counts = [materialize.combine_counts(), *(backend.combine_counts() for backend in set(backends.values()))]
    return tuple(map(sum, zip(*counts, strict=True)))


def deferred_program(x: NDArray) -> dict[str, Any] | None:
    """As `nd4py._exec.lazy.materialize.deferred_program`, for an array anywhere."""
    return backends[type(x)].deferred_program(x) if type(x) in backends else materialize.deferred_program(x)
