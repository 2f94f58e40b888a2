"""Reductions of segments along an axis: in one loop on the host, a call for each segment elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._core.array.array import NDArray
from ..._core.layout.layouts import dense, sizes_around
from ..._core.lazy_modules import LazyModule
from ..._spec.ops import ALL
from ..concat import join
from ..conversion import empty, with_values
from ..dispatch.by_backend import by_backend
from ..dispatch.row_functions import row_function
from ..reductions import reduce, reduction_dtypes

if TYPE_CHECKING:
    from ...cpu.reduce import reduce_segments
else:
    reduce_segments = LazyModule("nd4py.cpu.reduce.reduce_segments", globals())

isnan = row_function("isnan")


def in_one_loop(op: int, x: NDArray, starts: NDArray, axis: int) -> NDArray:
    """The elements along `axis` from each start to the next, or to the end, reduced by a row; the element at a start
    alone where the next one does not lie behind it.

    x: without a node    starts: int64 (segments,), all in [0, x.shape[axis])
    """
    wanted, made, reported = reduction_dtypes(op, x.dtype.name)
    source = dense(with_values(x.astype(wanted, copy=False))).reshape(sizes_around(x.shape, axis))
    starts = dense(with_values(starts))
    sums = empty((source.shape[0], starts.size, source.shape[2]), made)
    for k, size in reduce_segments.reduce_segments(op, source, starts, sums) if sums.size else ():
        start = starts[k].item()
        sums[:, k] = reduce(op, source[:, start : start + size], 1)
    if ALL[op].is_product and sums.dtype.kind in "fc" and isnan(sums).any():  # of which `reduce` looks for zeros again
        return by_slices(op, x, starts, axis)
    return sums.reshape((*x.shape[:axis], starts.size, *x.shape[axis + 1 :])).astype(reported, copy=False)


def by_slices(op: int, x: NDArray, starts: NDArray, axis: int) -> NDArray:
    """The same, a call for each segment."""
    parts = [reduce(op, part, axis) for part in slices(x, starts, axis)]
    return join(parts, axis, True) if parts else reduce(op, x, axis, None, True)[(*(slice(None),) * axis, slice(0, 0))]


def slices(x: NDArray, starts: NDArray, axis: int) -> list[NDArray]:
    """The segments."""
    first, before = starts.tolist(), (slice(None),) * axis
    ends = [*first[1:], x.shape[axis]]
    return [x[(*before, slice(i, max(j, i + 1)))] for i, j in zip(first, ends, strict=True)]


reduced_segments = by_backend("reduced_segments", in_one_loop, by_slices)
