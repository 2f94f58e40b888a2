"""bincount, digitize and histograms."""

from __future__ import annotations

import math
from typing import Any

from ..._core.annotations import Operand
from ..._core.array.array import NDArray
from ..._core.whole_numbers import count
from ..._exec.concat import as_array
from ..arguments import is_traced, refuse_traced, tells_its_name, to_check
from ..creation.data_types import float64, int64
from ..elementwise.elementwise import greater_equal, less_equal, logical_and, subtract, where
from ..manipulation.manipulation import ascontiguous, flip
from ..operands import alike, as_real, refuse_gradient
from ..reductions.reductions import any, max, min, sum
from ..sorting.searching import searchsorted
from .bin_widths import RANGED_WIDTHS, WIDTHS
from .bins import Range, even_edges, given_edges, outer_edges, tally, tally_positions

__all__ = ["bincount", "digitize", "histogram", "histogram_bin_edges"]


def bincount(x: Operand, /, weights: Any = None, minlength: int = 0) -> NDArray:
    """How often each of the numbers 0, 1, ... max(x) occurs.

    x: (n,) integers or bools, not negative    weights: (n,) real numbers; minlength: the least length of the result.
    Returns int64 counts, with weights the float64 sum of the weights of each number.
    Raises TypeError for other dtypes, ValueError for other shapes and negative numbers.

    >>> nd.bincount([0, 2, 2])
    array([1, 0, 2], dtype=int64)
    """
    x = as_array(x)
    if x.size == 0 and x.dtype == "float64":
        x = x.astype("int64")  # what an empty list becomes
    category = x.dtype.category
    if category not in ("bool", "signed integer", "unsigned integer"):
        raise TypeError(f"bincount: x must be integers, given {x.dtype}; convert first, x.astype(int64)")
    if x.ndim != 1:
        raise ValueError(f"bincount: x must have one dimension, given shape {x.shape}; flatten it with reshape(-1)")
    minlength = count("bincount: minlength", minlength)
    x = x if category != "bool" else x.astype("uint8")
    if x.size:
        seen = to_check(x)
        if category == "signed integer" and (least := min(seen).item()) < 0:
            raise ValueError(f"bincount: x must not be negative, given {least}")
        n = count("bincount: a number in x", max(seen).item()) + 1
        if n > minlength:
            refuse_traced(x)  # how long the result is depends on its values
        minlength = n if n > minlength else minlength
    positions = x if x.dtype is int64 else x.astype(int64)
    return tally_positions(positions, checked_weights("bincount", weights, x), minlength)


def checked_weights(name: str, weights: Any, x: NDArray) -> NDArray | None:
    """`weights` in float64.  Raises ValueError if their shape is not that of `x`."""
    if weights is None:
        return None
    weights = as_real(name, weights)
    if weights.shape != x.shape:
        raise ValueError(f"{name}: weights must have the shape of x, {x.shape}, given {weights.shape}")
    return weights if weights.dtype is float64 else weights.astype(float64)


def digitize(x: Operand, /, bins: Any, right: bool = False) -> NDArray:
    """The number of the bin that each element lies in: i where bins[i - 1] <= x < bins[i].

    x: real numbers of any shape    bins: (n,) rising edges, or falling ones, where bins[i - 1] > x >= bins[i].
    right: whether the upper edge of a bin belongs to it, instead of the lower one.
    Returns int64 from 0 to n, and for NaN what the largest number would give.
    Raises ValueError for edges that are no row or neither rise nor fall.

    >>> nd.digitize([0.5, 1.5, 9.0], [1.0, 2.0])
    array([0, 1, 2], dtype=int64)
    """
    x, bins = alike(as_real("digitize", x), as_real("digitize", bins))
    if bins.ndim != 1:
        raise ValueError(f"digitize: bins must have one dimension, given shape {bins.shape}")
    side = "left" if right else "right"
    edges = to_check(bins)
    do_rise = not any(edges[:-1] > edges[1:])
    if not do_rise and any(edges[:-1] < edges[1:]):
        raise ValueError("digitize: the edges in bins must rise, or fall")
    if is_traced(bins):
        return where(bins[-1] >= bins[0], searchsorted(bins, x, side=side), number_from_above(bins, x, side))
    return searchsorted(bins, x, side=side) if do_rise else number_from_above(bins, x, side)


def number_from_above(bins: NDArray, x: NDArray, side: str) -> NDArray:
    """How many of falling edges lie above each element."""
    return bins.size - searchsorted(ascontiguous(flip(bins)), x, side=side)


