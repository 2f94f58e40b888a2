"""Averages of weights: their values, when they are taken, evaluation with them, running values, and files."""

import copy
import json
import pickle
import zipfile
from dataclasses import dataclass

import cases
import numpy as np
import pytest

import nd4py as nd
from nd4py import data, nn, train

X, LABELS = cases.small_batch(12)


def batches(size=4):
    return [(X[i : i + size], LABELS[i : i + size]) for i in range(0, 12, size)]


def normalized(**settings):
    layers = [nn.DenseLayer(5, "tanh"), nn.BatchNormalization(decay=0.8), nn.OutputLayer(3)]
    return cases.small_network(layers=layers, **settings)


class Seen(train.TrainingListener):
    """Keeps the parameters after every iteration, and after every epoch."""

    def __init__(self):
        self.iterations, self.epochs = [], []

    def iteration_done(self, model, iteration, epoch):
        self.iterations.append(np.array(model.params()))

    def on_epoch_end(self, model):
        self.epochs.append(np.array(model.params()))


def trained(average, epochs=4, make=cases.small_network):
    net, seen = make(updater=nn.Adam(0.05)), Seen()
    net.set_listeners(average, seen)
    net.fit(batches(), epochs)
    return net, seen


def moving(vectors, decay):
    result = vectors[0]
    for vector in vectors[1:]:
        result = decay * result + (1 - decay) * vector
    return result


@pytest.mark.parametrize(
    "settings, pick",
    [
        ({}, lambda seen: seen.iterations),
        ({"every": 3}, lambda seen: seen.iterations[2::3]),
        ({"every": 2, "start": 5}, lambda seen: seen.iterations[6::2]),
        ({"per": "epoch", "start": 1}, lambda seen: seen.epochs[1:]),
    ],
)
def test_exponential_moving_average(settings, pick):
    average = train.ExponentialMovingAverage(0.8, **settings)
    _, seen = trained(average)
    assert average.n_averaged == len(pick(seen))
    np.testing.assert_allclose(np.asarray(average.values), moving(pick(seen), 0.8), rtol=1e-12)


@pytest.mark.parametrize(
    "settings, pick",
    [
        ({}, lambda seen: seen.epochs),
        ({"start": 2}, lambda seen: seen.epochs[2:]),
        ({"every": 2}, lambda seen: seen.epochs[1::2]),
        ({"per": "iteration", "every": 4}, lambda seen: seen.iterations[3::4]),
    ],
)
def test_stochastic_weight_averaging(settings, pick):
    average = train.StochasticWeightAveraging(**settings)
    _, seen = trained(average)
    assert average.n_averaged == len(pick(seen))
    np.testing.assert_allclose(np.asarray(average.values), np.mean(pick(seen), axis=0), rtol=1e-12)


def test_a_graph_is_averaged_as_a_stack_is():
    rows = nn.InputType.feed_forward(4)
    net = nn.ComputationGraph({"x": rows}, {"out": (nn.OutputLayer(3), "x")}, outputs="out", dtype="float64")
    average, seen = train.ExponentialMovingAverage(0.5), Seen()
    net.set_listeners(average, seen)
    net.fit(batches(), 2)
    np.testing.assert_allclose(np.asarray(average.values), moving(seen.iterations, 0.5), rtol=1e-12)


@pytest.mark.parametrize("are_averaged", [False, True])
def test_running_values_are_those_of_the_network_or_averaged(are_averaged):
    average = train.StochasticWeightAveraging(average_running_values=are_averaged)
    net, seen = trained(average, make=normalized)
    expected = np.mean(seen.epochs, axis=0)
    for slot in net.slots:
        if slot.parameter.is_state and not are_averaged:
            expected[slot.elements] = seen.epochs[-1][slot.elements]
    np.testing.assert_allclose(np.asarray(average.values), expected, rtol=1e-12)


def test_running_values_are_computed_anew():
    net = normalized()
    net.fit(batches(), 2)
    table = {name: np.array(value) for name, value in net.param_table().items()}
    uneven = [(X[:8], LABELS[:8]), (X[8:], LABELS[8:])]
    net.recompute_running_values(uneven)
    hidden = np.tanh(X @ table["0_W"] + table["0_b"])
    after = {name: np.asarray(value) for name, value in net.param_table().items()}
    np.testing.assert_allclose(after["1_mean"], hidden.mean(0), rtol=1e-12)
    np.testing.assert_allclose(after["1_var"], (8 * hidden[:8].var(0) + 4 * hidden[8:].var(0)) / 12, rtol=1e-12)
    for name in table.keys() - {"1_mean", "1_var"}:
        np.testing.assert_array_equal(after[name], table[name])
    assert net.iteration_count == 6
    with pytest.raises(ValueError, match="no examples in data"):
        net.recompute_running_values([])


