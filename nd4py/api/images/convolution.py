"""Convolution and pooling of images, (images, channels, height, width)."""

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..._core.annotations import Attributes, Gradients, Shape, Sizes
from ..._core.array.array import NDArray
from ..._core.array.released import type_name
from ..._core.dtype import DType
from ..._core.lazy_modules import LazyModule
from ..._core.whole_numbers import is_whole
from ..._exec.autodiff.nodes import is_array, node_of
from ..._exec.autodiff.tape import differentiable
from ..._exec.drivers.driver_table import (
    average_pooling,
    average_pooling_gradient,
    convolution,
    convolution_input_gradient,
    convolution_weight_gradient,
    maximum_pooling,
    maximum_pooling_gradient,
)
from ..creation.data_types import float32, result_type
from ..manipulation.manipulation import ascontiguous

if TYPE_CHECKING:
    from ...cpu.conv import window_sizes as windows
else:
    windows = LazyModule("nd4py.cpu.conv.window_sizes", globals())

__all__ = ["avg_pool2d", "conv2d", "max_pool2d"]


def conv2d_vjp(
    g: NDArray, inputs: tuple[NDArray, NDArray, NDArray | None], output: NDArray, attributes: Attributes
) -> Gradients:
    """Gradients of conv2d for x, w and bias, as far as they are wanted."""
    x, w, bias = inputs
    window, wants = attributes["window"], attributes["wants"]
    g = computable(g)
    dx = dw = dbias = None
    if wants[0]:
        dx = convolution_input_gradient(g, computable(w), window).astype(x.dtype, copy=False)
    if wants[1] or wants[2]:
        dw, dbias = convolution_weight_gradient(computable(x), g, window)
        dw = dw.astype(w.dtype, copy=False)
        dbias = None if bias is None else dbias.astype(bias.dtype, copy=False)
    return dx, dw, dbias


@differentiable(conv2d_vjp)
def convolve(
    x: NDArray, w: NDArray, bias: NDArray | None, *, window: "windows.Window", dtype: DType, wants: tuple[bool, ...]
) -> NDArray:
    """The convolution of checked operands; `wants` says which of them are differentiated."""
    x, w = computable(x.astype(dtype, copy=False)), computable(w.astype(dtype, copy=False))
    bias = None if bias is None else computable(bias.astype(dtype, copy=False))
    return convolution(x, w, bias, window).astype(dtype, copy=False)


