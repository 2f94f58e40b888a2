"""Layers with windows beside PyTorch's: values, gradients of the input and of the parameters."""

import numpy as np
import pytest

import nd4py as nd
from nd4py import nn

torch = pytest.importorskip("torch")
DOUBLE = {"dtype": torch.float64}

# Ours, theirs, and the shape of a batch as theirs takes it.
CONVOLUTIONS = {
    "1 axis": (nn.Convolution1D(3, 6, 2, 1, 2), torch.nn.Conv1d(4, 6, 3, 2, 1, 2, **DOUBLE), (2, 4, 11)),
    "1 axis in groups": (nn.Convolution1D(2, 6, groups=2), torch.nn.Conv1d(4, 6, 2, groups=2, **DOUBLE), (2, 4, 7)),
    "2 axes": (
        nn.ConvolutionLayer((3, 2), 5, (2, 1), (1, 0), (1, 2)),
        torch.nn.Conv2d(4, 5, (3, 2), (2, 1), (1, 0), (1, 2), **DOUBLE),
        (3, 4, 7, 6),
    ),
    "2 axes in groups": (
        nn.ConvolutionLayer(3, 6, groups=2, has_bias=False),
        torch.nn.Conv2d(4, 6, 3, groups=2, bias=False, **DOUBLE),
        (2, 4, 5, 8),
    ),
    "3 axes": (
        nn.Convolution3D((2, 3, 2), 5, (1, 2, 1), (1, 0, 1), (2, 1, 1)),
        torch.nn.Conv3d(3, 5, (2, 3, 2), (1, 2, 1), (1, 0, 1), (2, 1, 1), **DOUBLE),
        (2, 3, 4, 5, 3),
    ),
    "3 axes in groups": (
        nn.Convolution3D(2, 4, groups=2),
        torch.nn.Conv3d(6, 4, 2, groups=2, **DOUBLE),
        (1, 6, 3, 4, 5),
    ),
    "transposed": (
        nn.Deconvolution2D((3, 2), 6, (2, 3), (1, 0), (1, 2), groups=2),
        torch.nn.ConvTranspose2d(4, 6, (3, 2), (2, 3), (1, 0), 0, 2, True, (1, 2), **DOUBLE),
        (2, 4, 4, 5),
    ),
    "transposed to the same size": (
        nn.Deconvolution2D(3, 2, 2, convolution_mode="same", has_bias=False),
        torch.nn.Sequential(
            torch.nn.ConvTranspose2d(3, 2, 3, 2, bias=False, **DOUBLE), torch.nn.ZeroPad2d((0, -1, 0, -1))
        ),
        (2, 3, 4, 5),
    ),
    "transposed over 3 axes": (
        nn.Deconvolution3D((2, 3, 2), 4, (2, 1, 2), (0, 1, 0)),
        torch.nn.ConvTranspose3d(3, 4, (2, 3, 2), (2, 1, 2), (0, 1, 0), **DOUBLE),
        (2, 3, 3, 4, 2),
    ),
}
# PyTorch takes powers of x, not of its absolute value: the same where they are even.
POOLS = {
    "steps": (nn.Subsampling1DLayer("pnorm", 3, 2, pnorm=4), torch.nn.LPPool1d(4, 3, 2), (2, 4, 9)),
    "norm of images": (nn.SubsamplingLayer("pnorm", (3, 2), 1, pnorm=4), torch.nn.LPPool2d(4, (3, 2), 1), (2, 3, 6, 5)),
    "norm of volumes": (
        nn.Subsampling3DLayer("pnorm", (2, 3, 2), 1, pnorm=4), torch.nn.LPPool3d(4, (2, 3, 2), 1), (2, 3, 3, 4, 5)
    ),
    "maxima of volumes": (
        nn.Subsampling3DLayer("max", (2, 3, 3), 2, (1, 0, 1)), torch.nn.MaxPool3d((2, 3, 3), 2, (1, 0, 1)),
        (2, 3, 5, 6, 7),
    ),
    "means of volumes": (
        nn.Subsampling3DLayer("avg", 3, (1, 2, 2), 1), torch.nn.AvgPool3d(3, (1, 2, 2), 1, count_include_pad=False),
        (2, 3, 4, 5, 6),
    ),
    "sum of images": (
        nn.SubsamplingLayer("sum", 3, 2, 1), torch.nn.AvgPool2d(3, 2, 1, divisor_override=1), (2, 3, 7, 5)
    ),
}  # fmt: skip
CASES = [pytest.param(*case, id=name) for name, case in (CONVOLUTIONS | POOLS).items()]


def numbers(shape, seed):
    return np.random.default_rng(seed).normal(size=shape)


@pytest.mark.parametrize("layer, module, shape", CASES)
def test_values_and_gradients(layer, module, shape):
    x = numbers(shape, 1)
    theirs_of = {name.rpartition(".")[2]: each for name, each in module.named_parameters()}
    theirs_of = {ours: theirs_of[name] for name, ours in (("weight", "W"), ("bias", "b")) if name in theirs_of}
    params = {name: nd.asarray(each.detach().numpy().copy()) for name, each in theirs_of.items()}
    theirs_x = torch.tensor(x, requires_grad=True)
    theirs = module(theirs_x)
    g = numbers(theirs.shape, 2)
    (theirs * torch.tensor(g)).sum().backward()

    def total(params, x):
        given = nd.matrix_transpose(x) if x.ndim == 3 else x
        y = layer.forward(params, given)
        y = nd.matrix_transpose(y) if x.ndim == 3 else y
        return nd.sum(y * nd.asarray(g)), y

    (_, y), found = nd.value_and_grad(total, (0, 1), has_aux=True)(params, nd.asarray(x))
    np.testing.assert_allclose(np.asarray(y), theirs.detach().numpy(), rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(np.asarray(found[1]), theirs_x.grad.numpy(), rtol=1e-9, atol=1e-10)
    for name, each in theirs_of.items():
        np.testing.assert_allclose(np.asarray(found[0][name]), each.grad.numpy(), rtol=1e-9, atol=1e-10)
