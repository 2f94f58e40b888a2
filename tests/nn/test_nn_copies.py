"""Networks, and what they are made of and fed with, copied and pickled: independent, and going on bit for bit."""

import copy
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import cases
import numpy as np
import pytest

import nd4py as nd
from nd4py import nn, train
from nd4py.data import (
    ArrayDataSetIterator,
    AsyncDataSetIterator,
    AsyncShieldDataSetIterator,
    DataSet,
    ImagePreProcessingScaler,
    ListDataSetIterator,
    NormalizerMinMaxScaler,
    NormalizerStandardize,
)
from nd4py.nn.networks.configuration import TYPES
from nd4py.nn.registries import UPDATERS

COPIES = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    **{f"pickle-{n}": lambda x, n=n: pickle.loads(pickle.dumps(x, n)) for n in range(2, pickle.HIGHEST_PROTOCOL + 1)},
}


def state_of(net):
    state = net.updater_state()
    return (
        np.asarray(net.params()).tobytes(),
        None if state is None else np.asarray(state).tobytes(),
        net.iteration_count,
        net.epoch_count,
        repr(net.score_value),
        net.configuration,
    )


def trained(updater=None, **settings):
    layers = [nn.DenseLayer(5, "tanh"), nn.DropoutLayer(0.3), nn.OutputLayer(3)]
    net = cases.small_network(layers=layers, updater=nn.Adam(0.01) if updater is None else updater, **settings)
    net.fit(cases.small_batch(), epochs=3)
    return net


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("updater", [kind() for kind in UPDATERS.values()], ids=[*UPDATERS])
def test_a_copy_goes_on_as_the_network_would(how, updater):
    net = trained(updater, dtype="float32")
    twin = COPIES[how](net)
    assert state_of(twin) == state_of(net)
    start, batch = state_of(net), cases.small_batch()
    scores = [twin.fit_batch(*batch) for _ in range(3)]
    assert state_of(net) == start
    assert [net.fit_batch(*batch) for _ in range(3)] == scores
    assert state_of(twin) == state_of(net)
    twin.params()[...] = 0.0  # the memory that its layers read
    assert not np.asarray(twin.param_table()["0_W"]).any()
    assert state_of(net) != state_of(twin)


@pytest.mark.parametrize("mode", ["enabled", "none"])
@pytest.mark.parametrize("how", COPIES)
def test_copies_made_in_a_workspace_outlive_it(how, mode):
    net = trained(workspace_mode=mode)
    with nd.workspace("copies"):
        twin = COPIES[how](net)
    with nd.workspace("copies"):
        nd.full(10_000, 7.0)
    assert state_of(twin) == state_of(net)
    twin.fit_batch(*cases.small_batch())


class Holding(train.TrainingListener):
    """A listener that knows its network."""

    def __init__(self, network):
        self.network = network


def test_listeners_that_can_be_pickled_go_along():
    net, collected = trained(), train.CollectScoresListener()
    net.set_listeners(collected, train.ScoreIterationListener(1, write=lambda line: None), Holding(net))
    net.fit(cases.small_batch())
    for how in ("deepcopy", "pickle-5"):
        twin = COPIES[how](net)
        kinds = [type(listener) for listener in twin.listeners]
        assert kinds == [train.CollectScoresListener, Holding]
        assert twin.listeners[0].scores == collected.scores
        assert twin.listeners[0] is not collected
        assert twin.listeners[1].network is twin
        twin.fit(cases.small_batch())
    assert copy.copy(net).listeners == net.listeners
    assert len(collected.scores) == 1


@dataclass(frozen=True)
class Doubling(nn.Layer):
    """A layer of the user's own."""

    def forward(self, params, x, *, train=False, rng=None):
        return x * 2.0


def test_layers_of_ones_own_are_pickled_by_their_class():
    net = cases.small_network(layers=[Doubling(), nn.OutputLayer(3)])
    x, _ = cases.small_batch()
    assert COPIES["pickle-5"](net).output(x).tolist() == net.output(x).tolist()


def score_elsewhere(net, batch):
    scores = [net.fit_batch(*batch) for _ in range(2)]
    return scores, net


def test_networks_go_through_a_pool_of_processes():
    net, batch = trained(), cases.small_batch()
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        scores, back = pool.submit(score_elsewhere, net, batch).result(timeout=100)
    assert [net.fit_batch(*batch) for _ in range(2)] == scores
    assert state_of(back) == state_of(net)


