"""Averages of weights beside PyTorch's `AveragedModel` and `update_bn`."""

import numpy as np
import pytest

import nd4py as nd
from nd4py import nn, train

torch = pytest.importorskip("torch")
swa_utils = torch.optim.swa_utils

CASES = {
    "exponential": (
        train.ExponentialMovingAverage(0.9),
        {"multi_avg_fn": swa_utils.get_ema_multi_avg_fn(0.9)},
    ),
    "mean": (train.StochasticWeightAveraging(), {}),
    "mean, with running values": (
        train.StochasticWeightAveraging(average_running_values=True),
        {"use_buffers": True},
    ),
}


def module():
    """Two linear layers with batch normalization between them, without what PyTorch alone counts."""
    torch.manual_seed(2)
    layers = (torch.nn.Linear(4, 5), torch.nn.BatchNorm1d(5, momentum=0.2), torch.nn.Linear(5, 3))
    return torch.nn.Sequential(*layers).double()


def vector_of(theirs):
    """The module's parameters in the order of our flat vector."""
    dense, normalization, out = theirs
    parts = [
        dense.weight.T, dense.bias, normalization.weight, normalization.bias, normalization.running_mean,
        normalization.running_var, out.weight.T, out.bias,
    ]  # fmt: skip
    return np.concatenate([part.detach().numpy().reshape(-1) for part in parts])


def network():
    layers = [nn.DenseLayer(5, "identity"), nn.BatchNormalization(decay=0.8), nn.OutputLayer(3)]
    return nn.MultiLayerNetwork(layers, input_type=nn.InputType.feed_forward(4), dtype="float64")


@pytest.mark.parametrize("case", CASES)
def test_averages(case):
    average, settings = CASES[case]
    theirs, net, rng = module(), network(), np.random.default_rng(7)
    averaged = swa_utils.AveragedModel(theirs, **settings)
    for _ in range(8):
        with torch.no_grad():
            for part in (*theirs.parameters(), theirs[1].running_mean, theirs[1].running_var):
                part.copy_(torch.tensor(rng.uniform(0.1, 1.0, size=tuple(part.shape))))
        averaged.update_parameters(theirs)
        net.set_params(vector_of(theirs))
        average.update(net)
    np.testing.assert_allclose(np.asarray(average.values), vector_of(averaged.module), rtol=1e-12)


def test_running_values_computed_anew():
    theirs, net = module(), network()
    net.set_params(vector_of(theirs))
    x = np.random.default_rng(8).normal(size=(3, 6, 4))
    swa_utils.update_bn([torch.tensor(batch) for batch in x], theirs)
    labels = np.eye(3)[[0, 1, 2, 2, 1, 0]]
    net.recompute_running_values([(batch, labels) for batch in x])
    expected = vector_of(theirs)
    where = {slot.key: slot.elements for slot in net.slots}
    expected[where["1_var"]] *= 5 / 6  # PyTorch's running variance is that of a sample
    np.testing.assert_allclose(np.asarray(net.params()), expected, rtol=1e-12)
    assert nd.all(net.param_table()["1_var"] != 1.0)
