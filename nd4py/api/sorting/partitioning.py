"""partition, argpartition, lexsort and sort_complex."""

from collections.abc import Sequence
from typing import Any

from ..._core.array.array import NDArray
from ..._core.layout.shape import normalize_axis
from ..._core.whole_numbers import is_whole, items, named, whole
from ..._exec.autodiff.nodes import is_array
from ..._exec.concat import as_array
from ..._exec.device.placement import filled_beside
from ..creation.creation import asarray
from ..elementwise.elementwise import less, less_equal, logical_not, logical_or
from ..indexing.nonzero import flatnonzero
from ..indexing.take import take
from ..indexing.take_along_axis import take_along_axis
from ..manipulation.manipulation import concat, moveaxis
from ..operands import numbers_beside
from ..reductions.reductions import count_nonzero
from .sorting import argsort, sort

__all__ = ["argpartition", "lexsort", "partition", "sort_complex"]


def checked(name: str, x: NDArray, kth: Any, axis: int | None, kind: str, order: Any) -> None:
    """Raises ValueError for a position outside the axis, or another kind, TypeError for one that is not whole."""
    named(f"{name}: kind", kind, ("introselect",))
    if order is not None:
        raise ValueError(f"{name}: order names fields of records, which nd4py lacks; pass None")
    size = x.size if axis is None else x.shape[normalize_axis(axis, x.ndim)]
    for k in items(f"{name}: kth", asarray(kth).reshape(-1).tolist()):
        if not -size <= whole(f"{name}: kth", k) < size:
            raise ValueError(f"{name}: kth must lie in [-{size}, {size}), given {k}")


def partition(
    a: NDArray, kth: int | Sequence[int], axis: int | None = -1, kind: str = "introselect", order: None = None
) -> NDArray:
    """The elements of `a` along `axis` with that at `kth` where sorting puts it, smaller ones before, larger behind.

    The order of those is not told: it is that of `sort`, or for one long line that of `a` in parts.
    Raises ValueError for a position outside the axis, TypeError for complex dtypes.

    >>> nd.partition(nd.asarray([3, 1, 2]), 1).tolist()
    [1, 2, 3]
    """
    x = as_array(a)
    checked("partition", x, kth, axis, kind, order)
    parts = parts_around(x, kth)
    if parts is None:
        return sort(x, axis)
    below, middle, above = (x[part] for part in parts)
    return concat([below, sort(middle), above])


def argpartition(
    a: NDArray, kth: int | Sequence[int], axis: int | None = -1, kind: str = "introselect", order: None = None
) -> NDArray:
    """The indices along `axis`, int64, that bring the elements in the order of `partition`.

    kind: accepted, and changes nothing.
    Raises ValueError for a position outside the axis, TypeError for complex dtypes.

    >>> nd.argpartition(nd.asarray([3, 1, 2]), 1).tolist()
    [1, 2, 0]
    """
    x = as_array(a)
    checked("argpartition", x, kth, axis, kind, order)
    parts = parts_around(x, kth)
    if parts is None:
        return argsort(x, axis)
    below, middle, above = map(flatnonzero, parts)
    return concat([below, take(middle, argsort(take(x, middle))), above])


LONG = 200_000  # elements from which three masks take less time than a sort
N_SAMPLES, MARGIN = 4096, 128  # the rank of a sample is within four standard deviations of its share of the elements


def parts_around(x: NDArray, kth: Any) -> tuple[NDArray, NDArray, NDArray] | None:
    """Masks of the elements of one long line below, around and above that at `kth`; None where sorting is as good.

    Bounds around it are looked up in a sorted sample (Floyd & Rivest 1975, "Expected time bounds for selection").
    """
    if x.ndim != 1 or x.size < LONG or x.node is not None or not is_whole(kth) or getattr(kth, "ndim", False):
        return None
    k = whole("partition: kth", kth) % x.size
    sample = sort(x[:: x.size // N_SAMPLES])
    rank = k * sample.size // x.size
    low, high = rank - MARGIN, rank + MARGIN
    none = filled_beside(x, (), "bool", False)
    below = less(x, sample[low]) if low >= 0 else none.broadcast_to(x.shape)
    above = logical_not(less_equal(x, sample[high])) if high < sample.size else none.broadcast_to(x.shape)
    n_below, n_above = count_nonzero(below).item(), count_nonzero(above).item()
    if not n_below <= k < x.size - n_above:
        return None
    return below, logical_not(logical_or(below, above)), above


def lexsort(keys: Sequence[Any] | NDArray, axis: int = -1) -> NDArray:
    """The indices, int64, that sort by several keys of one shape: by the last, where that is equal by the one before,
    and so on.  Elements with equal keys keep their order.

    Raises ValueError for no keys or shapes that differ, TypeError for complex dtypes.

    >>> nd.lexsort(([1, 2, 3], [5, 4, 5])).tolist()
    [1, 0, 2]
    """
    given = list(keys) if is_array(keys) and keys.ndim else items("lexsort: keys", keys)
    arrays = [as_array(key) for key in given]
    if not arrays:
        raise ValueError("lexsort: needs one key at least")
    if len({x.shape for x in arrays}) > 1:
        raise ValueError(f"lexsort: keys must have one shape, given {[x.shape for x in arrays]}")
    if arrays[0].ndim == 0:
        return numbers_beside(arrays[0], 0, 1).reshape(())
    axis = normalize_axis(axis, arrays[0].ndim)
    lines = [moveaxis(x, axis, -1) for x in arrays]
    order = argsort(lines[0])
    for x in lines[1:]:
        order = take_along_axis(order, argsort(take_along_axis(x, order)))
    return moveaxis(order, -1, axis)


def sort_complex(a: NDArray) -> NDArray:
    """The elements along the last axis as complex numbers, sorted by their real parts, then by the imaginary ones.

    Returns complex64 for small integers, halves and complex64, else complex128.
    Raises ValueError without axes, TypeError for an argument that cannot become an array.

    >>> nd.sort_complex(nd.asarray([2 + 1j, 1 + 2j, 1 - 1j])).tolist()
    [(1-1j), (1+2j), (2+1j)]
    """
    x = as_array(a)
    if x.ndim == 0:
        raise ValueError("sort_complex: needs 1 dimension or more, given an array without")
    is_small = x.dtype.name in ("int8", "uint8", "int16", "uint16", "complex64")
    z = x.astype("complex64" if is_small else "complex128", copy=False)
    return take_along_axis(z, lexsort((z.imag, z.real)))
