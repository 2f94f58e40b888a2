"""`TransferLearningHelper` of graphs, and data sets through it: features, masks, training, and what is refused."""

import numpy as np
import pytest

import nd4py as nd
from nd4py import data, nn

RNG = np.random.default_rng(4)
ROWS, STEPS = nn.InputType.feed_forward, nn.InputType.recurrent
SETTINGS = {"seed": 3, "dtype": "float64", "updater": nn.Adam(0.05)}
A, B = RNG.normal(size=(12, 4)), RNG.normal(size=(12, 5, 3))
MASK = (np.arange(5) < RNG.integers(1, 6, (12, 1))).astype(float)
LABELS = np.eye(2)[RNG.integers(0, 2, 12)]
OTHER = RNG.normal(size=(12, 5, 1))


def two_inputs(frozen=()):
    """Rows and sequences; one output for each."""
    vertices = {
        "rows": (nn.DenseLayer(6, "tanh"), "a"),
        "steps": (nn.LSTM(4), "b"),
        "last": (nn.LastTimeStepVertex(), "steps"),
        "both": (nn.MergeVertex(), "rows", "last", "a"),
        "hidden": (nn.DenseLayer(5, "tanh", dropout=0.2), "both"),
        "out": (nn.OutputLayer(2), "hidden"),
        "each": (nn.RnnOutputLayer(1, "identity", loss="mse"), "steps"),
    }
    for name in frozen:
        vertices[name] = (nn.FrozenLayer(vertices[name][0]), *vertices[name][1:])
    inputs = {"a": ROWS(4), "b": STEPS(3)}
    return nn.ComputationGraph(inputs, vertices, outputs=("out", "each"), output_weights=(1.0, 0.5), **SETTINGS)


def table(net):
    return {name: np.asarray(value).copy() for name, value in net.param_table().items()}


FROZEN = {
    "one vertex": ("rows", ["a", "b", "rows"]),
    "several": (["rows", "steps"], ["a", "rows", "steps"]),
    "a vertex without parameters": (("last",), ["a", "steps", "last"]),
    "behind a merge": (["both"], ["steps", "both"]),
    "up to the last": (["hidden"], ["steps", "hidden"]),
}


@pytest.mark.parametrize("frozen, edge", FROZEN.values(), ids=FROZEN)
def test_the_edge_is_what_trained_vertices_read(frozen, edge):
    net = two_inputs()
    helper = nn.TransferLearningHelper(net, frozen)
    assert list(helper.unfrozen.input_types) == edge
    features = helper.featurize(A, B, mask=(None, MASK))
    every = net.feed_forward(A, B, mask=(None, MASK))
    assert [each.shape for each in features] == [every[name].shape for name in edge]
    assert all(nd.array_equal(got, every[name]) for got, name in zip(features, edge, strict=True))
    featurized = helper.featurize(data.MultiDataSet((A, B), (LABELS, OTHER), features_masks=(None, MASK)))
    masks = featurized.features_masks
    for got, want in zip(
        helper.output_from_featurized(*features, mask=masks), net.output(A, B, mask=(None, MASK)), strict=True
    ):
        np.testing.assert_allclose(np.asarray(got), np.asarray(want), rtol=1e-12)
    assert all((mask is not None) == (name in ("b", "steps")) for name, mask in zip(edge, masks, strict=True))


@pytest.mark.parametrize("frozen, edge", FROZEN.values(), ids=FROZEN)
def test_training_is_that_of_the_graph_with_frozen_layers(frozen, edge):
    net, start = two_inputs(), table(two_inputs())
    helper = nn.TransferLearningHelper(net, frozen)
    batch = data.MultiDataSet((A, B), (LABELS, OTHER), features_masks=(None, MASK))
    history = helper.fit_featurized(helper.featurize(batch), epochs=4)
    assert len(history.iteration_scores) == 4
    whole = nn.GraphTransferLearning(two_inputs()).set_feature_extractor(
        *([frozen] if isinstance(frozen, str) else frozen)
    )
    other = whole.build()
    other.fit(batch, epochs=4)
    found, wanted = table(net), table(other)
    for name, value in found.items():
        np.testing.assert_allclose(value, wanted[name], rtol=1e-9, atol=1e-12)
    own = {slot.key for slot in helper.unfrozen.slots}
    assert all((name in own) != np.array_equal(value, start[name]) for name, value in found.items())
    # It goes on where it was, with the state of the updater.
    helper.fit_featurized(helper.featurize(batch))
    other.fit(batch)
    for name, value in table(net).items():
        np.testing.assert_allclose(value, table(other)[name], rtol=1e-9, atol=1e-12)


