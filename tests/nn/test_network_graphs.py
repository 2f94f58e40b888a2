"""Networks compute and train small batches by a graph, with the bits and the memory of before."""

import copy
import gc
import pickle
import threading
from dataclasses import dataclass

import numpy as np
import pytest

import nd4py as nd
from nd4py import nn
from nd4py.examples.lenet import lenet


def batch(n, seed=0, dtype="float32"):
    return nd.asarray(np.random.default_rng(seed).random((n, 784)).astype(dtype))


def plain(network, x):
    """The output without a graph."""
    return network.feed_forward(x)[-1]


@pytest.mark.parametrize("n", [1, 2, 33])
def test_bits_are_those_without_a_graph(n):
    network = lenet()
    for seed in range(6):
        x = batch(n, seed)
        assert network.output(x).tobytes() == plain(network, x).tobytes()
    assert network._graph._graph.n_captures == 1


def test_parameters_that_change_are_seen():
    network = lenet()
    x = batch(1)
    labels = np.eye(10, dtype="float32")[:1]
    for step in range(12):
        outputs = {network.output(x).tobytes() for _ in range(3)}
        assert outputs == {plain(network, x).tobytes()}
        if step % 3 == 0:
            network.fit_batch(x, labels)
        elif step % 3 == 1:
            network.set_params(np.asarray(network.params()) * 1.01)
        else:
            np.asarray(network.params())[...] *= 0.99


def test_large_batches_and_gradients_need_no_graph():
    network = lenet()
    for _ in range(4):
        network.output(batch(100))
    assert network._graph._graph.n_captures == 0
    x = batch(1)
    for _ in range(4):
        network.output(x)
    slope = nd.grad(lambda x: network.output(x).sum())(x)
    assert slope.shape == x.shape


def test_results_lie_in_no_workspace():
    network = lenet()
    with nd.workspace("mine"):
        results = [network.output(batch(1)) for _ in range(5)]
        assert not any(y.is_attached() for y in results)
    assert len({y.tobytes() for y in results}) == 1


def test_copies_have_graphs_of_their_own():
    network = lenet()
    for _ in range(4):
        before = network.output(batch(1)).tobytes()
    twin = copy.deepcopy(network)
    network.set_params(np.asarray(network.params()) * 2)
    for _ in range(4):
        assert twin.output(batch(1)).tobytes() == before


def test_other_peoples_layers_run_each_time():
    calls = []

    @dataclass(frozen=True)
    class Counting(nn.Layer):
        def forward(self, params, x, *, train=False, rng=None):
            calls.append(1)
            return x

    network = nn.MultiLayerNetwork(
        [Counting(), nn.OutputLayer(n_out=2, activation="softmax", loss="mcxent")],
        input_type=nn.InputType.feed_forward(784),
    )
    for _ in range(5):
        network.output(batch(1))
    assert len(calls) == 5


def test_batches_of_another_library_and_dtype():
    network = lenet()
    x = np.random.default_rng(1).random((2, 784))
    for _ in range(5):
        assert network.output(x).tobytes() == plain(network, x).tobytes()


def test_a_function_with_a_network_inside_is_captured():
    network = lenet()
    for n_calls in (0, 4):
        for _ in range(n_calls):
            network.output(batch(1))
        graph = nd.capture(lambda x: network.output(x) * 2)
        for seed in range(3):
            assert graph(batch(1, seed)).tobytes() == (plain(network, batch(1, seed)) * 2).tobytes()


def test_another_choice_of_loops_drops_the_graph():
    network = lenet()
    x = batch(1)
    try:
        for name in [*nd.config()["usable instruction sets"].split(", "), None]:
            nd.select_instruction_set(name)
            for _ in range(4):
                assert network.output(x).tobytes() == plain(network, x).tobytes()
    finally:
        nd.select_instruction_set()


def test_a_network_that_a_helper_computes_has_a_graph_without_it():
    network = nn.MultiLayerNetwork(
        [nn.ConvolutionLayer(n_out=32, kernel_size=3, padding=1),
         nn.OutputLayer(n_out=2, activation="softmax", loss="mcxent")],
        input_type=nn.InputType.convolutional(4, 4, 128),
    )  # fmt: skip
    x = nd.asarray(np.random.default_rng(3).random((1, 128, 4, 4), dtype="float32"))
    wanted = nd.helpers(True)
    try:
        for is_on in (True, False, True):
            nd.helpers(is_on)
            for _ in range(4):
                assert network.output(x).tobytes() == plain(network, x).tobytes()
            assert is_on or network._graph._graph.n_captures == 1
    finally:
        nd.helpers(wanted)


