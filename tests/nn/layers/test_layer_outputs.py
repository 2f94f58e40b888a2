"""Layers and vertices of one's own whose output is not what they say: the network tells which, and what came."""

from dataclasses import dataclass

import numpy as np
import pytest

import nd4py as nd
from nd4py import nn

ROWS, STEPS = nn.InputType.feed_forward, nn.InputType.recurrent
IMAGES = nn.InputType.convolutional
X = np.random.default_rng(3).normal(size=(5, 6))


@dataclass(frozen=True)
class Said(nn.Layer):
    """Says one type, or that of its input, and returns what a function makes."""

    makes: object
    says: object = None

    def output_type(self, given):
        return self.says or given

    def forward(self, params, x, *, train=False, rng=None):
        return self.makes(x)


@dataclass(frozen=True)
class SaidVertex(nn.Vertex):
    makes: object
    says: object = None
    fewest = most = 1

    def output_type(self, *given):
        return self.says or given[0]

    def forward(self, params, inputs, *, masks=None, train=False, rng=None):
        return self.makes(inputs[0])


WRONG = [
    ("fewer columns", lambda x: x[:, :3], None, r"is \(batch, 6\), but forward returned shape \(5, 3\)"),
    ("more columns", lambda x: nd.concat([x, x], axis=1), None, r"shape \(5, 12\) for input of shape \(5, 6\)"),
    ("an axis more", lambda x: nd.expand_dims(x, -1), None, r"shape \(5, 6, 1\)"),
    ("an axis less", lambda x: nd.sum(x, axis=1), None, r"shape \(5,\)"),
    ("says more", lambda x: x, ROWS(8), r"is \(batch, 8\), but forward returned shape \(5, 6\)"),
    ("says images", lambda x: x, IMAGES(2, 3, 1), r"is \(batch, 1, 2, 3\), but forward returned shape \(5, 6\)"),
]


def stack(layer):
    layers = [nn.DenseLayer(6), layer, nn.DenseLayer(4), nn.OutputLayer(2)]
    return nn.MultiLayerNetwork(layers, input_type=ROWS(6), dtype="float64")


def graph(vertex):
    vertices = {"d": (nn.DenseLayer(6), "x"), "mine": (vertex, "d"), "out": (nn.OutputLayer(2), "mine")}
    return nn.ComputationGraph({"x": ROWS(6)}, vertices, outputs="out", dtype="float64")


def calls(net):
    labels = nd.one_hot([0, 1, 0, 1, 1], 2)
    return [
        lambda: net.output(X),
        lambda: net.predict(X),
        lambda: net.feed_forward(X),
        lambda: net.score(X, labels),
        lambda: net.fit_batch(X, labels),
        lambda: net.fit(X, labels, epochs=4),
        lambda: nn.Snapshot(net).outputs((nd.asarray(X),)),
        lambda: nd.grad(lambda x: nd.sum(net.output(x)))(nd.asarray(X)),
    ]


@pytest.mark.parametrize("makes, says, message", [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_a_layer_that_returns_something_else_is_named(makes, says, message):
    made = [(stack, r"layer 1 \(Said\)", Said), (graph, r"layer mine \(Said\)", Said)]
    made += [(graph, r"vertex mine \(SaidVertex\)", SaidVertex)]
    for make, who, kind in made:
        net = make(kind(makes, says))
        for call in calls(net):
            with pytest.raises(ValueError, match=rf"{who} says by output_type that its output .*{message}"):
                call()


@pytest.mark.parametrize("makes", [np.asarray, lambda x: None, lambda x: x.tolist(), lambda x: float(nd.sum(x))])
def test_a_layer_that_returns_no_array_is_named(makes):
    for make, kind in ((stack, Said), (graph, Said), (graph, SaidVertex)):
        with pytest.raises(TypeError, match=r"(layer|vertex) .* forward returned .*it returns an nd4py array"):
            make(kind(makes)).output(X)


@pytest.mark.parametrize(
    "layer",
    [
        nn.LambdaLayer(lambda x: nd.concat([x, x], axis=1)),
        nn.FrozenLayer(Said(lambda x: x[:, :2])),
        Said(lambda x: (x[:, :2], {})),
    ],
    ids=["lambda", "wrapped", "with state"],
)
def test_code_of_ones_own_inside_of_our_layers_is_looked_at_too(layer):
    with pytest.raises(ValueError, match="layer 1 .* says by output_type"):
        stack(layer).output(X)


def test_sequences_that_are_said_have_to_come():
    layers = [Said(lambda x: x, STEPS(6)), nn.RnnOutputLayer(2)]
    with pytest.raises(ValueError, match=r"is \(batch, any length, 6\), but forward returned shape \(5, 6\)"):
        nn.MultiLayerNetwork(layers, input_type=ROWS(6)).output(X)


def test_layers_that_keep_their_word_are_left_alone():
    steps = nd.asarray(np.ones((2, 7, 3)))
    halved = Said(lambda x: x[:, ::2], STEPS(3))
    net = nn.MultiLayerNetwork([halved, nn.RnnOutputLayer(2)], input_type=STEPS(3))
    assert net.output(steps).shape == (2, 4, 2)
    # The number of examples may change, as where a batch is cut into blocks.
    twice = Said(lambda x: nd.concat([x, x]))
    assert nn.MultiLayerNetwork([twice, nn.DenseLayer(2)], input_type=ROWS(6)).output(X).shape == (10, 2)
    assert stack(Said(lambda x: (x, {}))).output(X).shape == (5, 2)


@pytest.mark.parametrize("net", [stack(Said(lambda x: {}["mine"])), graph(SaidVertex(lambda x: {}["mine"]))])
def test_a_key_that_a_layer_of_users_does_not_find_stays_a_key_error(net):
    for call in calls(net):
        with pytest.raises(KeyError, match="mine"):
            call()
