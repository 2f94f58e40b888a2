"""Running values, recurrent state, masks, truncated back-propagation, accumulation, frozen layers, half precision."""

from dataclasses import dataclass, replace
from typing import ClassVar

import cases
import numpy as np
import pytest

import nd4py as nd
from nd4py import nn
from nd4py.data import DataSet

SEQUENCES = nn.InputType.recurrent(3)
RNG = np.random.default_rng(11)


@dataclass(frozen=True)
class Centred(nn.Layer):
    """x less its mean over the batch, or while it does not train less a running mean."""

    decay: float = 0.5

    def parameters(self, given):
        return (nn.Parameter("mean", given.shape, is_state=True, initial=2.0),)

    def forward(self, params, x, *, train=False, rng=None, mask=None, state=None):
        if not train:
            return x - params["mean"]
        mean = nd.mean(x, axis=0)
        return x - mean, {"mean": params["mean"] * self.decay + mean * (1 - self.decay)}


@dataclass(frozen=True)
class Running(nn.Layer):
    """h[t] = weight * h[t - 1] + x[t]; padding keeps h."""

    is_recurrent: ClassVar[bool] = True
    wanted_input: ClassVar[str] = "recurrent"

    def parameters(self, given):
        return (nn.Parameter("w", (given.n_features,), initial=0.5),)

    def forward(self, params, x, *, train=False, rng=None, mask=None, state=None):
        h = nd.zeros_like(x[:, 0]) if state is None else state["h"]
        steps = []
        for t in range(x.shape[1]):
            new = params["w"] * h + x[:, t]
            h = new if mask is None else nd.where(mask[:, t : t + 1] > 0, new, h)
            steps.append(h)
        return nd.stack(steps, axis=1), {"h": h}


@dataclass(frozen=True)
class StepsLoss(nn.ScoredLayer):
    """The squares of what comes in, less the labels, at every step."""

    def prepare_labels(self, labels, shape, dtype):
        return nd.astype(labels, dtype)

    def example_labels(self, shape, dtype):
        return nd.ones(shape, dtype=dtype)

    def score(self, params, x, labels, *, train=False, rng=None, mask=None):
        squares = nd.sum((x - labels) ** 2, axis=2)
        return nd.sum(squares if mask is None else squares * mask)

    def example_scores(self, params, x, labels, *, mask=None):
        squares = nd.sum((x - labels) ** 2, axis=2)
        return nd.sum(squares if mask is None else squares * mask, axis=1)


def recurrent(**settings):
    layers = [Running(), StepsLoss()]
    return nn.MultiLayerNetwork(layers, input_type=SEQUENCES, updater=nn.Sgd(0.01), dtype="float64", **settings)


X, TARGET = RNG.normal(size=(4, 6, 3)), RNG.normal(size=(4, 6, 3))


def running_by_hand(x, w=0.5, h=0.0):
    steps = []
    for t in range(x.shape[1]):
        h = w * h + x[:, t]
        steps.append(h)
    return np.stack(steps, axis=1)


def test_running_values_are_kept_and_no_updater_moves_them():
    layers = [Centred(), nn.OutputLayer(3)]
    net = cases.small_network(layers=layers, updater=nn.Adam(0.1), l2=0.1, weight_decay=0.1)
    features, labels = cases.small_batch()
    expected = np.full(4, 2.0)
    for _ in range(5):
        net.fit_batch(features, labels)
        expected = 0.5 * expected + 0.5 * features.mean(axis=0)
        np.testing.assert_allclose(np.asarray(net.param_table()["0_mean"]), expected, rtol=1e-12)
    np.testing.assert_allclose(np.asarray(net.feed_forward(features)[1]), features - expected, rtol=1e-10)
    gradient, _ = net.compute_gradient_and_score(features, labels)
    np.testing.assert_array_equal(np.asarray(gradient)[:4], 0.0)
    assert net.clone().param_table()["0_mean"].tobytes() == net.param_table()["0_mean"].tobytes()


def test_running_values_survive_a_file(tmp_path):
    net = cases.small_network(layers=[Centred(), nn.OutputLayer(3)])
    net.fit_batch(*cases.small_batch())
    net.save(tmp_path / "net.zip")
    twin = nn.MultiLayerNetwork.load(tmp_path / "net.zip", classes=(Centred,))
    assert twin.params().tobytes() == net.params().tobytes()


@dataclass(frozen=True)
class Forgetful(Centred):
    """Declares a running mean, and does not return it."""

    def forward(self, params, x, *, train=False, rng=None, mask=None, state=None):
        return x


def test_running_values_that_are_not_returned_are_an_error():
    net = cases.small_network(layers=[Forgetful(), nn.OutputLayer(3)])
    with pytest.raises(ValueError, match=r"layer 0 declares the running values mean, but its forward returned none"):
        net.fit_batch(*cases.small_batch())


