"""fit and predict: kinds of data, the order of batches, histories and progress."""

import json
import sys

import cases
import numpy as np
import pytest

import nd4py as nd
from nd4py import data, nn

X = np.random.default_rng(3).standard_normal((50, 4)).astype("float32")
LABELS = np.eye(3, dtype="float32")[np.arange(50) % 3]


def network(seed=5, **settings):
    layers = [nn.DenseLayer(6, activation="tanh", dropout=0.2), nn.OutputLayer(3)]
    return nn.MultiLayerNetwork(
        layers, input_type=nn.InputType.feed_forward(4), updater=nn.Adam(0.01), seed=seed, **settings
    )


def graph(n_inputs=1):
    inputs = {f"x{i}": nn.InputType.feed_forward(4) for i in range(n_inputs)}
    vertices = {"both": (nn.MergeVertex(), *inputs)} if n_inputs > 1 else {}
    vertices["out"] = (nn.OutputLayer(3), "both" if n_inputs > 1 else "x0")
    return nn.ComputationGraph(inputs, vertices, outputs="out", updater=nn.Adam(0.01), seed=5)


def params(net):
    return np.array(net.params())


class Seen:
    """Keeps what each batch of an iterator was asked for."""

    def __init__(self):
        self.calls = []

    def __getattr__(self, event):
        if event.startswith("on_") and event in ("on_fit_start", "on_safe_point", "on_fit_end"):
            return lambda model, run: self.calls.append((event, run.n_epochs, run.n_batches))
        raise AttributeError(event)


def test_arrays_of_every_kind_are_the_same_data():
    expected = network()
    expected.fit(X, LABELS, epochs=2, batch_size=20)
    assert (expected.iteration_count, expected.epoch_count) == (6, 2)
    for x, y in ((nd.asarray(X), nd.asarray(LABELS)), (X.tolist(), LABELS.tolist())):
        net = network()
        net.fit(x, y, epochs=2, batch_size=20)
        assert (params(net) == params(expected)).all()
    for both in ((X, LABELS), data.DataSet(X, LABELS), data.MultiDataSet([X], [LABELS])):
        net = network()
        net.fit(both, epochs=2, batch_size=20)
        assert (params(net) == params(expected)).all()


def test_a_pair_or_data_set_without_a_size_is_one_batch():
    expected = network()
    for _ in range(3):
        expected.fit_batch(X, LABELS)
    for both in ((X, LABELS), data.DataSet(X, LABELS)):
        for epochs in ({"epochs": 3}, {"y": 3}):
            net = network()
            net.fit(both, **epochs)
            assert (params(net) == params(expected)).all()


def test_batches_are_of_32_and_in_a_new_order_each_epoch():
    orders = []

    net = network()
    numbered = np.arange(50, dtype="float32")[:, None] * np.ones(4, "float32")
    step = net._fit_parts

    def noted(parts, note=None):
        orders.append(np.asarray(parts.features)[:, 0].tolist())
        return step(parts, note)

    net._fit_parts = noted
    net.fit(numbered, LABELS, epochs=2)
    assert [len(order) for order in orders] == [32, 18, 32, 18]
    first, second = orders[0] + orders[1], orders[2] + orders[3]
    assert sorted(first) == sorted(second) == list(range(50))
    assert first != second
    assert first != sorted(first)
    again = list(orders)
    orders.clear()
    net.adopt(epoch_count=0)
    net.fit(numbered, LABELS)
    net.fit(numbered, LABELS)
    assert orders == again
    orders.clear()
    net.fit(numbered, LABELS, shuffle=False)
    assert orders[0] + orders[1] == list(range(50))


def test_several_inputs_and_masks_are_cut():
    net = graph(2)
    net.fit((X, X[::-1]), LABELS, batch_size=25, epochs=2)
    assert net.iteration_count == 4
    same = graph(2)
    same.fit({"x0": X, "x1": X[::-1]}, LABELS, batch_size=25, epochs=2)
    assert (params(net) == params(same)).all()
    assert net.predict({"x0": X, "x1": X}, batch_size=7).shape == (50, 3)
    sequences = nn.InputType.recurrent(4)
    recurrent = nn.MultiLayerNetwork([nn.LSTM(3), nn.RnnOutputLayer(2)], input_type=sequences, seed=1)
    x, labels = X[:48].reshape(12, 4, 4), np.ones((12, 4, 2), "float32") / 2
    mask = np.ones((12, 4), "float32")
    mask[:, 3:] = 0
    recurrent.fit(data.DataSet(x, labels, features_mask=mask), batch_size=5)
    assert recurrent.iteration_count == 3
    other = nn.MultiLayerNetwork([nn.LSTM(3), nn.RnnOutputLayer(2)], input_type=sequences, seed=1)
    other.fit(data.DataSet(x, labels), batch_size=5)
    assert not np.allclose(params(recurrent), params(other))


