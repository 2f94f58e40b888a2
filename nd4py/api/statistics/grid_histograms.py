"""Histograms of points: how many lie in each cell of a grid."""

from __future__ import annotations

import builtins
import math
from typing import Any

from ..._core.annotations import Operand
from ..._core.array.array import NDArray
from ..._core.whole_numbers import items
from ..._exec.concat import as_array
from ..arguments import tells_its_name
from ..elementwise.elementwise import subtract
from ..operands import as_real, refuse_gradient
from ..reductions.reductions import sum
from .bins import bin_numbers, tally_positions
from .histograms import checked_weights, edges_of

__all__ = ["histogram2d", "histogramdd"]


@tells_its_name
def histogram2d(
    x: Operand,
    /,
    y: Operand,
    bins: Any = 10,
    range: Any = None,
    density: bool | None = None,
    weights: Any = None,
) -> tuple[NDArray, NDArray, NDArray]:
    """How many points (x, y) lie in each cell of a grid, and its edges along x and along y.

    x, y: (n,) real numbers    weights: (n,).  bins, range: one for both, or a pair; see `histogram`.
    Returns (x bins, y bins) float64, (x bins + 1,) and (y bins + 1,) edges.
    Raises what `histogram` does.

    >>> counts, rows, columns = nd.histogram2d([0.0, 1.0, 1.0], [0.0, 0.0, 1.0], bins=2)
    >>> counts
    array([[1., 0.],
           [1., 1.]], dtype=float64)
    """
    points = [as_real("histogram2d", x), as_real("histogram2d", y)]
    for axis in points:
        refuse_gradient("histogram2d", axis)
    if points[0].ndim != 1 or points[0].shape != points[1].shape:
        raise ValueError(
            f"histogram2d: x and y must be rows of one length, given {points[0].shape} and {points[1].shape}"
        )
    pairs = bins if isinstance(bins, list | tuple) and len(bins) == 2 else (bins, bins)
    totals, edges = counted("histogram2d", points, pairs, range, density, weights)
    return totals, edges[0], edges[1]


@tells_its_name
def histogramdd(
    sample: Any, bins: Any = 10, range: Any = None, density: bool | None = None, weights: Any = None
) -> tuple[NDArray, tuple[NDArray, ...]]:
    """How many points lie in each cell of a grid of any number of dimensions, and the edges along each.

    sample: (n, dimensions), or a sequence of one row (n,) for each dimension    weights: (n,).
    bins, range: one for each dimension, or one number of bins for all; see `histogram`.
    Returns float64 counts with an axis for each dimension, and a tuple of edges.
    Raises what `histogram` does.

    >>> counts, edges = nd.histogramdd([[0.0, 1.0, 1.0], [0.0, 1.0, 0.9]], bins=2)
    >>> counts.tolist()
    [[1.0, 0.0], [0.0, 2.0]]
    """
    points = rows_of(sample)
    for row in points:
        refuse_gradient("histogramdd", row)
    n = len(points)
    each = as_array(bins).ndim == 0 if not isinstance(bins, list | tuple | str) else isinstance(bins, str)
    many = (bins,) * n if each else items("histogramdd: bins", bins)
    if len(many) != n:
        raise ValueError(f"histogramdd: bins must be one for each of {n} dimensions, given {len(many)}")
    return counted("histogramdd", points, many, range, density, weights)


def rows_of(sample: Any) -> list[NDArray]:
    """The coordinates of all points along each dimension: the items of a sequence, the columns of an array."""
    if isinstance(sample, list | tuple) and not builtins.any(isinstance(row, int | float) for row in sample):
        rows = [as_real("histogramdd", row) for row in sample]
    else:
        table = as_real("histogramdd", sample)
        table = table[:, None] if table.ndim == 1 else table
        if table.ndim != 2:
            raise ValueError(f"histogramdd: sample must be (n, dimensions), given shape {table.shape}")
        rows = [table[:, i] for i in builtins.range(table.shape[1])]
    if not rows or builtins.any(row.ndim != 1 or row.shape != rows[0].shape for row in rows):
        raise ValueError(f"histogramdd: needs rows of one length, given shapes {[row.shape for row in rows]}")
    return rows


def counted(
    name: str, points: list[NDArray], bins: Any, limits: Any, density: bool | None, weights: Any
) -> tuple[NDArray, tuple[NDArray, ...]]:
    """How many points lie in each cell, and the edges along each dimension."""
    ranges = (None,) * len(points) if limits is None else items(f"{name}: range", limits)
    if len(ranges) != len(points):
        raise ValueError(f"{name}: range must be one for each of {len(points)} dimensions, given {len(ranges)} items")
    edges = tuple(edges_of(name, *given, None) for given in zip(points, bins, ranges, strict=True))
    shape = tuple(each.size + 1 for each in edges)
    positions: Any = 0
    for row, each in zip(points, edges, strict=True):
        positions = positions * (each.size + 1) + bin_numbers(row, each)
    sums = checked_weights(name, weights, points[0])
    inside = tuple(slice(1, -1) for _ in shape)
    totals = tally_positions(positions, sums, math.prod(shape)).reshape(shape)[inside].astype("float64", copy=False)
    if density:
        total = sum(totals)
        for i, each in enumerate(edges):
            widths = subtract(each[1:], each[:-1]).astype("float64")
            totals = totals / widths.reshape(tuple(-1 if i == k else 1 for k in builtins.range(len(shape))))
        totals = totals / total
    return totals, edges
