"""`nd.add.reduceat` and its like: the elements of segments joined by a function."""

from __future__ import annotations

from typing import Any

from ..._core.annotations import DTypeLike
from ..._core.array.array import NDArray
from ..._core.layout.shape import normalize_axis
from ..._exec.concat import as_array
from ..._exec.dispatch.row_table import row_number
from ..._exec.drivers.segment_reductions import reduced_segments, slices
from ..._spec.dtypes import DEFAULT_INT
from ..manipulation.manipulation import stack
from ..operands import beside
from ..reductions import reductions
from .ufunc_methods import REDUCTIONS, prepared, reduce, stored, with_two_operands

__all__: list[str] = []


def reduceat(
    function: Any, x: Any, indices: Any, /, axis: int = 0, dtype: DTypeLike | None = None, out: NDArray | None = None
) -> NDArray:
    """The elements along `axis` from each index to the next joined by a function, as NumPy's `add.reduceat` does.

    The element at an index alone where the next index is not larger.  Functions that are no reductions of the table,
    and those whose gradient is taken, are called for each index.
    Raises IndexError for indices out of range, TypeError and ValueError as `reduce` does.
    """
    name = with_two_operands(function, "reduceat")
    x = prepared(name, x, dtype)
    axis = normalize_axis(axis, x.ndim)
    starts = starts_of(name, as_array(indices).reshape(-1), x.shape[axis])
    row = REDUCTIONS.get(name)
    if row is not None and x.node is None:
        return stored(reduced_segments(row_number(row), x, beside(x, starts), axis), out)
    parts = [reduce(function, part, axis) for part in slices(x, starts, axis)]
    result = stack(parts, axis) if parts else x[(*(slice(None),) * axis, slice(0, 0))]
    return stored(result, out)


def starts_of(name: str, indices: NDArray, n: int) -> NDArray:
    """Indices of an axis of `n` elements as int64.  Raises IndexError for those out of range or no integers."""
    if indices.size == 0:
        return indices.astype(DEFAULT_INT)
    is_whole = indices.dtype.kind in "iu"
    low, high = (reductions.min(indices), reductions.max(indices)) if is_whole else (indices[0], indices[-1])
    for index in (low.item(), high.item()):
        if not is_whole or not 0 <= index < n:
            raise IndexError(f"{name}.reduceat: indices must be from 0 to {n - 1}, given {index!r}")
    return indices.astype(DEFAULT_INT, copy=False)
