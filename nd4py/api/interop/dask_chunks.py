"""Our arrays as chunks of dask arrays, and beside them in operators."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy
from dask.array.chunk_types import register_chunk_type
from dask.array.dispatch import percentile_lookup, to_numpy_dispatch

from ..._core.array.array import NDArray
from ..._core.lazy.deferred import DeferredArray
from .dask_creation import creation

__all__: list[str] = []


def register() -> None:
    """dask leaves operators to types that it does not know; of ours it makes chunks."""
    own = percentile_lookup.dispatch(numpy.ndarray)

    def percentile(a: Any, q: Any, method: str = "linear") -> Any:
        return own(numpy.asarray(a), q, method)

    for kind in (NDArray, DeferredArray):
        register_chunk_type(kind)
        percentile_lookup.register(kind)(percentile)
        to_numpy_dispatch.register(kind)(numpy.asarray)
    import_module("dask.array.backends").array_creation_dispatch.register_backend("nd4py", creation())
