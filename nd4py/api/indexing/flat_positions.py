"""Positions in C or Fortran order and indices of all axes: unravel_index and ravel_multi_index."""

from __future__ import annotations

import math
from typing import Any

from ..._core.annotations import Shape, Sizes
from ..._core.array.array import NDArray
from ..._core.whole_numbers import count, is_whole, items, named, named_order
from ..._exec.autodiff.nodes import is_array
from ..arguments import to_check
from ..creation.creation import asarray
from ..creation.data_types import int64
from ..elementwise.elementwise import floor_divide, remainder
from ..elementwise.where_clip import clip
from ..operands import are_plain, beside
from ..reductions.reductions import max as largest
from ..reductions.reductions import min as smallest

__all__ = ["ravel_multi_index", "unravel_index"]

MOST = 2**63  # elements
MODES = ("raise", "wrap", "clip")


def whole_indices(name: str, given: Any) -> NDArray:
    """Indices as an int64 array.  Raises TypeError for other numbers."""
    x = asarray(given)
    if x.size == 0 and not is_array(given):
        return x.astype("int64")
    if x.dtype.kind not in "iu":
        raise TypeError(f"{name}: indices must be integers, given {x.dtype}")
    return x if x.dtype is int64 else x.astype(int64)


def checked(name: str, x: NDArray, size: int) -> NDArray:
    """`x`, none of whose elements lies outside [0, size).  Raises ValueError."""
    seen = to_check(x)
    if x.size and not 0 <= (least := smallest(seen).item()) <= (most := largest(seen).item()) < size:
        raise ValueError(f"{name}: index {least if least < 0 else most} is out of range for size {size}")
    return x


def sizes_of(name: str, shape: Sizes) -> Shape:
    """A shape as a tuple.  Raises ValueError where no memory has so many elements."""
    if type(shape) is tuple and all(type(size) is int and size > 0 for size in shape) and math.prod(shape) < MOST:
        return shape
    sizes = tuple(count(f"{name}: a size", size) for size in ((shape,) if is_whole(shape) else items(name, shape)))
    count(f"{name}: the number of elements", math.prod(sizes))
    return sizes


def unravel_index(indices: Any, shape: Sizes, order: str = "C") -> tuple[NDArray, ...]:
    """The indices along each axis of a shape for positions in C order, or in Fortran's ("F").

    Returns an int64 array of the shape of `indices` for each axis.
    Raises ValueError for positions outside the array, TypeError for those that are no integers.

    >>> [x.tolist() for x in nd.unravel_index([1, 5], (2, 3))]
    [[0, 1], [1, 2]]
    """
    sizes = sizes_of("unravel_index: shape", shape)
    if order not in ("C", "F"):
        order = named_order("unravel_index: order", order, ("C", "F"))
    x = checked("unravel_index", whole_indices("unravel_index", indices), math.prod(sizes))
    if not sizes and x.ndim:
        raise ValueError("unravel_index: an array without dimensions has no indices")
    if not x.ndim and sizes and are_plain(x):
        return indices_of_one(x.item(), sizes, order)
    found = []
    for size in sizes[:0:-1] if order == "C" else sizes[:-1]:
        quotient = floor_divide(x, size)
        found.append(x - quotient * size)
        x = quotient
    if sizes:
        found.append(x)
    return tuple(found[::-1] if order == "C" else found)


def indices_of_one(position: int, sizes: Shape, order: str) -> tuple[NDArray, ...]:
    """The same for a single position."""
    found = []
    for size in sizes[:0:-1] if order == "C" else sizes[:-1]:
        position, index = divmod(position, size)
        found.append(asarray(index))
    found.append(asarray(position))
    return tuple(found[::-1] if order == "C" else found)


def ravel_multi_index(multi_index: Any, dims: Sizes, mode: Any = "raise", order: str = "C") -> NDArray:
    """The positions, in C order or in Fortran's ("F"), of the elements with these indices along each axis.

    multi_index: a tuple with an array of indices for each axis; dims: the shape.
    mode: what to do with indices outside: "raise" an error, "wrap" around, or "clip" them; one text, or one for each.
    Raises ValueError for indices outside and a wrong number of them, TypeError for those that are no integers.

    >>> nd.ravel_multi_index(([0, 1], [1, 2]), (2, 3)).tolist()
    [1, 5]
    """
    sizes = sizes_of("ravel_multi_index: dims", dims)
    given = list(multi_index) if is_array(multi_index) else items("ravel_multi_index: multi_index", multi_index)
    modes = (mode,) * len(sizes) if isinstance(mode, str) else items("ravel_multi_index: mode", mode)
    order = named_order("ravel_multi_index: order", order, ("C", "F"))
    if not len(given) == len(sizes) == len(modes) or not sizes:
        raise ValueError(f"ravel_multi_index: {len(given)} indices and {len(modes)} modes for {len(sizes)} axes")
    position: Any = 0
    step = 1
    for x, size, how in list(zip(given, sizes, modes, strict=True))[:: -1 if order == "C" else 1]:
        array = whole_indices("ravel_multi_index", x)
        position = (
            inside(array if is_array(position) is False else beside(position, array), size, how) * step + position
        )
        step *= size
    result: NDArray = position
    return result


def inside(x: NDArray, size: int, mode: str, name: str = "ravel_multi_index") -> NDArray:
    """Indices within [0, size), in one of the three ways."""
    named(f"{name}: mode", mode, MODES)
    if mode == "raise":
        return checked(name, x, size)
    return clip(x, 0, size - 1) if mode == "clip" else remainder(x, size)
