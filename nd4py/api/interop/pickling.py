"""Arrays in pickles: out of band, without a copy, from protocol 5 on (PEP 574)."""

from __future__ import annotations

import pickle
from typing import Any

from ..._core.annotations import Shape
from ..._core.array.array import NDArray
from ..._core.array.exits import refuse_tracked
from ..._core.interop.buffers import byte_view, to_bytes
from ..creation.sharing import frombuffer
from ..manipulation.manipulation import ascontiguous

__all__: list[str] = []


def reduce_ex(x: NDArray, protocol: int) -> tuple[Any, ...]:
    """How `x` is pickled: its elements in C order, its dtype and its shape.

    Raises TypeError for an array that is being differentiated.
    """
    refuse_tracked(x)
    source = ascontiguous(x)
    if protocol < 5:
        return from_pickle, (bytearray(to_bytes(source)), x.dtype.name, x.shape)
    return from_pickle, (pickle.PickleBuffer(byte_view(source)), x.dtype.name, x.shape)


def from_pickle(buffer: Any, dtype: str, shape: Shape) -> NDArray:
    """The array over a pickle's bytes; over a copy of them where they are out of alignment."""
    try:
        return frombuffer(buffer, dtype=dtype, shape=shape)
    except BufferError:
        return frombuffer(bytearray(buffer), dtype=dtype, shape=shape)
