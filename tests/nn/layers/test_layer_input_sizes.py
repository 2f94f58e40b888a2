"""n_in of layers: compared with the input type, in the place of one, in files, and with layers that are replaced."""

import dataclasses
import json

import cases
import numpy as np
import pytest

import nd4py as nd
from nd4py import nn
from nd4py.nn.layers.input_sizes import without_size

SIZED = [
    pytest.param(case, id=f"{type(case.layer).__name__}-{number}")
    for number, case in enumerate(cases.LAYERS)
    if not getattr(case.layer, "takes_indices", False)
]


def sized(layer, n_in):
    return dataclasses.replace(layer, n_in=n_in)


@pytest.mark.parametrize("case", SIZED)
def test_a_size_that_is_given_changes_nothing_and_one_that_differs_is_told(case):
    layer = sized(case.layer, case.given.n_features)
    assert layer.parameters(case.given) == case.layer.parameters(case.given)
    assert layer.output_type(case.given) == case.layer.output_type(case.given)
    assert "n_in=" in repr(layer)
    assert layer != case.layer
    assert without_size(layer) == case.layer
    other = sized(case.layer, case.given.n_features + 1)
    for method in (other.parameters, other.output_type):
        with pytest.raises(ValueError, match=rf"{layer.title}: n_in={other.n_in} was given.* are {layer.n_in}; leave"):
            method(case.given)


@pytest.mark.parametrize("n_in", [0, -1, 2.5, "4", True, 2**70])
@pytest.mark.parametrize("layer", [nn.DenseLayer(2), nn.LossLayer(), nn.SubsamplingLayer(), nn.ActivationLayer("relu")])
def test_a_size_that_is_none_is_refused(layer, n_in):
    with pytest.raises(ValueError, match=f"{layer.title}: n_in, the size of the input, must be a whole number"):
        sized(layer, n_in)


WRAPPED = (
    nn.FrozenLayer(nn.DenseLayer(3, n_in=5)),
    nn.Bidirectional(nn.LSTM(3, n_in=5)),
    nn.LastTimeStep(nn.GRU(3, n_in=5)),
    nn.MaskZeroLayer(nn.SimpleRnn(3, n_in=5)),
    nn.TimeDistributed(nn.DenseLayer(3, n_in=5)),
    nn.FrozenLayer(nn.Bidirectional(nn.SimpleRnn(3, n_in=5))),
)


@pytest.mark.parametrize("layer", WRAPPED, ids=lambda layer: layer.title)
def test_a_size_inside_of_a_layer_counts_like_its_own(layer):
    network = nn.MultiLayerNetwork([layer])
    assert network.input_type.n_features == 5
    wrong = nn.InputType(network.input_type.kind, (*network.input_type.dimensions[:-1], 4))
    with pytest.raises(ValueError, match=r"layer 0 .*does not fit its input.*n_in=5 was given"):
        nn.MultiLayerNetwork([layer], input_type=wrong)


ROWS, STEPS = nn.InputType.feed_forward, nn.InputType.recurrent


@pytest.mark.parametrize(
    "layers, found",
    [
        ([nn.DenseLayer(3, n_in=4), nn.OutputLayer(2, n_in=3)], ROWS(4)),
        ([nn.OutputLayer(2, n_in=np.int64(4))], ROWS(4)),
        ([nn.AutoEncoder(3, n_in=4)], ROWS(4)),
        ([nn.LSTM(3, n_in=4), nn.RnnOutputLayer(2)], STEPS(4)),
        ([nn.Convolution1D(3, n_in=4, n_out=2)], STEPS(4)),
        ([nn.MultiHeadAttention(8, 2, n_in=4)], STEPS(4)),
        ([nn.DropoutLayer(0.1), nn.ActivationLayer("tanh"), nn.DenseLayer(3, n_in=4)], ROWS(4)),
        ([nn.BatchNormalization(n_in=4), nn.DenseLayer(3)], ROWS(4)),
        ([nn.LayerNormalization(), nn.GRU(3, n_in=4)], STEPS(4)),
        ([nn.EmbeddingLayer(9, 3), nn.OutputLayer(2)], ROWS(1)),
        ([nn.EmbeddingSequenceLayer(9, 3), nn.LSTM(2, n_in=3)], STEPS(1)),
    ],
)
def test_without_an_input_type_the_first_size_gives_it(layers, found):
    network = nn.MultiLayerNetwork(layers)
    assert network.input_type == found
    assert network.configuration == dataclasses.replace(network.configuration, input_type=None)
    assert nn.NetworkConfiguration.from_json(network.configuration.to_json()) == network.configuration
    graph = nn.ComputationGraph(
        "x", {str(i): (layer, str(i - 1) if i else "x") for i, layer in enumerate(layers)}, outputs=str(len(layers) - 1)
    )
    assert dict(graph.input_types) == {"x": found}


@pytest.mark.parametrize(
    "layers, message",
    [
        ([nn.ConvolutionLayer(3, 8, n_in=3)], r"n_in=3 of ConvolutionLayer is the number of channels.*InputType\.conv"),
        (
            [nn.Convolution3D(3, 8, n_in=3)],
            r"n_in=3 of Convolution3D is the number of channels.*InputType\.convolutional_3d",
        ),
        ([nn.DenseLayer(3), nn.OutputLayer(2, n_in=3)], "or n_in of the first layer, DenseLayer"),
        ([nn.DropoutLayer(0.1)], "or n_in of the first layer, DropoutLayer"),
        ([nn.BatchNormalization(n_in=3)], "give input_type=InputType"),
    ],
)
def test_an_input_type_that_does_not_follow_is_asked_for(layers, message):
    with pytest.raises(ValueError, match="input_type is needed: .*" + message):
        nn.MultiLayerNetwork(layers)
    with pytest.raises(ValueError, match=r"inputs\['x'\] is needed"):
        nn.ComputationGraph(["x"], {"a": (layers[0], "x")}, outputs="a")


