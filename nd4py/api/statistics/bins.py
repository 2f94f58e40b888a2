"""Bins of histograms: their edges, and the elements in them.

Bin k holds edges[k] <= x < edges[k + 1]; the last bin holds its upper edge too.
"""

from __future__ import annotations

import math
from typing import Any, TypeAlias

from ..._core.annotations import Attributes, Gradients
from ..._core.array.array import NDArray
from ..._core.lazy_modules import LazyModule
from ..._core.whole_numbers import items, real
from ..._exec.autodiff.tape import differentiable
from ..._exec.device.placement import filled_beside
from ..._exec.drivers.driver_table import count_in_bins, count_positions
from ..arguments import to_check
from ..creation.basic_creation import linspace
from ..indexing.take import take
from ..manipulation.manipulation import ascontiguous, concat
from ..operands import alike, are_plain, as_real, beside, widened
from ..reductions.reductions import any, max, min

counts_by_search = LazyModule("nd4py._exec.drivers.counts_by_search", globals())

__all__: list[str] = []

Range: TypeAlias = tuple[float, float] | None


def outer_edges(name: str, x: NDArray, limits: Range) -> tuple[float, float]:
    """The first and the last edge: `limits`, or those of the elements; half a unit further where they are equal."""
    if limits is not None:
        low, high = ends_of(name, limits)
        source = "range must be"
    elif x.size == 0:
        return 0.0, 1.0
    else:
        low, high = min(x).item(), max(x).item()
        source = "without range the elements must be"
    if not (math.isfinite(low) and math.isfinite(high)):
        raise ValueError(f"{name}: {source} finite, given {low} to {high}")
    if low > high:
        raise ValueError(f"{name}: range must rise, given {low} to {high}")
    return (low - 0.5, high + 0.5) if low == high else (low, high)


def ends_of(name: str, limits: Any) -> tuple[float, float]:
    """`limits` as two numbers.  Raises TypeError, ValueError unless there are two."""
    ends: Any = items(f"{name}: range", limits)
    if len(ends) != 2:
        raise ValueError(f"{name}: range must be two numbers, the first and the last edge, given {len(ends)}")
    for which, end in zip(("start", "end"), ends, strict=True):
        real(f"{name}: the {which} of range", end)
    return ends


def even_edges(name: str, x: NDArray, n_bins: int, limits: Range) -> NDArray:
    """The n_bins + 1 edges of bins of one width, of the dtype of floating `x`, else float64."""
    if n_bins < 1:
        raise ValueError(f"{name}: bins must be at least 1, given {n_bins}")
    low, high = outer_edges(name, x, limits)
    dtype = x.dtype if x.dtype.category == "real floating" else "float64"
    edges = beside(x, linspace(low, high, n_bins + 1).astype(dtype, copy=False))
    if any(edges[:-1] >= edges[1:]):
        raise ValueError(f"{name}: {low} to {high} has no room for {n_bins} bins of {edges.dtype}; ask for fewer")
    return edges


def given_edges(name: str, bins: NDArray) -> NDArray:
    """`bins` as edges.  Raises ValueError unless they are a row of rising numbers."""
    if bins.ndim != 1 or bins.size == 0:
        raise ValueError(f"{name}: bins must be a number or a row of edges, given shape {bins.shape}")
    seen = to_check(bins)
    if any(seen[:-1] > seen[1:]):
        raise ValueError(f"{name}: the edges in bins must rise")
    return bins


def bin_numbers(x: NDArray, edges: NDArray) -> NDArray:
    """The bin of each element counted from 1, as int64: 0 below the edges, len(edges) above them and for NaN."""
    numbers: NDArray = counts_by_search.bin_numbers(*alike(as_real("bins", x), as_real("bins", edges)))
    return numbers


def position_sums_vjp(g: NDArray, inputs: tuple[NDArray, ...], output: NDArray, attributes: Attributes) -> Gradients:
    """Gradient of position_sums: each weight receives that of the sum it went into."""
    positions, weights = inputs
    return None, take(g, positions)


@differentiable(position_sums_vjp)
def position_sums(positions: NDArray, weights: NDArray, *, n: int) -> NDArray:
    """The sum of the float64 `weights` for each of the positions 0 ... n - 1."""
    return count_positions(ascontiguous(positions), ascontiguous(weights), n)


def tally_positions(positions: NDArray, weights: NDArray | None, n: int) -> NDArray:
    """How often each of 0 ... n - 1 occurs, or the sum of its weights."""
    if weights is None or are_plain(weights):
        return count_positions(ascontiguous(positions), None if weights is None else ascontiguous(weights), n)
    return position_sums(positions, weights, n=n)


def bin_sums_vjp(g: NDArray, inputs: tuple[NDArray, ...], output: NDArray, attributes: Attributes) -> Gradients:
    """Gradient of bin_sums: each weight receives that of its bin, 0 outside all bins."""
    x, weights, edges = inputs
    nothing = filled_beside(g, (1,), g.dtype, 0)
    return None, take(concat([nothing, g, nothing]), bin_numbers(x, edges)), None


@differentiable(bin_sums_vjp)
def bin_sums(x: NDArray, weights: NDArray, edges: NDArray, *, is_even: bool) -> NDArray:
    """The sum of the float64 `weights` in each bin."""
    return count_in_bins(ascontiguous(x), ascontiguous(weights), edges, is_even)


def tally(x: NDArray, weights: NDArray | None, edges: NDArray, *, is_even: bool) -> NDArray:
    """How many elements lie in each bin, or the sum of their float64 weights; `is_even` bins are of one width."""
    x, edges = widened(as_real("bins", x)), ascontiguous(edges.astype("float64", copy=False))
    if weights is None:
        return count_in_bins(ascontiguous(x), None, edges, is_even)
    return bin_sums(x, weights, edges, is_even=is_even)