def test_history():
    net = network()
    start = net.score((X, LABELS))
    history = net.fit(X, LABELS, epochs=3, batch_size=20, validation_data=(X, LABELS))
    assert history.iterations == list(range(1, 10))
    assert history.epochs == [1, 2, 3]
    per_epoch = np.reshape(history.iteration_scores, (3, 3))
    assert np.allclose(history.scores, per_epoch @ [20, 20, 10] / 50)
    assert history.history == {"loss": history.scores, "val_loss": history.validation_scores}
    assert history.validation_scores[-1] == pytest.approx(net.score((X, LABELS)), rel=1e-6)
    assert history.validation_scores[-1] < start
    assert len(history.seconds) == 3
    assert all(seconds > 0 for seconds in history.seconds)
    assert "9 iterations in 3 epochs" in repr(history)
    other = nn.History()
    other.set_state(history.state())
    assert other.history == history.history
    with pytest.raises(ValueError, match="as History.state"):
        other.set_state({"scores": []})


def test_history_of_truncated_sequences_has_every_step():
    recurrent = nn.MultiLayerNetwork(
        [nn.LSTM(3), nn.RnnOutputLayer(2)], input_type=nn.InputType.recurrent(4), tbptt_length=2
    )
    history = recurrent.fit(X[:40].reshape(10, 4, 4), np.ones((10, 4, 2), "float32") / 2, batch_size=5)
    assert history.iterations == [1, 2, 3, 4]


def test_validation_data_of_every_kind():
    batches = data.ListDataSetIterator(data.DataSet(X, LABELS).batch_by(10))
    found = [
        network().fit(X, LABELS, validation_data=given).validation_scores[0]
        for given in ((X, LABELS), data.DataSet(X, LABELS), batches, list(batches))
    ]
    assert np.allclose(found, found[0], rtol=1e-5)


def test_listeners_of_one_fit():
    net, seen, own = network(), Seen(), Seen()
    net.set_listeners(own)
    net.fit(X, LABELS, epochs=2, listeners=[seen])
    assert net.listeners == [own]
    assert seen.calls == own.calls
    assert seen.calls == [
        *(("on_fit_start", 0, 0), ("on_safe_point", 0, 1), ("on_safe_point", 0, 2), ("on_safe_point", 1, 0)),
        *(("on_safe_point", 1, 1), ("on_safe_point", 1, 2), ("on_safe_point", 2, 0), ("on_fit_end", 2, 0)),
    ]
    with pytest.raises(ZeroDivisionError):
        net.fit(iter([1 / n for n in (1, 0)] for _ in "1"), listeners=[seen])
    assert net.listeners == [own]
    assert seen.calls[-1][0] == "on_fit_end"


class Stopping:
    def iteration_done(self, model, iteration, epoch):
        if iteration == 3:
            model.stop_fit()


def test_a_listener_stops_training():
    net = network()
    history = net.fit(X, LABELS, epochs=5, listeners=[Stopping()])
    assert (net.iteration_count, net.epoch_count) == (3, 1)
    assert history.epochs == [1]
    assert len(net.fit(X, LABELS, epochs=2).epochs) == 2


def test_predict_is_output_in_parts():
    net = network()
    expected = np.asarray(net.output(X))
    for given in (X, nd.asarray(X), data.DataSet(X, LABELS), [(X[:30], LABELS[:30]), (X[30:], None)]):
        found = net.predict(given, batch_size=16)
        assert np.allclose(np.asarray(found), expected, atol=1e-6)
    two = nn.ComputationGraph(
        {"x": nn.InputType.feed_forward(4)},
        {"a": (nn.OutputLayer(2), "x"), "b": (nn.OutputLayer(3), "x")},
        outputs=["a", "b"],
    )
    assert [each.shape for each in two.predict(X, batch_size=7)] == [(50, 2), (50, 3)]


