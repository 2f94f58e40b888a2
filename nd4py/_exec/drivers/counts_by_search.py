"""Histograms and counts on devices, by binary search."""

from __future__ import annotations

from ..._core.array.array import NDArray
from ..._core.layout.layouts import dense
from ..._spec.dtypes import DEFAULT_INT
from ..device.device_operations import filled_beside
from ..device.placement import numbers_beside
from .driver_table import search, sorted_lines
from .index_drivers import add_to_slices


def bin_numbers(x: NDArray, edges: NDArray) -> NDArray:
    """The bin of each element counted from 1, as int64: 0 below the edges, len(edges) above them and for NaN.

    x, edges: real floats of one dtype
    """
    numbers = search(dense(edges), dense(x), True)
    return numbers - (x == edges[-1]).astype(DEFAULT_INT)


def count_positions(x: NDArray, weights: NDArray | None, n: int) -> NDArray:
    """How often each of 0 ... n - 1 occurs, or the sum of the float64 weights that stand there."""
    if weights is not None:
        sums = filled_beside(x, (n,), weights.dtype, 0)
        if x.size:
            add_to_slices(sums, x, weights, 0)
        return sums
    borders = search(sorted_lines(dense(x), False), numbers_beside(x, 0, n + 1), False)
    return borders[1:] - borders[:-1]


def count_in_bins(x: NDArray, weights: NDArray | None, edges: NDArray, is_even: bool) -> NDArray:
    """How many elements lie in each bin, or the sum of their float64 weights; by search, whatever the widths."""
    return count_positions(bin_numbers(x.astype(edges.dtype, copy=False), edges), weights, edges.size + 1)[1:-1]
