"""Creation of dask arrays whose chunks are our arrays, as dask is configured with `array.backend: nd4py`.

Design: an entry point of the package names `creation`, so dask calls it when the configuration asks for it, also where
nobody has imported nd4py.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

import dask.array
import numpy
from dask import config

from ..._core.array.array import NDArray
from ..creation.creation import asarray, zeros

__all__: list[str] = []

CREATED = ("ones", "zeros", "empty", "full", "arange")


def creation() -> Any:
    """What dask asks for new arrays; random numbers are NumPy's, `to_backend` makes them ours."""
    base = import_module("dask.array.backends").ArrayBackendEntrypoint
    methods: dict[str, Callable[..., Any]] = {name: staticmethod(partial(create, name)) for name in CREATED}
    others = {
        "to_backend": staticmethod(with_our_chunks),
        "RandomState": numpy.random.RandomState,
        "default_bit_generator": numpy.random.PCG64,
    }
    return type("ArraysOfOurs", (base,), methods | others)()


def create(name: str, /, *arguments: Any, meta: Any = None, **options: Any) -> Any:
    """What this function of dask.array makes, with our chunks."""
    with config.set({"array.backend": "numpy"}):
        return with_our_chunks(getattr(dask.array, name)(*arguments, **options))


def with_our_chunks(data: Any, **options: Any) -> Any:
    """The same dask array with our arrays as chunks."""
    if isinstance(data._meta, NDArray):
        return data
    return data.map_blocks(asarray, meta=zeros((0,) * data.ndim, dtype=str(data.dtype)), **options)
