"""take: slices at given indices along an axis."""

from typing import Any

from ..._core.array.array import NDArray
from ..._core.layout.shape import normalize_axis
from ..._exec.concat import as_array
from ..._exec.indexing.index_keys import Layout, as_index
from ..._exec.indexing.indexing import selected

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


def take(x: NDArray, indices: Any, /, axis: int | None = None) -> NDArray:
    """The slices of `x` along `axis` at integer `indices`; negative ones count from the end.

    x: (..., n, ...)    indices: any shape, each in [-n, n)    Returns (..., *indices.shape, ...), of the dtype of `x`.
    axis: may be left out where `x` has one axis.
    Raises IndexError for indices out of range or not of an integer dtype, ValueError for an axis that is missing or
    out of range.
    """
    x = as_array(x)
    if axis is None and x.ndim != 1:
        raise ValueError(
            f"take: say along which axis of shape {x.shape}; to index its elements in C order, take(x.reshape(-1), ...)"
        )
    return selected(x, along("take", x, indices, 0 if axis is None else axis))
