"""Numbers of 8 and 16 bits that stand for real ones: quantization, and products of quantized arrays."""

from __future__ import annotations

from typing import Any

from nd4py import api as nd

from ..element_types import DTYPES, HOST_DTYPES
from .convolution_nodes import convolution
from .host_arrays import element_type_of, is_host, quantized, wide
from .operator_rows import Rows


def by_axis(values: Any, x: Any, axis: int, block_size: int) -> Any:
    """A scale for each slice along `axis` of x, or for each block of slices, so that it broadcasts to x."""
    if values is None or values.ndim == 0 or values.size == 1 and values.ndim == 1:
        return None if values is None else values.reshape(())
    axis = axis + x.ndim if axis < 0 else axis
    if block_size:
        repeated = nd.repeat(values, block_size, axis=axis)
        return repeated[(slice(None),) * axis + (slice(0, x.shape[axis]),)]
    return values.reshape([-1 if i == axis else 1 for i in range(x.ndim)])


def quantize(
    x: Any, scale: Any, zero_point: Any = None, *, axis: int = 1, block_size: int = 0, output_dtype: int = 0,
    precision: int = 0, **of_small_floats: Any,
) -> Any:  # fmt: skip
    """round(x / scale) + zero_point, limited to what the dtype holds; halves go to even numbers."""
    if output_dtype in HOST_DTYPES or is_host(zero_point):
        scales = by_axis(scale, x, axis, block_size).astype(nd.float32)
        offset = by_axis(wide(zero_point), x, axis, block_size)
        to = element_type_of(zero_point) if zero_point is not None else output_dtype
        return quantized(x.astype(nd.float32) / scales, offset, to, of_small_floats.get("saturate", 1))
    dtype = zero_point.dtype if zero_point is not None else DTYPES[output_dtype] if output_dtype else nd.uint8
    steps = nd.round(x.astype(nd.float32) / by_axis(scale, x, axis, block_size).astype(nd.float32))
    if zero_point is not None:
        steps = steps + by_axis(zero_point, x, axis, block_size).astype(nd.float32)
    return nd.clip(steps, nd.iinfo(dtype).min, nd.iinfo(dtype).max).astype(dtype)


def quantize_by_range(x: Any) -> tuple[Any, Any, Any]:
    """x in 8 bits from its least to its largest element, with the scale and the zero point that these lead to.

    The range always holds 0, which is then exact; the scale of an array of zeros is 1, as in onnxruntime.
    """
    low, high = nd.minimum(nd.min(x, initial=0.0), 0), nd.maximum(nd.max(x, initial=0.0), 0)
    scale = nd.where(high > low, (high - low) / 255, 1).astype(nd.float32)
    zero_point = nd.clip(nd.round(-low / scale), 0, 255).astype(nd.uint8)
    return quantize(x, scale, zero_point), scale, zero_point


def dequantize(
    x: Any, scale: Any, zero_point: Any = None, *, axis: int = 1, block_size: int = 0, output_dtype: int = 0
) -> Any:
    """(x - zero_point) * scale"""
    dtype = DTYPES[output_dtype] if output_dtype else scale.dtype
    steps, zero_point = wide(x), wide(zero_point)
    if not nd.isdtype(steps.dtype, "real floating"):
        steps = steps.astype(nd.int64)
    if zero_point is not None:
        steps = steps - by_axis(zero_point, x, axis, block_size).astype(steps.dtype)
    return (steps.astype(nd.float32) * by_axis(scale, x, axis, block_size).astype(nd.float32)).astype(dtype)


def centred(x: Any, zero_point: Any, axis: int, dtype: Any) -> Any:
    """x - zero_point, whose elements belong to slices along `axis` where there are several."""
    if zero_point is None:
        return x.astype(dtype)
    if zero_point.size == 1:
        return x.astype(dtype) - zero_point.reshape(()).astype(dtype)
    if zero_point.ndim == 1:
        zero_point = zero_point.reshape([-1 if i == axis % x.ndim else 1 for i in range(x.ndim)])
    return x.astype(dtype) - zero_point.astype(dtype)


def matmul_integer(a: Any, b: Any, a_zero: Any = None, b_zero: Any = None) -> Any:
    return nd.matmul(centred(a, a_zero, -2, nd.int32), centred(b, b_zero, -1, nd.int32))


def quantized_matmul(
    a: Any, a_scale: Any, a_zero: Any, b: Any, b_scale: Any, b_zero: Any, y_scale: Any, y_zero: Any
) -> Any:
    found = matmul_integer(a, b, a_zero, b_zero).astype(nd.float64)
    factor = along(a_scale, -2, a.ndim) * along(b_scale, -1, b.ndim) / along(y_scale, -2, found.ndim)
    return requantized(found * factor, along(y_zero, -2, found.ndim), y_zero.dtype)


def along(values: Any, axis: int, n_axes: int) -> Any:
    values = values.astype(nd.float64)
    if values.ndim != 1 or values.size == 1:
        return values.reshape(()) if values.size == 1 else values
    return values.reshape([-1 if i == axis % n_axes else 1 for i in range(n_axes)])


def requantized(steps: Any, zero_point: Any, dtype: Any) -> Any:
    return nd.clip(nd.round(steps) + zero_point, nd.iinfo(dtype).min, nd.iinfo(dtype).max).astype(dtype)


def convolution_integer(x: Any, w: Any, x_zero: Any = None, w_zero: Any = None, **windows: Any) -> Any:
    """Products of 8 bits are exact in float64, where convolutions have loops."""
    y = convolution(centred(x, x_zero, 1, nd.float64), centred(w, w_zero, 0, nd.float64), **windows)
    return nd.round(y).astype(nd.int32)


def quantized_convolution(
    x: Any, x_scale: Any, x_zero: Any, w: Any, w_scale: Any, w_zero: Any, y_scale: Any, y_zero: Any, bias: Any = None,
    **windows: Any,
) -> Any:  # fmt: skip
    y = convolution_integer(x, w, x_zero, w_zero, **windows)
    if bias is not None:
        y = y + bias.reshape(-1, *[1] * (y.ndim - 2))
    factor = along(x_scale, 1, y.ndim) * along(w_scale, 1, y.ndim) / along(y_scale, 1, y.ndim)
    return requantized(y.astype(nd.float64) * factor, along(y_zero, 1, y.ndim), y_zero.dtype)


OPERATORS: Rows = {
    "ConvInteger": [(10, 10, convolution_integer)],
    "DequantizeLinear": [(10, 28, dequantize)],
    "DynamicQuantizeLinear": [(11, 11, quantize_by_range)],
    "QLinearConv": [(10, 10, quantized_convolution)],
    "QLinearMatMul": [(10, 21, quantized_matmul)],
    "QuantizeLinear": [(10, 28, quantize)],
}
