"""Networks saved by former versions load, compute what they did, and train on as they would have.

The files in tests/train/kept were written by `python tests/train/test_kept_networks.py VERSION` with that version, and
are never written again.  A version that changes the format adds its own.
"""

import sys
from pathlib import Path

import numpy as np
import pytest

import nd4py as nd
from nd4py import data, nn, train

KEPT = Path(__file__).parent / "kept"
X = np.sin(np.arange(24.0)).reshape(6, 4)
LABELS = np.eye(3)[[0, 1, 2, 2, 1, 0]]
SEQUENCES = np.cos(np.arange(60.0)).reshape(6, 5, 2)


def stack():
    layers = [
        nn.DenseLayer(5, "tanh", l2=1e-3), nn.BatchNormalization(), nn.DropoutLayer(0.8), nn.DenseLayer(4, nn.ELU(0.5)),
        nn.OutputLayer(3, label_smoothing=0.1),
    ]  # fmt: skip
    updater = nn.Adam(nn.StepSchedule(0.05, 0.5, 3))
    return nn.MultiLayerNetwork(
        layers, input_type=nn.InputType.feed_forward(4), updater=updater, seed=5, dtype="float64"
    )


def graph():
    vertices = {
        "steps": (nn.LSTM(3), "sequences"),
        "last": (nn.LastTimeStepVertex(), "steps"),
        "both": (nn.MergeVertex(), "last", "rows"),
        "out": (nn.OutputLayer(3), "both"),
    }
    inputs = {"rows": nn.InputType.feed_forward(4), "sequences": nn.InputType.recurrent(2)}
    return nn.ComputationGraph(inputs, vertices, outputs="out", updater=nn.Nesterovs(0.1, 0.9), seed=5, dtype="float64")


NETWORKS = {"stack": (stack, nn.MultiLayerNetwork, X), "graph": (graph, nn.ComputationGraph, [X, SEQUENCES])}


def outcome(net, features):
    """Outputs, what two more steps say, and the parameters then."""
    outputs = np.asarray(net.output(features) if isinstance(net, nn.MultiLayerNetwork) else net.output(*features))
    scores = [net.fit_batch(features, LABELS) for _ in range(2)]
    return {"outputs": outputs, "scores": np.asarray(scores), "params": np.asarray(net.params())}


def write(version):
    """The files of this version: a network that has made three steps, and what it does next."""
    KEPT.mkdir(exist_ok=True)
    for name, (make, _, features) in NETWORKS.items():
        net = make()
        average = train.ExponentialMovingAverage(0.9)
        net.set_listeners(average)
        for _ in range(3):
            net.fit_batch(features, LABELS)
        net.set_listeners()
        path = KEPT / f"{name}-{version}.zip"
        train.save(net, path, normalizer=data.ImagePreProcessingScaler(), average=average)
        train.save_parameters(net, KEPT / f"{name}-{version}.safetensors", metadata={"version": version})
        np.savez(KEPT / f"{name}-{version}.npz", averaged=np.asarray(average.values), **outcome(net, features))


FILES = sorted(path.stem for path in KEPT.glob("*.zip"))


def test_every_kind_of_network_is_kept():
    assert {name.partition("-")[0] for name in FILES} == NETWORKS.keys()


@pytest.mark.parametrize("file", FILES)
def test_a_kept_network_goes_on(file):
    make, kind, features = NETWORKS[file.partition("-")[0]]
    with np.load(KEPT / f"{file}.npz") as expected:
        net = train.load(KEPT / f"{file}.zip")
        assert type(net) is kind
        assert (net.iteration_count, net.epoch_count) == (3, 0)
        assert net.configuration == make().configuration
        for name, values in outcome(net, features).items():
            np.testing.assert_allclose(values, expected[name], rtol=1e-9, atol=1e-12, err_msg=name)
        average = train.load_average(KEPT / f"{file}.zip")
        np.testing.assert_array_equal(np.asarray(average.values), expected["averaged"])
        assert isinstance(train.load_normalizer(KEPT / f"{file}.zip"), data.ImagePreProcessingScaler)


@pytest.mark.parametrize("file", FILES)
def test_kept_parameters_load(file):
    make, kind, _ = NETWORKS[file.partition("-")[0]]
    net = make()
    train.load_parameters(net, KEPT / f"{file}.safetensors")
    np.testing.assert_array_equal(np.asarray(net.params()), np.asarray(kind.load(KEPT / f"{file}.zip").params()))
    assert nd.load(KEPT / f"{file}.safetensors").metadata == {"version": file.partition("-")[2]}


if __name__ == "__main__":
    write(sys.argv[1])