def test_frozen_layers_that_a_graph_begins_with_are_found():
    helper = nn.TransferLearningHelper(two_inputs(["rows", "steps"]))
    assert list(helper.unfrozen.input_types) == ["steps", "both"]
    assert nn.TransferLearningHelper(two_inputs(["steps"])).featurize(A, B)[0].shape == (12, 4)
    with pytest.raises(ValueError, match="begins with no frozen layer; give frozen_until=, the names"):
        nn.TransferLearningHelper(two_inputs(["hidden"]))


def test_one_edge_is_an_array_and_arguments_of_fit_go_on():
    graph = nn.ComputationGraph(
        {"a": ROWS(4)},
        {"d": (nn.DenseLayer(6, "tanh"), "a"), "out": (nn.OutputLayer(2), "d")},
        outputs="out",
        **SETTINGS,
    )
    stack = nn.MultiLayerNetwork([nn.DenseLayer(6, "tanh"), nn.OutputLayer(2)], input_type=ROWS(4), **SETTINGS)
    stack.set_params(graph.params())
    for net, frozen in ((graph, "d"), (stack, 0)):
        helper = nn.TransferLearningHelper(net, frozen)
        features = helper.featurize(A)
        assert features.shape == (12, 6)
        history = helper.fit_featurized(features, LABELS, epochs=3, batch_size=4, validation_split=0.25)
        assert len(history.validation_scores) == 3
        assert nd.array_equal(helper.output_from_featurized(features), net.output(A))
    assert nd.array_equal(graph.params(), stack.params())


def test_masks_of_sequences_come_with_them():
    net = nn.MultiLayerNetwork(
        [nn.LSTM(4), nn.GRU(3), nn.RnnOutputLayer(1, "identity", loss="mse")], input_type=STEPS(3), **SETTINGS
    )
    helper = nn.TransferLearningHelper(net, 0)
    featurized = helper.featurize(data.DataSet(B, OTHER, features_mask=MASK))
    other = nn.TransferLearning(net).set_feature_extractor(0).build()
    helper.fit_featurized(featurized, epochs=3)
    other.fit(data.DataSet(B, OTHER, features_mask=MASK), epochs=3)
    np.testing.assert_allclose(np.asarray(net.params()), np.asarray(other.params()), rtol=1e-10, atol=1e-12)
    with pytest.raises(TypeError, match="a data set has masks of its own"):
        helper.featurize(data.DataSet(B, OTHER), mask=MASK)


@pytest.mark.parametrize(
    "frozen, error, message",
    [
        ("out", ValueError, "the output 'out' is frozen"),
        ("hiden", ValueError, "unknown vertex for TransferLearningHelper 'hiden'. Did you mean 'hidden'"),
        ([], ValueError, "names no vertex"),
        (0, TypeError, "frozen_until must be a sequence"),
    ],
)
def test_what_cannot_be_frozen_is_told(frozen, error, message):
    with pytest.raises(error, match=message):
        nn.TransferLearningHelper(two_inputs(), frozen)


def test_shared_parameters_are_frozen_together_or_not_at_all():
    vertices = {
        "one": nn.Node(nn.DenseLayer(3), ("a",)),
        "other": nn.Node(nn.DenseLayer(3), ("b",), shares="one"),
        "sum": nn.Node(nn.ElementWiseVertex("add"), ("one", "other")),
        "out": nn.Node(nn.OutputLayer(2), ("sum",)),
    }
    net = nn.ComputationGraph({"a": ROWS(4), "b": ROWS(4)}, vertices, outputs="out", **SETTINGS)
    with pytest.raises(ValueError, match="shares the parameters of 'one', which is frozen"):
        nn.TransferLearningHelper(net, "one")
    helper = nn.TransferLearningHelper(net, ["one", "other"])
    helper.fit_featurized(helper.featurize(A, A[::-1].copy()), LABELS, epochs=2)
    features = helper.featurize(A, A)
    assert nd.allclose(helper.output_from_featurized(*features), net.output(A, A))