def test_inputs_of_graphs_may_be_names_and_each_finds_its_own_type():
    vertices = {
        "rows": (nn.DenseLayer(3, n_in=4), "a"),
        "steps": (nn.LastTimeStep(nn.LSTM(3, n_in=2)), "b"),
        "both": (nn.MergeVertex(), "rows", "steps", "c"),
        "out": (nn.OutputLayer(2, n_in=11), "both"),
    }
    types = {"a": None, "b": None, "c": ROWS(5)}
    graph = nn.ComputationGraph(types, vertices, outputs="out")
    assert dict(graph.input_types) == {"a": ROWS(4), "b": STEPS(2), "c": ROWS(5)}
    assert nn.GraphConfiguration.from_json(graph.configuration.to_json()) == graph.configuration
    with pytest.raises(ValueError, match=r"inputs\['c'\] is needed"):
        nn.ComputationGraph(["a", "b", "c"], vertices, outputs="out")
    # Of several readers the one that has a size decides, and the others are compared with what it says.
    readers = {
        "x": (nn.DenseLayer(2), "a"),
        "y": (nn.DenseLayer(2, n_in=3), "a"),
        "m": (nn.ElementWiseVertex("add"), "x", "y"),
        "out": (nn.OutputLayer(2), "m"),
    }
    assert dict(nn.ComputationGraph("a", readers, outputs="out").input_types) == {"a": ROWS(3)}


def test_files_without_sizes_are_read_and_files_with_sizes_keep_them(tmp_path):
    network = nn.MultiLayerNetwork([nn.DenseLayer(3, n_in=4), nn.OutputLayer(2, n_in=3)], seed=3)
    network.save(tmp_path / "sized.zip")
    loaded = nn.MultiLayerNetwork.load(tmp_path / "sized.zip")
    assert loaded.configuration == network.configuration
    assert loaded.get_layer(1).n_in == 3
    settings = json.loads(network.configuration.to_json())
    for layer in settings["layers"]:
        del layer["n_in"]
    old = nn.NetworkConfiguration.from_json(json.dumps(settings))
    assert [layer.n_in for layer in old.layers] == [None, None]
    assert nd.array_equal(nn.MultiLayerNetwork.from_configuration(old).params(), network.params())


def test_sizes_follow_where_layers_are_replaced():
    layers = [
        nn.DenseLayer(3, n_in=4),
        nn.BatchNormalization(n_in=3),
        nn.DenseLayer(5, n_in=3),
        nn.OutputLayer(2, n_in=5),
    ]
    network = nn.MultiLayerNetwork(layers)
    assert nn.TransferLearning(network).n_out_replace(0, 7).build().num_params() == 4 * 7 + 7 + 28 + 40 + 12
    tuned = nn.TransferLearning(network).set_input_type(ROWS(6)).build()
    assert tuned.input_type == ROWS(6)
    assert tuned.param_table()["0_W"].shape == (6, 3)
    names = ["x", *"abcd"]
    vertices = {names[i + 1]: (layer, names[i]) for i, layer in enumerate(layers)}
    graph = nn.ComputationGraph("x", vertices, outputs="d")
    assert nn.GraphTransferLearning(graph).n_out_replace("a", 7).build().num_params() == 4 * 7 + 7 + 28 + 40 + 12


@dataclasses.dataclass(frozen=True)
class Table(nn.Layer):
    """A layer whose own n_in counts something else."""

    n_in: tuple
    n_out: int

    def output_type(self, given):
        return ROWS(self.n_out)

    def parameters(self, given):
        return (nn.Parameter("W", (sum(self.n_in), self.n_out)),)

    def forward(self, params, x, *, train=False, rng=None):
        return nd.sum(x, axis=1, keepdims=True) + nd.sum(params["W"], axis=0)


def test_a_layer_of_ones_own_may_have_an_n_in_of_its_own():
    network = nn.MultiLayerNetwork([Table((2, 3), 4), nn.OutputLayer(2)], input_type=ROWS(7))
    assert network.num_params() == 5 * 4 + 4 * 2 + 2
    assert network.output(nd.ones((3, 7))).shape == (3, 2)
    assert Table((2, 3), 4) == Table(n_in=(2, 3), n_out=4)


def test_a_checkpoint_of_a_version_without_sizes_goes_on(tmp_path, monkeypatch):
    from nd4py import train
    from nd4py.nn.networks import configuration

    x, y = np.ones((8, 4), "float32"), np.eye(2)[[0, 1] * 4]

    def fitted(epochs, **keywords):
        net = nn.MultiLayerNetwork([nn.DenseLayer(3), nn.OutputLayer(2)], input_type=ROWS(4), updater=nn.Adam(0.1))
        net.fit(x, y, epochs=epochs, **keywords)
        return net

    encode = configuration._encode

    def old(value):
        found = encode(value)
        if isinstance(found, dict):
            found.pop("n_in", None)
        return found

    with monkeypatch.context() as patch:
        patch.setattr(configuration, "_encode", old)
        fitted(2, listeners=train.CheckpointListener(tmp_path, every_epochs=1))
    assert nd.array_equal(fitted(4, resume_from=tmp_path).params(), fitted(4).params())
