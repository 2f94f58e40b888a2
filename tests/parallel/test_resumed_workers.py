"""ParallelWrapper going on from checkpoints: the bits of a run that was never stopped, whatever its workers share.

`tests/train/test_train_checkpoints.py` kills such runs.
"""

import shutil

import numpy as np
import pytest

import nd4py as nd
from nd4py import data, nn, parallel, train
from nd4py.nn.fitting.resuming import checkpoints_in

X = np.random.default_rng(3).standard_normal((60, 6)).astype("float32")
LABELS = np.eye(3, dtype="float32")[np.arange(60) % 3]
THRESHOLDS = parallel.AdaptiveThresholdAlgorithm(initial=1e-3)
SETTINGS = {
    "averaged": {"workers": 3},
    "averaged rarely": {"workers": 2, "averaging_frequency": 3},
    "own updaters": {"workers": 3, "average_updaters": False},
    "not read ahead": {"workers": 2, "prefetch_buffer": 0},
    "shared gradients": {"workers": 3, "training_mode": "shared_gradients"},
    "thresholds": {"workers": 3, "training_mode": "shared_gradients", "threshold_algorithm": THRESHOLDS},
}


def wrapper(seed=4, **settings):
    layers = [nn.DenseLayer(12, activation="tanh", dropout=0.3), nn.BatchNormalization(), nn.OutputLayer(3)]
    kind = nn.InputType.feed_forward(6)
    net = nn.MultiLayerNetwork(layers, input_type=kind, updater=nn.Adam(0.01), seed=seed)
    return parallel.ParallelWrapper(net, **settings)


def trained(folder, settings, epochs=3, resume_from=None):
    """(Parameters, updater state, scores) of a training that writes checkpoints whenever it can."""
    batches = data.ArrayDataSetIterator(X, LABELS, 8, seed=5)  # 8 batches: the last round of 3 workers has 2
    with wrapper(**settings) as made:
        net = made.model
        saving = train.CheckpointListener(folder, every_iterations=1, every_epochs=1)
        scores = train.CollectScoresListener()
        net.set_listeners(saving, scores)
        made.fit(batches, epochs=epochs, resume_from=resume_from)
        return np.asarray(net.params()).tobytes(), np.asarray(net.updater_state()).tobytes(), scores.scores


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_it_goes_on_from_any_checkpoint_with_the_same_bits(settings, tmp_path):
    *expected, scores = trained(tmp_path / "whole", settings, resume_from=tmp_path / "whole")
    checkpoints = checkpoints_in(tmp_path / "whole")
    assert len(checkpoints) >= 6
    for number in list(checkpoints)[:-1:3]:
        folder = tmp_path / str(number)
        folder.mkdir()
        shutil.copy(checkpoints[number], folder)
        *found, scores_since = trained(folder, settings, resume_from=folder)
        assert found == expected, number
        assert scores_since
        assert scores_since == scores[-len(scores_since) :]


def test_a_whole_training_is_not_done_again(tmp_path):
    expected = trained(tmp_path, SETTINGS["averaged"], resume_from=tmp_path)
    found = trained(tmp_path, SETTINGS["averaged"], resume_from=tmp_path)
    assert found[:2] == expected[:2]
    assert found[2] == []


def test_checkpoints_of_other_trainings_are_refused(tmp_path):
    trained(tmp_path, SETTINGS["averaged"], epochs=1)
    batches = data.ArrayDataSetIterator(X, LABELS, 8, seed=5)
    for settings in (SETTINGS["shared gradients"], {"workers": 2}):
        with wrapper(**settings) as other, pytest.raises(ValueError, match="resume_from has a training with"):
            other.fit(batches, resume_from=tmp_path)
    with wrapper(seed=9, workers=3) as other:
        before = np.array(other.model.params())
        with pytest.raises(ValueError, match="a checkpoint of another network: its seed differ"):
            other.fit(batches, resume_from=tmp_path)
        assert nd.array_equal(other.model.params(), before)


def test_listeners_are_told_where_the_run_is():
    seen = []

    class Listener(train.TrainingListener):
        def on_fit_start(self, model, run):
            seen.append(("start", run.epochs))

        def on_safe_point(self, model, run):
            seen.append((run.n_epochs, run.n_batches, len(run.history.iteration_scores)))

        def on_fit_end(self, model, run):
            seen.append(("end", len(run.history.scores)))

    with wrapper(workers=3) as made:
        made.model.set_listeners(Listener())
        made.fit(data.ArrayDataSetIterator(X, LABELS, 8), epochs=2)
        assert len(made.model.listeners) == 1
    assert seen == [
        ("start", 2), (0, 3, 1), (0, 6, 2), (1, 0, 3), (1, 3, 4), (1, 6, 5), (2, 0, 6), ("end", 2),
    ]  # fmt: skip