@tells_its_name
def histogram_bin_edges(x: Operand, /, bins: Any = 10, range: Range = None, weights: Any = None) -> NDArray:
    """The edges of the bins that `histogram` would count in, with its arguments and exceptions.

    Returns and raises as it does.

    >>> nd.histogram_bin_edges([0.0, 4.0], bins=2)
    array([0., 2., 4.], dtype=float64)
    """
    return edges_of("histogram_bin_edges", flattened("histogram_bin_edges", x), bins, range, weights)


def flattened(name: str, x: Any) -> NDArray:
    """The elements of `x` as a row; bools as integers.  Raises NotImplementedError while it is differentiated."""
    x = as_array(x).reshape(-1)
    if x.dtype.kind == "c":
        raise TypeError(f"{name}: needs real numbers, given {x.dtype}; take nd4py.real(x) or nd4py.abs(x)")
    refuse_gradient(name, x)
    return x.astype("uint8") if x.dtype.category == "bool" else x


def edges_of(name: str, x: NDArray, bins: Any, limits: Range, weights: Any) -> NDArray:
    """The edges that `bins` asks for: a number of bins, a rule for it, or the edges themselves."""
    if isinstance(bins, str):
        if weights is not None:
            raise TypeError(f"{name}: the rule {bins!r} knows no weights; give a number of bins or the edges")
        bins = n_bins_by_rule(name, x, bins, limits)
    bins = as_array(bins)
    if bins.ndim:
        return given_edges(name, bins)
    if bins.dtype.category not in ("signed integer", "unsigned integer"):
        raise TypeError(f"{name}: the number of bins must be a whole number, given {bins.dtype}")
    return even_edges(name, x, int(bins), limits)


def n_bins_by_rule(name: str, x: NDArray, rule: str, limits: Range) -> int:
    """How many bins a rule of `WIDTHS` or `RANGED_WIDTHS` asks for, of the elements within `limits`."""
    if rule not in WIDTHS and rule not in RANGED_WIDTHS:
        rules = ", ".join(sorted([*WIDTHS, *RANGED_WIDTHS]))
        raise ValueError(f"{name}: bins must be one of {rules}, a number or edges; given {rule!r}")
    low, high = outer_edges(name, x, limits)
    if limits is not None:
        x = x[logical_and(greater_equal(x, low), less_equal(x, high))]
    if not x.size:
        return 1
    width = RANGED_WIDTHS[rule](x, limits) if rule in RANGED_WIDTHS else WIDTHS[rule](x)
    if width and x.dtype.category != "real floating":
        width = sorted([width, 1.0])[1]
    return math.ceil((high - low) / width) if width else 1


@tells_its_name
def histogram(
    x: Operand, /, bins: Any = 10, range: Range = None, density: bool | None = None, weights: Any = None
) -> tuple[NDArray, NDArray]:
    """How many elements lie in each bin, and the edges of the bins.

    x: real numbers of any shape    weights: numbers of its shape, added up instead of counting.
    bins: a number of bins of one width, their rising edges, or a rule for the number: auto, doane, fd, rice, scott,
    sqrt, stone or sturges.  range: the first and the last edge, by default the least and the largest element.
    density: whether to divide, so that the bins have the area 1.
    Bin k holds edges[k] <= x < edges[k + 1], the last bin its upper edge too; what lies outside, and NaN, is left out.
    Returns (n_bins,) int64, or the dtype of the weights, float64 with density; and (n_bins + 1,) edges.
    Raises ValueError for bins, ranges and shapes that do not fit, and for NaN without range; TypeError for complex
    numbers; NotImplementedError while x is being differentiated.

    >>> counts, edges = nd.histogram([1, 1, 2, 4], bins=3)
    >>> counts, edges
    (array([2, 1, 1], dtype=int64), array([1., 2., 3., 4.], dtype=float64))
    """
    flat, sums = flattened("histogram", x), checked_weights("histogram", weights, as_array(x))
    edges = edges_of("histogram", flat, bins, range, weights)
    if sums is not None:
        sums = sums.reshape(-1)
    is_even = isinstance(bins, str) or as_array(bins).ndim == 0
    totals = tally(flat, sums, edges, is_even=is_even)
    if density:
        totals = totals.astype("float64", copy=False)
        return totals / subtract(edges[1:], edges[:-1]).astype("float64") / sum(totals), edges
    return totals if weights is None else totals.astype(as_array(weights).dtype, copy=False), edges
