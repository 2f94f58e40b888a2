"""Pooling over windows and over whole examples, upsampling, zero padding and cropping."""

from __future__ import annotations

import warnings
from functools import partial
from typing import Any

from nd4py import nn

from ..counterparts.axis_vertices import PermuteVertex
from ..counterparts.upsampling_layers import BilinearUpsampling2D, CurvedUpsampling2D
from ..graph_builder import Call, Tensor
from .convolution_translations import MODES, applied, channels_of
from .translated_settings import is_channels_first

POOLING = {1: nn.Subsampling1DLayer, 2: nn.SubsamplingLayer, 3: nn.Subsampling3DLayer}
UPSAMPLING = {1: nn.Upsampling1D, 2: nn.Upsampling2D, 3: nn.Upsampling3D}
PADDING: dict[int, Any] = {1: nn.ZeroPadding1DLayer, 2: nn.ZeroPaddingLayer, 3: nn.ZeroPadding3DLayer}
CROPPING: dict[int, Any] = {1: nn.Cropping1D, 2: nn.Cropping2D, 3: nn.Cropping3D}


def axes(sizes: tuple[int, ...]) -> Any:
    """One number for each axis, as layers of one axis take it."""
    return sizes if len(sizes) > 1 else sizes[0]


def pooling(kind: str, n: int, call: Call) -> Tensor:
    """The translation of pooling over windows of `n` axes."""
    channels_of(call, n)
    kernel = call.settings.sizes("pool_size", n, 2)
    stride = call.settings.sizes("strides", n) if call.settings.has("strides") else kernel
    mode = MODES[call.settings.choice("padding", ("valid", "same"), "valid")]
    return applied(call, n, POOLING[n](kind, axes(kernel), axes(stride), convolution_mode=mode))


def global_pooling(kind: str, n: int, call: Call) -> Tensor:
    """The translation of pooling over all of `n` axes."""
    channels = channels_of(call, n)
    source = call.last if is_channels_first(call) else call.first
    if n == 1 and is_channels_first(call):
        source = call.add(PermuteVertex((2, 1)), source, part="channels last")
    pooled = call.add(nn.GlobalPoolingLayer(kind), source)
    if not call.settings.flag("keepdims", False):
        return call.made(pooled)
    ones = (1,) * n
    shape = (channels, *ones) if is_channels_first(call) else (*ones, channels)
    return call.made(call.add(nn.ReshapeVertex(shape), pooled, part="kept axes"), is_last=True)


def upsampling(n: int, call: Call) -> Tensor:
    channels_of(call, n)
    size, kind = axes(call.settings.sizes("size", n, 2)), call.settings.values.get("interpolation")
    if n == 2 and kind == "bilinear":
        return applied(call, n, BilinearUpsampling2D(size))
    if n == 2 and kind in ("bicubic", "lanczos3", "lanczos5"):
        return applied(call, n, CurvedUpsampling2D(size, interpolation=curve_of(call, str(kind))))
    call.settings.refuse(interpolation="nearest")
    return applied(call, n, UPSAMPLING[n](size))


def curve_of(call: Call, kind: str) -> str:
    """The curve of an interpolation: of "bicubic" PyTorch has another one than TensorFlow and JAX, and not every file
    says which of them Keras ran on."""
    if kind != "bicubic" or call.builder.backend in ("tensorflow", "jax"):
        return kind
    if call.builder.backend == "torch":
        return "clamped bicubic"
    warnings.warn(
        f"{call.settings.who}: interpolation='bicubic' is computed as Keras does on TensorFlow and JAX; on "
        "PyTorch it is another curve, and the file does not say which one it was made for",
        stacklevel=2,
    )
    return kind


def zero_padding(n: int, call: Call) -> Tensor:
    channels_of(call, n)
    return applied(call, n, PADDING[n](call.settings.pairs("padding", n)))


def cropping(n: int, call: Call) -> Tensor:
    channels_of(call, n)
    return applied(call, n, CROPPING[n](call.settings.pairs("cropping", n)))


def repeat_vector(call: Call) -> Tensor:
    return call.made(call.add(nn.RepeatVector(call.settings.whole("n")), call.first))


# What the classes are called, and what they do.
KINDS = {"MaxPooling": "max", "MaxPool": "max", "AveragePooling": "avg", "AvgPool": "avg"}
ROWS: dict[str, Any] = {
    **{f"{name}{n}D": partial(pooling, kind, n) for name, kind in KINDS.items() for n in (1, 2, 3)},
    **{f"Global{name}{n}D": partial(global_pooling, kind, n) for name, kind in KINDS.items() for n in (1, 2, 3)},
    **{f"UpSampling{n}D": partial(upsampling, n) for n in (1, 2, 3)},
    **{f"ZeroPadding{n}D": partial(zero_padding, n) for n in (1, 2, 3)},
    **{f"Cropping{n}D": partial(cropping, n) for n in (1, 2, 3)},
    "RepeatVector": repeat_vector,
}
