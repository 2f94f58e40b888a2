"""Convolutions in one to three dimensions, and transposed ones."""

from __future__ import annotations

from typing import Any

from nd4py import api as nd

from .operator_rows import Rows
from .window_geometry import flat, frames

CONVOLUTIONS = {2: nd.conv2d, 3: nd.conv3d}
TRANSPOSED = {2: nd.conv_transpose2d, 3: nd.conv_transpose3d}


def convolution(
    x: Any, w: Any, bias: Any = None, *, auto_pad: str = "NOTSET", kernel_shape: Any = None, strides: Any = None,
    pads: Any = None, dilations: Any = None, group: int = 1,
) -> Any:  # fmt: skip
    """x: (batch, channels, ...)    w: (filters, channels // group, ...)"""
    n = x.ndim - 2
    strides, dilations = strides or [1] * n, dilations or [1] * n
    pairs, _ = frames(x.shape[2:], w.shape[2:], strides, dilations, pads, auto_pad)
    if n == 1:  # an image of one row
        y = nd.conv2d(
            x[:, :, None], w[:, :, None], bias, stride=(1, *strides), dilation=(1, *dilations),
            padding=(0, 0, *flat(pairs)), groups=group,
        )  # fmt: skip
        return y[:, :, 0]
    return CONVOLUTIONS[n](x, w, bias, stride=strides, padding=flat(pairs), dilation=dilations, groups=group)


def transposed_convolution(
    x: Any, w: Any, bias: Any = None, *, auto_pad: str = "NOTSET", kernel_shape: Any = None, strides: Any = None,
    pads: Any = None, dilations: Any = None, group: int = 1, output_padding: Any = None, output_shape: Any = None,
) -> Any:  # fmt: skip
    """x: (batch, channels, ...)    w: (channels, filters // group, ...)"""
    n = x.ndim - 2
    strides, dilations = strides or [1] * n, dilations or [1] * n
    extra = list(output_padding or [0] * n)
    spans = [(k - 1) * d + 1 for k, d in zip(w.shape[2:], dilations, strict=True)]
    full = [(size - 1) * s + span + e for size, s, span, e in zip(x.shape[2:], strides, spans, extra, strict=True)]
    if output_shape or auto_pad in ("SAME_UPPER", "SAME_LOWER"):
        wanted = list(output_shape or [size * s for size, s in zip(x.shape[2:], strides, strict=True)])[-n:]
        pairs = [halves(have - want, auto_pad) for have, want in zip(full, wanted, strict=True)]
    else:
        pairs = [(pads[i], pads[n + i]) for i in range(n)] if pads and auto_pad == "NOTSET" else [(0, 0)] * n
    # elements that are missing at the end are padded to the output, which the function below does up to the stride
    missing = [max(-b, 0) for _, b in pairs]
    extra = [e + m for e, m in zip(extra, missing, strict=True)]
    cut = [(max(a, 0), max(b, 0)) for a, b in pairs]
    if n == 1:
        y = nd.conv_transpose2d(
            x[:, :, None], w[:, :, None], None, stride=(1, *strides), dilation=(1, *dilations), groups=group
        )[:, :, 0]
    else:
        y = TRANSPOSED[n](x, w, None, stride=strides, dilation=dilations, groups=group)
    y = nd.pad(y, [(0, 0)] * 2 + [(max(-a, 0), e) for (a, _), e in zip(pairs, extra, strict=True)])
    y = y[(..., *(slice(a, size - b) for (a, b), size in zip(cut, y.shape[2:], strict=True)))]
    return y if bias is None else y + bias.reshape(-1, *[1] * n)


def halves(total: int, auto_pad: str) -> tuple[int, int]:
    """A frame of `total` on two sides; the larger half behind for SAME_UPPER, else before."""
    smaller = total // 2
    return (smaller, total - smaller) if auto_pad == "SAME_UPPER" else (total - smaller, smaller)


OPERATORS: Rows = {
    "Conv": [(1, 22, convolution)],
    "ConvTranspose": [(1, 22, transposed_convolution)],
}
