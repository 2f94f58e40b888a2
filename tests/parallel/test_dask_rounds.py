"""DaskTrainer without Dask: which batches shards get, averaging and listeners, in this process."""

import sys

import numpy as np
import pytest

import nd4py as nd
from nd4py import nn
from nd4py.data import DataSet, ListDataSetIterator, MultiDataSet
from nd4py.data.optional_packages import optional
from nd4py.parallel import DaskRound, DaskTrainer, ParallelWrapper
from nd4py.parallel.machines import dask_trainer
from nd4py.parallel.machines.shard_rounds import dealt, rounds_of


def network(updater=None, dtype="float32"):
    layers = [nn.DenseLayer(6, activation="tanh", dropout=0.8), nn.OutputLayer(2)]
    return nn.MultiLayerNetwork(
        layers, input_type=nn.InputType.feed_forward(4), updater=updater or nn.Adam(0.01), seed=2, dtype=dtype
    )


def examples(n, seed=0):
    rng = np.random.default_rng(seed)
    return DataSet(nd.asarray(rng.normal(size=(n, 4))), nd.one_hot(nd.asarray(rng.integers(0, 2, n)), 2))


def test_parts_go_to_the_shard_with_the_fewest_batches():
    assert dealt([5, 1, 1, 0, 3, 1], 2) == [[0, 5], [1, 2, 4]]
    assert dealt([1], 3) == [[0], [], []]


@pytest.mark.parametrize("n_shards", [1, 2, 3, 7])
@pytest.mark.parametrize("frequency", [1, 2, 5])
def test_every_batch_is_in_one_round(n_shards, frequency):
    n_batches = [3, 0, 7, 1, 1, 4]
    rounds = rounds_of(n_batches, n_shards, frequency)
    found = [
        (piece.part, batch)
        for shards in rounds for pieces in shards.values() for piece in pieces
        for batch in range(piece.start, piece.stop)
    ]  # fmt: skip
    assert sorted(found) == [(part, batch) for part, n in enumerate(n_batches) for batch in range(n)]
    for shard in range(n_shards):
        sizes = [sum(piece.stop - piece.start for piece in shards[shard]) for shards in rounds if shard in shards]
        assert all(size == frequency for size in sizes[:-1])
        assert all(0 < size <= frequency for size in sizes)


@pytest.mark.parametrize("n_shards", [1, 2, 4])
def test_has_the_wrappers_bits(n_shards):
    """Also with dropout, which each replica draws for itself, and a last round that not all shards take part in."""
    batches = [examples(3 + i, seed=i) for i in range(4 * n_shards - (n_shards > 1))]
    turns = [batches[i::n_shards] for i in range(n_shards)]
    trainer = DaskTrainer(None, network(), averaging_frequency=3, shards=n_shards)
    trainer.fit([lambda part=part: part for part in turns], epochs=2)
    net = network()
    with ParallelWrapper(net, n_shards, averaging_frequency=3) as wrapper:
        wrapper.fit(ListDataSetIterator(batches), epochs=2)
    assert trainer.network.params().tobytes() == net.params().tobytes()
    assert trainer.network.updater_state().tobytes() == net.updater_state().tobytes()
    got, want = ((each.iteration_count, each.epoch_count, each.score_value) for each in (trainer.network, net))
    assert got == want
    assert trainer.network.last_batch_size == net.last_batch_size


@pytest.mark.parametrize("n_shards", [1, 3, 6])
def test_rounds_that_follow_one_another_on_the_cluster_have_the_same_bits(n_shards, monkeypatch):
    found = []
    for seconds in (0.0, 1e9):
        monkeypatch.setattr(dask_trainer, "SECONDS_TOGETHER", seconds)
        trainer = DaskTrainer(None, network(), batch_size=4, averaging_frequency=2, shards=n_shards)
        trainer.fit([lambda part=part: examples(38 + part, part) for part in range(7)], epochs=2)
        model = trainer.network
        rounds = [each._replace(seconds=0, worker_seconds=(), workers=len(each.workers)) for each in trainer.rounds]
        vectors = model.params().tobytes(), model.updater_state().tobytes()
        counters = model.iteration_count, model.epoch_count, model.score_value, model.last_batch_size
        found.append((rounds, vectors, counters))
    assert found[0] == found[1]
    assert len(found[0][0]) > 6


