"""Convolution of images and volumes.

Design: a convolution, its gradient for x and its gradient for w are linear in either operand, and the gradients of each
are the other two.  The gradient for x is also known as the transposed convolution.  So there are three functions that
are each other's gradients, of any order.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..._core.annotations import Attributes, Gradients, Sizes
from ..._core.array.array import NDArray
from ..._core.dtype import DType
from ..._core.lazy_modules import LazyModule
from ..._exec.autodiff.multiple_outputs import differentiable_results
from ..._exec.autodiff.nodes import node_of
from ..._exec.autodiff.tape import differentiable
from ..._exec.drivers.driver_table import convolution, convolution_input_gradient, convolution_weight_gradient
from ..creation.data_types import result_type
from ..manipulation.manipulation import broadcast_to
from ..operands import check_floating, computable
from .window_arguments import check_bias, check_filters, check_images, edges, sizes

if TYPE_CHECKING:
    from ...cpu.conv import window_sizes as windows
else:
    windows = LazyModule("nd4py.cpu.conv.window_sizes", globals())

__all__ = ["conv2d", "conv3d", "conv_transpose2d", "conv_transpose3d"]


def wanted(*operands: NDArray | None) -> tuple[bool, ...]:
    """Which operands are differentiated."""
    return tuple(node_of(operand) is not None for operand in operands)


def in_dtype(x: NDArray, dtype: DType) -> NDArray:
    """`x` as the loops take it, to compute in `dtype`."""
    return computable(x.astype(dtype, copy=False))


def convolve_vjp(
    g: NDArray, inputs: tuple[NDArray, NDArray, NDArray | None], output: NDArray, attributes: Attributes
) -> Gradients:
    """Gradients of a convolution for x, w and bias, as far as they are wanted."""
    x, w, bias = inputs
    window, dtype, wants = attributes["window"], attributes["dtype"], attributes["wants"]
    dx = dw = dbias = None
    if wants[0]:
        dx = convolved_transposed(g, w, window, dtype).astype(x.dtype, copy=False)
    if wants[1] or wants[2]:
        dw, dbias = filter_gradients(x, g, window=window, dtype=dtype, wants=wanted(x, g))
        dw = dw.astype(w.dtype, copy=False)
        dbias = None if bias is None else dbias.astype(bias.dtype, copy=False)
    return dx, dw, dbias


@differentiable(convolve_vjp, keeps_output=False)
def convolve(
    x: NDArray, w: NDArray, bias: NDArray | None, *, window: windows.Window, dtype: DType, wants: tuple[bool, ...]
) -> NDArray:
    """The convolution of checked operands; `wants` says which of them are differentiated."""
    bias = None if bias is None else in_dtype(bias, dtype)
    return convolution(in_dtype(x, dtype), in_dtype(w, dtype), bias, window).astype(dtype, copy=False)


def convolved(x: NDArray, w: NDArray, bias: NDArray | None, window: windows.Window, dtype: DType) -> NDArray:
    """The convolution of checked operands, computed in `dtype`."""
    return convolve(x, w, bias, window=window, dtype=dtype, wants=wanted(x, w, bias))


def convolve_transposed_vjp(
    g: NDArray, inputs: tuple[NDArray, NDArray], output: NDArray, attributes: Attributes
) -> Gradients:
    """Gradients of a transposed convolution for y and w, as far as they are wanted."""
    y, w = inputs
    window, dtype, wants = attributes["window"], attributes["dtype"], attributes["wants"]
    dy = dw = None
    if wants[0]:
        dy = convolved(g, w, None, window, dtype).astype(y.dtype, copy=False)
    if wants[1]:
        dw, _ = filter_gradients(g, y, window=window, dtype=dtype, wants=wanted(g, y))
        dw = dw.astype(w.dtype, copy=False)
    return dy, dw


@differentiable(convolve_transposed_vjp, keeps_output=False)
def convolve_transposed(
    y: NDArray, w: NDArray, *, window: windows.Window, dtype: DType, wants: tuple[bool, ...]
) -> NDArray:
    """The gradient for x of sum(y * convolution of x and w)."""
    return convolution_input_gradient(in_dtype(y, dtype), in_dtype(w, dtype), window).astype(dtype, copy=False)


def convolved_transposed(y: NDArray, w: NDArray, window: windows.Window, dtype: DType) -> NDArray:
    """The transposed convolution of checked operands, computed in `dtype`."""
    return convolve_transposed(y, w, window=window, dtype=dtype, wants=wanted(y, w))


def filter_gradients_vjp(
    pieces: Sequence[NDArray | None], inputs: tuple[NDArray, NDArray], outputs: object, attributes: Attributes
) -> Gradients:
    """Gradients of `filter_gradients` for x and y, as far as they are wanted."""
    x, y = inputs
    (gw, gbias), window, dtype, wants = pieces, attributes["window"], attributes["dtype"], attributes["wants"]
    dx = dy = None
    if wants[0] and gw is not None:
        dx = convolved_transposed(y, gw, window, dtype).astype(x.dtype, copy=False)
    if wants[1] and gw is not None:
        dy = convolved(x, gw, gbias, window, dtype).astype(y.dtype, copy=False)
    elif wants[1] and gbias is not None:
        dy = broadcast_to(beside_axes(gbias, y.ndim - 2), y.shape).astype(y.dtype, copy=False)
    return dx, dy


@differentiable_results(filter_gradients_vjp)
def filter_gradients(
    x: NDArray, y: NDArray, *, window: windows.Window, dtype: DType, wants: tuple[bool, ...]
) -> tuple[NDArray, NDArray]:
    """The gradients for w and bias of sum(y * convolution of x and w, with the bias)."""
    dw, dbias = convolution_weight_gradient(in_dtype(x, dtype), in_dtype(y, dtype), window)
    return dw.astype(dtype, copy=False), dbias.astype(dtype, copy=False)


def beside_axes(bias: NDArray, n_axes: int) -> NDArray:
    """One number per filter, as it broadcasts to results over `n_axes` axes."""
    return bias.reshape((-1, *[1] * n_axes))


def convolution_of(
    who: str, n_axes: int, x: NDArray, w: NDArray, bias: NDArray | None, stride: Sizes, padding: Sizes, dilation: Sizes,
    groups: int,
) -> NDArray:  # fmt: skip
    """The convolution over `n_axes` axes, its arguments checked."""
    operands = [x, w] if bias is None else [x, w, bias]
    check_floating(who, *operands)
    check_images(who, x, n_axes)
    check_filters(who, x, w, groups, is_transposed=False)
    check_bias(who, bias, w.shape[0])
    window = windows.Window(
        who, x.shape, w.shape[0], w.shape[2:], sizes(f"{who}: stride", stride, n_axes), edges(who, padding, n_axes),
        sizes(f"{who}: dilation", dilation, n_axes), operator.index(groups),
    )  # fmt: skip
    return convolved(x, w, bias, window, result_type(*operands))


def transposed_convolution_of(
    who: str, n_axes: int, x: NDArray, w: NDArray, bias: NDArray | None, stride: Sizes, padding: Sizes,
    output_padding: Sizes, dilation: Sizes, groups: int,
) -> NDArray:  # fmt: skip
    """The transposed convolution over `n_axes` axes, its arguments checked."""
    operands = [x, w] if bias is None else [x, w, bias]
    check_floating(who, *operands)
    check_images(who, x, n_axes)
    check_filters(who, x, w, groups, is_transposed=True)
    n_filters = w.shape[1] * operator.index(groups)
    check_bias(who, bias, n_filters)
    strides, dilations = sizes(f"{who}: stride", stride, n_axes), sizes(f"{who}: dilation", dilation, n_axes)
    around, more = edges(who, padding, n_axes), sizes(f"{who}: output_padding", output_padding, n_axes, 0)
    if any(behind >= step for behind, step in zip(more, strides, strict=True)):
        raise ValueError(f"{who}: output_padding {more} must be smaller than the stride {strides}")
    spans = [(k - 1) * d + 1 for k, d in zip(w.shape[2:], dilations, strict=True)]
    out = tuple(
        (n - 1) * step + span + behind - around[2 * axis] - around[2 * axis + 1]
        for axis, (n, step, span, behind) in enumerate(zip(x.shape[2:], strides, spans, more, strict=True))
    )
    if min(out) < 1 or 0 in x.shape[2:]:
        raise ValueError(f"{who}: nothing is left, sizes {out}, of x of shape {x.shape}; take less padding")
    window = windows.Window(
        who, (x.shape[0], n_filters, *out), x.shape[1], w.shape[2:], strides, around, dilations, operator.index(groups)
    )
    y = convolved_transposed(x, w, window, result_type(*operands))
    return y if bias is None else y + beside_axes(bias, n_axes)


def conv2d(
    x: NDArray,
    w: NDArray,
    bias: NDArray | None = None,
    *,
    stride: Sizes = 1,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    groups: int = 1,
) -> NDArray:
    """Slide `w` over the images of `x` (cross-correlation), and add `bias`.

    x: (images, channels, height, width)    w: (filters, channels // groups, kernel height, kernel width)
    bias: (filters,)
    groups: channels and filters are cut into this many runs of equal length, and the filters of each see the channels
    of the same run only; as many groups as channels is a depthwise convolution.
    stride, dilation: (height, width) or one number.  padding: zeros around the image, (height, width) or
    (top, bottom, left, right).
    Returns (images, filters, out height, out width): out = (size + padding - span) // stride + 1, where
    span = (kernel - 1) * dilation + 1.
    Raises ValueError for shapes that do not fit and numbers out of range, TypeError for dtypes that are not floating.

    >>> x, w = nd.ones((1, 1, 3, 3)), nd.ones((1, 1, 2, 2))
    >>> nd.conv2d(x, w)[0, 0]
    array([[4., 4.],
           [4., 4.]], dtype=float64)
    """
    return convolution_of("conv2d", 2, x, w, bias, stride, padding, dilation, groups)


def conv3d(
    x: NDArray,
    w: NDArray,
    bias: NDArray | None = None,
    *,
    stride: Sizes = 1,
    padding: Sizes = 0,
    dilation: Sizes = 1,
    groups: int = 1,
) -> NDArray:
    """Slide `w` over the volumes of `x` (cross-correlation), and add `bias`.

    x: (images, channels, depth, height, width)
    w: (filters, channels // groups, kernel depth, kernel height, kernel width)    bias: (filters,)
    groups: as for `conv2d`
    stride, dilation: (depth, height, width) or one number.  padding: zeros around the volume, (depth, height, width) or
    (front, back, top, bottom, left, right).
    Returns (images, filters, out depth, out height, out width): out = (size + padding - span) // stride + 1, where
    span = (kernel - 1) * dilation + 1.
    Raises ValueError for shapes that do not fit and numbers out of range, TypeError for dtypes that are not floating.

    >>> x, w = nd.ones((1, 1, 3, 2, 2)), nd.ones((1, 1, 2, 2, 2))
    >>> nd.conv3d(x, w).reshape(2)
    array([8., 8.], dtype=float64)
    """
    return convolution_of("conv3d", 3, x, w, bias, stride, padding, dilation, groups)


def conv_transpose2d(
    x: NDArray,
    w: NDArray,
    bias: NDArray | None = None,
    *,
    stride: Sizes = 1,
    padding: Sizes = 0,
    output_padding: Sizes = 0,
    dilation: Sizes = 1,
    groups: int = 1,
) -> NDArray:
    """Add `w`, times each pixel of `x`, to the image at `stride` times the pixel's position, and add `bias`.

    This is the gradient of `conv2d` for its images, also known as deconvolution.
    x: (images, channels, height, width)    w: (channels, filters // groups, kernel height, kernel width)
    bias: (filters,)    groups: as for `conv2d`
    stride, dilation: (height, width) or one number.  padding: what is cut off the result, (height, width) or
    (top, bottom, left, right).  output_padding: rows and columns of it beyond the last that `w` reaches, at the bottom
    and right, (height, width) or one number, smaller than the stride.
    Returns (images, filters, out height, out width): out = (size - 1) * stride + span - padding + output_padding, where
    span = (kernel - 1) * dilation + 1.
    Raises ValueError for shapes that do not fit and numbers out of range, TypeError for dtypes that are not floating.

    >>> x, w = nd.ones((1, 1, 1, 2)), nd.ones((1, 1, 1, 2))
    >>> nd.conv_transpose2d(x, w).reshape(3)
    array([1., 2., 1.], dtype=float64)
    """
    who = "conv_transpose2d"
    return transposed_convolution_of(who, 2, x, w, bias, stride, padding, output_padding, dilation, groups)


def conv_transpose3d(
    x: NDArray,
    w: NDArray,
    bias: NDArray | None = None,
    *,
    stride: Sizes = 1,
    padding: Sizes = 0,
    output_padding: Sizes = 0,
    dilation: Sizes = 1,
    groups: int = 1,
) -> NDArray:
    """Add `w`, times each element of `x`, to the volume at `stride` times the element's position, and add `bias`.

    This is the gradient of `conv3d` for its volumes, also known as deconvolution.
    x: (images, channels, depth, height, width)
    w: (channels, filters // groups, kernel depth, kernel height, kernel width)    bias: (filters,)
    groups, stride, padding, output_padding, dilation: as for `conv_transpose2d`, of (depth, height, width)
    Returns (images, filters, out depth, out height, out width), with sizes as those of `conv_transpose2d`.
    Raises ValueError for shapes that do not fit and numbers out of range, TypeError for dtypes that are not floating.

    >>> x, w = nd.ones((1, 1, 2, 1, 1)), nd.ones((1, 1, 2, 1, 1))
    >>> nd.conv_transpose3d(x, w).reshape(3)
    array([1., 2., 1.], dtype=float64)
    """
    who = "conv_transpose3d"
    return transposed_convolution_of(who, 3, x, w, bias, stride, padding, output_padding, dilation, groups)
