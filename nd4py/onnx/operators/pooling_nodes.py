"""Pooling in any number of dimensions, and over whole images."""

from __future__ import annotations

import itertools
from math import prod
from typing import Any

from nd4py import api as nd

from .operator_rows import Rows
from .reduction_nodes import extreme
from .window_geometry import flat, frames

MAXIMA = {2: nd.max_pool2d, 3: nd.max_pool3d}
MEANS = {2: nd.avg_pool2d, 3: nd.avg_pool3d}


class Windows:
    """The windows of a pooling node over one input."""

    def __init__(
        self, x: Any, kernel_shape: Any, strides: Any, dilations: Any, pads: Any, auto_pad: str, ceil_mode: int
    ):
        n = x.ndim - 2
        self.kernel = list(kernel_shape)
        self.strides, self.dilations = strides or [1] * n, dilations or [1] * n
        self.sizes = x.shape[2:]
        geometry = (self.sizes, self.kernel, self.strides, self.dilations, pads, auto_pad)
        self.pairs, self.counts = frames(*geometry, is_ceiling=bool(ceil_mode))
        self.is_plain = n in MAXIMA and set(self.dilations) == {1} and self.counts == frames(*geometry)[1]
        self.is_plain &= all(width < k for pair, k in zip(self.pairs, self.kernel, strict=True) for width in pair)

    def framed(self, x: Any, value: Any) -> Any:
        """x with `value` around it, as far as the windows reach."""
        behind = [max(r - size - a, 0) for r, size, (a, _) in zip(self.reach(), self.sizes, self.pairs, strict=True)]
        frame = [(a, b) for (a, _), b in zip(self.pairs, behind, strict=True)]
        return nd.pad(x, [(0, 0), (0, 0), *frame], constant_values=value)

    def parts(self, framed: Any) -> Any:
        """For each offset in the kernel the elements that stand there, one for each window."""
        for offset in itertools.product(*map(range, self.kernel)):
            starts = [o * d for o, d in zip(offset, self.dilations, strict=True)]
            ranges = zip(starts, self.counts, self.strides, strict=True)
            yield framed[(..., *(slice(start, start + (count - 1) * step + 1, step) for start, count, step in ranges))]

    def reach(self) -> list[int]:
        """How far the last windows reach from the beginning of the frame."""
        axes = zip(self.counts, self.strides, self.kernel, self.dilations, strict=True)
        return [(count - 1) * step + (k - 1) * dilation + 1 for count, step, k, dilation in axes]


def max_pool(
    x: Any, *, kernel_shape: Any, strides: Any = None, dilations: Any = None, pads: Any = None,
    auto_pad: str = "NOTSET", ceil_mode: int = 0, storage_order: int = 0, n_outputs: int = 1,
) -> Any:  # fmt: skip
    """The largest element of each window, and where it stands among all elements of the input."""
    windows = Windows(x, kernel_shape, strides, dilations, pads, auto_pad, ceil_mode)
    is_float = nd.isdtype(x.dtype, "real floating")
    if n_outputs == 1 and windows.is_plain and is_float:
        return MAXIMA[x.ndim - 2](x, windows.kernel, stride=windows.strides, padding=flat(windows.pairs))
    lowest = extreme(x.dtype, -1)
    parts = windows.parts(windows.framed(x, lowest))
    if n_outputs == 1:
        best = next(parts)
        for part in parts:
            best = nd.maximum(best, part)
        return best
    places = windows.parts(windows.framed(places_in(x.shape, storage_order), 0))
    inside = windows.parts(windows.framed(nd.ones(x.shape, dtype=nd.bool), False))
    best, found, is_filled = next(parts), next(places), next(inside)
    for part, place, is_inside in zip(parts, places, inside, strict=True):
        is_better = is_inside & (~is_filled | (part > best) | ((part != part) & (best == best)))
        best, found = nd.where(is_better, part, best), nd.where(is_better, place, found)
        is_filled = is_filled | is_inside
    return best, found


