"""Sizes of our arrays as dask sees them, by which it places tasks and keeps within a worker's memory."""

from __future__ import annotations

from dask.sizeof import sizeof

from ..._core.array.array import NDArray
from ..._core.lazy.deferred import DeferredArray

__all__: list[str] = []


def register() -> None:
    """dask counts the bytes of objects, and not those of the arrays that they stand for."""
    for kind in (NDArray, DeferredArray):
        sizeof.register(kind)(bytes_of)


def bytes_of(x: NDArray) -> int:
    """The bytes of the elements and of the object."""
    return int(x.nbytes) + x.__sizeof__()
