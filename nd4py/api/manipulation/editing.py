"""Arrays with slices taken out, put in, repeated or cut off: delete, insert, resize, trim_zeros and rollaxis."""

from __future__ import annotations

import math
from typing import Any

from ..._core.annotations import Axes, Operand, Sizes
from ..._core.array.array import NDArray
from ..._core.layout.shape import normalize_axis
from ..._core.whole_numbers import count, is_whole, items, whole
from ..._exec.concat import as_array
from ..._exec.device.creation_by_device import empty
from ..._exec.device.placement import filled_beside
from ..arguments import tells_its_name
from ..indexing.nonzero import flatnonzero, nonzero
from ..indexing.take import take
from ..operands import beside, numbers_beside
from ..reductions.reductions import max, min
from ..sorting.sorting import argsort
from .manipulation import ALL, axes_of, concat, moveaxis

__all__ = ["delete", "insert", "resize", "rollaxis", "trim_zeros"]


def along(x: NDArray, axis: int | None) -> tuple[NDArray, int]:
    """The array and the axis that slices are counted on; None flattens."""
    return (x.reshape(-1), 0) if axis is None else (x, normalize_axis(axis, x.ndim))


def place_of(name: str, index: int, size: int, end: int) -> int:
    """An index counted from the front.  Raises IndexError outside [-size, end)."""
    if not -size <= index < end:
        raise IndexError(f"{name}: index {index} is out of range for an axis of size {size}")
    return index + size if index < 0 else index


def is_index(obj: Any) -> bool:
    """Whether `obj` names one slice: a whole number, not an array with axes, nor a bool."""
    kind = getattr(getattr(obj, "dtype", None), "kind", "b" if isinstance(obj, bool) else "i")
    return is_whole(obj) and getattr(obj, "ndim", 0) == 0 and kind in "iu"


def delete(arr: Operand, obj: Any, axis: int | None = None) -> NDArray:
    """A copy of `arr` without the slices along `axis` that `obj` names; None deletes from the flattened array.

    obj: an index, a slice, a sequence of indices, or a mask.
    Raises IndexError for an index out of range or of another kind, ValueError for a mask of another size.

    >>> nd.delete(nd.asarray([1, 2, 3, 4]), [0, 2]).tolist()
    [2, 4]
    """
    x, axis = along(as_array(arr), axis)
    size, before = x.shape[axis], (ALL,) * axis
    if isinstance(obj, slice):
        taken = range(size)[obj]
        if len(taken) == 0:
            return x.copy()
        if abs(taken.step) == 1 or len(taken) == 1:
            first, last = sorted((taken[0], taken[-1]))
            return concat([x[(*before, slice(first))], x[(*before, slice(last + 1, None))]], axis)
    elif is_index(obj):
        i = place_of("delete", whole("delete: obj", obj), size, size)
        return concat([x[(*before, slice(i))], x[(*before, slice(i + 1, None))]], axis)
    keep = filled_beside(x, (size,), "bool", True)
    keep[obj if isinstance(obj, slice) else named_slices("delete", obj, size)] = False
    return x[(*before, keep)] if axis == 0 else take(x, flatnonzero(keep), axis)


def named_slices(name: str, obj: Any, size: int) -> NDArray:
    """A sequence of indices, or a mask, as an array.

    Raises ValueError for a mask of another size, IndexError for other elements, or more axes than one.
    """
    indices = as_array(obj)
    if indices.size == 0 and not isinstance(obj, NDArray):
        return indices.reshape(-1).astype("int64")
    if indices.dtype.kind == "b" and indices.shape != (size,):
        raise ValueError(f"{name}: a mask for an axis of size {size} has that size, given shape {indices.shape}")
    if indices.dtype.kind not in "biu" or (name == "insert" and indices.ndim > 1):
        raise IndexError(f"{name}: obj must be indices or a mask, given {indices.dtype} of shape {indices.shape}")
    return indices.reshape(-1)


@tells_its_name
def insert(arr: Operand, obj: Any, values: Any, axis: int | None = None) -> NDArray:
    """A copy of `arr` with `values` in front of the slices along `axis` that `obj` names; None flattens `arr`.

    obj: an index, a slice, a sequence of indices, or a mask; values: as in arr[..., obj, ...] = values, in the dtype of
    `arr`.
    Raises IndexError for an index out of range, ValueError for shapes that do not fit, TypeError for complex values
    among real ones.

    >>> nd.insert(nd.asarray([1, 2, 3]), 1, [8, 9]).tolist()
    [1, 8, 9, 2, 3]
    """
    x, axis = along(as_array(arr), axis)
    size = x.shape[axis]
    if isinstance(obj, slice):
        indices = numbers_beside(x, 0, size)[obj]
    elif is_index(obj):
        return inserted_at(x, place_of("insert", whole("insert: obj", obj), size, size + 1), values, axis, True)
    else:
        indices = named_slices("insert", obj, size)
        indices = flatnonzero(indices) if indices.dtype.kind == "b" else indices.astype("int64", copy=False)
    if indices.size == 1:
        is_number = getattr(obj, "ndim", 1) == 0
        return inserted_at(x, place_of("insert", indices.item(), size, size + 1), values, axis, is_number)
    if indices.size == 0:
        return inserted_each(x, indices, values, axis)
    for i in (min(indices).item(), max(indices).item()):
        place_of("insert", i, size, size + 1)
    return inserted_each(x, indices + (indices < 0) * size, values, axis)


def as_assigned(x: NDArray, values: NDArray) -> NDArray:
    """`values` without axes of size 1 in front of as many as `x` has, as where they are assigned."""
    n_more = values.ndim - x.ndim if values.ndim > x.ndim else 0
    if any(size != 1 for size in values.shape[:n_more]):
        raise ValueError(f"insert: values of shape {values.shape} have more axes than shape {x.shape}")
    return values.reshape(values.shape[n_more:])


