"""Listeners of trainings by several workers: each of them is told what it is told by a network's own `fit`."""

import math

import numpy as np
import pytest

from nd4py import data, nn, parallel, train

X = np.random.default_rng(3).standard_normal((60, 6)).astype("float32")
LABELS = np.eye(3, dtype="float32")[np.arange(60) % 3]
SETTINGS = {
    "averaged": {"workers": 2},
    "averaged rarely": {"workers": 3, "averaging_frequency": 3},
    "own updaters": {"workers": 3, "average_updaters": False},
    "shared gradients": {"workers": 3, "training_mode": "shared_gradients"},
    "thresholds": {
        "workers": 2, "training_mode": "shared_gradients",
        "threshold_algorithm": parallel.AdaptiveThresholdAlgorithm(initial=1e-3),
    },
}  # fmt: skip


def network():
    layers = [nn.DenseLayer(12, activation="tanh", dropout=0.3), nn.BatchNormalization(), nn.OutputLayer(3)]
    kind = nn.InputType.feed_forward(6)
    return nn.MultiLayerNetwork(layers, input_type=kind, updater=nn.Adam(0.01), seed=4)


def fitted(settings, *listeners, net=None, epochs=3):
    net = network() if net is None else net
    with parallel.ParallelWrapper(net, **settings) as wrapper:
        wrapper.fit(data.ArrayDataSetIterator(X, LABELS, 8, seed=5), epochs=epochs, listeners=listeners)
    return net


class Steps:
    """Keeps what it is told in the middle of steps."""

    def __init__(self):
        self.gradients, self.outputs = [], []

    def on_gradient_calculation(self, model, gradient):
        self.gradients.append((model.iteration_count, np.array(gradient)))

    def on_forward_pass(self, model, activations):
        self.outputs.append({name: np.array(values) for name, values in activations.items()})


class Trial:
    def __init__(self):
        self.epochs = []

    def report(self, value, step):
        self.epochs.append(step)

    def should_prune(self):
        return False


class Logger:
    def __init__(self):
        self.steps = []

    def log_params(self, params):
        self.params = params

    def log_metrics(self, metrics, step):
        self.steps.append(step)


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_every_listener_listens(settings, tmp_path):
    lines, trial, logger = [], Trial(), Logger()
    n_rounds = 3 * math.ceil(8 / settings["workers"])  # 8 batches in each of 3 epochs
    collecting, statistics = train.CollectScoresListener(), train.ParameterStatisticsListener(2)
    evaluating, saving = train.EvaluativeListener((X, LABELS)), train.CheckpointListener(tmp_path, every_iterations=2)
    average, steps = train.ExponentialMovingAverage(), Steps()
    fitted(
        settings, collecting, statistics, evaluating, saving, average, steps,
        train.ScoreIterationListener(1, write=lines.append), train.PerformanceListener(1, write=lines.append),
        train.TimeIterationListener(1, write=lines.append), train.SleepyListener(1e-4),
        train.CSVLogListener(tmp_path / "log.csv", frequency=1), train.OptunaPruningListener(trial, monitor="score"),
        train.MetricLoggerListener(logger, frequency=1), train.TensorBoardListener(tmp_path / "runs", statistics=2),
    )  # fmt: skip
    assert [iteration for iteration, _ in collecting.scores] == [*range(1, n_rounds + 1)]
    even = [*range(2, n_rounds + 1, 2)]
    assert [iteration for iteration, _ in statistics.gradients["0_W"]] == even
    assert [iteration for iteration, _ in statistics.parameters["0_W"]] == even
    assert len(evaluating.evaluations) == 3
    assert saving.checkpoints()
    assert average.n_averaged == n_rounds
    assert [iteration for iteration, _ in steps.gradients] == [*range(n_rounds)]
    assert [*steps.outputs[0]] == ["0", "1", "2"]
    assert sum(line.startswith("Score at iteration") for line in lines) == n_rounds
    assert sum("samples/s" in line for line in lines) == n_rounds
    assert [line for line in lines if line.startswith("Remaining time")][-1] == "Remaining time: 0 s; batch 24 of 24"
    assert len((tmp_path / "log.csv").read_text().split()) == 1 + n_rounds + 3
    assert trial.epochs == [1, 2, 3]
    assert sorted({*logger.steps}) == [*range(1, n_rounds + 1)]


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_listening_changes_no_bit(settings, tmp_path):
    watched = fitted(settings, train.TensorBoardListener(tmp_path, statistics=1), Steps())
    assert watched.params().tobytes() == fitted(settings).params().tobytes()