def things():
    """What networks are made of and fed with."""
    data = DataSet(np.arange(12.0).reshape(6, 2), np.eye(6))
    yield data
    yield ListDataSetIterator(data.batch_by(2))
    yield ArrayDataSetIterator(data.features, data.labels, 2)
    yield ArrayDataSetIterator(data.features, data.labels, 2, seed=4)
    yield AsyncDataSetIterator(ArrayDataSetIterator(data.features, data.labels, 2, seed=4))
    yield AsyncShieldDataSetIterator(ListDataSetIterator(data.batch_by(2)))
    yield NormalizerStandardize().fit_label().fit(data)
    yield NormalizerMinMaxScaler(-1, 1).fit(data)
    yield ImagePreProcessingScaler()
    yield nn.InputType.feed_forward(3)
    yield trained().configuration
    yield from (kind() for kind in UPDATERS.values())
    yield nn.Adam(nn.ExponentialSchedule(0.1, 0.9))
    yield from cases.small_network().configuration.layers
    evaluation = train.Evaluation(names=["a", "b"])
    evaluation.eval([0, 1, 1], np.eye(2)[[0, 1, 0]])
    yield evaluation
    yield train.Evaluation()
    yield train.ScoreIterationListener()
    yield train.CollectScoresListener()
    yield train.PerformanceListener()


def content_of(thing):
    """What can be compared of it."""
    if isinstance(thing, DataSet):
        return thing.features.tolist(), thing.labels.tolist()
    if hasattr(thing, "batches"):
        return [content_of(batch) for batch in thing]
    if hasattr(thing, "to_json"):
        return thing.to_json()
    if hasattr(thing, "stats"):
        return thing.stats()
    if hasattr(thing, "iteration_done"):
        return {name: value for name, value in vars(thing).items() if name != "_write"}
    return thing


@pytest.mark.parametrize("how", ["deepcopy", "pickle-2", "pickle-5"])
@pytest.mark.parametrize("thing", list(things()), ids=lambda thing: type(thing).__name__)
def test_what_networks_need_is_copied_too(how, thing):
    twin = COPIES[how](thing)
    assert twin is not thing or how == "deepcopy"
    assert content_of(twin) == content_of(thing)


def test_every_type_of_a_configuration_is_pickled():
    assert all(pickle.loads(pickle.dumps(kind)) is kind for kind in TYPES.values())


MADE_IN_A_SCOPE = {
    "evaluation": lambda data: counted(train.Evaluation(), data),
    "merged": lambda data: merged(data),
    "standardize": lambda data: NormalizerStandardize().fit_label().fit(data),
    "min and max": lambda data: NormalizerMinMaxScaler().fit(data),
    "normalizer of a text": lambda data: NormalizerStandardize.from_json(NormalizerStandardize().fit(data).to_json()),
    "iterator": lambda data: ArrayDataSetIterator(data.features.tolist(), data.labels.tolist(), 2),
    "shuffled": lambda data: ArrayDataSetIterator(data.features.tolist(), data.labels.tolist(), 2, seed=3),
    "network": lambda data: cases.small_network(),
    "trained network": lambda data: trained(),
    "clone": lambda data: trained().clone(),
    "scores": lambda data: collected(),
}


def counted(evaluation, data):
    evaluation.eval(data.labels, data.labels)
    return evaluation


def merged(data):
    whole = train.Evaluation()
    whole.merge(counted(train.Evaluation(), data))
    return whole


def collected():
    net, listener = cases.small_network(), train.CollectScoresListener()
    net.set_listeners(listener)
    net.fit(cases.small_batch())
    return listener


@pytest.mark.parametrize("name", MADE_IN_A_SCOPE)
def test_what_lives_long_lives_outside_of_the_callers_workspace(name):
    data = DataSet(np.arange(12.0).reshape(6, 2), np.eye(6))
    outside = MADE_IN_A_SCOPE[name](data)
    with nd.workspace("scope"):
        made = MADE_IN_A_SCOPE[name](DataSet(data.features, data.labels))
        if name in ("evaluation", "merged"):
            counted(made, data)
            counted(outside, data)
    with nd.workspace("scope"):
        nd.full(10_000, 7.0)  # over the memory of the first
    if isinstance(made, nn.MultiLayerNetwork):
        assert state_of(made) == state_of(outside)
        made.fit(cases.small_batch())
    else:
        assert content_of(made) == content_of(outside)