def test_steps_one_by_one_are_the_whole_sequence():
    net = recurrent()
    whole = np.asarray(net.output(X))
    np.testing.assert_allclose(whole, running_by_hand(X), rtol=1e-12)
    for stream in (None, "other"):
        for t in range(6):
            np.testing.assert_array_equal(np.asarray(net.rnn_time_step(X[:, t], stream=stream)), whole[:, t])
    net.rnn_clear_previous_state()
    np.testing.assert_array_equal(np.asarray(net.rnn_time_step(X[:, :4])), whole[:, :4])
    np.testing.assert_array_equal(np.asarray(net.rnn_time_step(X[:, 4:])), whole[:, 4:])
    state = net.rnn_get_previous_state(0)
    np.testing.assert_array_equal(np.asarray(state["h"]), whole[:, -1])
    net.rnn_set_previous_state(0, {"h": np.zeros((4, 3))})
    np.testing.assert_array_equal(np.asarray(net.rnn_time_step(X[:, 0])), whole[:, 0])
    with pytest.raises(ValueError, match="the stream 'other' has 4 sequences, given 2"):
        net.rnn_time_step(X[:2, 0], stream="other")
    with pytest.raises(ValueError, match="no recurrent layer 1; recurrent layers: 0"):
        net.rnn_get_previous_state(1)


def test_padding_changes_nothing():
    mask = np.array([[1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 0, 0], [1, 1, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0]], dtype=float)
    padded = np.where(mask[:, :, None] > 0, X, 1e6)
    net = recurrent()
    total = sum(
        net.score((X[i : i + 1, :n], TARGET[i : i + 1, :n])) for i, n in enumerate(mask.sum(axis=1).astype(int))
    )
    batch = DataSet(padded, TARGET, features_mask=mask)
    assert net.score(batch) == pytest.approx(total / 4, rel=1e-12)
    assert net.score_examples(batch).shape == (4,)
    gradient, score = net.compute_gradient_and_score(padded, TARGET, mask)
    assert score == pytest.approx(total / 4, rel=1e-12)
    parts = [
        np.asarray(net.compute_gradient_and_score(X[i : i + 1, :n], TARGET[i : i + 1, :n])[0])
        for i, n in enumerate(mask.sum(axis=1).astype(int))
    ]
    np.testing.assert_allclose(np.asarray(gradient), sum(parts) / 4, rtol=1e-10)
    only_last = np.zeros_like(mask)
    only_last[:, 0] = 1
    assert net.score(DataSet(padded, TARGET, features_mask=mask, labels_mask=only_last)) == pytest.approx(
        ((X[:, 0] - TARGET[:, 0]) ** 2).sum() / 4, rel=1e-12
    )
    net.fit([batch])
    assert np.isfinite(np.asarray(net.params())).all()
    with pytest.raises(ValueError, match=r"must be of shape \(4, 6\), given \(4, 5\)"):
        net.fit_batch(X, TARGET, mask[:, :5])


def test_truncated_back_propagation_carries_the_state():
    net, by_hand = recurrent(tbptt_length=2), recurrent()
    net.fit_batch(X, TARGET)
    assert net.iteration_count == 3
    state = None
    for start in (0, 2, 4):
        part, target = X[:, start : start + 2], TARGET[:, start : start + 2]

        def loss(w, part=part, target=target, state=state):
            h = nd.zeros((4, 3), dtype="float64") if state is None else state
            total = 0.0
            for t in range(2):
                h = w * h + nd.asarray(part[:, t])
                total = total + nd.sum((h - nd.asarray(target[:, t])) ** 2)
            return total / 4

        w = by_hand.params()
        h = np.zeros((4, 3)) if state is None else np.asarray(state)
        for t in range(2):
            h = np.asarray(w) * h + part[:, t]
        gradient = nd.grad(loss)(w)
        by_hand.set_params(w - 0.01 * gradient)
        state = nd.asarray(h)
    np.testing.assert_allclose(np.asarray(net.params()), np.asarray(by_hand.params()), rtol=1e-10)


def test_labels_of_whole_sequences_are_not_cut():
    layers = [
        Running(),
        nn.LambdaLayer(lambda x: x[:, -1], lambda given: nn.InputType.feed_forward(3)),
        nn.OutputLayer(2),
    ]
    net = nn.MultiLayerNetwork(layers, input_type=SEQUENCES, tbptt_length=2)
    assert np.isfinite(net.fit_batch(X[:, :2], np.eye(2)[[0, 1, 0, 1]]))
    with pytest.raises(ValueError, match="tbptt_length=2 cuts sequences, but the labels of layer 2"):
        net.fit_batch(X, np.eye(2)[[0, 1, 0, 1]])