def test_running_values_in_float16_and_of_frozen_layers():
    net = normalized(dtype="float16")
    net.recompute_running_values(batches())
    hidden = np.tanh(X @ np.asarray(net.param_table()["0_W"]) + np.asarray(net.param_table()["0_b"]))
    np.testing.assert_allclose(np.asarray(net.param_table()["1_mean"]), hidden.mean(0), atol=2e-3)
    layers = [nn.DenseLayer(5, "tanh"), nn.FrozenLayer(nn.BatchNormalization()), nn.OutputLayer(3)]
    frozen = cases.small_network(layers=layers)
    before = np.array(frozen.params())
    frozen.recompute_running_values(batches())
    np.testing.assert_array_equal(np.asarray(frozen.params()), before)


def test_running_values_that_are_no_means_go_on():
    net = cases.small_network(layers=[nn.DenseLayer(5, "tanh"), nn.CenterLossOutputLayer(3, center_rate=0.5)])
    twin = net.clone()
    net.recompute_running_values(batches())
    for x, labels in batches():
        weights = twin.param_table()
        hidden = np.tanh(x @ np.asarray(weights["0_W"]) + np.asarray(weights["0_b"]))
        members = labels.sum(0)[:, None]
        centers = np.asarray(weights["1_cL"])
        weights["1_cL"][...] = centers + 0.5 * (labels.T @ hidden - members * centers) / (1 + members)
    np.testing.assert_allclose(np.asarray(net.params()), np.asarray(twin.params()), rtol=1e-12)


def test_the_network_has_the_averages_inside_of_the_block():
    average = train.ExponentialMovingAverage(0.8)
    net, _ = trained(average)
    own, values = np.array(net.params()), np.array(average.values)
    with average.applied(net) as same:
        assert same is net
        np.testing.assert_array_equal(np.asarray(net.params()), values)
        expected = np.asarray(net.output(X))
        with pytest.raises(ValueError, match="leave the `applied` block first"):
            net.fit_batch(X, LABELS)
        net.adopt(values)
        with pytest.raises(ValueError, match="applied already"), average.applied(net):
            pass
    np.testing.assert_array_equal(np.asarray(net.params()), own)
    with pytest.raises(KeyError), average.applied(net):
        raise KeyError("stop")
    np.testing.assert_array_equal(np.asarray(net.params()), own)
    np.testing.assert_array_equal(np.asarray(average.values), values)
    averaged = average.network(net)
    np.testing.assert_array_equal(np.asarray(averaged.output(X)), expected)
    np.testing.assert_array_equal(np.asarray(net.params()), own)
    assert averaged.listeners == []


def test_running_values_of_the_averages_are_kept():
    average = train.StochasticWeightAveraging()
    net, _ = trained(average, make=normalized)
    own = np.array(net.params())
    with average.applied(net):
        net.recompute_running_values(batches())
        found = np.array(net.params())
    np.testing.assert_array_equal(np.asarray(net.params()), own)
    np.testing.assert_array_equal(np.asarray(average.values), found)
    np.testing.assert_array_equal(np.asarray(average.network(net).params()), found)


@dataclass(eq=False)
class Latest(train.WeightAverage):
    """The latest weights, which fail when they are told to."""

    fails: bool = False

    def share(self, n_averaged):
        if self.fails:
            raise KeyboardInterrupt
        return 1.0


def test_an_average_of_the_caller_s_own_and_one_that_is_interrupted(tmp_path):
    average = Latest(per="epoch")
    net, seen = trained(average)
    np.testing.assert_allclose(np.asarray(average.values), seen.epochs[-1], rtol=1e-12)
    values, average.fails = np.array(average.values), True
    net.set_params(0.5 * net.params())
    with pytest.raises(KeyboardInterrupt):
        average.update(net)
    np.testing.assert_array_equal(np.asarray(average.values), values)
    assert average.n_averaged == 4
    train.save(net, tmp_path / "net.zip", average=average)
    with pytest.raises(ValueError, match=r"unknown average 'Latest'; give its class in classes"):
        train.load_average(tmp_path / "net.zip")
    again = train.load_average(tmp_path / "net.zip", classes=(nn.DenseLayer, Latest))
    assert (type(again), again.per, again.fails) == (Latest, "epoch", True)


AVERAGES = [
    train.ExponentialMovingAverage(0.7, every=2, start=1),
    train.StochasticWeightAveraging(start=1, average_running_values=True),
]


def carried_on(net, average):
    net.set_listeners(average)
    net.fit(batches(), 3)
    return np.asarray(net.params()), np.asarray(average.values), average.n_averaged


