"""Convolution and pooling of images, forward, and backward from a gradient that is there already."""

from dataclasses import dataclass

from .inputs import normals
from .work import Work


@dataclass(frozen=True)
class Layer:
    """A convolution: (images, channels, height, width) by `filters` kernels."""

    images: int
    channels: int
    side: int
    filters: int
    kernel: int
    stride: int = 1
    padding: int = 0
    dilation: int = 1
    groups: int = 1

    @property
    def side_out(self):
        return (self.side + 2 * self.padding - (self.kernel - 1) * self.dilation - 1) // self.stride + 1

    @property
    def shape(self):
        return (self.images, self.channels, self.side, self.side)

    @property
    def shape_w(self):
        return (self.filters, self.channels // self.groups, self.kernel, self.kernel)

    @property
    def shape_out(self):
        return (self.images, self.filters, self.side_out, self.side_out)

    @property
    def flops(self):
        """Multiplications and additions of the forward pass."""
        per_output = self.channels // self.groups * self.kernel**2
        return 2 * self.images * self.filters * self.side_out**2 * per_output


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
    around = ((layer.padding, layer.padding),) * 2
    return (
        f"lax.conv_general_dilated(x, w, {(layer.stride,) * 2}, {around}, rhs_dilation={(layer.dilation,) * 2}, "
        f"feature_group_count={layer.groups})"
    )


def forward(name, layer, helper):
    text = f"xp.conv2d(x, w{keywords(layer)})"
    spell = {"torch": f"functional.conv2d(x, w{keywords(layer)})", "jax": jax_call(layer)} | NOT_THERE
    return Work("convolutions", f"{name} forward{helper}", text, normals("x w", layer.shape, layer.shape_w),
                (layer.shape,), spell=spell, setup={"nd4py": HELPERS[helper]}, flops=lambda size: layer.flops,
                tolerance=2e-3, is_core=not helper)  # fmt: skip


def backward(name, layer, helper):
    """The gradients of images and kernels."""
    given = keywords(layer)
    spell = {
        "nd4py": "y.node.gradients(g)[:2]",
        "torch": "torch.autograd.grad(y, (x, w), g, retain_graph=True)",
        "jax": f"jax.vjp(lambda x, w: {jax_call(layer)}, x, w)[1](g)",
    } | NOT_THERE
    setup = {
        "nd4py": f"{LEAF}\n{HELPERS[helper]}\ny = xp.conv2d(leaf(x)[0], leaf(w)[0]{given})",
        "torch": f"x.requires_grad_(), w.requires_grad_()\ny = functional.conv2d(x, w{given})",
    }
    make = normals("x w g", layer.shape, layer.shape_w, layer.shape_out)
    return Work("convolutions", f"{name} backward{helper}", "", make, (layer.shape,), spell=spell, setup=setup,
                flops=lambda size: 2 * layer.flops, tolerance=2e-3, is_core=not helper)  # fmt: skip


def pooling(shape):
    """Max pooling 2 x 2."""
    window = "(1, 1, 2, 2)"
    jax = f'lax.reduce_window(x, -jnp.inf, lax.max, {window}, {window}, "VALID")'
    half = (*shape[:2], shape[2] // 2, shape[3] // 2)
    spell = {"torch": "functional.max_pool2d(x, 2)", "jax": jax} | NOT_THERE
    yield Work(
        "pooling", "max 2 x 2 forward", "xp.max_pool2d(x, 2)", normals("x", shape), (shape,), spell=spell, is_core=True
    )
    spell = {
        "nd4py": "xp.max_pool2d(tracked, 2).node.gradients(g)",
        "torch": "torch.autograd.grad(functional.max_pool2d(x, 2), x, g)",
        "jax": f"jax.vjp(lambda x: {jax}, x)[1](g)",
    } | NOT_THERE
    setup = {"nd4py": f"{LEAF}\ntracked = leaf(x)[0]", "torch": "x.requires_grad_()"}
    yield Work("pooling", "max 2 x 2 forward + backward", "", normals("x g", shape, half), (shape,), spell=spell,
               setup=setup, is_core=True)  # fmt: skip


def rows():
    for name, layer in LAYERS.items():
        for helper in HELPERS:
            yield forward(name, layer, helper)
            yield backward(name, layer, helper)
    for shape in ((128, 20, 24, 24), (8, 64, 112, 112)):
        yield from pooling(shape)