def examples(n, seed=0):
    rng = np.random.default_rng(seed)
    return rng.random((n, 784), dtype="float32"), np.eye(10, dtype="float32")[rng.integers(0, 10, n)]


def mlp(**settings):
    layers = settings.pop("layers", [nn.DenseLayer(n_out=40, activation="relu")])
    return nn.MultiLayerNetwork(
        [*layers, nn.OutputLayer(n_out=10, activation="softmax", loss=settings.pop("loss", "mcxent"))],
        input_type=nn.InputType.feed_forward(784),
        **{"updater": nn.Adam(1e-2), **settings},
    )


NETWORKS = {
    "lenet": lenet,
    "mlp": mlp,
    "penalties": lambda: mlp(l1=1e-3, l2=1e-2, weight_decay=1e-2),
    "normalized": lambda: mlp(gradient_normalization="clip_l2_per_layer", gradient_threshold=0.1),
    "no workspaces": lambda: mlp(workspace_mode="none"),
    "sgd": lambda: mlp(updater=nn.Sgd(0.1)),
    "dropout": lambda: mlp(layers=[nn.DropoutLayer(0.5), nn.DenseLayer(n_out=20, activation="tanh")]),
    "float64": lambda: mlp(dtype="float64"),
}
WITH_GRAPH = set(NETWORKS) - {"dropout"}


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("combines", [True, False])
def test_training_has_the_bits_of_training_without_a_graph(name, combines):
    network, other = NETWORKS[name](), NETWORKS[name]()
    other._step_graph = lambda features, labels: None
    with nd.combine(combines):
        for step in range(14):
            batch = examples((5, 5, 33, 5)[step % 4], step)
            if step == 9:
                for each in (network, other):
                    each.set_params(np.asarray(each.params()) * 0.9)
            assert network.fit_batch(*batch) == other.fit_batch(*batch)
            assert network.params().tobytes() == other.params().tobytes()
            assert network.iteration_count == step + 1
    if network.updater_state() is not None:
        assert network.updater_state().tobytes() == other.updater_state().tobytes()
    assert network._step_graph._graph.n_captures == (2 if name in WITH_GRAPH else 0)


def test_class_numbers_as_labels():
    network, other = (mlp(loss="sparse_mcxent") for _ in range(2))
    other._step_graph = lambda features, labels: None
    for step in range(6):
        features, labels = examples(4, step)
        numbers = labels.argmax(axis=1)
        assert network.fit_batch(features, numbers) == other.fit_batch(features, numbers)
    assert network.params().tobytes() == other.params().tobytes()
    assert network._step_graph._graph.n_captures == 1
    for each in (network, other):
        with pytest.raises(IndexError, match="out of range"):
            each.fit_batch(features, numbers + 10)


def trained_alike(network, other, steps):
    """Whether a network with a graph trains like one without, step by step."""
    other._step_graph = lambda features, labels: None
    for step in steps:
        assert network.fit_batch(*examples(5, step)) == other.fit_batch(*examples(5, step))
        assert network.params().tobytes() == other.params().tobytes()
    return network._step_graph._graph.n_captures == 1


