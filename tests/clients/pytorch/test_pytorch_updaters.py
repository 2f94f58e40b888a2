"""Updaters beside PyTorch's: ten steps from the same parameters along the same gradients."""

import numpy as np
import pytest

import nd4py as nd
from nd4py import nn

torch = pytest.importorskip("torch")

# Where PyTorch and nd4py take the same two axes for rows and columns: the last two, and the longest two.
SHAPES = [(9,), (4, 7), (7, 4), (3, 2, 5, 6)]
CASES = {
    "Sgd": (nn.Sgd(0.1), lambda p: torch.optim.SGD([p], lr=0.1)),
    "Nesterovs": (nn.Nesterovs(0.05, 0.8), lambda p: torch.optim.SGD([p], lr=0.05, momentum=0.8, nesterov=True)),
    "Adam": (nn.Adam(0.02, 0.8, 0.99, 1e-6), lambda p: torch.optim.Adam([p], 0.02, (0.8, 0.99), 1e-6)),
    "AdamW": (nn.AdamW(0.02, weight_decay=0.1), lambda p: torch.optim.AdamW([p], 0.02, weight_decay=0.1)),
    "AdaMax": (nn.AdaMax(0.03), lambda p: torch.optim.Adamax([p], 0.03)),
    "AdaGrad": (nn.AdaGrad(0.2, 1e-9), lambda p: torch.optim.Adagrad([p], 0.2, eps=1e-9)),
    "AdaDelta": (nn.AdaDelta(0.9, 1e-5), lambda p: torch.optim.Adadelta([p], 1.0, 0.9, 1e-5)),
    "RmsProp": (nn.RmsProp(0.01, 0.9, 1e-7), lambda p: torch.optim.RMSprop([p], 0.01, 0.9, 1e-7)),
    "Adafactor": (nn.AdaFactor(0.02), lambda p: torch.optim.Adafactor([p], lr=0.02)),
    "Adafactor, large steps": (
        nn.AdaFactor(0.5, decay_exponent=0.5, clipping_threshold=1.2, parameter_eps=0.3),
        lambda p: torch.optim.Adafactor([p], lr=0.5, beta2_decay=-0.5, d=1.2, eps=(None, 0.3)),
    ),
}


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("case", CASES)
def test_ten_steps(case, shape):
    updater, make = CASES[case]
    rng = np.random.default_rng(6)
    start = rng.normal(size=shape) * 0.5
    theirs = torch.nn.Parameter(torch.tensor(start))
    optimizer = make(theirs)
    ours = nd.asarray(start, copy=True)
    state = updater.init(ours)
    for i in range(10):
        gradient = rng.normal(size=shape) * (1 + 5 * (i == 4))
        theirs.grad = torch.tensor(gradient)
        optimizer.step()
        ours = ours - updater.update(nd.asarray(gradient), state, i, 0, ours)
        np.testing.assert_allclose(np.asarray(ours), theirs.detach().numpy(), rtol=1e-9, atol=1e-12)
