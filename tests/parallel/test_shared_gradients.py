"""Training with shared gradients: exact, and by updates of few numbers."""

import threading
from dataclasses import dataclass

import numpy as np
import pytest

import nd4py as nd
from nd4py import nn, parallel
from nd4py.data import ArrayDataSetIterator, DataSet
from nd4py.parallel import ParallelWrapper

UPDATERS = [nn.Sgd(0.1), nn.Nesterovs(0.1), nn.Adam(0.02), nn.AdaFactor(0.05)]


def network(updater=None, seed=3, **settings):
    layers = [nn.DenseLayer(6, "tanh"), nn.BatchNormalization(), nn.OutputLayer(3)]
    updater = nn.Adam(0.02) if updater is None else updater
    kind = nn.InputType.feed_forward(4)
    return nn.MultiLayerNetwork(layers, input_type=kind, updater=updater, seed=seed, dtype="float64", **settings)


def without_norm(updater, **settings):
    layers = [nn.DenseLayer(6, "tanh"), nn.OutputLayer(3)]
    kind = nn.InputType.feed_forward(4)
    return nn.MultiLayerNetwork(layers, input_type=kind, updater=updater, seed=3, dtype="float64", **settings)


def examples(n, seed=0):
    rng = np.random.default_rng(seed)
    centers = np.array([[2.0, 0, 0, 0], [0, 2.0, 0, 0], [0, 0, 2.0, 2.0]])
    classes = rng.integers(0, 3, n)
    return nd.asarray(centers[classes] + 0.5 * rng.normal(size=(n, 4))), nd.asarray(np.eye(3)[classes])


def fitted(net, n, batch, epochs=1, workers=2, **options):
    with ParallelWrapper(net, workers, training_mode="shared_gradients", **options) as wrapper:
        wrapper.fit(ArrayDataSetIterator(*examples(n), batch), epochs=epochs)
        replicas = [np.asarray(worker.model.params()) for worker in wrapper._team]
    for replica in replicas:
        np.testing.assert_array_equal(replica, replicas[0])
    return np.asarray(net.params())


@pytest.mark.parametrize("updater", UPDATERS, ids=lambda updater: type(updater).__name__)
@pytest.mark.parametrize("workers", [1, 2, 3])
def test_workers_do_what_one_model_does_with_larger_batches(workers, updater):
    """The last round has fewer and smaller batches, which count as much as their examples."""
    settings = {"l2": 0.01, "gradient_normalization": "clip_l2_global", "gradient_threshold": 0.05}
    alone, together = without_norm(updater, **settings), without_norm(updater, **settings)
    batch = 4
    n = 5 * workers * batch + (workers - 1) * batch - 1 if workers > 1 else 20
    for _ in range(2):
        for data in ArrayDataSetIterator(*examples(n), batch * workers):
            alone.fit_batch(data.features, data.labels)
    fitted(together, n, batch, epochs=2, workers=workers)
    np.testing.assert_allclose(np.asarray(together.params()), np.asarray(alone.params()), rtol=1e-9, atol=1e-12)
    if alone.updater_state() is not None:
        np.testing.assert_allclose(
            np.asarray(together.updater_state()), np.asarray(alone.updater_state()), rtol=1e-8, atol=1e-14
        )
    assert together.iteration_count == alone.iteration_count
    np.testing.assert_allclose(together.score_value, alone.score_value, rtol=1e-9)


def test_runs_have_the_same_bits():
    found = [fitted(network(), 50, 5, epochs=3, workers=3) for _ in range(2)]
    np.testing.assert_array_equal(*found)


def test_running_values_are_those_of_all_workers():
    net, twin = network(nn.Sgd(0.0)), network(nn.Sgd(0.0))
    x, y = examples(8)
    fitted(net, 8, 4)
    means = []
    for half in (slice(0, 4), slice(4, 8)):
        clone = twin.clone()
        clone.fit_batch(x[half], y[half])
        means.append(np.asarray(clone.param_table()["1_mean"]))
    np.testing.assert_allclose(np.asarray(net.param_table()["1_mean"]), np.mean(means, 0), rtol=1e-12)


