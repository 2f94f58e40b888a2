"""Updaters beside PyTorch's: ten steps from the same parameters along the same gradients."""

import numpy as np
import pytest

import nd4py as nd
from nd4py import nn

torch = pytest.importorskip("torch")

# Where PyTorch and nd4py take the same two axes for rows and columns: the last two, and the longest two.
SHAPES = [(9,), (4, 7), (7, 4), (3, 2, 5, 6)]
CASES = {
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