@pytest.mark.parametrize("average", AVERAGES, ids=lambda average: type(average).__name__)
@pytest.mark.parametrize("way", ["file", "pickle", "copy"])
def test_training_and_averaging_go_on(average, way, tmp_path):
    average = copy.deepcopy(average)
    net, _ = trained(average, epochs=2, make=normalized)
    if way == "file":
        train.save(net, tmp_path / "net.zip", average=average)
        twin, again = train.load(tmp_path / "net.zip"), train.load_average(tmp_path / "net.zip")
        assert (again.every, again.start, again.per) == (average.every, average.start, average.per)
    else:
        net.set_listeners(average)
        twin = pickle.loads(pickle.dumps(net)) if way == "pickle" else copy.deepcopy(net)
        again = twin.listeners[0]
    expected, found = carried_on(net, average), carried_on(twin, again)
    for ours, theirs in zip(found, expected, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_an_average_of_nothing_yet(tmp_path):
    net, average = cases.small_network(), train.ExponentialMovingAverage(0.5, start=100)
    with pytest.raises(ValueError, match="no weights averaged yet"), average.applied(net):
        pass
    net.save(tmp_path / "net.zip", average=average)
    again = train.load_average(tmp_path / "net.zip")
    assert (again.start, again.n_averaged, again.values) == (100, 0, None)
    train.save(net, tmp_path / "without.zip")
    with pytest.raises(ValueError, match=r"without\.zip has no average of weights"):
        train.load_average(tmp_path / "without.zip")


def changed(path, name, change):
    """Write the archive anew with another content of one entry."""
    with zipfile.ZipFile(path) as source:
        entries = {each: source.read(each) for each in source.namelist()}
    entries[name] = change(entries[name])
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as target:
        for each, content in entries.items():
            target.writestr(each, content)


def edited(**changes):
    return lambda content: json.dumps(json.loads(content) | changes)


@pytest.mark.parametrize(
    "name, change, message",
    [
        ("average.json", lambda content: b"[]", "does not describe an average"),
        ("average.json", lambda content: b"{", "damaged"),
        ("average.json", lambda content: b"\xff", "is no text"),
        ("average.json", edited(settings={"decays": 0.5}), "does not describe an average"),
        ("average.json", edited(settings={"decay": 1.5}), "decay must be from 0 to below 1"),
        ("average.json", edited(n_averaged=0), "an average of 0 vectors has 43 values"),
        ("average.json", edited(size=40), "40 float64 numbers"),
        ("average.json", edited(dtype="int8"), "43 values of dtype int8"),
        ("average.npy", lambda content: content[:-8], "should be"),
    ],
)
def test_damaged_averages_are_refused(name, change, message, tmp_path):
    average = train.ExponentialMovingAverage()
    net, _ = trained(average, epochs=1)
    train.save(net, tmp_path / "net.zip", average=average)
    changed(tmp_path / "net.zip", name, change)
    with pytest.raises(ValueError, match=message):
        train.load_average(tmp_path / "net.zip")


@pytest.mark.parametrize(
    "make, error, message",
    [
        (lambda: train.ExponentialMovingAverage(1.0), ValueError, "decay must be from 0 to below 1, given 1.0"),
        (lambda: train.ExponentialMovingAverage("0.9"), TypeError, "decay must be a real number"),
        (lambda: train.ExponentialMovingAverage(every=0), ValueError, "every must be at least 1"),
        (lambda: train.StochasticWeightAveraging(start=-1), ValueError, "start must not be negative"),
        (lambda: train.StochasticWeightAveraging(per="day"), ValueError, "'iteration' or 'epoch', given 'day'"),
        (lambda: train.ExponentialMovingAverage().update(nd.ones(3)), TypeError, "must be a Model"),
        (lambda: train.save(cases.small_network(), "x.zip", average=3), TypeError, "save: average must be an average"),
    ],
)
def test_wrong_settings_are_refused(make, error, message):
    with pytest.raises(error, match=message):
        make()


def test_a_network_of_another_size_is_refused():
    average = train.ExponentialMovingAverage()
    average.update(cases.small_network())
    with pytest.raises(ValueError, match="averages of 43 parameters, the network has 63"):
        average.update(normalized())


def test_averages_are_made_outside_of_the_caller_s_workspace():
    average, net = train.ExponentialMovingAverage(0.5), cases.small_network()
    with nd.workspace("of the caller"):
        net.set_listeners(average)
        net.fit(data.ListDataSetIterator([data.DataSet(X, LABELS)]), 2)
    assert average.values.workspace is None
    assert np.isfinite(np.asarray(average.values)).all()
