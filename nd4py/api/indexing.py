"""Selecting elements by arrays: take, masks and integer indices."""

from math import prod
from typing import Any

from .._core.annotations import Attributes, DTypeLike, Gradients, Operand
from .._core.array import NDArray
from .._core.dtype import dtype_of
from .._core.hooks import install
from .._core.shape import normalize_axis
from .._exec.conversion import empty, filled
from .._exec.tape import differentiable
from ..cpu.gather import check_indices, gather, positions, scatter
from .creation import arange, asarray
from .elementwise import equal
from .manipulation import ascontiguous

__all__ = ["one_hot", "take"]


def prepared(indices: Any, size: int) -> NDArray:
    """`indices` as a contiguous int64 array, all of them within an axis of `size`."""
    if not isinstance(indices, NDArray):
        indices = asarray(indices)
    if indices.dtype.kind not in "iu":
        raise IndexError(f"indices must be integers or one boolean mask, given an array of {indices.dtype}")
    whole = ascontiguous(indices.astype("int64", copy=False))
    check_indices(whole, size)
    return whole


def take_vjp(g: NDArray, inputs: tuple[NDArray, NDArray], output: NDArray, attributes: Attributes) -> Gradients:
    """Gradient of take: every slice of g added to where it came from."""
    x, indices = inputs
    axis = normalize_axis(attributes.get("axis", 0), x.ndim)
    full = filled(x.shape, x.dtype, 0)
    indices = prepared(indices, x.shape[axis])
    scatter(full, indices, ascontiguous(g), prod(x.shape[:axis]), x.shape[axis], True)
    return full, None


@differentiable(take_vjp)
def take_slices(x: NDArray, indices: NDArray, *, axis: int = 0) -> NDArray:
    """The slices of `x` along `axis` that `indices` of any shape name, in place of that axis."""
    axis = normalize_axis(axis, x.ndim)
    indices = prepared(indices, x.shape[axis])
    result = empty((*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :]), x.dtype)
    gather(ascontiguous(x), indices, result, prod(x.shape[:axis]), x.shape[axis])
    return result


def take(x: NDArray, indices: Any, /, *, axis: int = 0) -> NDArray:
    """The slices of `x` along `axis` that the 1-d integer array `indices` names; negative ones count from the end.

    Raises IndexError for indices out of range or not of an integer dtype.
    """
    return take_slices(x, indices if isinstance(indices, NDArray) else asarray(indices), axis=axis)


def one_hot(indices: Any, n: int, /, *, dtype: DTypeLike = "float32") -> NDArray:
    """An array of the shape (*indices.shape, n) with a one at each index and zeros elsewhere.

    Raises IndexError for indices outside [0, n).
    """
    indices = prepared(indices, n)
    return equal(indices.reshape(*indices.shape, 1), arange(n)).astype(dtype_of(dtype))


def selection(x: NDArray, key: Any) -> tuple[NDArray, int, NDArray]:
    """(flattened x, axis, integer indices) that stand for an index with one array.  Raises IndexError for others."""
    if isinstance(key, tuple) and len(key) == 1:
        key = key[0]
    if isinstance(key, tuple):
        axis = len(key) - 1
        if any(item != slice(None) for item in key[:-1]) or isinstance(key[-1], tuple):
            raise IndexError("an index array may follow full slices only, as in x[:, indices]; index in two steps")
        return x, axis, as_index(key[-1])
    mask = as_index(key)
    if mask.dtype != "bool":
        return x, 0, mask
    if mask.shape != x.shape[: mask.ndim]:
        raise IndexError(f"the mask has shape {mask.shape}, which does not begin the array's shape {x.shape}")
    flat = x.reshape(prod(mask.shape), *x.shape[mask.ndim :])
    return flat, 0, positions(ascontiguous(mask).reshape(-1))


def as_index(item: Any) -> NDArray:
    """`item` as an array.  Raises IndexError for what can be none."""
    try:
        return item if isinstance(item, NDArray) else asarray(item)
    except (TypeError, ValueError):
        raise IndexError(
            f"an index is made of ints, slices, ..., None, or one array of ints or bools; given {type(item).__name__}"
        ) from None


def getitem(x: NDArray, key: Any) -> NDArray:
    """x[key] where the key holds an array."""
    flat, axis, indices = selection(x, key)
    return take_slices(flat, indices, axis=axis)


def setitem(x: NDArray, key: Any, value: Operand) -> None:
    """x[key] = value where the key holds an array."""
    if x.node is not None or (isinstance(value, NDArray) and value.node is not None):
        raise ValueError("assignment: gradients do not flow through x[...] = value; use where or concat instead")
    if not x.is_writable:
        raise ValueError("assignment: this array is read-only; write to a copy, x.copy()")
    whole = ascontiguous(x)
    flat, axis, indices = selection(whole, key)
    indices = prepared(indices, flat.shape[axis])
    values = empty((*flat.shape[:axis], *indices.shape, *flat.shape[axis + 1 :]), x.dtype)
    values[...] = value
    scatter(flat, indices, values, prod(flat.shape[:axis]), flat.shape[axis], False)
    x[...] = whole


install(getitem=getitem, setitem=setitem)
