"""Layers beside PyTorch's: values, gradients of the input and of the parameters, and running values."""

import numpy as np
import pytest

import nd4py as nd
from nd4py import nn

torch = pytest.importorskip("torch")
DOUBLE = {"dtype": torch.float64}
NORM = {"weight": "gamma", "bias": "beta"}
WEIGHTS = {"weight": "W", "bias": "b"}


class RowsLast(torch.nn.Module):
    """A module of PyTorch over the axis of the channels of (batch, channels, ...)."""

    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, x):
        return self.module(x.movedim(1, -1)).movedim(-1, 1)


class Calls(torch.nn.Module):
    """A function as a module."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


def separable():
    return torch.nn.Sequential(
        torch.nn.Conv2d(3, 6, 3, 2, 1, groups=3, bias=False, **DOUBLE), torch.nn.Conv2d(6, 4, 1, **DOUBLE)
    )


# Ours, theirs, the names of our parameters by theirs, and the shape of a batch as both take it.
CASES = {
    "dense": (nn.DenseLayer(5, "identity"), torch.nn.Linear(4, 5, **DOUBLE), WEIGHTS, (3, 4)),
    "dense without bias": (
        nn.DenseLayer(5, "tanh", has_bias=False),
        torch.nn.Sequential(torch.nn.Linear(4, 5, False, **DOUBLE), torch.nn.Tanh()), {"0.weight": "W"}, (3, 4),
    ),
    "layer norm of rows": (nn.LayerNormalization(eps=1e-3), torch.nn.LayerNorm(6, 1e-3, **DOUBLE), NORM, (4, 6)),
    "layer norm of sequences": (nn.LayerNormalization(), torch.nn.LayerNorm(6, **DOUBLE), NORM, (2, 5, 6)),
    "layer norm of images": (
        nn.LayerNormalization(), RowsLast(torch.nn.LayerNorm(3, **DOUBLE)),
        {f"module.{name}": ours for name, ours in NORM.items()}, (2, 3, 4, 5),
    ),
    "group norm": (nn.GroupNormalization(2, eps=1e-4), torch.nn.GroupNorm(2, 6, 1e-4, **DOUBLE), NORM, (3, 6, 4, 2)),
    "group norm of rows": (nn.GroupNormalization(3), torch.nn.GroupNorm(3, 6, **DOUBLE), NORM, (5, 6)),
    "instance norm": (nn.GroupNormalization(4), torch.nn.InstanceNorm2d(4, affine=True, **DOUBLE), NORM, (2, 4, 5, 3)),
    "rms norm": (nn.RMSNormalization(eps=1e-5), torch.nn.RMSNorm(6, 1e-5, **DOUBLE), {"weight": "gamma"}, (2, 5, 6)),
    "local response": (
        nn.LocalResponseNormalization(n=5, k=2.0, alpha=1e-2 / 5, beta=0.75),
        torch.nn.LocalResponseNorm(5, 1e-2, 0.75, 2.0), {}, (2, 7, 3, 4),
    ),
    "prelu of channels": (
        nn.PReLULayer(shared_axes=(2, 3)), torch.nn.PReLU(3, **DOUBLE), {"weight": "W"}, (2, 3, 4, 5)
    ),
    "depthwise": (
        nn.DepthwiseConvolution2D(3, 2, 1, 1), torch.nn.Conv2d(3, 6, 3, 1, 1, groups=3, **DOUBLE), WEIGHTS, (2, 3, 6, 5)
    ),
    "separable": (
        nn.SeparableConvolution2D(3, 2, 2, 1, n_out=4), separable(), {"0.weight": "W", "1.weight": "pW", "1.bias": "b"},
        (2, 3, 7, 6),
    ),
    "maxima": (nn.SubsamplingLayer("max", (3, 2), 2, (1, 0)), torch.nn.MaxPool2d((3, 2), 2, (1, 0)), {}, (2, 3, 7, 6)),
    "means": (
        nn.SubsamplingLayer("avg", 3, 2, 1), torch.nn.AvgPool2d(3, 2, 1, count_include_pad=False), {}, (2, 3, 7, 6)
    ),
    "global maxima": (nn.GlobalPoolingLayer("max"), Calls(lambda x: x.amax((2, 3))), {}, (2, 3, 4, 5)),
    "global means": (nn.GlobalPoolingLayer("avg"), Calls(lambda x: x.mean((2, 3))), {}, (2, 3, 4, 5)),
    "nearest": (nn.Upsampling2D((2, 3)), torch.nn.Upsample(scale_factor=(2, 3)), {}, (2, 3, 4, 5)),
    "nearest of volumes": (nn.Upsampling3D(2), torch.nn.Upsample(scale_factor=2), {}, (1, 2, 3, 2, 2)),
    "zero padding": (nn.ZeroPaddingLayer((1, 2, 3, 0)), torch.nn.ZeroPad2d((3, 0, 1, 2)), {}, (2, 3, 4, 5)),
    "cropping": (nn.Cropping2D((1, 0, 2, 1)), torch.nn.ZeroPad2d((-2, -1, -1, 0)), {}, (2, 3, 5, 6)),
    "activation": (nn.ActivationLayer("gelu"), torch.nn.GELU(), {}, (3, 5)),
}  # fmt: skip


def numbers(shape, seed):
    return np.random.default_rng(seed).normal(size=shape)


def in_our_shape(values, case):
    """A parameter of PyTorch as ours: weights of a dense layer are transposed, slopes have the axes of an example."""
    if case.startswith("dense") and values.ndim == 2:
        values = values.T
    return nd.asarray(values.reshape(3, 1, 1) if case.startswith("prelu") else values, copy=True)


@pytest.mark.parametrize("case", CASES)
def test_values_and_gradients(case):
    layer, module, names, shape = CASES[case]
    theirs_of = dict(module.named_parameters())
    assert set(theirs_of) == set(names)
    with torch.no_grad():  # gamma begins with ones, where a wrong one shows in nothing
        for seed, each in enumerate(theirs_of.values()):
            each += torch.tensor(0.3 * numbers(each.shape, seed))
    params = {ours: in_our_shape(theirs_of[name].detach().numpy(), case) for name, ours in names.items()}
    x = numbers(shape, 1)
    theirs_x = torch.tensor(x, requires_grad=True)
    theirs = module(theirs_x)
    g = numbers(theirs.shape, 2)
    (theirs * torch.tensor(g)).sum().backward()

    def total(params, x):
        y = layer.forward(params, x)
        return nd.sum(y * nd.asarray(g)), y

    (_, y), (gradients, dx) = nd.value_and_grad(total, (0, 1), has_aux=True)(params, nd.asarray(x))
    np.testing.assert_allclose(np.asarray(y), theirs.detach().numpy(), rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(np.asarray(dx), theirs_x.grad.numpy(), rtol=1e-8, atol=1e-11)
    for name, ours in names.items():
        want = in_our_shape(theirs_of[name].grad.numpy(), case)
        np.testing.assert_allclose(np.asarray(gradients[ours]), np.asarray(want), rtol=1e-8, atol=1e-11)


def test_pixel_blocks():
    """Their channels are of pixels of one channel, ours, as TensorFlow's, of channels of one pixel."""
    x = numbers((2, 12, 3, 4), 4)
    by_channel = x.reshape(2, 3, 4, 3, 4)
    want = torch.nn.PixelShuffle(2)(torch.tensor(x)).numpy()
    given = by_channel.swapaxes(1, 2).reshape(x.shape)
    found = nn.DepthToSpaceLayer(2).forward({}, nd.asarray(given))
    np.testing.assert_array_equal(np.asarray(found), want)
    back = nn.SpaceToDepthLayer(2).forward({}, found)
    np.testing.assert_array_equal(np.asarray(back), given)


