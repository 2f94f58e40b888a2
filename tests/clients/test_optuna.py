"""Optuna searches learning rates of networks, and prunes trials that are worse than others."""

import math

import cases
import pytest

from nd4py import nn, train

optuna = pytest.importorskip("optuna")
X, LABELS = cases.small_batch()


@pytest.fixture(autouse=True)
def _quiet():
    optuna.logging.set_verbosity(optuna.logging.ERROR)


def fitted(trial, rate=0.1, epochs=3):
    layers = [nn.DenseLayer(3), nn.OutputLayer(LABELS.shape[1])]
    input_type = nn.InputType.feed_forward(X.shape[1])
    net = nn.MultiLayerNetwork(layers, input_type=input_type, updater=nn.Sgd(rate))
    history = net.fit(X, LABELS, epochs=epochs, listeners=[train.OptunaPruningListener(trial, monitor="score")])
    return net, history


class PrunedAtTwo:
    epoch = 0

    def report(self, value, step):
        self.epoch = step

    def should_prune(self):
        return self.epoch == 2


def test_a_pruned_trial_ends_training():
    trial = PrunedAtTwo()
    with pytest.raises(optuna.TrialPruned, match="after epoch 2"):
        fitted(trial, epochs=5)
    assert trial.epoch == 2


def test_a_study_prunes_the_worse_trials():
    def objective(trial):
        rate = trial.suggest_categorical("learning_rate", [0.5, 1e-6])
        return fitted(trial, rate)[1].scores[-1]

    study = optuna.create_study(pruner=optuna.pruners.MedianPruner(n_startup_trials=2, n_warmup_steps=1))
    for rate in (0.5, 0.5, 0.5, 1e-6, 0.5):
        study.enqueue_trial({"learning_rate": rate})
    study.optimize(objective, n_trials=5)
    assert [each.state.name for each in study.trials] == ["COMPLETE"] * 3 + ["PRUNED", "COMPLETE"]
    assert study.best_params == {"learning_rate": 0.5}
    assert math.isfinite(study.best_value)
