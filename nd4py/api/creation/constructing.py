"""What NumPy's class makes when it is called: an array of a shape, over the memory of another object if one is given.

Programs use it beside `multiprocessing.shared_memory`: `nd.ndarray(shape, dtype, buffer=shared.buf)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from ..._core.annotations import DTypeLike, Sizes
from ..._core.array.array import NDArray
from ..._core.array.numpy_methods import strided
from ..._core.dtype import dtype_of
from ..._core.whole_numbers import count, is_whole, items, named_order
from . import sharing
from .creation import empty

__all__: list[str] = []


def construct(
    shape: Sizes,
    dtype: DTypeLike = float,
    buffer: Any = None,
    offset: int = 0,
    strides: Sequence[int] | None = None,
    order: str | None = None,
) -> NDArray:
    """An uninitialised array, or one over the memory of `buffer`, as NumPy's constructor has it.

    Raises TypeError for what is no shape or has no bytes, ValueError for a buffer that is too small, and strides
    without one, or that lead out of it.
    """
    order = named_order("ndarray: order", order, ("C", "F", None)) or "C"
    if buffer is None:
        if strides is not None:
            raise ValueError("ndarray: strides need a buffer; a new array lies in order, 'C' or 'F'")
        return empty(shape, dtype, order)
    given = (shape,) if is_whole(shape) else items("ndarray: shape", shape)
    sizes = tuple(count("ndarray: a size", size) for size in given)
    target = dtype_of(dtype)
    n_elements = prod(sizes)
    if n_elements == 0:
        return empty(sizes, target)
    if strides is None:
        x = sharing.frombuffer(buffer, target, n_elements, offset)
        return x.reshape(sizes) if order == "C" else x.reshape(sizes[::-1]).permute_dims(range(len(sizes))[::-1])
    start = count("ndarray: offset", offset)
    n_bytes = memoryview(buffer).nbytes - start
    x = sharing.frombuffer(buffer, target, max(n_bytes, 0) // target.itemsize, start)
    view: NDArray = strided(x, sizes, strides, True)
    return view
