"""searchsorted: binary search in sorted arrays."""

from __future__ import annotations

from typing import Any

from ..._core.annotations import Operand
from ..._core.array.array import NDArray
from ..._exec.autodiff.nodes import constant, is_array
from ..._exec.drivers.driver_table import search
from ..creation.basic_creation import asarray
from ..creation.data_types import isdtype, result_type
from ..indexing.take import take
from ..manipulation.manipulation import ascontiguous, concat
from ..operands import beside
from .complex_order import sortable

__all__ = ["searchsorted"]


def searchsorted(
    x1: Operand,
    x2: Operand | None = None,
    /,
    side: str = "left",
    sorter: NDArray | None = None,
    *,
    v: Operand | None = None,
) -> NDArray:
    """The indices where the elements of `x2` are inserted into the sorted `x1` to keep it sorted: int64, shape of x2.

    x1: 1-d, ascending with NaNs last, complex numbers as `sort` orders them; or `sorter`, integers, gives its elements
    in that order.
    x2: any shape, or a Python number.  Different dtypes are promoted.
    v: NumPy's name for x2.
    side: "left" inserts before equal elements, "right" after them.
    Raises ValueError for another side or x1 or a sorter that is not 1-d, IndexError for a
    sorter out of range, TypeError for nothing to insert.

    >>> nd.searchsorted([1, 3, 5], [0, 3, 9])
    array([0, 1, 3], dtype=int64)
    """
    inserted = v if x2 is None else x2
    if inserted is None or (x2 is not None and v is not None):
        raise TypeError("searchsorted: give what is inserted once, as the second argument or as v=")
    x1 = constant(x1 if is_array(x1) else asarray(x1))
    if x1.ndim != 1:
        raise ValueError(f"searchsorted: x1 must have 1 dimension, given shape {x1.shape}")
    if side not in ("left", "right"):
        raise ValueError(f"searchsorted: side must be 'left' or 'right', given {side!r}")
    if sorter is not None:
        x1 = sorted_by(x1, sorter)
    queries = constant(inserted) if is_array(inserted) else beside(x1, matched(inserted, x1))
    if x1.dtype != queries.dtype:
        dtype = result_type(x1, queries)
        x1, queries = x1.astype(dtype, copy=False), queries.astype(dtype, copy=False)
    if x1.dtype.kind == "c":
        numbers = sortable(concat([x1, queries.reshape(-1)]))
        x1, queries = numbers[: x1.size], numbers[x1.size :].reshape(queries.shape)
    return search(ascontiguous(x1), ascontiguous(queries), side == "right")


def matched(value: Any, x: NDArray) -> NDArray:
    """The array of a value that is none; of the dtype of `x` for a Python number which that can hold."""
    given = asarray(value)
    if isinstance(value, float) and isdtype(x.dtype, "real floating"):
        return given.astype(x.dtype)
    if isinstance(value, int):
        cast = given.astype(x.dtype)
        return cast if cast.item() == value else given
    return given


def sorted_by(x1: NDArray, sorter: Any) -> NDArray:
    """x1[sorter].  Raises ValueError for a sorter of another shape than x1."""
    sorter = sorter if is_array(sorter) else asarray(sorter)
    if sorter.shape != x1.shape:
        raise ValueError(f"searchsorted: sorter must have the shape {x1.shape} of x1, given {sorter.shape}")
    return take(x1, sorter)