@pytest.mark.parametrize("n_parts", [2, 3, 8, 100])
def test_accumulated_gradients_are_those_of_the_batch(n_parts):
    features, labels = cases.small_batch()
    whole, parts = cases.small_network(l2=0.1), cases.small_network(l2=0.1, gradient_accumulation=n_parts)
    for _ in range(3):
        assert parts.fit_batch(features, labels) == pytest.approx(whole.fit_batch(features, labels), rel=1e-12)
    np.testing.assert_allclose(np.asarray(parts.params()), np.asarray(whole.params()), rtol=1e-10)
    assert parts.iteration_count == 3


def test_layers_have_settings_of_their_own():
    layers = [
        nn.DenseLayer(5, "tanh"),
        nn.FrozenLayer(nn.DenseLayer(4, "tanh")),
        nn.DenseLayer(4),
        nn.OutputLayer(3),
    ]
    net = cases.small_network(layers=layers, updater=nn.Adam(0.01), activation="sigmoid", l2=0.1, weight_decay=0.01)
    assert net.get_layer(2).activation == "sigmoid"
    assert net.get_layer(0).activation == "tanh"
    before = {name: np.asarray(value).copy() for name, value in net.param_table().items()}
    for _ in range(3):
        net.fit_batch(*cases.small_batch())
    for name, value in net.param_table().items():
        is_same = np.asarray(value).tobytes() == before[name].tobytes()
        assert is_same == name.startswith("1_")
    assert net.updater_state().size == 2 * (net.num_params() - 24)  # Adam keeps two numbers of what is trained
    assert "of which 60 are trained" in net.summary()
    twin = net.clone()
    assert twin.fit_batch(*cases.small_batch()) == net.fit_batch(*cases.small_batch())
    assert twin.params().tobytes() == net.params().tobytes()


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_half_precision_keeps_parameters_in_single(dtype):
    features, labels = cases.small_batch()
    net = cases.small_network(dtype=dtype, updater=nn.Adam(1e-2))
    exact = cases.small_network(dtype="float32", updater=nn.Adam(1e-2))
    exact.set_params(net.params())
    assert str(net.params().dtype) == str(net.updater_state().dtype) == "float32"
    assert str(net.output(features).dtype) == dtype
    first = net.score((features, labels))
    assert first == pytest.approx(exact.score((features, labels)), rel=2e-2)
    for _ in range(1000):
        assert np.isfinite(net.fit_batch(features, labels))
    assert np.isfinite(np.asarray(net.params())).all()
    assert net.score((features, labels)) < 0.3 * first


def test_a_loss_scale_that_is_too_large_is_halved(tmp_path):
    net = cases.small_network(dtype="float16", updater=nn.Sgd(1e-3))
    features, labels = cases.small_batch()
    net.loss_scale = 2**24
    before = net.params().tobytes()
    net.fit_batch(features * 100, labels)
    assert net.loss_scale < 2**24
    assert net.iteration_count == 0
    assert net.params().tobytes() == before
    while net.iteration_count == 0:
        net.fit_batch(features * 100, labels)
    net.save(tmp_path / "half.zip")
    twin = nn.MultiLayerNetwork.load(tmp_path / "half.zip")
    assert (twin.loss_scale, twin.n_finite_steps) == (net.loss_scale, net.n_finite_steps)


class Watching:
    """Notes what it is told."""

    def __init__(self):
        self.events = []

    def on_forward_pass(self, model, activations):
        self.events.append(("activations", sorted(activations)))

    def on_gradient_calculation(self, model, gradient):
        self.events.append(("gradient", gradient.shape))

    def iteration_done(self, model, iteration, epoch):
        self.events.append(("done", iteration))


def test_listeners_see_activations_and_gradients():
    net, watching = cases.small_network(), Watching()
    net.set_listeners(watching)
    net.fit_batch(*cases.small_batch())
    assert watching.events == [("activations", ["0", "1"]), ("gradient", (net.num_params(),)), ("done", 1)]


def test_images_may_come_with_channels_last():
    layers = [nn.ConvolutionLayer((2, 2), 3, activation="tanh"), nn.OutputLayer(2)]
    shape = {"height": 5, "width": 4, "channels": 2}
    first = nn.MultiLayerNetwork(layers, input_type=nn.InputType.convolutional(**shape), seed=3)
    last = nn.MultiLayerNetwork(layers, input_type=nn.InputType.convolutional(**shape, data_format="NHWC"), seed=3)
    x = RNG.normal(size=(6, 2, 5, 4))
    np.testing.assert_allclose(np.asarray(last.output(x.transpose(0, 2, 3, 1))), np.asarray(first.output(x)), rtol=1e-6)
    with pytest.raises(ValueError, match=r"expects \(batch, 5, 4, 2\), given \(6, 2, 5, 4\)"):
        last.output(x)