def test_gradients_are_those_of_the_first_worker_or_shared():
    def net():
        return nn.MultiLayerNetwork([nn.OutputLayer(3)], input_type=nn.InputType.feed_forward(6), updater=nn.Sgd(0.1))

    batches = [data.DataSet(X[:8], LABELS[:8]), data.DataSet(X[8:16], LABELS[8:16])]
    of_each = [np.array(net().compute_gradient_and_score(b.features, b.labels)[0]) for b in batches]
    for mode, expected in (("averaging", of_each[0]), ("shared_gradients", (of_each[0] + of_each[1]) / 2)):
        steps = Steps()
        with parallel.ParallelWrapper(net(), workers=2, training_mode=mode) as wrapper:
            wrapper.fit(batches, listeners=steps)
        assert len(steps.gradients) == 1
        np.testing.assert_allclose(steps.gradients[0][1], expected, rtol=1e-5, atol=1e-7)


def test_updates_are_of_the_averaged_round(tmp_path):
    class Watching(train.TensorBoardListener):
        def _add_histogram(self, tag, values, step):
            if tag.startswith("updates/"):
                seen.setdefault(tag, np.array(values))

    seen = {}
    net = network()
    before = {name: np.array(values) for name, values in net.param_table().items()}
    fitted({"workers": 4}, Watching(tmp_path, statistics=2), net=net, epochs=1)  # two rounds of four batches
    first = network()
    with parallel.ParallelWrapper(first, workers=4) as wrapper:
        wrapper.fit([*data.ArrayDataSetIterator(X, LABELS, 8, seed=5)][:4])
    assert not np.array_equal(before["0_W"], first.param_table()["0_W"])
    for name, values in first.param_table().items():
        assert np.array_equal(seen[f"updates/{name}"], np.array(net.param_table()[name]) - np.array(values))


def test_rounds_of_several_steps(tmp_path):
    kind = nn.InputType.recurrent(4, 12)
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((24, 12, 4)), np.eye(3)[rng.integers(0, 3, (24, 12))]
    net = nn.MultiLayerNetwork([nn.LSTM(5), nn.RnnOutputLayer(3)], input_type=kind, tbptt_length=4)
    steps, seen = Steps(), []

    class Watching(train.TensorBoardListener):
        def _add_histogram(self, tag, values, step):
            seen.append((tag.partition("/")[0], step))

    with parallel.ParallelWrapper(net, workers=2) as wrapper:
        wrapper.fit(x, y, batch_size=4, epochs=2, listeners=[steps, Watching(tmp_path, statistics=5)])
    assert [iteration for iteration, _ in steps.gradients] == [*range(18)]  # 6 rounds of 3 parts
    assert {step for kind, step in seen if kind == "gradients"} == {4, 10, 13}
    assert {step for kind, step in seen if kind == "activations"} == {4, 10, 13}
    assert {step for kind, step in seen if kind == "updates"} == {6, 12, 15}


def test_errors_of_listeners_in_steps_end_the_training():
    class Failing:
        def on_gradient_calculation(self, model, gradient):
            raise OSError("no space left")

    for settings in SETTINGS.values():
        net = network()
        with pytest.raises(OSError, match="no space left"):
            fitted(settings, Failing(), net=net)
        assert net.listeners == []
        assert net.iteration_count == 0
    with pytest.raises(TypeError, match=r"listeners\[0\] must have one of the methods"):
        fitted(SETTINGS["averaged"], 3)


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_validation_is_of_the_parameters_that_all_workers_have(settings):
    x, labels = np.random.default_rng(8).normal(size=(20, 6)).astype("float32"), np.eye(3, dtype="float32")[[0, 1] * 10]
    net, found = network(), []

    class Watch(train.TrainingListener):
        def on_safe_point(self, model, run):
            if run.n_batches == 0:
                found.append((run.history.validation_scores[-1], model.score(x, labels)))

    stopping = train.EarlyStopping(patience=2)
    with parallel.ParallelWrapper(net, **settings) as wrapper:
        batches = data.ArrayDataSetIterator(X, LABELS, 8, seed=5)
        wrapper.fit(batches, epochs=6, validation_data=(x, labels), listeners=[Watch(), stopping])
        with pytest.raises(TypeError, match="validation_data"):
            wrapper.fit(batches, validation_data=x)
    for noted, score in found:
        assert math.isclose(noted, score, rel_tol=1e-6)
    assert len(found) == net.epoch_count
    assert stopping.best_score == min(noted for noted, _ in found)
    assert math.isclose(net.score(x, labels), stopping.best_score, rel_tol=1e-6)
