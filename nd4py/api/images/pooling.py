"""Pooling of images and volumes.

Design: a window of a volume is pooled plane by plane, and then over the planes, each by the loops of images: the
maximum of maxima, and the mean of means, because every plane of a window has equally many elements.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from math import inf, prod
from typing import TYPE_CHECKING

from ..._core.annotations import Attributes, Gradients, Shape, Sizes
from ..._core.array.array import NDArray
from ..._core.lazy_modules import LazyModule
from ..._exec.autodiff.nodes import constant
from ..._exec.autodiff.tape import differentiable, linear
from ..._exec.drivers.driver_table import (
    average_pooling,
    average_pooling_gradient,
    maximum_pooling,
    maximum_pooling_gradient,
)
from ..elementwise.elementwise import where
from ..manipulation.padding import pad
from ..operands import computable, in_single
from .window_arguments import pool_window

if TYPE_CHECKING:
    from ...cpu.conv import window_sizes as windows
else:
    windows = LazyModule("nd4py.cpu.conv.window_sizes", globals())

__all__ = ["avg_pool2d", "avg_pool3d", "max_pool2d", "max_pool3d"]


def pool_maxima_vjp(g: NDArray, inputs: tuple[NDArray], output: NDArray, attributes: Attributes) -> Gradients:
    """Gradient of maxima: g at the first maximum of each window."""
    x, window = constant(inputs[0]), attributes["window"]

    def spread(values: NDArray) -> NDArray:
        return maximum_pooling_gradient(computable(x), computable(values), window).astype(x.dtype, copy=False)

    return [linear(g, spread, lambda values: at_maxima(x, values, window))]


def at_maxima(x: NDArray, values: NDArray, window: windows.Window) -> NDArray:
    """Of each window of `values` the one that stands where the first maximum of the same window of `x` does."""
    offsets = itertools.product(*map(range, window.w_shape[2:]))
    pairs = ((part_of_windows(x, window, i, -inf), part_of_windows(values, window, i, 0.0)) for i in offsets)
    best, found = next(pairs)
    for here, chosen in pairs:
        is_better = (here > best) | ((here != here) & (best == best))  # NaN is the maximum
        best, found = where(is_better, here, best), where(is_better, chosen, found)
    return found


def part_of_windows(x: NDArray, window: windows.Window, offset: Shape, outside: float) -> NDArray:
    """The element at `offset` of each window, `outside` where that lies in the padding."""
    sizes, places, frames = window.sizes, [slice(None)] * 2, [(0, 0)] * 2
    before_axes = (sizes["pad_top"], sizes["pad_left"])
    strides = (sizes["stride_h"], sizes["stride_w"])
    for before, stride, start, n, out in zip(
        before_axes, strides, offset, x.shape[2:], window.y_shape[2:], strict=True
    ):
        last = start + stride * (out - 1)
        frames.append((before, max(last + 1 - before - n, 0)))
        places.append(slice(start, last + 1, stride))
    return pad(x, tuple(frames), constant_values=outside)[tuple(places)]


@differentiable(pool_maxima_vjp, keeps_output=False)
def pool_maxima(x: NDArray, *, window: windows.Window) -> NDArray:
    """Maxima of the windows of checked images."""
    return maximum_pooling(computable(x), window).astype(x.dtype, copy=False)


def pool_means_vjp(g: NDArray, inputs: tuple[NDArray], output: NDArray, attributes: Attributes) -> Gradients:
    """Gradient of means: g shared evenly among each window's elements."""
    x, window = constant(inputs[0]), attributes["window"]

    def spread(values: NDArray) -> NDArray:
        return average_pooling_gradient(computable(x), computable(values), window).astype(x.dtype, copy=False)

    return [linear(g, spread, lambda values: pool_means(values, window=window))]


@differentiable(pool_means_vjp, keeps_output=False)
def pool_means(x: NDArray, *, window: windows.Window) -> NDArray:
    """Means of the windows of checked images."""
    return average_pooling(computable(x), window).astype(x.dtype, copy=False)