def test_dense_layers_take_every_step():
    net = nn.MultiLayerNetwork([nn.DenseLayer(4, "tanh"), StepsLoss()], input_type=SEQUENCES, dtype="float64")
    table = {name: np.asarray(value) for name, value in net.param_table().items()}
    np.testing.assert_allclose(np.asarray(net.output(X)), np.tanh(X @ table["0_W"] + table["0_b"]), rtol=1e-12)
    with pytest.raises(ValueError, match="an OutputLayer takes rows, given sequences; use a RnnOutputLayer"):
        nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=SEQUENCES)


def test_settings_are_found_in_the_text():
    net = recurrent(tbptt_length=3)
    assert replace(net.configuration, tbptt_length=None) != net.configuration
    assert '"tbptt_length": 3' in net.configuration.to_json()


def test_base_classes_say_what_is_common():
    for kind in (nn.MultiLayerNetwork, nn.ComputationGraph):
        assert issubclass(kind, nn.Network)
        assert issubclass(kind.configuration_class, nn.TrainingConfiguration)
    assert isinstance(nn.MergeVertex(), nn.Vertex)
    assert isinstance(StepsLoss(), nn.ScoredLayer)
    assert recurrent().configuration.updater == nn.Sgd(0.01)
    node = nn.Node(nn.MergeVertex(), ("a", "b"))
    assert node.inputs == ("a", "b")
    with pytest.raises(TypeError, match="updater must be an Updater"):
        nn.TrainingConfiguration(updater=0.1)
    with pytest.raises(ValueError, match="unknown network dtype 'int8'"):
        nn.TrainingConfiguration(dtype="int8")


def test_a_batch_with_its_masks_is_one_argument_or_several():
    features, labels = RNG.normal(size=(4, 5, 3)), np.eye(2)[RNG.integers(0, 2, (4, 5))]
    there = np.asarray(np.arange(5) < [[5], [3], [4], [1]], dtype="float64")
    counted = there * (RNG.random((4, 5)) < 0.7)
    stack = nn.MultiLayerNetwork([nn.LSTM(4), nn.RnnOutputLayer(2)], input_type=SEQUENCES, updater=nn.Adam(0.1))
    graph = nn.ComputationGraph(
        {"x": SEQUENCES}, {"h": (nn.GRU(4), "x"), "y": (nn.RnnOutputLayer(2), "h")}, outputs="y", updater=nn.Adam(0.1)
    )
    for net in (stack, graph):
        twin = net.clone()
        batch = DataSet(features, labels, features_mask=there, labels_mask=counted)
        masks = ([there], [counted]) if net is graph else (there, counted)
        gradient, score = net.compute_gradient_and_score(batch)
        expected, expected_score = net.compute_gradient_and_score(features, labels, *masks)
        assert gradient.tobytes() == expected.tobytes()
        assert score == expected_score
        assert net.fit_batch(batch) == twin.fit_batch(features, labels, *masks)
        assert net.params().tobytes() == twin.params().tobytes()
        assert net.fit_batch((features, labels)) == twin.fit_batch(features, labels)


@pytest.mark.parametrize(
    "layer",
    [
        nn.Bidirectional(nn.SimpleRnn(3)),
        nn.FrozenLayer(nn.Bidirectional(nn.LSTM(3))),
        nn.SelfAttentionLayer(4, n_heads=2),
        nn.RecurrentAttentionLayer(4, n_heads=2),
        nn.MultiHeadAttention(4, n_heads=2),
        nn.TransformerEncoderLayer(n_heads=1, feed_forward_size=4),
    ],
    ids=lambda layer: layer.title,
)
def test_layers_that_look_at_later_steps_are_refused_step_by_step(layer):
    net = nn.MultiLayerNetwork([layer, nn.RnnOutputLayer(2)], input_type=SEQUENCES)
    with pytest.raises(ValueError, match=rf"layer 0 \({layer.title}\) looks at steps that come later: give the whole"):
        net.rnn_time_step(nd.ones((2, 3)))
    assert net.output(nd.ones((2, 5, 3))).shape == (2, 5, 2)


def test_a_vertex_that_looks_at_later_steps_is_refused_step_by_step():
    vertices = {"turned": (nn.ReverseTimeSeriesVertex(), "x"), "y": (nn.RnnOutputLayer(2), "turned")}
    with pytest.raises(ValueError, match="vertex turned .* looks at steps that come later"):
        nn.ComputationGraph({"x": SEQUENCES}, vertices, outputs="y").rnn_time_step(nd.ones((2, 3)))
