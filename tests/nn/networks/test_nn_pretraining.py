"""Pretraining: what it changes and what not, its steps beside steps by hand, and what data it takes."""

from dataclasses import dataclass

import numpy as np
import pytest

import nd4py as nd
from nd4py import data, nn

RNG = np.random.default_rng(6)
X = RNG.normal(size=(12, 3)) @ RNG.normal(size=(3, 6)) / 2
LABELS = np.eye(2)[RNG.integers(0, 2, 12)]
ROWS = nn.InputType.feed_forward(6)


def network(**settings):
    """A dense layer, two that can be pretrained, and an output."""
    layers = [
        nn.DenseLayer(5, "tanh"),
        nn.AutoEncoder(4, "tanh", name="first", **settings.pop("own", {})),
        nn.VariationalAutoencoder(2, (3,), (3,), "tanh", name="second"),
        nn.OutputLayer(2),
    ]
    defaults = {"updater": nn.Adam(0.02), "seed": 4, "dtype": "float64"}
    return nn.MultiLayerNetwork(layers, input_type=ROWS, **(defaults | settings))


def table(net):
    return {name: np.array(value) for name, value in net.param_table().items()}


def changed(before, after):
    return {name for name in before if (before[name] != after[name]).any()}


def test_one_layer_is_trained_and_nothing_else():
    net = network(l2=0.1, weight_decay=0.1)
    net.fit_batch(X, LABELS)
    before, state = table(net), np.array(net.updater_state())
    net.pretrain_layer("first", X, epochs=3)
    assert changed(before, table(net)) == {"1_W", "1_b", "1_vb"}
    between = table(net)
    net.pretrain_layer(2, X)
    assert changed(between, table(net)) == {name for name in before if name.startswith("2_")}
    np.testing.assert_array_equal(np.asarray(net.updater_state()), state)
    assert (net.iteration_count, net.epoch_count) == (1, 0)


def test_fit_leaves_what_pretraining_alone_needs():
    net = network(l2=0.1, weight_decay=0.1, updater=nn.Nesterovs(0.1), constraints=(nn.UnitNormConstraint(),))
    net.pretrain(X)
    before = table(net)
    net.fit((X, LABELS), epochs=3)
    left = {"1_vb", "2_pZXLogStd2W", "2_pZXLogStd2b", "2_d0W", "2_d0b", "2_pXZW", "2_pXZb"}
    assert set(before) - changed(before, table(net)) == left
    assert "of which 88 are trained" in net.summary()
    assert bool(nn.gradient_check(net, (X, LABELS)))


SETTINGS = {
    "Adam": {"updater": nn.Adam(0.05)},
    "penalties": {"updater": nn.Nesterovs(0.1), "l1": 0.01, "l2": 0.2, "weight_decay": 0.1},
    "own updaters": {"own": {"updater": nn.RmsProp(0.02), "bias_updater": nn.Sgd(0.3)}},
    "limits": {"gradient_normalization": "clip_l2_per_layer", "gradient_threshold": 0.05, "updater": nn.Sgd(1.0)},
    "constraints": {"updater": nn.Sgd(1.0), "constraints": (nn.UnitNormConstraint(),)},
    "schedule": {"updater": nn.Sgd(nn.StepSchedule(0.5, 0.5, 2))},
}


@dataclass(frozen=True)
class TiedLayers(nn.WeightedLayer):
    """Two dense layers with one matrix of weights, the second without its activation."""

    def parameters(self, given):
        n = given.size
        return (
            nn.Parameter("W", (n, 4), n, 4),
            nn.Parameter("b", (4,), is_bias=True),
            nn.Parameter("vb", (n,), is_bias=True),
        )

    def forward(self, params, x, *, train=False, rng=None):
        return nd.tanh(x @ params["W"] + params["b"]) @ params["W"].T + params["vb"]


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=list(SETTINGS))
def test_its_steps_are_those_of_a_network_that_makes_its_input_again(settings):
    settings = dict(settings)
    own = settings.pop("own", {})
    net = network(own={"corruption_level": 0.0, **own}, **settings)
    seen = np.array(net.feed_forward(X)[1])
    alone = nn.MultiLayerNetwork(
        [TiedLayers(**own), nn.LossLayer("mse", "tanh")],
        input_type=nn.InputType.feed_forward(5), **{"updater": nn.Adam(0.02), "dtype": "float64"} | settings,
    )  # fmt: skip
    for name in ("W", "b", "vb"):
        alone.param_table()[f"0_{name}"][...] = net.param_table()[f"1_{name}"]
    net.pretrain_layer(1, X, epochs=5)
    for _ in range(5):
        score = alone.fit_batch(seen, seen)
    assert net.score_value == pytest.approx(score, rel=1e-10)
    for name in ("W", "b", "vb"):
        want = np.asarray(alone.param_table()[f"0_{name}"])
        np.testing.assert_allclose(np.asarray(net.param_table()[f"1_{name}"]), want, rtol=1e-9, atol=1e-12)


