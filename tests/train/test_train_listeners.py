"""Listeners: when they are called and what they write."""

import re
import time

import cases
import pytest

from nd4py import train


class Recorder(train.TrainingListener):
    def __init__(self):
        self.calls = []

    def iteration_done(self, model, iteration, epoch):
        self.calls.append((iteration, epoch, model.score_value))

    def on_epoch_start(self, model):
        self.calls.append(f"start {model.epoch_count}")

    def on_epoch_end(self, model):
        self.calls.append(f"end {model.epoch_count}")


def fitted(*listeners, n_batches=6, epochs=1):
    net = cases.small_network()
    net.set_listeners(*listeners)
    net.fit([cases.small_batch(seed=i) for i in range(n_batches)], epochs=epochs)
    return net


def test_order_of_calls():
    recorder = Recorder()
    net = fitted(recorder, n_batches=2, epochs=2)
    assert [call if isinstance(call, str) else call[:2] for call in recorder.calls] == [
        *("start 0", (1, 0), (2, 0), "end 1"),
        *("start 1", (3, 1), (4, 1), "end 2"),
    ]
    assert recorder.calls[-2][2] == net.score_value


def test_listeners_are_set_and_added():
    first, second = Recorder(), Recorder()
    net = fitted(first)
    net.add_listeners(second)
    net.fit_batch(*cases.small_batch())
    assert (first.calls[-1][0], second.calls[-1][0]) == (7, 7)
    net.set_listeners()
    net.fit_batch(*cases.small_batch())
    assert second.calls[-1][0] == 7


def test_listener_may_use_the_network():
    class Outputs(train.TrainingListener):
        def iteration_done(self, model, iteration, epoch):
            self.shape = model.output(cases.small_batch()[0]).shape

    listener = Outputs()
    fitted(listener)
    assert listener.shape == (8, 3)


def test_listeners_error_reaches_the_caller():
    class Failing(train.TrainingListener):
        def iteration_done(self, model, iteration, epoch):
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        fitted(Failing())


@pytest.mark.parametrize("wrong", [3, train.ScoreIterationListener, lambda model: None])
def test_what_cannot_be_told_anything_is_no_listener(wrong):
    with pytest.raises(TypeError, match=r"fit: listeners\[1\] must have one of the methods of a train"):
        cases.small_network().fit([cases.small_batch()], listeners=[train.ScoreIterationListener(), wrong])


def test_score_listener_prints(capsys):
    net = fitted(train.ScoreIterationListener(2))
    lines = capsys.readouterr().out.splitlines()
    assert [line.rsplit(" ", 1)[0] for line in lines] == [f"Score at iteration {i} is" for i in (2, 4, 6)]
    assert float(lines[-1].split()[-1]) == pytest.approx(net.score_value, rel=1e-5)


def test_collected_scores():
    every, third = train.CollectScoresListener(), train.CollectScoresListener(3)
    fitted(every, third)
    assert [iteration for iteration, _ in every.scores] == [1, 2, 3, 4, 5, 6]
    assert third.scores == [every.scores[2], every.scores[5]]


def test_performance_line():
    lines = []
    listener = train.PerformanceListener(3, report_score=True, write=lines.append)
    net = fitted(listener, n_batches=7)
    assert len(lines) == 2
    number = r"(\d+\.\d+)"
    found = re.fullmatch(
        rf"iteration 6; iteration time: {number} ms; ETL: {number} ms; samples/s: {number}; batches/s: {number}; "
        rf"memory: {number} MiB \(peak {number} MiB\); score: {number}",
        lines[1],
    )
    milliseconds, etl, samples, batches, *_ = map(float, found.groups())
    assert samples == pytest.approx(8 * batches, rel=0.01)
    assert batches == pytest.approx(1000 / milliseconds, rel=0.01)
    assert 0 <= etl <= milliseconds
    assert listener.samples_per_second == pytest.approx(samples, abs=0.001)
    assert net.last_batch_size == 8


def test_time_spent_waiting_for_data_is_noted():
    def slow():
        for i in range(3):
            time.sleep(0.02)
            yield cases.small_batch(seed=i)

    net = cases.small_network()
    waits = []

    class Waits(train.TrainingListener):
        def iteration_done(self, model, iteration, epoch):
            waits.append(model.last_etl_ms)

    net.set_listeners(Waits())
    net.fit(slow())
    assert len(waits) == 3
    assert all(wait >= 19 for wait in waits)


@pytest.mark.parametrize(
    "listener, field",
    [
        (train.ScoreIterationListener, "print_iterations"),
        (train.CollectScoresListener, "frequency"),
        (train.PerformanceListener, "frequency"),
    ],
)
def test_frequency_must_be_positive(listener, field):
    with pytest.raises(ValueError, match=f"{listener.__name__}: {field} must be a whole number of at least 1, given 0"):
        listener(0)