def test_plain_sgd_at_every_batch_is_one_large_batch():
    def linear():
        return nn.MultiLayerNetwork(
            [nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4), updater=nn.Sgd(0.1), dtype="float64"
        )

    whole, one, many = examples(24), linear(), linear()
    DaskTrainer(None, many, averaging_frequency=1, shards=6).fit(whole.batch_by(4))
    one.fit(whole)
    np.testing.assert_allclose(np.asarray(many.params()), np.asarray(one.params()), rtol=1e-12)


class Notes:
    def __init__(self):
        self.events = []

    def on_epoch_start(self, model):
        self.events.append("start")

    def iteration_done(self, model, iteration, epoch):
        self.events.append((iteration, epoch))
        if iteration == 8:
            model.is_stopping = True

    def on_epoch_end(self, model):
        self.events.append("end")


def test_listeners_are_told_of_averagings_and_may_stop():
    notes, net = Notes(), network()
    net.add_listeners(notes)
    trainer = DaskTrainer(None, net, batch_size=2, averaging_frequency=4, shards=2)
    trainer.fit([examples(12), examples(12)], epochs=3)
    assert notes.events == ["start", (4, 0), (6, 0), "end", "start", (10, 1), (12, 1), "end", "start", (16, 2), (18, 2),
                            "end"]  # fmt: skip
    assert net.listeners == [notes]
    last = trainer.rounds[-1]
    assert last == DaskRound(2, 18, net.score_value, 8, last.seconds, last.workers, last.worker_seconds)
    assert len(trainer.rounds) == 6
    assert last.seconds > sum(last.worker_seconds)
    net, notes = network(), Notes()
    net.add_listeners(notes)
    DaskTrainer(None, net, batch_size=2, averaging_frequency=4, shards=2).fit([examples(16), examples(16)], epochs=3)
    assert notes.events == ["start", (4, 0), (8, 0)]


def test_sources_are_paths_functions_pairs_and_data_sets(tmp_path):
    whole = examples(12)
    whole.save(tmp_path / "part.npz")
    pair = np.asarray(whole.features), np.asarray(whole.labels)
    results = set()
    for source in (tmp_path / "part.npz", str(tmp_path / "part.npz"), lambda: whole, lambda: pair, whole, pair,
                   lambda: iter(whole.batch_by(5))):  # fmt: skip
        for given in (source, [source]):
            results.add(DaskTrainer(None, network(), batch_size=4).fit(given).params().tobytes())
    assert len(results) == 1


def test_networks_of_several_inputs_train_on_multi_data_sets():
    inputs = {"x": nn.InputType.feed_forward(4), "z": nn.InputType.feed_forward(2)}
    vertices = {
        "a": nn.Node(nn.DenseLayer(3), ["x"]),
        "b": nn.Node(nn.DenseLayer(3), ["z"]),
        "both": nn.Node(nn.MergeVertex(), ["a", "b"]),
        "y": nn.Node(nn.OutputLayer(2), ["both"]),
    }
    graph = nn.ComputationGraph(inputs, vertices, outputs="y", seed=1)
    part = MultiDataSet((nd.ones((6, 4)), nd.ones((6, 2))), (nd.one_hot([0, 1] * 3, 2),))
    before = graph.params().copy()
    DaskTrainer(None, graph, batch_size=2, shards=2).fit([part, part])
    assert graph.iteration_count == 3
    assert not nd.array_equal(before, graph.params())


def test_refuses_what_it_cannot_train_on():
    trainer = DaskTrainer(None, network())
    for wrong in (3, [3], [None]):
        with pytest.raises(TypeError, match="functions? and? ?(a )?paths?|a function, a path"):
            trainer.fit(wrong)
    with pytest.raises(ValueError, match="no batch"):
        trainer.fit([])
    with pytest.raises(TypeError, match=r"features must be a dask array, given ndarray; dask\.array\.from_array"):
        trainer.fit(np.ones((4, 3)), np.ones((4, 3)))
    with pytest.raises(ValueError, match="leave labels out"):
        trainer.fit([examples(3)], examples(3).labels)
    with pytest.raises(TypeError, match=r"client must be a dask\.distributed\.Client"):
        DaskTrainer("tcp://here", network())
    with pytest.raises(ValueError, match="patience"):
        DaskTrainer(None, network(), patience=0)


def test_a_missing_dask_is_named_with_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ImportError, match=r"pip install 'nd4py\[dask\]'"):
        optional("distributed", "DaskTrainer", "dask")
