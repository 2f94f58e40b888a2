"""Listeners for tools that keep or search experiments: loggers of metrics, and Optuna."""

import math

import cases
import pytest
from train_cases.experiment_tools import MetricLogger, Trial

from nd4py import nn, train

X, LABELS = cases.small_batch()


class Kept(MetricLogger):
    def __init__(self):
        self.params, self.metrics = [], []

    def log_params(self, params):
        self.params.append(params)

    def log_metrics(self, metrics, step):
        self.metrics.append((step, metrics))


def test_metrics_are_those_of_the_history():
    kept, net = Kept(), cases.small_network()
    history = net.fit(
        X, LABELS, epochs=2, batch_size=3, validation_data=(X, LABELS),
        listeners=[train.MetricLoggerListener(kept, frequency=2)],
    )  # fmt: skip
    (params,) = kept.params
    assert params["num_params"] == net.num_params()
    assert params["network"] == "MultiLayerNetwork"
    assert repr(net.configuration.updater) == params["updater"]
    batches = [(step, metrics) for step, metrics in kept.metrics if "batch_score" in metrics]
    assert batches == [(i, {"batch_score": history.iteration_scores[i - 1]}) for i in (2, 4, 6)]
    epochs = [(step, metrics) for step, metrics in kept.metrics if "batch_score" not in metrics]
    assert epochs == [
        (i + 1, {
            "score": history.scores[i], "validation_score": history.validation_scores[i], "seconds": history.seconds[i],
        })
        for i in range(2)
    ]  # fmt: skip


def test_a_logger_needs_a_method_for_metrics():
    with pytest.raises(TypeError, match="log_metrics"):
        train.MetricLoggerListener(print)


class Reported(Trial):
    def __init__(self, prune_at=None):
        self.reports, self._prune_at = [], prune_at

    def report(self, value, step):
        self.reports.append((step, value))

    def should_prune(self):
        return self.reports[-1][0] == self._prune_at


def test_scores_are_reported_to_a_trial():
    trial = Reported()
    history = cases.small_network().fit(
        X, LABELS, epochs=3, validation_data=(X, LABELS), listeners=[train.OptunaPruningListener(trial)]
    )
    assert trial.reports == list(enumerate(history.validation_scores, start=1))


def test_a_score_that_is_not_there_is_asked_for():
    with pytest.raises(ValueError, match="validation_data"):
        cases.small_network().fit(X, LABELS, listeners=[train.OptunaPruningListener(Reported())])
    with pytest.raises(ValueError, match="monitor is"):
        train.OptunaPruningListener(Reported(), monitor="accuracy")


def test_epochs_without_a_step_are_not_reported():
    trial, layers = Reported(), [nn.DenseLayer(5, activation="tanh"), nn.OutputLayer(3)]
    net = nn.MultiLayerNetwork(layers, input_type=nn.InputType.feed_forward(4), dtype="float16")
    net.loss_scale = 2**24  # the gradients overflow, and every step is left out until it is small enough
    pruning = train.OptunaPruningListener(trial, monitor="score")
    history = net.fit(X * 1000, LABELS, epochs=8, listeners=[pruning])
    assert math.isnan(history.scores[0])
    assert trial.reports == [each for each in enumerate(history.scores, start=1) if not math.isnan(each[1])]
