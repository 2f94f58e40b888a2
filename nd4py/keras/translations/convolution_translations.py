"""Convolutions: plain, depthwise, separable and transposed, over sequences, images and volumes."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy

from nd4py import nn

from ..counterparts.axis_vertices import PermuteVertex
from ..counterparts.cut_deconvolutions import CutDeconvolution2D, CutDeconvolution3D
from ..counterparts.wrapped_layers import StepsAsImages
from ..graph_builder import Arrays, Call, Converted, Tensor
from ..settings_reader import UnsupportedError
from ..stored_weights import Wanted
from .translated_settings import activation, constraints, is_channels_first, penalties

MODES = {"valid": "truncate", "same": "same", "causal": "causal"}
PLAIN = {1: nn.Convolution1D, 2: nn.ConvolutionLayer, 3: nn.Convolution3D}
TRANSPOSED = {1: nn.Deconvolution2D, 2: nn.Deconvolution2D, 3: nn.Deconvolution3D}


def channels_of(call: Call, n: int) -> int:
    """The channels of what a layer with windows over `n` axes is given.  Raises ValueError for another input."""
    shape = call.x.shape
    if len(shape) != n + 1:
        raise ValueError(f"{call.settings.who}: examples of {n + 1} axes are needed, given {('batch', *shape)}")
    channels = shape[0 if is_channels_first(call) else -1]
    if channels is None:
        raise UnsupportedError("inputs of any number of channels")
    return channels


def applied(call: Call, n: int, layer: Any) -> Tensor:
    """What a layer with windows over `n` axes makes, in the data format that the file says."""
    if not is_channels_first(call):
        return call.made(call.add(layer, call.first), keeps_mask=False)
    if n > 1:
        return call.made(call.add(layer, call.last), is_last=True)
    turned = call.add(PermuteVertex((2, 1)), call.last, part="channels last")
    made = call.add(layer, turned)
    return call.made(call.add(PermuteVertex((2, 1)), made, part="channels first"), is_last=True, keeps_mask=False)


def window(call: Call, n: int) -> dict[str, Any]:
    """The sizes of windows over `n` axes, their strides and dilations, and what happens at the ends."""
    settings = call.settings
    sizes = {
        "kernel_size": settings.sizes("kernel_size", n),
        "stride": settings.sizes("strides", n, 1),
        "dilation": settings.sizes("dilation_rate", n, 1),
    }
    mode = settings.choice("padding", tuple(MODES), "valid")
    if mode == "causal" and n > 1:
        raise settings.wrong("padding", "valid or same")
    found: dict[str, Any] = {name: each if n > 1 else each[0] for name, each in sizes.items()}
    return {**found, "convolution_mode": MODES[mode]}


def as_of_images(sizes: dict[str, Any]) -> dict[str, Any]:
    """The sizes of windows over steps as those of images of height 1."""
    if sizes["convolution_mode"] == "causal":
        raise UnsupportedError("padding causal")
    return {name: (1, each) if isinstance(each, int) else each for name, each in sizes.items()}


def with_bias(kernels: Converted, arrays: Arrays) -> Converted:
    """The kernels, and the last of the arrays as a bias where there is one more."""
    return {**kernels, "b": arrays[-1]} if len(arrays) > len(kernels) else kernels


def biased(call: Call, wanted: list[Wanted], n_out: int) -> list[Wanted]:
    return [*wanted, Wanted(f"vars/{len(wanted)}", (n_out,))] if call.settings.flag("use_bias", True) else wanted


def channels_first_kernel(kernel: numpy.ndarray) -> numpy.ndarray:
    """(*sizes, in, out) as (out, in, *sizes)."""
    n = kernel.ndim - 2
    return kernel.transpose((n + 1, n, *range(n)))


def plain_convolution(n: int, call: Call) -> Tensor:
    """The translation of a convolution over `n` axes."""
    n_in, n_out, groups = channels_of(call, n), call.settings.whole("filters"), call.settings.whole("groups", 1)
    call.settings.refuse(quantization_config=None)
    sizes, has_bias = window(call, n), call.settings.flag("use_bias", True)
    if n_in % groups:
        raise ValueError(f"{call.settings.who}: {groups} groups do not divide {n_in} channels")
    layer = PLAIN[n](
        n_out=n_out, groups=groups, activation=activation(call), has_bias=has_bias, **sizes, **penalties(call),
        **constraints(call, tuple(range(n + 1))),
    )  # fmt: skip
    shape = (*call.settings.sizes("kernel_size", n), n_in // groups, n_out)
    call.fill(
        biased(call, [Wanted("vars/0", shape)], n_out),
        lambda arrays: with_bias({"W": channels_first_kernel(arrays[0])}, arrays),
    )
    return applied(call, n, layer)


def transposed_convolution(n: int, call: Call) -> Tensor:
    """The translation of a transposed convolution over `n` axes."""
    n_in, n_out = channels_of(call, n), call.settings.whole("filters")
    sizes, kernel = window(call, n), call.settings.sizes("kernel_size", n)
    found = cuts(call, n)
    if found:
        sizes["convolution_mode"] = "truncate"
    sizes = as_of_images(sizes) if n == 1 else sizes
    kind: Any = CutDeconvolution3D if n == 3 else CutDeconvolution2D
    made = partial(kind, cuts=((0, 0),) * (2 - n) + found) if found else TRANSPOSED[n]
    layer: Any = made(
        n_out=n_out, activation=activation(call), has_bias=call.settings.flag("use_bias", True), **sizes,
        **penalties(call, "kernel_constraint", "bias_constraint"),
    )  # fmt: skip
    call.fill(
        biased(call, [Wanted("vars/0", (*kernel, n_out, n_in))], n_out),
        lambda arrays: with_bias({"W": of_image(channels_first_kernel(arrays[0]), n)}, arrays),
    )
    return applied(call, n, StepsAsImages(layer) if n == 1 else layer)


def cuts(call: Call, n: int) -> tuple[tuple[int, int], ...]:
    """What of a transposed convolution is cut off in front and behind each axis; nothing for what layers of `nn` do.

    Of (size - 1) * stride + span elements, span being that of the dilated kernel, padding="valid" keeps all, and as
    many zeros behind as `output_padding` says, or a longer stride needs; padding="same" keeps size * stride, or
    (size - 1) * stride + span % 2 + output_padding.
    """
    rows = [call.settings.sizes(*each) for each in (("kernel_size", n), ("strides", n, 1), ("dilation_rate", n, 1))]
    has_more, is_same = call.settings.has("output_padding"), call.settings.values.get("padding") == "same"
    more = call.settings.sizes("output_padding", n, least=0) if has_more else (0,) * n
    found, is_plain = [], not has_more
    for kernel, stride, dilation, behind in zip(*rows, more, strict=True):
        span = (kernel - 1) * dilation + 1
        is_plain = is_plain and dilation == 1 and kernel >= stride
        if not is_same:
            found.append((0, -behind if has_more else -max(stride - span, 0)))
            continue
        total = span + span % 2 - 2 + behind if has_more else stride + span - 2
        front = min(total // 2 + total % 2, span - 1)
        found.append((span - 1 - front, span - 1 - (total - front)))
    return () if is_plain else tuple(found)


def of_image(kernel: numpy.ndarray, n: int) -> numpy.ndarray:
    """A kernel over steps as one over images of height 1."""
    return kernel[:, :, None, :] if n == 1 else kernel


def depthwise_kernel(kernel: numpy.ndarray, n: int) -> numpy.ndarray:
    """(*sizes, in, multiplier) as (in * multiplier, 1, height, width)."""
    moved = kernel.transpose((n, n + 1, *range(n)))
    return of_image(moved.reshape((-1, 1, *kernel.shape[:n])), n)


def depthwise(n: int, call: Call) -> Tensor:
    """The translation of a convolution of each channel by itself, over `n` axes."""
    n_in, multiplier = channels_of(call, n), call.settings.whole("depth_multiplier", 1)
    sizes = as_of_images(window(call, n)) if n == 1 else window(call, n)
    layer: Any = nn.DepthwiseConvolution2D(
        depth_multiplier=multiplier, activation=activation(call), has_bias=call.settings.flag("use_bias", True),
        **sizes, **penalties(call, "depthwise_regularizer", "depthwise_constraint", "bias_constraint"),
    )  # fmt: skip
    shape = (*call.settings.sizes("kernel_size", n), n_in, multiplier)
    call.fill(
        biased(call, [Wanted("vars/0", shape)], n_in * multiplier),
        lambda arrays: with_bias({"W": depthwise_kernel(arrays[0], n)}, arrays),
    )
    return applied(call, n, StepsAsImages(layer) if n == 1 else layer)


def separable(n: int, call: Call) -> Tensor:
    """The translation of a depthwise convolution and one of single pixels behind it, over `n` axes."""
    n_in, multiplier = channels_of(call, n), call.settings.whole("depth_multiplier", 1)
    n_out, kernel = call.settings.whole("filters"), call.settings.sizes("kernel_size", n)
    sizes = as_of_images(window(call, n)) if n == 1 else window(call, n)
    others = [f"{part}_{kind}" for part in ("depthwise", "pointwise") for kind in ("regularizer", "constraint")]
    layer: Any = nn.SeparableConvolution2D(
        n_out=n_out, depth_multiplier=multiplier, activation=activation(call),
        has_bias=call.settings.flag("use_bias", True), **sizes, **penalties(call, *others, "bias_constraint"),
    )  # fmt: skip
    shapes = (*kernel, n_in, multiplier), (*(1,) * n, n_in * multiplier, n_out)
    call.fill(
        biased(call, [Wanted(f"vars/{i}", shape) for i, shape in enumerate(shapes)], n_out),
        lambda arrays: with_bias(
            {
                "W": depthwise_kernel(arrays[0], n),
                "pW": of_image(channels_first_kernel(arrays[1]), n),
            },
            arrays,
        ),
    )
    return applied(call, n, StepsAsImages(layer) if n == 1 else layer)


ROWS: dict[str, Any] = {
    **{f"Conv{n}D": partial(plain_convolution, n) for n in (1, 2, 3)},
    **{f"Convolution{n}D": partial(plain_convolution, n) for n in (1, 2, 3)},
    **{f"Conv{n}DTranspose": partial(transposed_convolution, n) for n in (1, 2, 3)},
    **{f"DepthwiseConv{n}D": partial(depthwise, n) for n in (1, 2)},
    **{f"SeparableConv{n}D": partial(separable, n) for n in (1, 2)},
}
