"""Convolutions, and layers that change the sizes of images, volumes and sequences."""

from __future__ import annotations

from typing import Any

from nd4py import nn

from .activation_writers import activated
from .graph_writer import LAST
from .written_layer import Write, Written


def windows(it: Written) -> dict[str, Any]:
    """Attributes of a node that slides a kernel."""
    window = it.layer.window
    attributes = {"kernel_shape": list(window.kernel), "strides": list(window.stride)}
    if window.mode == "same" and None in it.given[0].dimensions:
        return attributes | {"auto_pad": "SAME_UPPER"}
    edges = window.edges(it.given[0].spatial or (1,) * len(window.kernel))  # of other modes the sizes do not matter
    return attributes | {"pads": [*edges[::2], *edges[1::2]]}


def correlated(it: Written, x: str, group: int, *weights: str) -> str:
    dilations = list(it.layer.window.dilation)
    return it.writer.node("Conv", x, *weights, group=group, dilations=dilations, **windows(it))


def convolution(it: Written) -> str:
    y = correlated(it, it.x, it.layer.groups, it.weight("W"), *it.weight_if_there("b"))
    return activated(it.writer, it.layer.activation, y, it.n_axes)


def convolution_of_steps(it: Written) -> str:
    x = it.writer.transposed(it.x, 0, 2, 1)
    y = correlated(it, x, it.layer.groups, it.weight("W"), *it.weight_if_there("b"))
    return activated(it.writer, it.layer.activation, it.writer.transposed(y, 0, 2, 1), it.n_axes)


def depthwise(it: Written) -> str:
    y = correlated(it, it.x, it.given[0].n_features, it.weight("W"), *it.weight_if_there("b"))
    return activated(it.writer, it.layer.activation, y, it.n_axes)


def separable(it: Written) -> str:
    y = correlated(it, it.x, it.given[0].n_features, it.weight("W"))
    y = it.writer.node("Conv", y, it.weight("pW"), *it.weight_if_there("b"))
    return activated(it.writer, it.layer.activation, y, it.n_axes)


def transposed(it: Written) -> str:
    window = it.layer.window
    edges, behind = window.transposed_edges(it.given[0].spatial)
    y = it.writer.node(
        "ConvTranspose", it.x, it.weight("W"), *it.weight_if_there("b"), group=it.layer.groups,
        dilations=list(window.dilation), kernel_shape=list(window.kernel), strides=list(window.stride),
        pads=[*edges[::2], *edges[1::2]], output_padding=list(behind),
    )  # fmt: skip
    return activated(it.writer, it.layer.activation, y, it.n_axes)


def first_axis(it: Written) -> int:
    """The first axis that is changed: sequences have their steps before their features."""
    return 1 if it.n_axes == 3 else 2


def upsampling(it: Written) -> str:
    times = it.layer.size if isinstance(it.layer.size, tuple) else (it.layer.size,)
    scales = [1.0] * it.n_axes
    scales[first_axis(it) : first_axis(it) + len(times)] = map(float, times)
    held = it.writer.floats(scales)
    return it.writer.node(
        "Resize", it.x, "", held, mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor"
    )


def pairs(widths: Any) -> list[tuple[int, int]]:
    return list(zip(widths[::2], widths[1::2], strict=True))


def zero_padding(it: Written) -> str:
    before, behind = [0] * it.n_axes, [0] * it.n_axes
    for axis, (first, last) in enumerate(pairs(it.layer.padding), first_axis(it)):
        before[axis], behind[axis] = first, last
    return it.writer.node("Pad", it.x, it.writer.integers([*before, *behind], "pads"), it.writer.constant(0.0))


def cropping(it: Written) -> str:
    x = it.x
    for axis, (first, last) in enumerate(pairs(it.layer.cropping), first_axis(it)):
        if first or last:
            x = it.writer.part(x, first, -last if last else LAST, axis)
    return x


def space_to_depth(it: Written) -> str:
    return it.writer.node("SpaceToDepth", it.x, blocksize=it.layer.block_size)


def depth_to_space(it: Written) -> str:
    return it.writer.node("DepthToSpace", it.x, blocksize=it.layer.block_size, mode="DCR")


WRITERS: dict[type, Write] = {
    nn.Convolution1D: convolution_of_steps,
    nn.Convolution3D: convolution,
    nn.ConvolutionLayer: convolution,
    nn.Cropping1D: cropping,
    nn.Cropping2D: cropping,
    nn.Cropping3D: cropping,
    nn.Deconvolution2D: transposed,
    nn.Deconvolution3D: transposed,
    nn.DepthToSpaceLayer: depth_to_space,
    nn.DepthwiseConvolution2D: depthwise,
    nn.SeparableConvolution2D: separable,
    nn.SpaceToDepthLayer: space_to_depth,
    nn.Upsampling1D: upsampling,
    nn.Upsampling2D: upsampling,
    nn.Upsampling3D: upsampling,
    nn.ZeroPadding1DLayer: zero_padding,
    nn.ZeroPadding3DLayer: zero_padding,
    nn.ZeroPaddingLayer: zero_padding,
}