@pytest.mark.parametrize("shape", [(6, 4), (3, 4, 5, 2), (2, 4, 3, 2, 2)], ids=str)
def test_batch_normalization_and_its_running_values(shape):
    kind = {2: torch.nn.BatchNorm1d, 4: torch.nn.BatchNorm2d, 5: torch.nn.BatchNorm3d}[len(shape)]
    module, layer = kind(4, eps=1e-3, momentum=0.3, **DOUBLE), nn.BatchNormalization(decay=0.7, eps=1e-3)
    with torch.no_grad():
        module.weight += torch.tensor(numbers(4, 3))
        module.bias += torch.tensor(numbers(4, 4))
    params = {ours: nd.asarray(getattr(module, name).detach().numpy().copy()) for name, ours in NORM.items()}
    state = {"mean": nd.zeros(4, dtype=nd.float64), "var": nd.ones(4, dtype=nd.float64)}
    n = np.prod(shape) // 4
    var = np.ones(4)
    for step in range(4):
        x = numbers(shape, step) * 2 + 1
        theirs_x = torch.tensor(x, requires_grad=True)
        theirs = module(theirs_x)
        g = numbers(shape, 10 + step)
        (theirs * torch.tensor(g)).sum().backward()

        def total(params, x, state=state, g=g):
            y, new = layer.forward(params | state, x, train=True)
            return nd.sum(y * nd.asarray(g)), (y, new)

        (_, (y, state)), (_, dx) = nd.value_and_grad(total, (0, 1), has_aux=True)(params, nd.asarray(x))
        np.testing.assert_allclose(np.asarray(y), theirs.detach().numpy(), rtol=1e-9, atol=1e-11)
        np.testing.assert_allclose(np.asarray(dx), theirs_x.grad.numpy(), rtol=1e-7, atol=1e-10)
        np.testing.assert_allclose(np.asarray(state["mean"]), module.running_mean.numpy(), rtol=1e-10, atol=1e-13)
        # They keep the variance of the population as the batch lets it be guessed, Deeplearning4j that of the batch.
        axes = (0, *range(2, len(shape)))
        var = 0.7 * var + 0.3 * x.var(axes)
        unbiased = module.running_var.numpy()
        np.testing.assert_allclose(np.asarray(state["var"]), var, rtol=1e-10)
        np.testing.assert_allclose(var - 0.7 ** (step + 1), (unbiased - 0.7 ** (step + 1)) * (n - 1) / n, rtol=1e-9)
    module.eval()
    with torch.no_grad():
        module.running_var[:] = torch.tensor(var)
    x = numbers(shape, 9)
    y = layer.forward(params | state, nd.asarray(x))
    np.testing.assert_allclose(np.asarray(y), module(torch.tensor(x)).detach().numpy(), rtol=1e-9, atol=1e-11)
