"""repeat: slices along an axis, each as often as a count says."""

from __future__ import annotations

from math import prod

from ..._core.array.array import NDArray
from ..._core.layout.layouts import dense
from ..._spec.dtypes import DEFAULT_INT
from ...cpu.copy.repeat import repeat_slices, total_count
from ..conversion import empty
from ..device.device_functions import taken
from ..device.placement import numbers_beside
from ..dispatch.by_backend import by_backend
from .driver_table import search


def repeat_unevenly(x: NDArray, counts: NDArray, axis: int) -> NDArray:
    """Every slice as often as its count says."""
    counts = dense(counts.astype(DEFAULT_INT, copy=False))
    shape = (*x.shape[:axis], total_count(counts), *x.shape[axis + 1 :])
    result = empty(shape, x.dtype)
    repeat_slices(dense(x), counts, counts.cumsum(0), result, prod(x.shape[:axis]))
    return result


def repeat_by_position(x: NDArray, counts: NDArray, axis: int) -> NDArray:
    """The same, by the position of the slice that each slice of the result is."""
    if (counts < 0).any():
        raise ValueError(f"repeat: counts must not be negative, given {counts.min().item()}")
    ends = counts.astype(DEFAULT_INT, copy=False).cumsum(0)
    n = ends[-1].item() if ends.size else 0
    return taken(x, search(ends, numbers_beside(x, 0, n), True), axis=axis)


repeated = by_backend("repeated", repeat_unevenly, repeat_by_position)