@pytest.mark.parametrize(
    "algorithm",
    [
        parallel.FixedThresholdAlgorithm(2e-3),
        parallel.AdaptiveThresholdAlgorithm(1e-3),
        parallel.TargetSparsityThresholdAlgorithm(0.1, 1e-3),
    ],
    ids=lambda algorithm: type(algorithm).__name__,
)
def test_networks_learn_by_updates_of_few_numbers(algorithm):
    net = network(nn.Adam(0.02))
    fitted(net, 120, 10, epochs=25, threshold_algorithm=algorithm)
    assert net.evaluate(ArrayDataSetIterator(*examples(60, 9), 60)).accuracy() > 0.9


def test_what_is_not_sent_waits():
    """The parameters and what is left of all workers' updates add up to what plain steps would have done."""
    net = without_norm(nn.Sgd(0.5))
    x, y = examples(8)
    expected = np.asarray(net.params()).copy()
    halves = [DataSet(x[:4], y[:4]), DataSet(x[4:], y[4:])]
    algorithm = parallel.FixedThresholdAlgorithm(0.02)
    options = {"threshold_algorithm": algorithm, "residual_post_processor": None, "prefetch_buffer": 0}
    with ParallelWrapper(net, training_mode="shared_gradients", **options) as wrapper:
        for _ in range(6):
            twin = net.clone()
            for half in halves:
                gradient, _ = twin.compute_gradient_and_score(half.features, half.labels)
                expected -= 0.5 * np.asarray(gradient)
            wrapper.fit(halves)
            left = sum(np.asarray(worker.exchange.residual) for worker in wrapper._team)
            np.testing.assert_allclose(np.asarray(net.params()) - left, expected, rtol=1e-9, atol=1e-12)
        assert np.count_nonzero(left) > 0


@pytest.mark.parametrize("threshold", [None, parallel.FixedThresholdAlgorithm(1e-3)], ids=["exact", "threshold"])
@pytest.mark.parametrize("wrong", ["shape", "infinite"])
def test_a_failing_worker_ends_the_round_for_all(threshold, wrong):
    net = without_norm(nn.Sgd(0.1))
    before = np.asarray(net.params()).copy()
    x, y = examples(8)
    spoiled = nd.ones((4, 5)) if wrong == "shape" else nd.full((4, 4), np.nan)
    n_threads = threading.active_count()
    with ParallelWrapper(net, 3, training_mode="shared_gradients", threshold_algorithm=threshold) as wrapper:
        with pytest.raises(ValueError if wrong == "shape" else FloatingPointError):
            wrapper.fit([DataSet(x[:4], y[:4]), DataSet(spoiled, y[4:]), DataSet(x[4:], y[4:])])
        np.testing.assert_array_equal(np.asarray(net.params()), before)
        wrapper.fit([DataSet(x[:4], y[:4])])
    assert threading.active_count() == n_threads
    assert net.exchange is None


def test_sequences_of_different_lengths():
    """Truncated back-propagation: one worker has more steps than the other, and none waits for ever."""
    layers = [nn.SimpleRnn(3), nn.RnnOutputLayer(2)]
    kind = nn.InputType.recurrent(2)
    net = nn.MultiLayerNetwork(layers, input_type=kind, updater=nn.Adam(0.1), tbptt_length=3, dtype="float64")
    rng = np.random.default_rng(0)

    def sequences(length):
        labels = np.eye(2)[rng.integers(0, 2, (4, length))]
        return DataSet(nd.asarray(rng.normal(size=(4, length, 2))), nd.asarray(labels))

    with ParallelWrapper(net, training_mode="shared_gradients") as wrapper:
        wrapper.fit([sequences(3), sequences(9), sequences(6), sequences(2)], epochs=2)
        first, second = (np.asarray(worker.model.params()) for worker in wrapper._team)
    np.testing.assert_array_equal(first, second)
    assert net.iteration_count == 10


def test_a_trainer_of_ones_own():
    seen = []

    def trainer(model, batch):
        seen.append(batch.num_examples())
        return model.fit_batch(batch.features, batch.labels)

    net = without_norm(nn.Sgd(0.1))
    with ParallelWrapper(net, trainer=trainer) as wrapper:
        wrapper.fit(ArrayDataSetIterator(*examples(12), 4))
    assert seen == [4, 4, 4]