def test_layers_learn_one_after_the_other():
    net, apart = network(), network()
    scores = []
    net.set_listeners(Scores(scores))
    net.pretrain([X[:6], X[6:]], epochs=40)
    assert [(i, e) for i, e, _ in scores] == [(i + 1, i // 2) for i in range(80)] * 2
    for first in (0, 80):
        found = [score for _, _, score in scores[first : first + 80]]
        assert np.mean(found[-8:]) < 0.8 * np.mean(found[:8])
    apart.pretrain_layer(1, [X[:6], X[6:]], epochs=40)
    apart.pretrain_layer(2, [X[:6], X[6:]], epochs=40)
    np.testing.assert_array_equal(np.asarray(net.params()), np.asarray(apart.params()))


@dataclass
class Scores:
    """A listener that keeps what it is told."""

    found: list

    def iteration_done(self, model, iteration, epoch):
        self.found.append((iteration, epoch, model.score_value))


@pytest.mark.parametrize(
    "given",
    [
        X,
        (X, LABELS),
        [(X, LABELS)],
        data.DataSet(X, LABELS),
        data.ArrayDataSetIterator(X, LABELS, batch=12),
        [X],
        X.astype("float32").astype("float64"),
    ],
    ids=["array", "pair", "pairs", "batch", "iterator", "arrays", "rounded"],
)
def test_data_may_have_labels_or_not(given):
    net, same = network(), network()
    net.pretrain(given, epochs=2)
    same.pretrain(given if isinstance(given, np.ndarray) else X, epochs=2)
    np.testing.assert_array_equal(np.asarray(net.params()), np.asarray(same.params()))


def test_vertices_of_a_graph_are_pretrained_too():
    vertices = {
        "left": (nn.DenseLayer(4, "tanh"), "x"),
        "both": (nn.MergeVertex(), "left", "y"),
        "code": (nn.AutoEncoder(3, "tanh"), "both"),
        "out": (nn.OutputLayer(2), "code"),
    }
    graph = nn.ComputationGraph(
        {"x": ROWS, "y": nn.InputType.feed_forward(2)}, vertices, outputs="out", updater=nn.Adam(0.05), dtype="float64"
    )
    before, scores = table(graph), []
    graph.set_listeners(Scores(scores))
    graph.pretrain(data.MultiDataSet([X, LABELS], [LABELS]), epochs=60)
    assert changed(before, table(graph)) == {"code_W", "code_b", "code_vb"}
    assert scores[-1][2] < 0.7 * scores[0][2]
    assert sorted(graph.layer_params("code")) == ["W", "b", "vb"]


def test_masks_reach_the_layer():
    layers = [nn.LSTM(4), nn.AutoEncoder(3, "tanh", corruption_level=0.0), nn.RnnOutputLayer(2)]
    settings = {"input_type": nn.InputType.recurrent(6), "updater": nn.Sgd(0.2), "dtype": "float64", "seed": 1}
    net, apart = (nn.MultiLayerNetwork(layers, **settings) for _ in range(2))
    x, mask = RNG.normal(size=(2, 5, 6)), np.asarray([[1.0] * 5, [1.0] * 5])
    mask[:, 3:] = 0
    labels = np.zeros((2, 5, 2))
    net.pretrain(data.DataSet(x, labels, features_mask=mask), epochs=3)
    apart.pretrain(x[:, :3], epochs=3)
    np.testing.assert_allclose(np.asarray(net.params()), np.asarray(apart.params()), rtol=1e-12)


def test_a_network_goes_on_from_a_file_with_the_same_bits(tmp_path):
    net = network()
    net.pretrain(X, epochs=2)
    net.fit_batch(X, LABELS)
    net.save(tmp_path / "net.zip")
    again = nn.MultiLayerNetwork.load(tmp_path / "net.zip")
    for each in (net, again):
        each.pretrain(X, epochs=2)
        each.fit_batch(X, LABELS)
    np.testing.assert_array_equal(np.asarray(net.params()), np.asarray(again.params()))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_layers_are_pretrained_in_the_dtype_of_the_parameters(dtype):
    net = network(dtype=dtype)
    scores = []
    net.set_listeners(Scores(scores))
    net.pretrain(X, epochs=60)
    assert str(net.params().dtype) == "float32"
    assert scores[59][2] < 0.8 * scores[0][2]


def test_a_score_that_is_not_finite_changes_nothing():
    net = network()
    before = np.array(net.params())
    with pytest.raises(FloatingPointError, match="the score is nan at iteration 0"):
        net.pretrain_layer(1, np.full((2, 6), np.nan))
    np.testing.assert_array_equal(np.asarray(net.params()), before)


def test_frozen_layers_are_not_pretrained():
    net = nn.MultiLayerNetwork([nn.FrozenLayer(nn.AutoEncoder(3)), nn.OutputLayer(2)], input_type=ROWS)
    with pytest.raises(ValueError, match="pretrain: no layer has a loss of its own"):
        net.pretrain(X)


@pytest.mark.parametrize("call, error, message", [
    (lambda net: net.pretrain_layer(0, X), ValueError, r"layer 0 \(DenseLayer\) has no loss of its own"),
    (lambda net: net.pretrain_layer(7, X), ValueError, "there is no layer 7; layers: 0"),
    (lambda net: net.pretrain_layer(1, X[:, :4]), ValueError, r"expects \(batch, 6\), given \(12, 4\)"),
    (lambda net: net.pretrain_layer(1, X[:0]), ValueError, "at least one example"),
    (lambda net: net.pretrain(X, epochs=0), ValueError, "pretrain: epochs must be a whole number of at least 1"),
    (lambda net: net.pretrain(X, LABELS), TypeError, r"give arrays as a pair, pretrain\(\(features, labels\)"),
    (lambda net: net.pretrain(iter([X]), epochs=2), ValueError, "no batches in epoch 2; give data that can be"),
    (lambda net: net.pretrain(3), TypeError, "data must be an iterator over batches"),
])  # fmt: skip
def test_wrong_arguments_are_refused(call, error, message):
    net = network()
    with pytest.raises(error, match=message):
        call(net)