def pooled(pool: Callable[..., NDArray], who: str, x: NDArray, kernel: Shape, stride: Shape, edges: Shape) -> NDArray:
    """What `pool` makes of the windows of images or volumes."""
    if x.ndim == 4:
        return pool(x, window=windows.Window(who, x.shape, x.shape[1], kernel, stride, edges, (1, 1)))
    images, channels, depth, height, width = x.shape
    planes = in_single(x).reshape((images, channels * depth, height, width))
    planes = pooled(pool, who, planes, kernel[1:], stride[1:], edges[2:])
    lines = planes.reshape((images, channels, depth, prod(planes.shape[2:])))
    y = pooled(pool, who, lines, (kernel[0], 1), (stride[0], 1), (*edges[:2], 0, 0))
    return y.reshape((*y.shape[:3], *planes.shape[2:])).astype(x.dtype, copy=False)


def max_pool2d(x: NDArray, kernel: Sizes, *, stride: Sizes | None = None, padding: Sizes = 0) -> NDArray:
    """The maximum of each window, NaN if any element is; the first of equal elements receives the gradient.

    x: (images, channels, height, width)    kernel, stride: (height, width) or one number; stride is the kernel if None.
    padding: (height, width) or (top, bottom, left, right), smaller than the kernel; it never is the maximum.
    Returns (images, channels, out height, out width), where out = (size + padding - kernel) // stride + 1.
    Raises ValueError for shapes that do not fit and numbers out of range, TypeError for dtypes that are not floating.

    >>> nd.max_pool2d(nd.arange(4.0).reshape(1, 1, 2, 2), (2, 2))
    array([[[[3.]]]], dtype=float64)
    """
    return pooled(pool_maxima, "max_pool2d", x, *pool_window("max_pool2d", x, 2, kernel, stride, padding))


def max_pool3d(x: NDArray, kernel: Sizes, *, stride: Sizes | None = None, padding: Sizes = 0) -> NDArray:
    """The maximum of each window of volumes, NaN if any element is; the first of equal ones receives the gradient.

    x: (images, channels, depth, height, width)
    kernel, stride: (depth, height, width) or one number; stride is the kernel if None.
    padding: (depth, height, width) or (front, back, top, bottom, left, right), smaller than the kernel; it never is the
    maximum.
    Returns (images, channels, out depth, out height, out width): out = (size + padding - kernel) // stride + 1.
    Raises ValueError for shapes that do not fit and numbers out of range, TypeError for dtypes that are not floating.

    >>> nd.max_pool3d(nd.arange(8.0).reshape(1, 1, 2, 2, 2), 2)
    array([[[[[7.]]]]], dtype=float64)
    """
    return pooled(pool_maxima, "max_pool3d", x, *pool_window("max_pool3d", x, 3, kernel, stride, padding))


def avg_pool2d(x: NDArray, kernel: Sizes, *, stride: Sizes | None = None, padding: Sizes = 0) -> NDArray:
    """The mean of each window; padding counts neither in the sum nor in the number of elements.

    x: (images, channels, height, width)    kernel, stride: (height, width) or one number; stride is the kernel if None.
    padding: (height, width) or (top, bottom, left, right), smaller than the kernel.
    Returns (images, channels, out height, out width), where out = (size + padding - kernel) // stride + 1.
    Raises ValueError for shapes that do not fit and numbers out of range, TypeError for dtypes that are not floating.

    >>> nd.avg_pool2d(nd.arange(4.0).reshape(1, 1, 2, 2), (2, 2))
    array([[[[1.5]]]], dtype=float64)
    """
    return pooled(pool_means, "avg_pool2d", x, *pool_window("avg_pool2d", x, 2, kernel, stride, padding))


def avg_pool3d(x: NDArray, kernel: Sizes, *, stride: Sizes | None = None, padding: Sizes = 0) -> NDArray:
    """The mean of each window of volumes; padding counts neither in the sum nor in the number of elements.

    x: (images, channels, depth, height, width)
    kernel, stride: (depth, height, width) or one number; stride is the kernel if None.
    padding: (depth, height, width) or (front, back, top, bottom, left, right), smaller than the kernel.
    Returns (images, channels, out depth, out height, out width): out = (size + padding - kernel) // stride + 1.
    Raises ValueError for shapes that do not fit and numbers out of range, TypeError for dtypes that are not floating.

    >>> nd.avg_pool3d(nd.arange(8.0).reshape(1, 1, 2, 2, 2), 2)
    array([[[[[3.5]]]]], dtype=float64)
    """
    return pooled(pool_means, "avg_pool3d", x, *pool_window("avg_pool3d", x, 3, kernel, stride, padding))
