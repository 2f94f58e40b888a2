"""partition, argpartition, lexsort and sort_complex."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..._core.annotations import Operand
from ..._core.array.array import NDArray
from ..._core.layout.shape import normalize_axis
from ..._core.whole_numbers import items, named, whole
from ..._exec.autodiff.nodes import constant, is_array
from ..._exec.concat import as_array
from ..._exec.drivers import driver_table
from ..._exec.drivers.driver_table import partitioned_lines
from ..arguments import is_traced
from ..creation.creation import asarray
from ..indexing.take_along_axis import take_along_axis
from ..manipulation.manipulation import moveaxis
from ..operands import numbers_beside
from .complex_order import sortable
from .sorting import along_axis, argsort, lines_along, sort, taken

__all__ = ["argpartition", "lexsort", "partition", "sort_complex"]


def checked(name: str, x: NDArray, kth: Any, axis: int | None, kind: str, order: Any) -> tuple[int, int]:
    """The first and the last of the positions, from the front; the ends of the axis for none.

    Raises ValueError for a position outside the axis, or another kind, TypeError for one that is not whole.
    """
    named(f"{name}: kind", kind, ("introselect",))
    if order is not None:
        raise ValueError(f"{name}: order names fields of records, which nd4py lacks; pass None")
    size = x.size if axis is None else x.shape[normalize_axis(axis, x.ndim)]
    positions: list[int] = []
    for k in items(f"{name}: kth", asarray(kth).reshape(-1).tolist()):
        if not -size <= whole(f"{name}: kth", k) < max(size, x.size == 0):  # NumPy's has a position 0 of nothing
            raise ValueError(f"{name}: kth must lie in [-{size}, {size}), given {k}")
        positions.append(k % max(size, 1))
    return (min(positions), max(positions)) if positions else (0, size - 1)


def partition(
    a: Operand, kth: int | Sequence[int], axis: int | None = -1, kind: str = "introselect", order: None = None
) -> NDArray:
    """The elements of `a` along `axis` with those at `kth` where sorting puts them, smaller ones before, larger behind.

    kth: a position, or several; those between the first and the last of them are in order too.
    The order of the others is not told.  kind: accepted, and changes nothing.
    Raises ValueError for a position outside the axis.

    >>> nd.partition(nd.asarray([3, 1, 2]), 1).tolist()
    [1, 2, 3]
    """
    wanted = checked("partition", as_array(a), kth, axis, kind, order)
    lines, axis = lines_along(a, axis)
    if is_traced(lines):
        return along_axis(sort(lines), axis)
    if lines.node is None and lines.dtype.kind != "c":
        return along_axis(partitioned_lines(lines, *wanted), axis)
    return along_axis(taken(lines, driver_table.argpartition(sortable(constant(lines)), *wanted)), axis)


def argpartition(
    a: Operand, kth: int | Sequence[int], axis: int | None = -1, kind: str = "introselect", order: None = None
) -> NDArray:
    """The indices along `axis`, int64, that bring the elements in an order as `partition` does.

    kth: see `partition`.    kind: accepted, and changes nothing.
    Raises ValueError for a position outside the axis.

    >>> nd.argpartition(nd.asarray([3, 1, 2]), 1).tolist()
    [1, 2, 0]
    """
    wanted = checked("argpartition", as_array(a), kth, axis, kind, order)
    lines, axis = lines_along(a, axis)
    found = argsort(lines) if is_traced(lines) else driver_table.argpartition(sortable(lines), *wanted)
    return along_axis(found, axis)


def lexsort(keys: Sequence[Any] | NDArray, axis: int = -1) -> NDArray:
    """The indices, int64, that sort by several keys of one shape: by the last, where that is equal by the one before,
    and so on.  Elements with equal keys keep their order.

    Raises ValueError for no keys or shapes that differ.

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
    is_last = axis == arrays[0].ndim - 1
    lines = arrays if is_last else [moveaxis(x, axis, -1) for x in arrays]
    order = argsort(lines[0])
    for x in lines[1:]:
        order = take_along_axis(order, argsort(take_along_axis(x, order)))
    return order if is_last else moveaxis(order, -1, axis)


def sort_complex(a: Operand) -> NDArray:
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
    return sort(x.astype("complex64" if is_small else "complex128", copy=False))