def places_in(shape: Any, storage_order: int) -> Any:
    """The number of each element in C order; with a storage order of 1, columns of an image one after the other."""
    n_planes, sizes = prod(shape[:2]), shape[2:]
    in_plane = nd.arange(prod(sizes), dtype=nd.int64).reshape(sizes[::-1] if storage_order else sizes)
    in_plane = in_plane.T if storage_order else in_plane
    return (nd.arange(n_planes, dtype=nd.int64).reshape(*shape[:2], *[1] * len(sizes)) * prod(sizes)) + in_plane


def average_pool(
    x: Any, *, kernel_shape: Any, strides: Any = None, dilations: Any = None, pads: Any = None,
    auto_pad: str = "NOTSET", ceil_mode: int = 0, count_include_pad: int = 0,
) -> Any:  # fmt: skip
    """The mean of each window; the frame counts where it is asked for, but nothing beyond it."""
    windows = Windows(x, kernel_shape, strides, dilations, pads, auto_pad, ceil_mode)
    has_frame = any(flat(windows.pairs))
    if windows.is_plain and not (count_include_pad and has_frame):
        return MEANS[x.ndim - 2](x, windows.kernel, stride=windows.strides, padding=flat(windows.pairs))
    total = sum_of(windows.parts(windows.framed(x, 0)))
    ones = nd.ones((1, 1, *x.shape[2:]), dtype=x.dtype)
    if count_include_pad:
        ones = nd.pad(ones, [(0, 0), (0, 0), *windows.pairs], constant_values=1)
        behind = [max(r - n, 0) for r, n in zip(windows.reach(), ones.shape[2:], strict=True)]
        counted = nd.pad(ones, [(0, 0), (0, 0), *((0, b) for b in behind)])
    else:
        counted = windows.framed(ones, 0)
    return total / sum_of(windows.parts(counted))


def sum_of(parts: Any) -> Any:
    total = next(parts)
    for part in parts:
        total = total + part
    return total


def length_pool(
    x: Any, *, kernel_shape: Any, p: int = 2, strides: Any = None, dilations: Any = None, pads: Any = None,
    auto_pad: str = "NOTSET", ceil_mode: int = 0,
) -> Any:  # fmt: skip
    windows = Windows(x, kernel_shape, strides, dilations, pads, auto_pad, ceil_mode)
    return sum_of(windows.parts(windows.framed(nd.abs(x) ** p, 0))) ** (1 / p)


def over_image(reduce: Any, x: Any) -> Any:
    return reduce(x, axis=tuple(range(2, x.ndim)), keepdims=True)


def global_length_pool(x: Any, *, p: int = 2) -> Any:
    return over_image(nd.sum, nd.abs(x) ** p) ** (1 / p)


def max_unpool(
    x: Any, indices: Any, output_shape: Any = None, *, kernel_shape: Any, strides: Any = None, pads: Any = None
):
    """Zeros, and the maxima where they were found."""
    n = x.ndim - 2
    strides, pads = strides or [1] * n, pads or [0] * (2 * n)
    frame = [pads[i] + pads[n + i] for i in range(n)]
    axes = zip(x.shape[2:], strides, kernel_shape, frame, strict=True)
    sizes = [(size - 1) * step + k - both for size, step, k, both in axes]
    natural = (*x.shape[:2], *sizes)
    shape = tuple(int(size) for size in output_shape.tolist()) if output_shape is not None else natural
    places = nd.unravel_index(indices, natural)
    result = nd.zeros(shape, dtype=x.dtype)
    result[tuple(places)] = x
    return result


OPERATORS: Rows = {
    "AveragePool": [(7, 22, average_pool)],
    "GlobalAveragePool": [(1, 22, over_image, nd.mean)],
    "GlobalLpPool": [(2, 22, global_length_pool)],
    "GlobalMaxPool": [(1, 22, over_image, nd.max)],
    "LpPool": [(2, 22, length_pool)],
    "MaxPool": [(1, 22, max_pool)],
    "MaxUnpool": [(9, 22, max_unpool)],
}