CHANGES = {
    "set_params": lambda network: network.set_params(np.asarray(network.params()) * 0.5),
    "written": lambda network: network.params().__imul__(0.5),
    "written by numpy": lambda network: np.asarray(network.params()).__setitem__(slice(3, 90), 0.25),
    "one layer": lambda network: network.param_table()["1_W"].__setitem__(0, 0.125),
    "adopted": lambda network: network.adopt(params=nd.ones(network.num_params()), iteration_count=70, epoch_count=3),
    "updater state": lambda network: network.set_updater_state(np.asarray(network.updater_state()) * 0.5),
    "moved": lambda network: network.to_device("cpu"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_changes_between_steps_is_seen(change):
    network, other = (mlp(updater=nn.Adam(nn.StepSchedule(0.1, 0.5, 2))) for _ in range(2))
    assert trained_alike(network, other, range(5))
    change(network), change(other)
    trained_alike(network, other, range(5, 10))


COPIES = {
    "copy": copy.copy, "deepcopy": copy.deepcopy, "clone": lambda network: network.clone(),
    "pickle": lambda network: pickle.loads(pickle.dumps(network)),
}  # fmt: skip


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
def test_copies_train_on_by_themselves(copied):
    network, other = mlp(), mlp()
    assert trained_alike(network, other, range(4))
    twin = copied(network)
    assert trained_alike(network, other, range(4, 8))
    assert trained_alike(twin, copied(mlp_trained(4)), range(4, 8))
    assert twin.params().tobytes() == network.params().tobytes()


def mlp_trained(n_steps):
    network = mlp()
    for step in range(n_steps):
        network.fit_batch(*examples(5, step))
    return network


def test_listeners_hear_of_each_step_and_may_compute():
    class Listener:
        def __init__(self):
            self.heard = []

        def iteration_done(self, model, iteration, epoch):
            self.heard.append((iteration, model.score_value, float(nd.sum(model.params()))))

    listeners = Listener(), Listener()
    network, other = mlp(), mlp()
    for each, listener in zip((network, other), listeners, strict=True):
        each.set_listeners(listener)
    assert trained_alike(network, other, range(6))
    assert listeners[0].heard == listeners[1].heard
    assert [iteration for iteration, _, _ in listeners[0].heard] == list(range(1, 7))


def test_the_last_batch_of_an_epoch_may_be_smaller():
    networks = mlp(), mlp()
    networks[1]._step_graph = lambda features, labels: None
    features, labels = examples(21)
    batches = [(features[i : i + 8], labels[i : i + 8]) for i in range(0, 21, 8)]
    for network in networks:
        network.fit(batches, epochs=5)
    assert networks[0].params().tobytes() == networks[1].params().tobytes()
    assert networks[0]._step_graph._graph.n_captures == 2


def test_two_threads_train_one_network():
    network = mlp(updater=nn.Sgd(0.0))
    expected = [network.clone().fit_batch(*examples(5, step)) for step in range(20)]
    scores = {}

    def train(steps):
        for step in steps:
            scores[step] = network.fit_batch(*examples(5, step))

    threads = [threading.Thread(target=train, args=(range(first, 20, 2),)) for first in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [scores[step] for step in range(20)] == expected
    assert network.iteration_count == 20


def test_networks_that_train_by_a_graph_need_no_collector():
    gc.collect()
    before = nd.memory.stats().live_bytes
    network = mlp_trained(5)
    assert network.graph_bytes() > 0
    del network
    assert nd.memory.stats().live_bytes == before


def test_gradients_are_those_without_a_graph_and_stay():
    network = mlp()
    expected = [network._computed_outcome(*map(nd.asarray, examples(3, seed)))[0].tobytes() for seed in range(6)]
    kept = [network.compute_gradient_and_score(*examples(3, seed))[0] for seed in range(6)]
    assert [gradient.tobytes() for gradient in kept] == expected


def test_labels_that_are_wrong_are_refused_after_a_graph_is_there_too():
    network = mlp()
    for step in range(4):
        network.fit_batch(*examples(3, step))
    before = network.params().tobytes()
    features, labels = examples(3)
    with pytest.raises(ValueError, match="labels"):
        network.fit_batch(features, labels[:2])
    features[0, 0] = np.nan
    with pytest.raises(FloatingPointError):
        network.fit_batch(features, labels)
    assert network.params().tobytes() == before
    assert network.iteration_count == 4


def test_without_memory_for_a_graph_training_goes_on():
    network, other = mlp(), mlp()
    other._step_graph = lambda features, labels: None
    for step in range(2):
        network.fit_batch(*examples(100, step))
        other.fit_batch(*examples(100, step))
    nd.memory.set_limits(maxbytes=nd.memory.stats().live_bytes + 500_000)
    try:
        score = network.fit_batch(*examples(100, 2))
    finally:
        nd.memory.set_limits(maxbytes=0)
    assert network._step_graph._graph.n_captures == 0
    assert score == other.fit_batch(*examples(100, 2))
    assert network.params().tobytes() == other.params().tobytes()
