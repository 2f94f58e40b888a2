"""take: slices at given indices along an axis."""

from __future__ import annotations

from typing import Any

from ..._core.annotations import Operand
from ..._core.array.array import NDArray
from ..._core.layout.shape import normalize_axis
from ..._core.whole_numbers import named
from ..._exec.concat import as_array
from ..._exec.indexing.index_keys import Layout, as_index
from ..._exec.indexing.indexing import selected
from ..arguments import into
from ..elementwise.elementwise import maximum, minimum, remainder

__all__ = ["take"]


def integers(name: str, indices: Any) -> NDArray:
    """`indices` as an integer array.  Raises IndexError for any other."""
    array = as_index(indices)
    if array.dtype.kind == "b":
        raise IndexError(f"{name}: indices must be integers, given bools; use x[mask], or nonzero(mask) as indices")
    return array


def along(name: str, x: NDArray, indices: Any, axis: int) -> Layout:
    """The shape of `x` with one axis replaced by those of `indices`."""
    axis = normalize_axis(axis, x.ndim)
    return Layout((), (integers(name, indices),), (axis,), (axis,), axis)


def take(
    x: Operand, /, indices: Any, axis: int | None = None, out: NDArray | None = None, mode: str = "raise"
) -> NDArray:
    """The slices of `x` along `axis` at integer `indices`; negative ones count from the end.

    x: (..., n, ...)    indices: any shape, each in [-n, n)    Returns (..., *indices.shape, ...), of the dtype of `x`.
    axis: None takes from the elements in C order.  out: takes the result.
    mode: what to do with indices outside: "raise" an error, "wrap" around, or "clip" them, negative ones to 0.
    Raises IndexError for indices out of range or not of an integer dtype, ValueError for an axis that is out of range,
    or another mode.

    >>> nd.take([10, 20, 30], [2, 0])
    array([30, 10], dtype=int64)
    """
    x = as_array(x)
    if axis is None:
        x, axis = x if x.ndim == 1 else x.reshape(-1), 0
    if mode != "raise":
        indices = within(integers("take", indices), x.shape[normalize_axis(axis, x.ndim)], mode)
    taken = selected(x, along("take", x, indices, axis))
    return taken if out is None else into("take", taken, out)


def within(indices: NDArray, size: int, mode: str) -> NDArray:
    """Indices wrapped around or clipped.  Raises ValueError for another mode, IndexError where there are no slices."""
    named("take: mode", mode, ("raise", "wrap", "clip"))
    if size == 0 and indices.size:
        raise IndexError("take: the axis has no slices to take")
    wide = indices.astype("int64", copy=False)
    return remainder(wide, max(size, 1)) if mode == "wrap" else minimum(maximum(wide, 0), max(size, 1) - 1)
