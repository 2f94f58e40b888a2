"""Convolution and pooling of images and volumes, forward, and backward from a gradient that is there already."""

import math
from dataclasses import dataclass

from .inputs import normals
from .work import Work


@dataclass(frozen=True)
class Layer:
    """A convolution: (images, channels, side, side), or volumes of a `depth`, by `filters` kernels."""

    images: int
    channels: int
    side: int
    filters: int
    kernel: int
    stride: int = 1
    padding: int = 0
    dilation: int = 1
    groups: int = 1
    depth: int = 0  # of volumes

    @property
    def sides(self):
        return (self.depth, self.side, self.side) if self.depth else (self.side, self.side)

    @property
    def function(self):
        return f"conv{len(self.sides)}d"

    @property
    def shape(self):
        return (self.images, self.channels, *self.sides)

    @property
    def shape_w(self):
        return (self.filters, self.channels // self.groups, *[self.kernel] * len(self.sides))

    @property
    def shape_out(self):
        span = (self.kernel - 1) * self.dilation + 1
        return (
            self.images,
            self.filters,
            *((side + 2 * self.padding - span) // self.stride + 1 for side in self.sides),
        )

    @property
    def flops(self):
        """Multiplications and additions of the forward pass."""
        return 2 * math.prod(self.shape_out) * math.prod(self.shape_w[1:])


LAYERS = {
    "LeNet 1": Layer(128, 1, 28, 20, 5),
    "LeNet 2": Layer(128, 20, 12, 50, 5),
    "ResNet 64": Layer(8, 64, 56, 64, 3, padding=1),
    "ResNet 256": Layer(8, 256, 14, 256, 3, padding=1),
    "ResNet 256 to 1024": Layer(8, 256, 14, 1024, 1),
    "strided": Layer(8, 64, 56, 128, 3, stride=2, padding=1),
    "dilated": Layer(8, 64, 56, 64, 3, padding=2, dilation=2),
    "grouped": Layer(8, 64, 56, 64, 3, padding=1, groups=4),
}
VOLUMES = {
    "16 to 32": Layer(2, 16, 32, 32, 3, padding=1, depth=16),
    "64 to 64": Layer(2, 64, 14, 64, 3, padding=1, depth=8),
    "3 to 16": Layer(1, 3, 64, 16, 3, padding=1, depth=16),
}
NOT_THERE = {"numpy": None, "numexpr": None, "numba": None}
# nd4py's own backward pass of one operation: the gradients that its node makes of g.
LEAF = "from nd4py._exec.autodiff.tape import leaf"
# Statements for nd4py: whether convolutions may use oneDNN where that is the faster one.
HELPERS = {
    "": "xp.helpers(False)",
    " with the helper": "xp.helpers(True)\nassert 'oneDNN' in xp.config()['helpers'], 'there is no helper'",
}


def keywords(layer):
    """The arguments that nd4py and PyTorch call alike."""
    given = {name: getattr(layer, name) for name in ("stride", "padding", "dilation", "groups")}
    return "".join(
        f", {name}={value}" for name, value in given.items() if value != Layer.__dataclass_fields__[name].default
    )


def jax_call(layer):
    around = ((layer.padding, layer.padding),) * len(layer.sides)
    stride, dilation = (layer.stride,) * len(layer.sides), (layer.dilation,) * len(layer.sides)
    return (
        f"lax.conv_general_dilated(x, w, {stride}, {around}, rhs_dilation={dilation}, "
        f"feature_group_count={layer.groups})"
    )


def forward(group, name, layer, helper):
    text = f"xp.{layer.function}(x, w{keywords(layer)})"
    spell = {"torch": f"functional.{layer.function}(x, w{keywords(layer)})", "jax": jax_call(layer)} | NOT_THERE
    return Work(group, f"{name} forward{helper}", text, normals("x w", layer.shape, layer.shape_w),
                (layer.shape,), spell=spell, setup={"nd4py": HELPERS[helper]}, flops=lambda size: layer.flops,
                tolerance=2e-3, is_core=not helper)  # fmt: skip


def backward(group, name, layer, helper):
    """The gradients of images or volumes, and of kernels."""
    given = keywords(layer)
    spell = {
        "nd4py": "y.node.gradients(g)[:2]",
        "torch": "torch.autograd.grad(y, (x, w), g, retain_graph=True)",
        "jax": f"jax.vjp(lambda x, w: {jax_call(layer)}, x, w)[1](g)",
    } | NOT_THERE
    setup = {
        "nd4py": f"{LEAF}\n{HELPERS[helper]}\ny = xp.{layer.function}(leaf(x)[0], leaf(w)[0]{given})",
        "torch": f"x.requires_grad_(), w.requires_grad_()\ny = functional.{layer.function}(x, w{given})",
    }
    make = normals("x w g", layer.shape, layer.shape_w, layer.shape_out)
    return Work(group, f"{name} backward{helper}", "", make, (layer.shape,), spell=spell, setup=setup,
                flops=lambda size: 2 * layer.flops, tolerance=2e-3, is_core=not helper)  # fmt: skip


def pooling(group, shape):
    """Max pooling 2 x 2, or 2 x 2 x 2."""
    n_axes = len(shape) - 2
    function, window = f"max_pool{n_axes}d", str((1, 1, *[2] * n_axes))
    name = f"max {' x '.join('2' * n_axes)} forward"
    jax = f'lax.reduce_window(x, -jnp.inf, lax.max, {window}, {window}, "VALID")'
    half = (*shape[:2], *(side // 2 for side in shape[2:]))
    spell = {"torch": f"functional.{function}(x, 2)", "jax": jax} | NOT_THERE
    yield Work(group, name, f"xp.{function}(x, 2)", normals("x", shape), (shape,), spell=spell, is_core=True)
    spell = {
        "nd4py": f"xp.vjp(lambda x: xp.{function}(x, 2), x)[1](g)",
        "torch": f"torch.autograd.grad(functional.{function}(x, 2), x, g)",
        "jax": f"jax.vjp(lambda x: {jax}, x)[1](g)",
    } | NOT_THERE
    setup = {"torch": "x.requires_grad_()"}
    yield Work(group, f"{name} + backward", "", normals("x g", shape, half), (shape,), spell=spell,
               setup=setup, is_core=True)  # fmt: skip


def rows():
    for group, layers in (("convolutions", LAYERS), ("volumes", VOLUMES)):
        for name, layer in layers.items():
            for helper in HELPERS:
                yield forward(group, name, layer, helper)
                yield backward(group, name, layer, helper)
    for shape in ((128, 20, 24, 24), (8, 64, 112, 112)):
        yield from pooling("pooling", shape)
    yield from pooling("volumes", (4, 16, 16, 32, 32))
