"""Every layer, activation and loss in a network on a simulated device, from the cases of the tests of `nn`."""

import cases
import numpy as np
import pytest
from device_training import assert_trains_alike

import nd4py as nd
from nd4py import nn

pytestmark = pytest.mark.usefixtures("simulator")
SEQUENCES = "recurrent"
LAYERS = [
    pytest.param(case, id=f"{i}-{type(case.layer).__name__}")
    for i, case in enumerate(cases.LAYERS)
    if SEQUENCES not in (case.given.kind, case.layer.output_type(case.given).kind)
    and case.n_examples == case.n_outputs  # as many as there are labels
]
SEQUENCE_LAYERS = [
    pytest.param(case, id=f"{i}-{type(case.layer).__name__}")
    for i, case in enumerate(cases.LAYERS)
    if SEQUENCES in (case.given.kind, case.layer.output_type(case.given).kind)
]
LOSSES = [*cases.LOSSES.items(), *cases.MORE_LOSSES]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("case", LAYERS)
def test_layers(case):
    is_last = isinstance(case.layer, nn.ScoredLayer)
    below = [nn.BatchNormalization()] if is_last else [nn.ActivationLayer("cube")] * (not case.whole)
    layers = [*below, case.layer, *[nn.OutputLayer(3)] * (not is_last)]

    def network():
        return nn.MultiLayerNetwork(layers, input_type=case.given, updater=nn.Nesterovs(0.1), dtype="float64", seed=2)

    rng = np.random.default_rng(6)
    labels = np.eye(3)[rng.integers(0, 3, 3)]
    if is_last:
        labels = np.asarray(case.layer.example_labels((3, *case.output), nd.float64))
    data = [(case.inputs(rng), labels) for _ in range(2)]
    there, here = assert_trains_alike(network, data, rtol=1e-11)
    assert [x.shape for x in there.feed_forward(data[0][0])] == [x.shape for x in here.feed_forward(data[0][0])]


def test_blocks_of_pixels_as_images():
    layers = [nn.SpaceToBatchLayer(2), nn.ConvolutionLayer(2, 3), nn.BatchToSpaceLayer(2, (1, 0)), nn.OutputLayer(3)]
    rng = np.random.default_rng(6)
    assert_trains_alike(
        lambda: nn.MultiLayerNetwork(layers, input_type=nn.InputType.convolutional(8, 6, 2), dtype="float64", seed=2),
        [(rng.normal(size=(3, 2, 8, 6)), np.eye(3)[rng.integers(0, 3, 3)]) for _ in range(2)],
        rtol=1e-11,
    )


@pytest.mark.parametrize(
    "layer",
    [nn.AutoEncoder(4, "tanh"), nn.VariationalAutoencoder(2, (5,), (3,), "tanh")],
    ids=lambda layer: layer.title,
)
def test_pretraining(layer):
    """What is drawn on a device is what is drawn on the host."""
    layers, x = [nn.DenseLayer(5, "tanh"), layer, nn.OutputLayer(2)], np.random.default_rng(8).normal(size=(6, 4))
    found = []
    for device in ("cuda:0", "cpu"):
        net = nn.MultiLayerNetwork(
            layers, input_type=nn.InputType.feed_forward(4), updater=nn.Adam(0.05), dtype="float64", seed=3
        )
        net.to_device(device).pretrain([x, x[:4]], epochs=3)
        assert net.device == device
        found.append(np.asarray(net.params().to_device("cpu")))
    np.testing.assert_allclose(*found, rtol=1e-9, atol=1e-12)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("case", SEQUENCE_LAYERS)
@pytest.mark.parametrize("is_masked", [False, True])
def test_layers_of_sequences(case, is_masked):
    """Values and gradients of the layer alone."""
    rng = np.random.default_rng(7)
    params = {each.name: rng.normal(size=each.shape) for each in case.layer.parameters(case.given)}
    x, mask = case.inputs(rng), np.tril(np.ones((3, case.given.shape[0])), 1)

    def results(device):
        def output(params, x):
            y = case.layer.forward(params, x, mask=nd.asarray(mask, device=device) if is_masked else None)
            return y[0] if case.layer.is_recurrent else y

        given = {name: nd.asarray(value, device=device) for name, value in params.items()}, nd.asarray(x, device=device)
        _, gradients = nd.value_and_grad(lambda params, x: nd.sum(output(params, x) ** 2), (0, 1))(*given)
        found = [output(*given), gradients[1], *gradients[0].values()]
        assert all(y.device == device for y in found)
        return [np.asarray(y.to_device("cpu")) for y in found]

    for there, here in zip(results("cuda:0"), results("cpu"), strict=True):
        # A small gradient may be the difference of large ones.
        np.testing.assert_allclose(there, here, rtol=1e-10, atol=1e-12 * max(10.0, np.abs(here).max()))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", cases.ACTIVATIONS)
def test_activations(name):
    assert_trains_alike(lambda: cases.small_network(layers=[nn.DenseLayer(5, name), nn.OutputLayer(3)]),
                        [cases.small_batch()] * 2, rtol=1e-11)  # fmt: skip


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name, case", LOSSES, ids=[f"{name}-{case.activation}" for name, case in LOSSES])
def test_losses(name, case):
    features, _ = cases.small_batch()
    labels = cases.sample_labels(case.labels, len(features), 3, np.random.default_rng(9))
    layers = [nn.OutputLayer(3, case.activation, loss=name)]
    assert_trains_alike(lambda: cases.small_network(layers=layers), [(features, labels)] * 2, rtol=1e-10)