def test_predict_takes_arrays_of_several_inputs_and_masks():
    net = graph(2)
    expected = np.asarray(net.output(X, X + 1))
    for given in ((X, X + 1), [X, X + 1], {"x0": X, "x1": X + 1}):
        assert np.allclose(np.asarray(net.predict(given, batch_size=16)), expected, atol=1e-6)
    steps, mask = X.reshape(10, 5, 4), np.arange(5) < np.arange(1, 11)[:, None] % 5 + 1
    net = nn.MultiLayerNetwork(
        [nn.GRU(3), nn.GlobalPoolingLayer("avg"), nn.OutputLayer(2)], input_type=nn.InputType.recurrent(4)
    )
    expected = np.asarray(net.output(steps, mask=mask))
    for kind in ("bool", "int64", "float64"):
        found = net.predict(steps, batch_size=3, mask=mask.astype(kind))
        assert np.allclose(np.asarray(found), expected, atol=1e-6)
    with pytest.raises(TypeError, match="mask= is for arrays; batches have masks of their own"):
        net.predict([(steps, None)], mask=mask)


def test_features_and_labels_are_scored_as_two_arguments():
    net = network()
    x, y = np.tile(X, (40, 1)), np.tile(LABELS, (40, 1))  # more than are computed at once
    assert len(x) > 256
    for labels in (y, y.tolist(), nd.asarray(y)):
        assert net.score(x, labels) == pytest.approx(net.score((x, y)), rel=1e-6)
        assert np.allclose(np.asarray(net.score_examples(x, labels)), np.asarray(net.score_examples((x, y))))
        assert net.evaluate(x, labels).accuracy() == net.evaluate((x, y)).accuracy()
        assert net.f1_score(x, labels) == net.f1_score((x, y))
    told, areas = net.evaluate(x, y, nn.Evaluation(), nn.ROCMultiClass())
    pair = net.evaluate((x, y), nn.Evaluation(), nn.ROCMultiClass())
    assert (told.accuracy(), areas.auc(0)) == (pair[0].accuracy(), pair[1].auc(0))
    two = graph(2)
    of_output = two.evaluate((x, x), y, {"out": nn.Evaluation()})["out"]
    assert of_output.accuracy() == two.evaluate(((x, x), y)).accuracy()


def test_arrays_that_are_written_out_are_arrays_everywhere():
    net, x, y = network(), X.tolist(), LABELS.tolist()
    for name in ("output", "predict"):
        for part in (x, x[:1], tuple(map(tuple, x))):
            expected = getattr(net, name)(np.asarray(part, "float32"))
            assert np.array_equal(np.asarray(getattr(net, name)(part)), np.asarray(expected))
    assert net.score((x, y)) == net.score((X, LABELS))
    assert net.evaluate((x, y)).accuracy() == net.evaluate((X, LABELS)).accuracy()
    other = network()
    assert net.fit((x, y)).iteration_scores == other.fit((X, LABELS)).iteration_scores
    assert [each.shape for each in net.feed_forward(x[:1])] == [(1, 4), (1, 6), (1, 3)]
    steps = nn.MultiLayerNetwork([nn.LSTM(2), nn.RnnOutputLayer(2)], input_type=nn.InputType.recurrent(4))
    assert steps.rnn_time_step(x[:2]).shape == (2, 2)
    rows, layers = nn.InputType.feed_forward(4), [nn.AutoEncoder(3), nn.OutputLayer(2)]
    one, other = (nn.MultiLayerNetwork(layers, input_type=rows) for _ in "ab")
    one.pretrain(x)
    other.pretrain(X)
    assert (params(one) == params(other)).all()


@pytest.mark.parametrize("kind", [np.int8, np.int64, np.asarray, nd.asarray])
def test_counts_may_be_numbers_of_numpy(kind):
    net = network()
    net.fit(X, LABELS, epochs=kind(2), batch_size=kind(25))
    net.fit((X, LABELS), kind(3))
    assert (net.iteration_count, net.epoch_count) == (7, 5)
    assert net.predict(X, batch_size=kind(7)).shape == (50, 3)


@pytest.mark.parametrize("loss, squash", [("mse", "identity"), ("xent", "sigmoid"), (nn.HuberLoss(), "identity")])
def test_labels_of_one_output_need_no_axis_for_it(loss, squash):
    def net():
        layers = [nn.OutputLayer(1, squash, loss=loss)]
        return nn.MultiLayerNetwork(layers, input_type=nn.InputType.feed_forward(4), updater=nn.Sgd(0.1), seed=2)

    y = X[:, 0] > 0
    one, other = net(), net()
    for each, labels in ((one, y), (other, y[:, None].astype("float32"))):
        each.fit(X, labels, epochs=2, batch_size=16, validation_data=(X, labels))
    assert (params(one) == params(other)).all()
    assert one.score((X, y)) == other.score((X, y[:, None]))


def test_a_single_listener_needs_no_list():
    seen = Stopping()
    net = network()
    net.fit(X, LABELS, listeners=seen)
    assert net.iteration_count == 2
    assert net.listeners == []
    with pytest.raises(TypeError, match="listeners must be a sequence"):
        net.fit(X, LABELS, listeners=Stopping)