def test_wrong_settings():
    net = without_norm(nn.Sgd(0.1))
    with pytest.raises(ValueError, match="training_mode must be 'averaging' or 'shared_gradients', got 'other'"):
        ParallelWrapper(net, training_mode="other")
    with pytest.raises(ValueError, match="threshold_algorithm is for training_mode='shared_gradients'"):
        ParallelWrapper(net, threshold_algorithm=parallel.FixedThresholdAlgorithm())
    with pytest.raises(TypeError, match="threshold_algorithm must be an object with the method following"):
        ParallelWrapper(net, training_mode="shared_gradients", threshold_algorithm=1e-3)
    with pytest.raises(TypeError, match="trainer must be a function"):
        ParallelWrapper(net, trainer=3)


# Encoding.


@pytest.mark.parametrize("n", [0, 1, 7, 16, 33, 1000])
@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 1.0])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_decoding_gives_what_was_encoded(n, share, dtype):
    rng = np.random.default_rng(n)
    update = np.where(rng.random(n) < share, rng.choice([-1, 1], n) * rng.uniform(0.5, 2.0, n), rng.uniform(0, 0.4, n))
    update = update.astype(dtype)
    given = nd.asarray(update)
    encoded = parallel.threshold_encode(given, 0.5)
    expected = np.where(np.abs(update) >= 0.5, np.copysign(0.5, update), 0).astype(dtype)
    decoded = encoded.decode()
    assert decoded.dtype == given.dtype
    np.testing.assert_array_equal(np.asarray(decoded), expected)
    np.testing.assert_array_equal(np.asarray(given), update)
    assert encoded.count == np.count_nonzero(expected)
    assert encoded.content.nbytes <= max(4 * encoded.count, 2 * ((n + 7) // 8))
    assert encoded.sparsity_ratio == (encoded.count / n if n else 0.0)


def test_what_is_kept_of_an_encoded_update():
    encoded = parallel.threshold_encode(nd.asarray([0.0] * 40 + [-1.0]), 0.5)
    assert isinstance(encoded, parallel.EncodedUpdate)
    assert (encoded.content.tolist(), encoded.size, encoded.dtype, encoded.threshold) == ([-41], 41, "float64", 0.5)


@dataclass
class Halved:
    """A `parallel.ThresholdAlgorithm` of one's own."""

    initial: float = 0.1

    def following(self, threshold, sparsity_ratio):
        return threshold / 2


def test_an_algorithm_of_ones_own_and_residuals_that_are_clipped():
    clipping = parallel.ResidualClippingPostProcessor(2.0, frequency=2)
    net = without_norm(nn.Sgd(50.0))
    x, y = examples(8)
    options = {"threshold_algorithm": Halved(), "residual_post_processor": clipping, "prefetch_buffer": 0}
    largest = []
    with ParallelWrapper(net, training_mode="shared_gradients", **options) as wrapper:
        for _ in range(2):
            wrapper.fit([DataSet(x[:4], y[:4]), DataSet(x[4:], y[4:])])
            largest.append(max(float(nd.max(nd.abs(worker.exchange.residual))) for worker in wrapper._team))
        assert [worker.exchange.threshold for worker in wrapper._team] == [0.025, 0.025]
    assert largest[0] > 0.2
    assert largest[1] == 2.0 * 0.05  # twice the threshold of the second step


def test_what_cannot_be_encoded():
    with pytest.raises(ValueError, match="update must be a vector"):
        parallel.threshold_encode(nd.ones((2, 2)), 0.1)
    with pytest.raises(TypeError, match="real floating dtype, given int64"):
        parallel.threshold_encode(nd.ones(2, dtype=nd.int64), 0.1)
    for threshold in (0.0, -1.0, float("nan")):
        with pytest.raises(ValueError, match="threshold"):
            parallel.threshold_encode(nd.ones(2), threshold)


def test_thresholds_follow_the_share_that_is_sent():
    adaptive = parallel.AdaptiveThresholdAlgorithm(1e-3, 0.01, 0.1, 0.5)
    assert [adaptive.following(1.0, ratio) for ratio in (0.001, 0.05, 0.5)] == [0.5, 1.0, 2.0]
    target = parallel.TargetSparsityThresholdAlgorithm(0.1, 1e-3, 0.5)
    assert [target.following(1.0, ratio) for ratio in (0.01, 0.1, 0.5)] == [0.5, 1.0, 2.0]
    with pytest.raises(ValueError, match="is above max_target_sparsity"):
        parallel.AdaptiveThresholdAlgorithm(1e-3, 0.5, 0.1)
