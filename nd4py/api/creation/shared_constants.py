"""Shared constant arrays."""

from __future__ import annotations

from typing import Any

from ..._core.annotations import DTypeLike
from ..._core.array.array import NDArray
from ..._exec.constants import shared_constant
from .basic_creation import asarray

__all__ = ["constant"]


def constant(obj: Any, /, dtype: DTypeLike | None = None, *, device: str | None = None) -> NDArray:
    """A read-only array in host memory, one and the same for equal dtype, shape and values.

    Of at most 64 KiB; larger ones are new read-only arrays.  The cache is bounded: the least recently used are dropped,
    see `nd4py.memory.caches`.  Raises what `asarray` raises, ValueError for another device.

    >>> x = nd.constant([1.0, 2.0])
    >>> x is nd.constant([1.0, 2.0]), x.is_writable
    (True, False)
    """
    if device not in (None, "cpu"):
        raise ValueError(f"constant: constants are shared in host memory, given device={device!r}; copy one there")
    return shared_constant(asarray(obj, dtype=dtype))