def inserted_at(x: NDArray, index: int, values: Any, axis: int, is_number: bool) -> NDArray:
    """`values` in front of one slice; for an index that is a number their first axis lies along `axis`."""
    y = beside(x, as_array(values)).astype(x.dtype, copy=False)
    y = y[(None,) * (x.ndim - y.ndim) + (...,)]
    y = moveaxis(y, 0, axis) if is_number else y
    y = as_assigned(x, y).broadcast_to((*x.shape[:axis], y.shape[axis], *x.shape[axis + 1 :]))
    before = (ALL,) * axis
    return concat([x[(*before, slice(index))], y, x[(*before, slice(index, None))]], axis)


FEW = 32  # places at which pieces are joined one after the other


def inserted_each(x: NDArray, indices: NDArray, values: Any, axis: int) -> NDArray:
    """A slice of `values` in front of each of several slices, which `indices` names, counted from the front."""
    n, size = indices.size, x.shape[axis]
    y = as_assigned(x, beside(x, as_array(values)).astype(x.dtype, copy=False))
    y = y.broadcast_to((*x.shape[:axis], n, *x.shape[axis + 1 :]))
    order, before = argsort(indices), (ALL,) * axis
    if n <= FEW:
        pieces, start = [], 0
        for i, end in zip(order.tolist(), take(indices, order).tolist(), strict=True):
            pieces += [x[(*before, slice(start, end))], y[(*before, slice(i, i + 1))]]
            start = end
        return concat([*pieces, x[(*before, slice(start, None))]], axis)
    slots = take(indices, order) + numbers_beside(x, 0, n)
    is_old = filled_beside(x, (size + n,), "bool", True)
    is_old[slots] = False
    sources = empty((size + n,), "int64", device=x.device)
    sources[slots] = order + size
    sources[is_old] = numbers_beside(x, 0, size)
    return take(concat([x, y], axis), sources, axis)


def resize(a: Operand, new_shape: Sizes) -> NDArray:
    """An array of another shape, filled with the elements of `a` in C order, again and again where there are too few.

    new_shape: a size or a tuple of sizes.
    Returns zeros where `a` has none.  Raises ValueError for a negative size, TypeError for one that is not whole.

    >>> nd.resize(nd.asarray([1, 2, 3]), (2, 4)).tolist()
    [[1, 2, 3, 1], [2, 3, 1, 2]]
    """
    x = as_array(a).reshape(-1)
    given = (new_shape,) if is_whole(new_shape) else items("resize: new_shape", new_shape)
    shape = tuple(count("resize: a size", size) for size in given)
    n = count("resize: the number of elements", math.prod(shape))
    if x.size == 0 or n == 0:
        return filled_beside(x, shape, x.dtype, 0)
    if n <= x.size:
        return x[:n].reshape(shape, copy=True)
    whole_copies, rest = divmod(n, x.size)
    copies = x.broadcast_to((whole_copies, x.size))
    if x.node is not None:
        return concat([copies.reshape(-1), x[:rest]]).reshape(shape)
    result = empty((n,), x.dtype, device=x.device)
    result[: n - rest].reshape(whole_copies, x.size)[...] = copies
    result[n - rest :] = x[:rest]
    return result.reshape(shape)


def trim_zeros(filt: Any, trim: str = "fb", axis: Axes = None) -> Any:
    """`filt` without the zeros at its ends: the smallest part along `axis` that holds all other elements.

    trim: "f" cuts in front, "b" behind, "fb" both; axis: an axis, several, or all (None).
    Returns a view of an array, a list for a list of numbers.  Raises ValueError for another `trim`, or a wrong axis.

    >>> nd.trim_zeros(nd.asarray([0, 0, 1, 0, 2, 0])).tolist()
    [1, 0, 2]
    """
    x = as_array(filt)
    if not isinstance(trim, str) or trim.lower() not in ("fb", "bf", "f", "b"):
        raise ValueError(f"trim_zeros: trim must be 'f', 'b' or 'fb', given {trim!r}")
    axes = range(x.ndim) if axis is None else axes_of(axis, x.ndim)
    if x.ndim == 0 or not len(axes):
        return filt
    found = nonzero(x)
    key: list[slice] = [ALL] * x.ndim
    for i in axes:
        if found[0].size == 0:
            key[i] = slice(0, 0)
            continue
        first, last = (found[i][0], found[i][-1]) if i == 0 else (found[i].min(), found[i].max())
        key[i] = slice(first.item() if "f" in trim.lower() else None, last.item() + 1 if "b" in trim.lower() else None)
    return filt[key[0]] if x.ndim == 1 and isinstance(filt, list | tuple) else x[tuple(key)]


def rollaxis(a: Operand, axis: int, start: int = 0) -> NDArray:
    """The view of `a` with one axis moved in front of the axis `start`; `moveaxis` says the same more simply.

    Raises ValueError for an axis or a start that is out of range, TypeError for one that is no whole number.

    >>> nd.rollaxis(nd.ones((3, 4, 5)), 2).shape
    (5, 3, 4)
    """
    x = as_array(a)
    axis = normalize_axis(axis, x.ndim)
    start = whole("rollaxis: start", start)
    if not -x.ndim <= start <= x.ndim:
        raise ValueError(f"rollaxis: start must lie in [-{x.ndim}, {x.ndim}], given {start}")
    start = start + x.ndim if start < 0 else start
    order = [*range(axis), *range(axis + 1, x.ndim)]
    order.insert(start - 1 if axis < start else start, axis)
    return x.permute_dims(tuple(order))
