"""ParallelWrapper on real networks: the same parameters as one network with larger batches, shares of the cores."""

import numpy as np
import pytest

import nd4py as nd
from nd4py import nn, train
from nd4py.data import ArrayDataSetIterator, DataSet
from nd4py.parallel import ParallelWrapper

INPUT = nn.InputType.convolutional_flat(8, 8, 1)
N_CLASSES = 3


def network(updater, dtype="float64", **options):
    layers = [
        nn.ConvolutionLayer(kernel_size=(3, 3), n_out=4),
        nn.SubsamplingLayer(),
        nn.DenseLayer(n_out=8, activation="relu"),
        nn.OutputLayer(n_out=N_CLASSES),
    ]
    return nn.MultiLayerNetwork(layers, input_type=INPUT, updater=updater, l2=1e-3, seed=5, dtype=dtype, **options)


def batches(n, batch):
    rng = np.random.default_rng(3)
    labels = np.eye(N_CLASSES)[rng.integers(0, N_CLASSES, n)]
    return ArrayDataSetIterator(nd.asarray(rng.random((n, 64))), nd.asarray(labels), batch)


def params(model):
    return np.asarray(model.params()).copy()


@pytest.mark.parametrize("updater", [nn.Sgd(0.1), nn.Nesterovs(0.1, 0.9)], ids=["sgd", "nesterovs"])
@pytest.mark.parametrize("dtype, atol", [("float64", 1e-12), ("float32", 1e-6)])
@pytest.mark.parametrize("workers", [2, 3])
def test_k_workers_with_batch_b_equal_one_network_with_batch_kb(workers, dtype, atol, updater):
    parallel, alone = network(updater, dtype), network(updater, dtype)
    with ParallelWrapper(parallel, workers=workers, averaging_frequency=1) as wrapper:
        wrapper.fit(batches(48, 4), epochs=2)
    alone.fit(batches(48, 4 * workers), epochs=2)
    np.testing.assert_allclose(params(parallel), params(alone), rtol=0, atol=atol)
    assert (parallel.iteration_count, parallel.epoch_count) == (alone.iteration_count, alone.epoch_count)
    assert not np.allclose(params(parallel), params(network(updater, dtype)))


def test_without_averaged_updaters_momentum_differs():
    models = [network(nn.Nesterovs(0.1, 0.9)) for _ in range(2)]
    for model, average_updaters in zip(models, (True, False), strict=True):
        ParallelWrapper(model, averaging_frequency=1, average_updaters=average_updaters).fit(batches(32, 4))
    assert not np.allclose(np.asarray(models[0].updater_state()), np.asarray(models[1].updater_state()))


def test_adam_counts_its_steps_in_every_replica():
    # 5 batches for 2 workers: worker 1 sits out the third round of each epoch.
    model = network(nn.Adam(0.01))
    wrapper = ParallelWrapper(model, averaging_frequency=2)
    wrapper.fit(batches(20, 4), epochs=2)
    wrapper.shutdown()
    assert model.iteration_count == 6


@pytest.mark.parametrize("n_threads, workers, share", [(1, 2, 1), (2, 2, 1), (4, 2, 2), (8, 3, 2)])
def test_workers_share_the_cores(n_threads, workers, share):
    seen = []

    class Watched(nn.MultiLayerNetwork):
        def fit_batch(self, features, labels):
            seen.append(nd.thread_count())
            return super().fit_batch(features, labels)

    model = Watched([nn.OutputLayer(n_out=N_CLASSES)], input_type=INPUT)
    with nd.threads(n_threads), ParallelWrapper(model, workers=workers) as wrapper:
        wrapper.fit(batches(24, 4))
    assert seen == [share] * 6


def test_the_listeners_of_train_work():
    lines, model = [], network(nn.Sgd(0.1))
    scores = train.CollectScoresListener()
    model.add_listeners(scores, train.PerformanceListener(2, report_score=True, write=lines.append))
    with ParallelWrapper(model) as wrapper:
        wrapper.fit(batches(48, 4))
    assert [iteration for iteration, _ in scores.scores] == [1, 2, 3, 4, 5, 6]
    assert [line.split(";")[0] for line in lines] == ["iteration 2", "iteration 4", "iteration 6"]
    assert all("samples/s" in line and "ETL" in line for line in lines)


def test_a_score_that_is_not_finite_reaches_the_caller():
    bad = nd.full((4, 64), float("nan"))
    labels = nd.asarray(np.eye(N_CLASSES)[[0, 1, 2, 0]])
    with pytest.raises(FloatingPointError, match="the score is nan"):
        ParallelWrapper(network(nn.Sgd(0.1))).fit(ArrayDataSetIterator(bad, labels, 2))


def masked_batches(n):
    rng = np.random.default_rng(0)
    for _ in range(n):
        mask = (np.arange(6) < rng.integers(1, 7, 4)[:, None]).astype("float64")
        yield DataSet(rng.normal(size=(4, 6, 3)), rng.normal(size=(4, 6, 2)), mask, mask)


def test_masks_reach_the_workers():
    layers = [nn.SimpleRnn(5), nn.RnnOutputLayer(2, "identity", loss="mse")]
    nets = [
        nn.MultiLayerNetwork(layers, input_type=nn.InputType.recurrent(3), updater=nn.Sgd(0.1), dtype="float64", seed=2)
        for _ in range(3)
    ]
    with ParallelWrapper(nets[0], workers=1, averaging_frequency=1) as wrapper:
        wrapper.fit(list(masked_batches(6)))
    nets[1].fit(list(masked_batches(6)))
    nets[2].fit([DataSet(batch.features, batch.labels) for batch in masked_batches(6)])
    assert params(nets[0]).tobytes() == params(nets[1]).tobytes()
    assert not np.allclose(params(nets[0]), params(nets[2]))


@pytest.mark.parametrize("at, epochs", [(3, 0), (7, 1)])
def test_stop_fit_ends_after_the_round_with_averaged_parameters(at, epochs):
    class Listener:
        def iteration_done(self, model, iteration, epoch):
            if iteration == at:
                wrapper.stop_fit()

    net = network(nn.Sgd(0.1))
    net.set_listeners(Listener())
    with ParallelWrapper(net, workers=2, averaging_frequency=4) as wrapper:
        wrapper.fit(batches(40, 4), epochs=3)  # of 5 rounds
        assert (net.iteration_count, net.epoch_count) == (at, epochs)
        assert len({worker.model.params().tobytes() for worker in wrapper._team}) == 1
        net.set_listeners()
        wrapper.fit(batches(40, 4))
        assert net.iteration_count == at + 5
        before = net.params().tobytes()
        wrapper.stop_fit()  # without a fit: nothing
        wrapper.fit(batches(40, 4))
        assert net.iteration_count == at + 10
        assert net.params().tobytes() != before