def test_data_that_does_not_fit_is_refused():
    net = network()
    for x, y, options, message in (
        (X, LABELS[:7], {}, r"one row for each example, given arrays of \[7, 50\] rows"),
        (X[:0], LABELS[:0], {}, "no examples in x and y"),
        (X, LABELS, {"batch_size": 0}, "batch_size must be a whole number of at least 1"),
        ([(X, LABELS)], None, {"batch_size": 5}, "yields batches already"),
        (X, LABELS, {"verbose": "yes"}, 'verbose is True, False or "auto"'),
    ):
        with pytest.raises(ValueError, match=message):
            net.fit(x, y, **options)
    with pytest.raises(ValueError, match="no examples in x"):
        net.predict([])
    with pytest.raises(ValueError, match="predict: batch_size"):
        net.predict(X, batch_size=0)
    assert net.iteration_count == 0


def test_progress(capsys, monkeypatch):
    net = cases.small_network()
    net.fit([cases.small_batch()] * 4, epochs=2)
    assert capsys.readouterr().err == ""  # no terminal
    net.fit([cases.small_batch()] * 4, epochs=2, verbose=True)
    assert "epoch 2/2: 100%" in capsys.readouterr().err
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    net.fit([cases.small_batch()] * 4)
    assert "epoch 1/1: 100%" in capsys.readouterr().err
    net.fit(cases.small_batch())  # a step of somebody's loop
    net.fit([cases.small_batch()] * 4, verbose=False)
    assert capsys.readouterr().err == ""
    monkeypatch.setitem(sys.modules, "tqdm", None)
    net.fit([cases.small_batch()] * 4, epochs=2, verbose=True)
    assert "epoch 2/2: score " in capsys.readouterr().err


def test_an_epoch_without_a_step_has_no_score():
    net = network(dtype="float16")
    net.loss_scale = 2**24  # the gradients overflow, and every step is left out until it is small enough
    history = net.fit(X * 1000, LABELS, epochs=8)
    n_epochs_left_out = next(i for i, score in enumerate(history.scores) if not np.isnan(score))
    assert n_epochs_left_out >= 1
    assert net.loss_scale < 2**24
    assert all(score > 0 for score in history.scores[n_epochs_left_out:])
    again = nn.History()
    again.set_state(json.loads(json.dumps(history.state())))
    np.testing.assert_array_equal(again.scores, history.scores)


@pytest.mark.parametrize("of_x", ["array", "lines", "numbers"])
@pytest.mark.parametrize("of_y", ["array", "lines", "numbers"])
def test_examples_may_be_lists_of_lines(of_x, of_y):
    rng = np.random.default_rng(6)
    x, y = rng.normal(size=(12, 6)), np.eye(3)[np.arange(12) % 3]
    kinds = {"array": lambda a: a, "lines": list, "numbers": lambda a: a.tolist()}

    def trained(x, y):
        net = nn.MultiLayerNetwork([nn.OutputLayer(3)], input_type=nn.InputType.feed_forward(6), seed=1)
        net.fit(x, y, epochs=2, batch_size=5)
        return net.params().tolist()

    assert trained(kinds[of_x](x), kinds[of_y](y)) == trained(x, y)


def test_lists_of_columns_are_several_inputs():
    rng = np.random.default_rng(6)
    columns, rating = [rng.integers(0, 5, 12), rng.integers(0, 7, 12)], rng.normal(size=(12, 1))
    one = nn.InputType.feed_forward(1)
    vertices = {
        "u": (nn.EmbeddingLayer(n_in=5, n_out=2), "user"),
        "i": (nn.EmbeddingLayer(n_in=7, n_out=2), "item"),
        "both": (nn.MergeVertex(), "u", "i"),
        "first": (nn.OutputLayer(1, "identity", loss="mse"), "both"),
        "second": (nn.OutputLayer(1, "identity", loss="mse"), "both"),
    }

    def trained(x, y, outputs):
        read = {name: vertex for name, vertex in vertices.items() if name in outputs or name not in two}
        net = nn.ComputationGraph({"user": one, "item": one}, read, outputs=outputs, seed=1)
        net.fit(x, y, batch_size=5)
        return net.params().tolist()

    two = ("first", "second")
    if_named = dict(zip(("user", "item"), columns, strict=True))
    assert trained(columns, rating, two[:1]) == trained(if_named, rating, two[:1])
    flat = [rating[:, 0], rating[:, 0] * 2]
    assert trained(columns, flat, two) == trained(if_named, (rating, rating * 2), two)
