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
}
# PyTorch takes powers of x, not of its absolute value: the same where they are even.
POOLS = {
    "steps": (nn.Subsampling1DLayer("pnorm", 3, 2, pnorm=4), torch.nn.LPPool1d(4, 3, 2), (2, 4, 9)),
    "norm of images": (nn.SubsamplingLayer("pnorm", (3, 2), 1, pnorm=4), torch.nn.LPPool2d(4, (3, 2), 1), (2, 3, 6, 5)),
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
    names = {"weight": "W", "bias": "b"}
    params = {names[name]: nd.asarray(each.detach().numpy().copy()) for name, each in module.named_parameters()}
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
    for name, each in module.named_parameters():
        np.testing.assert_allclose(np.asarray(found[0][names[name]]), each.grad.numpy(), rtol=1e-9, atol=1e-10)