def conv2d(
    x: NDArray,
    w: NDArray,
    bias: NDArray | None = None,
    *,
    stride: Sizes = (1, 1),
    padding: Sizes = (0, 0),
    dilation: Sizes = (1, 1),
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
    operands = [x, w] if bias is None else [x, w, bias]
    check_floating("conv2d", *operands)
    check_images("conv2d", x)
    if not are_whole([groups], 1) or x.shape[1] % groups or w.shape[:1] and w.shape[0] % groups:
        raise ValueError(
            f"conv2d: groups must be a whole number that divides channels and filters, given {groups!r} for x of shape "
            f"{x.shape} and w of shape {w.shape}"
        )
    if w.ndim != 4 or w.shape[1] != x.shape[1] // groups or 0 in w.shape[2:]:
        raise ValueError(
            f"conv2d: w must be (filters, {x.shape[1] // groups} channels, kernel height, kernel width) for x of shape "
            f"{x.shape} and groups {groups}, given {w.shape}"
        )
    if bias is not None and bias.shape != w.shape[:1]:
        raise ValueError(f"conv2d: bias must be one number per filter, {w.shape[:1]}, given {bias.shape}")
    window = windows.Window(
        "conv2d", x.shape, w.shape[0], w.shape[2:], pair("conv2d: stride", stride, 1), edges("conv2d", padding),
        pair("conv2d: dilation", dilation, 1), operator.index(groups),
    )  # fmt: skip
    wants = tuple(node_of(operand) is not None for operand in (x, w, bias))
    return convolve(x, w, bias, window=window, dtype=result_type(*operands), wants=wants)


def max_pool2d_vjp(g: NDArray, inputs: tuple[NDArray], output: NDArray, attributes: Attributes) -> Gradients:
    """Gradient of max_pool2d: g at the first maximum of each window."""
    [x] = inputs
    return [maximum_pooling_gradient(computable(x), computable(g), attributes["window"]).astype(x.dtype, copy=False)]


@differentiable(max_pool2d_vjp)
def pool_maxima(x: NDArray, *, window: "windows.Window") -> NDArray:
    """Maxima of the windows of a checked array."""
    return maximum_pooling(computable(x), window).astype(x.dtype, copy=False)


def max_pool2d(x: NDArray, kernel: Sizes, *, stride: Sizes | None = None, padding: Sizes = (0, 0)) -> NDArray:
    """The maximum of each window, NaN if any element is; the first of equal elements receives the gradient.

    x: (images, channels, height, width)    kernel, stride: (height, width) or one number; stride is the kernel if None.
    padding: (height, width) or (top, bottom, left, right), smaller than the kernel; it never is the maximum.
    Returns (images, channels, out height, out width), where out = (size + padding - kernel) // stride + 1.
    Raises ValueError for shapes that do not fit and numbers out of range, TypeError for dtypes that are not floating.

    >>> nd.max_pool2d(nd.arange(4.0).reshape(1, 1, 2, 2), (2, 2))
    array([[[[3.]]]], dtype=float64)
    """
    return pool_maxima(x, window=pool_window("max_pool2d", x, kernel, stride, padding))


def avg_pool2d_vjp(g: NDArray, inputs: tuple[NDArray], output: NDArray, attributes: Attributes) -> Gradients:
    """Gradient of avg_pool2d: g shared evenly among each window's elements."""
    [x] = inputs
    dx = average_pooling_gradient(computable(x), computable(g), attributes["window"])
    return [dx.astype(x.dtype, copy=False)]


@differentiable(avg_pool2d_vjp)
def pool_means(x: NDArray, *, window: "windows.Window") -> NDArray:
    """Means of the windows of a checked array."""
    return average_pooling(computable(x), window).astype(x.dtype, copy=False)


def avg_pool2d(x: NDArray, kernel: Sizes, *, stride: Sizes | None = None, padding: Sizes = (0, 0)) -> NDArray:
    """The mean of each window; padding counts neither in the sum nor in the number of elements.

    x: (images, channels, height, width)    kernel, stride: (height, width) or one number; stride is the kernel if None.
    padding: (height, width) or (top, bottom, left, right), smaller than the kernel.
    Returns (images, channels, out height, out width), where out = (size + padding - kernel) // stride + 1.
    Raises ValueError for shapes that do not fit and numbers out of range, TypeError for dtypes that are not floating.

    >>> nd.avg_pool2d(nd.arange(4.0).reshape(1, 1, 2, 2), (2, 2))
    array([[[[1.5]]]], dtype=float64)
    """
    return pool_means(x, window=pool_window("avg_pool2d", x, kernel, stride, padding))


def pool_window(who: str, x: NDArray, kernel: Any, stride: Any, padding: Any) -> "windows.Window":
    """The checked window of a pooling."""
    check_floating(who, x)
    check_images(who, x)
    kernel = pair(f"{who}: kernel", kernel, 1)
    stride = kernel if stride is None else pair(f"{who}: stride", stride, 1)
    around = edges(who, padding)
    if max(around[:2]) >= kernel[0] or max(around[2:]) >= kernel[1]:
        raise ValueError(
            f"{who}: padding {around} (top, bottom, left, right) must be smaller than the kernel {kernel}, or a window "
            "could lie outside the image"
        )
    return windows.Window(who, x.shape, x.shape[1], kernel, stride, around, (1, 1))


def computable(x: NDArray) -> NDArray:
    """`x` contiguous and in a dtype that has loops: half types are computed in float32."""
    return ascontiguous(x.astype(float32) if x.dtype.itemsize < float32.itemsize else x)


def check_floating(who: str, *operands: Any) -> None:
    """Raises TypeError unless all operands are arrays of floating dtypes."""
    for operand in operands:
        if not is_array(operand):
            raise TypeError(f"{who}: needs arrays, given {type_name(operand)}; convert first with asarray")
        if operand.dtype.kind != "f":
            raise TypeError(f"{who}: no {operand.dtype} loop; convert first, x.astype('float32')")


def check_images(who: str, x: NDArray) -> None:
    """Raises ValueError unless x has the four dimensions of images, TypeError where it is no array."""
    if not is_array(x):
        raise TypeError(f"{who}: needs arrays, given {type_name(x)}; convert first with asarray")
    if x.ndim != 4:
        raise ValueError(f"{who}: x must be (images, channels, height, width), given shape {x.shape}; reshape it first")


def pair(who: str, value: Any, least: int) -> Shape:
    """`value` as (height, width).  Raises ValueError unless it is one or two whole numbers of at least `least`."""
    numbers = value if isinstance(value, (tuple, list)) else (value, value)
    if len(numbers) != 2 or not are_whole(numbers, least):
        raise ValueError(f"{who} must be a whole number or (height, width), each at least {least}, given {value!r}")
    return tuple(map(operator.index, numbers))


def edges(who: str, padding: Any) -> Shape:
    """`padding` as (top, bottom, left, right).  Raises ValueError unless it is one, two or four whole numbers."""
    numbers = padding if isinstance(padding, (tuple, list)) else (padding, padding)
    if len(numbers) not in (2, 4) or not are_whole(numbers, 0):
        raise ValueError(
            f"{who}: padding must be a whole number, (height, width) or (top, bottom, left, right), none negative, "
            f"given {padding!r}"
        )
    numbers = tuple(map(operator.index, numbers))
    return numbers if len(numbers) == 4 else (numbers[0], numbers[0], numbers[1], numbers[1])


def are_whole(numbers: Sequence[Any], least: int) -> bool:
    """Whether all are integers of at least `least`."""
    return all(is_whole(number) and operator.index(number) >= least for number in numbers)
