"""Every layer, activation and loss in a network on a simulated device, from the cases of the tests of `nn`."""

import cases
import numpy as np
import pytest
from device_training import assert_trains_alike

from nd4py import nn

pytestmark = pytest.mark.usefixtures("simulator")
LAYERS = [pytest.param(case, id=f"{i}-{type(case.layer).__name__}") for i, case in enumerate(cases.LAYERS)]
LOSSES = [*cases.LOSSES.items(), *cases.MORE_LOSSES]


@pytest.mark.parametrize("case", LAYERS)
def test_layers(case):
    is_last = isinstance(case.layer, nn.OutputLayer)
    layers = [case.layer] if is_last else [nn.ActivationLayer("cube"), case.layer, nn.OutputLayer(3)]

    def network():
        return nn.MultiLayerNetwork(layers, input_type=case.given, updater=nn.Nesterovs(0.1), dtype="float64", seed=2)

    rng = np.random.default_rng(6)
    data = [(rng.normal(size=(3, *case.given.shape)), np.eye(3)[rng.integers(0, 3, 3)]) for _ in range(2)]
    there, here = assert_trains_alike(network, data, rtol=1e-11)
    assert [x.shape for x in there.feed_forward(data[0][0])] == [x.shape for x in here.feed_forward(data[0][0])]


@pytest.mark.parametrize("name", cases.ACTIVATIONS)
def test_activations(name):
    assert_trains_alike(lambda: cases.small_network(layers=[nn.DenseLayer(5, name), nn.OutputLayer(3)]),
                        [cases.small_batch()] * 2, rtol=1e-11)  # fmt: skip


@pytest.mark.parametrize("name, case", LOSSES, ids=[f"{name}-{case.activation}" for name, case in LOSSES])
def test_losses(name, case):
    features, _ = cases.small_batch()
    labels = cases.sample_labels(case.labels, len(features), 3, np.random.default_rng(9))
    layers = [nn.OutputLayer(3, case.activation, loss=name)]
    assert_trains_alike(lambda: cases.small_network(layers=layers), [(features, labels)] * 2, rtol=1e-10)
