"""Keys that hold arrays, on devices: what they say about an array there.

Design: several index arrays become one, over their axes brought together; so every kind of key comes down to slices
along one axis, at the price of a copy where the axes cannot be joined in place.
"""

import operator
from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple

from .._core.annotations import Shape
from .._core.array import NDArray
from .._core.devices import backends
from .._core.released import type_name
from .._exec.functions import unsupported
from .._exec.nodes import constant
from .._exec.placement import is_array, to_device
from .._spec.dtypes import DEFAULT_INT
from . import creation
from .elementwise import add, multiply
from .index_drivers import nonzero, numbers_from_front
from .manipulation import ascontiguous, broadcast_shapes, broadcast_to

__all__: list[str] = []

ALL = slice(None)


class Key(NamedTuple):
    """A key that holds arrays.

    view: the key of a view of the array, whose axes the arrays index
    order: that view's axes, with those that are indexed side by side
    where, n: the first of these in that order, and how many there are
    numbers: int64 numbers from the front, of the axes joined to one
    """

    view: tuple[Any, ...]
    order: Shape
    where: int
    n: int
    numbers: NDArray


def parse(x: NDArray, key: Any) -> Key:
    """What a key with arrays says about an array on a device.

    Raises IndexError for what can be no index, too many of them, a mask of another shape, or one out of range.
    """
    items = spread(x, [resolved(x, item) for item in (key if isinstance(key, tuple) else (key,))])
    view: list[Any] = []
    arrays: list[NDArray] = []
    axes: list[int] = []
    for item in items:
        if is_array(item):
            arrays.append(item)
            axes.append(sum(not isinstance(other, int) for other in view))
        view.append(ALL if is_array(item) else item)
    seen = constant(x)[tuple(view)]
    numbers = [numbers_from_front(array, seen.shape[axis], axis) for array, axis in zip(arrays, axes, strict=True)]
    shape = broadcast_index(numbers)
    where = axes[0] if are_side_by_side(items) else 0
    rest = [i for i in range(seen.ndim) if i not in axes]
    order = (*rest[:where], *axes, *rest[where:])
    index = numbers[0]
    for number, axis in zip(numbers[1:], axes[1:], strict=True):
        index = add(multiply(index, seen.shape[axis]), number)
    return Key(tuple(view), order, where, len(axes), ascontiguous(broadcast_to(index, shape)))


def resolved(x: NDArray, item: Any) -> Any:
    """An item of a key as a slice, None, Ellipsis, int, or an array beside `x`."""
    if item is None or item is Ellipsis or isinstance(item, slice):
        return item
    if isinstance(item, int) and not isinstance(item, bool):
        return item
    if not is_array(item):
        if hasattr(item, "__index__") and not hasattr(item, "dtype") and not isinstance(item, bool):
            return operator.index(item)
        item = index_of(item)
    if type(item) not in backends:
        item = to_device(item, x.device, None)
    if item.dtype.kind not in "biu":
        raise IndexError(f"indices must be integers or bools, given {item.dtype}; convert first, x.astype(int)")
    return item if item.dtype.kind == "b" else item.astype(DEFAULT_INT, copy=False)


def index_of(item: Any) -> NDArray:
    """A list, or anything else that is no array, as one on the host."""
    try:
        array = creation.asarray(item)
    except (TypeError, ValueError):
        raise IndexError(
            f"an index is made of ints, slices, ..., None, and arrays of ints or bools; given {type_name(item)}"
        ) from None
    return array.astype(DEFAULT_INT) if array.size == 0 and isinstance(item, list | tuple) else array


def axes_taken(item: Any) -> int:
    """How many axes an item of a key stands for."""
    if is_array(item) and item.dtype.kind == "b":
        return int(item.ndim)
    return 0 if item is None or item is Ellipsis else 1


def spread(x: NDArray, items: list[Any]) -> list[Any]:
    """The items with one for each axis: full slices for an Ellipsis, a mask as its positions along each axis."""
    n_rest = x.ndim - sum(map(axes_taken, items))
    if n_rest < 0:
        raise IndexError(f"too many indices: {x.ndim - n_rest} for an array of shape {x.shape}")
    if sum(item is Ellipsis for item in items) > 1:
        raise IndexError("an index can only have one ellipsis '...'")
    result: list[Any] = []
    axis = 0
    for item in items:
        if item is Ellipsis:
            result += [ALL] * n_rest
            axis += n_rest
            continue
        if is_array(item) and item.dtype.kind == "b":
            result += positions_of(x, item, axis)
        else:
            result.append(item)
        axis += axes_taken(item)
    return result


def positions_of(x: NDArray, mask: NDArray, axis: int) -> Sequence[NDArray]:
    """A mask's positions along each of its axes.  Raises IndexError unless it has the sizes of those of `x`."""
    if mask.ndim == 0:
        raise unsupported("a mask without dimensions beside other indices has no kernels")
    if not all(n in (0, size) for n, size in zip(mask.shape, x.shape[axis:], strict=False)):
        raise IndexError(
            f"the mask has shape {mask.shape}, not that of the axes it stands for: "
            f"{x.shape[axis : axis + mask.ndim]} of {x.shape}"
        )
    return nonzero(mask)


def are_side_by_side(items: list[Any]) -> bool:
    """Whether arrays and ints follow each other in the key, so that the arrays' shape takes their place."""
    runs = 0
    is_in_run = False
    for item in items:
        is_index = is_array(item) or isinstance(item, int)
        runs += is_index and not is_in_run
        is_in_run = is_index
    return runs == 1


def broadcast_index(arrays: list[NDArray]) -> Shape:
    """The shape that index arrays broadcast to.  Raises IndexError."""
    try:
        return broadcast_shapes(*(x.shape for x in arrays))
    except ValueError:
        given = " and ".join(str(x.shape) for x in arrays)
        raise IndexError(f"the index arrays have shapes {given}, which do not broadcast") from None


def seen_by(x: NDArray, key: Key) -> NDArray:
    """The view of a key, its indexed axes together; without the dots, one element would be a copy."""
    return x[(*key.view, ...)].permute_dims(key.order)


def joined(x: NDArray, key: Key) -> tuple[NDArray, Shape, Shape]:
    """(the view of a key with its indexed axes joined to one, the sizes before them, those behind)."""
    seen = seen_by(x, key)
    before, behind = seen.shape[: key.where], seen.shape[key.where + key.n :]
    size = prod(seen.shape[key.where : key.where + key.n])
    return seen.reshape((*before, size, *behind)), before, behind


def is_mask_of_none(key: Any) -> bool:
    """Whether a key is one truth value, which chooses the whole array or nothing."""
    return isinstance(key, bool) or (is_array(key) and key.dtype.kind == "b" and key.ndim == 0)


def is_whole_mask(x: Any, key: Any) -> bool:
    """Whether a key is one mask of the shape of `x`, on its device."""
    return type(key) in backends and key.dtype.kind == "b" and key.shape == x.shape and key.ndim > 0
