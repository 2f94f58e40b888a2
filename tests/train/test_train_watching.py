"""Listeners that watch training, and its logs in files."""

import csv
import math
import time

import cases
import numpy as np
import pytest

from nd4py import nn, train
from nd4py.train.watching import shown_seconds

X, LABELS = cases.small_batch()


def fitted(*listeners, epochs=2, batch_size=3, **options):
    net = cases.small_network()
    history = net.fit(X, LABELS, epochs=epochs, batch_size=batch_size, listeners=listeners, **options)
    return net, history


def test_time_left():
    lines = []
    left = train.TimeIterationListener(2, write=lines.append)

    class Slow:
        def iteration_done(self, model, iteration, epoch):
            time.sleep(0.05)

    fitted(Slow(), left)  # 3 batches in each of 2 epochs
    assert [line.partition("; ")[2] for line in lines] == ["batch 2 of 6", "batch 4 of 6", "batch 6 of 6"]
    assert left.seconds_left == 0
    lines.clear()
    seen = []
    left = train.TimeIterationListener(1, write=lambda line: seen.append(left.seconds_left))
    fitted(Slow(), left)
    assert 0.2 < seen[0] < 2
    assert all(math.isclose(a, b, abs_tol=0.5) for a, b in zip(seen, np.arange(5, -1, -1) * 0.055, strict=True))
    assert [shown_seconds(each) for each in (0.4, 61, 3725)] == ["0 s", "1 min 01 s", "1 h 02 min"]


def test_batches_of_unknown_number_have_no_time_left():
    lines = []
    net = cases.small_network()
    net.fit(iter([(X, LABELS)] * 3), listeners=[train.TimeIterationListener(1, write=lines.append)])
    assert lines == []


def test_sleeping():
    start = time.perf_counter()
    fitted(train.SleepyListener(0.02, 0.1))
    assert time.perf_counter() - start > 6 * 0.02 + 2 * 0.1
    for wrong in (-1, math.nan, "1", True):
        with pytest.raises(ValueError, match="iteration_seconds must be a number of seconds"):
            train.SleepyListener(wrong)


def test_evaluations_while_training():
    called = []
    at_epochs = train.EvaluativeListener((X, LABELS), 2, callback=lambda net, found: called.append(found))
    at_iterations = train.EvaluativeListener([(X, LABELS)], 4, per="iteration", evaluation=train.Evaluation)
    net, _ = fitted(at_epochs, at_iterations, epochs=5)
    assert [iteration for iteration, _ in at_epochs.evaluations] == [6, 12]
    assert [iteration for iteration, _ in at_iterations.evaluations] == [4, 8, 12]
    assert called == [found for _, found in at_epochs.evaluations]
    fitted_to_the_end = train.EvaluativeListener((X, LABELS))
    net.fit(X, LABELS, listeners=[fitted_to_the_end])
    assert fitted_to_the_end.evaluations[0][1].accuracy() == net.evaluate((X, LABELS)).accuracy()
    with pytest.raises(ValueError, match='per is "epoch" or "iteration"'):
        train.EvaluativeListener((X, LABELS), per="batch")


def test_statistics_of_parameters_and_gradients():
    net, watching = cases.small_network(), train.ParameterStatisticsListener(2)
    gradients = []

    class Keeping:
        def on_gradient_calculation(self, model, gradient):
            gradients.append(np.array(gradient))

    net.fit([(X, LABELS)] * 4, listeners=[watching, Keeping()])
    assert set(watching.parameters) == set(watching.gradients) == set(net.param_table())
    for slot in net.slots:
        assert [iteration for iteration, _ in watching.parameters[slot.key]] == [2, 4]
        for found, expected in (
            (watching.parameters[slot.key][-1], np.asarray(net.params())[slot.elements]),
            (watching.gradients[slot.key][0], gradients[1][slot.elements]),
        ):
            numbers = expected.mean(), expected.min(), expected.max(), np.abs(expected).mean()
            assert np.allclose(found[1], train.Statistics(*numbers), rtol=1e-5, atol=1e-7)


def test_csv_log(tmp_path):
    path = tmp_path / "log.csv"
    _, history = fitted(train.CSVLogListener(path, frequency=2), validation_data=(X, LABELS))
    rows = list(csv.DictReader(path.read_text().splitlines()))
    assert [(row["epoch"], row["iteration"]) for row in rows] == [
        *(("0", "2"), ("1", "3"), ("1", "4"), ("1", "6"), ("2", "6"))
    ]
    ends = [row for row in rows if row["seconds"]]
    assert [float(row["score"]) for row in ends] == history.scores
    assert [float(row["validation_score"]) for row in ends] == history.validation_scores
    assert float(rows[0]["score"]) == history.iteration_scores[1]
    fitted(train.CSVLogListener(path, append=True))
    assert len(path.read_text().splitlines()) == 1 + 5 + 2
    fitted(train.CSVLogListener(path))
    assert len(path.read_text().splitlines()) == 1 + 2


@pytest.mark.parametrize(
    "make", [train.TimeIterationListener, train.ParameterStatisticsListener, train.TensorBoardListener]
)
def test_numbers_of_iterations_are_checked(make, tmp_path):
    options = {"folder": tmp_path} if make is train.TensorBoardListener else {}
    for wrong in (0, -1, 1.5, "2"):
        with pytest.raises(ValueError, match=rf"{make.__name__}: frequency must be a whole number of at least 1"):
            make(frequency=wrong, **options)


def test_graphs_have_the_same_listeners(tmp_path):
    graph = nn.ComputationGraph(
        {"x": nn.InputType.feed_forward(X.shape[1])}, {"out": (nn.OutputLayer(LABELS.shape[1]), "x")}, outputs="out"
    )
    watching = train.ParameterStatisticsListener(1)
    graph.fit(
        X, LABELS, listeners=[watching, train.TensorBoardListener(tmp_path), train.EvaluativeListener((X, LABELS))]
    )
    assert set(watching.gradients) == {"out_W", "out_b"}


@pytest.mark.parametrize("every", [1, 2, 3])
@pytest.mark.parametrize("n_lost", [0, 1, 2])
def test_a_csv_log_goes_on_with_training(tmp_path, every, n_lost):
    def rows(path):
        return [row.rsplit(",", 1)[0] for row in path.read_text().splitlines()]  # without the seconds

    def run(folder, epochs, **options):
        log = train.CSVLogListener(folder / "log.csv", frequency=1)
        saving = train.CheckpointListener(folder / "saved", every_iterations=every)
        net = cases.small_network()
        net.fit(X, LABELS, epochs=epochs, batch_size=3, listeners=[log, saving], validation_data=(X, LABELS), **options)
        return saving

    whole, cut = tmp_path / "whole", tmp_path / "cut"
    whole.mkdir()
    cut.mkdir()
    run(whole, 4)
    saved = run(cut, 2).checkpoints()
    for path in saved[len(saved) - n_lost :]:
        path.unlink()
    with open(cut / "log.csv", "a") as file:
        file.write("2,7,0.5")  # a row that was cut short
    run(cut, 4, resume_from=cut / "saved")
    assert rows(cut / "log.csv") == rows(whole / "log.csv")
