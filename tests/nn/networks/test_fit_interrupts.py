"""Ctrl-C in fit: training ends between two steps, and what belongs together agrees."""

import os
import random
import signal
import threading
import time

import numpy as np
import pytest

from nd4py import nn
from nd4py.data import AsyncDataSetIterator, DataSet, ListDataSetIterator
from nd4py.nn.fitting import keyboard

X = np.random.default_rng(3).standard_normal((96, 5)).astype("float32")
LABELS = np.eye(3, dtype="float32")[np.arange(96) % 3]


def network():
    layers = [nn.DenseLayer(6, activation="tanh", dropout=0.2), nn.OutputLayer(3)]
    return nn.MultiLayerNetwork(layers, input_type=nn.InputType.feed_forward(5), updater=nn.Adam(0.01), seed=4)


def state_of(net):
    return np.array(net.params()).tobytes(), np.array(net.updater_state()).tobytes(), net.epoch_count


class Watching:
    """What a listener counts of its own belongs to the step too."""

    def __init__(self):
        self.n_iterations = self.n_safe_points = self.run = 0

    def on_fit_start(self, model, run):
        self.run = run

    def iteration_done(self, model, iteration, epoch):
        sum(i for i in range(500))
        self.n_iterations += 1

    def on_safe_point(self, model, run):
        sum(i for i in range(500))
        self.n_safe_points += 1


class Interrupting:
    """Sends Ctrl-C's signal after a while, whatever the main thread is at."""

    def __init__(self, delay):
        self._delay, self._thread = delay, threading.Thread(target=self._send)

    def _send(self):
        end = time.perf_counter() + self._delay
        while time.perf_counter() < end:
            time.sleep(0)
        os.kill(os.getpid(), signal.SIGINT)

    def __enter__(self):
        self._thread.start()

    def __exit__(self, *exception):
        while True:
            try:
                self._thread.join()
                return
            except KeyboardInterrupt:  # it came after the end
                continue


SOURCES = {
    "arrays": lambda: ((X, LABELS), {"batch_size": 8}),
    "iterator": lambda: ((AsyncDataSetIterator(ListDataSetIterator(DataSet(X, LABELS).batch_by(8)), 2),), {}),
}


def states_of_whole_run(source):
    """The state after each iteration, of a run that nothing interrupts."""
    net, found = network(), {}

    class Keeping:
        def on_safe_point(self, model, run):
            found[model.iteration_count, run.n_epochs] = state_of(model)

    found[0, 0] = state_of(net)
    given, options = SOURCES[source]()
    net.fit(*given, epochs=3, listeners=[Keeping()], **options)
    return found


@pytest.mark.parametrize("source", SOURCES)
def test_ctrl_c_at_many_moments(source):
    states, rng, n_cut = states_of_whole_run(source), random.Random(source), 0
    assert len(states) == 1 + 36 + 3
    before = signal.getsignal(signal.SIGINT)
    seen = set()
    for _ in range(150):
        net, watching = network(), Watching()
        given, options = SOURCES[source]()
        try:
            with Interrupting(rng.uniform(0, 0.02)):
                net.fit(*given, epochs=3, listeners=[watching], **options)
        except KeyboardInterrupt:
            n_cut += 1
        finally:
            assert signal.getsignal(signal.SIGINT) is before
            assert net.listeners == []
        run = watching.run
        if not run:
            continue
        assert states[net.iteration_count, run.n_epochs] == state_of(net)
        assert watching.n_iterations == len(run.history.iterations) == net.iteration_count
        assert watching.n_safe_points == net.iteration_count + run.n_epochs
        assert run.n_epochs * 12 + run.n_batches == net.iteration_count
        assert run.history.epochs == list(range(1, net.epoch_count + 1))
        seen.add(net.iteration_count)
    assert n_cut > 20
    assert len(seen) > 5


class Slow:
    """A listener that takes longer than Ctrl-C waits."""

    def iteration_done(self, model, iteration, epoch):
        time.sleep(30)


def test_a_long_step_is_cut_short():
    net = network()
    start = time.perf_counter()
    with pytest.raises(KeyboardInterrupt), Interrupting(0.05):
        net.fit(X, LABELS, listeners=[Slow()])
    assert time.perf_counter() - start < 5
    assert net.iteration_count == 1


def test_a_second_ctrl_c_does_not_wait(monkeypatch):
    monkeypatch.setattr(keyboard, "PATIENCE_SECONDS", 60)
    net = network()
    start = time.perf_counter()
    with pytest.raises(KeyboardInterrupt), Interrupting(0.05), Interrupting(0.5):
        net.fit(X, LABELS, listeners=[Slow()])
    assert time.perf_counter() - start < 5


def test_handlers_of_others_stay():
    def handle(number, frame):
        raise ZeroDivisionError

    before = signal.signal(signal.SIGINT, handle)
    try:
        with pytest.raises(ZeroDivisionError), Interrupting(0.05):
            network().fit(X, LABELS, listeners=[Slow()])
        assert signal.getsignal(signal.SIGINT) is handle
    finally:
        signal.signal(signal.SIGINT, before)


def test_training_in_another_thread_leaves_signals_alone():
    net, seen = network(), []

    class Looking:
        def iteration_done(self, model, iteration, epoch):
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=net.fit, args=(X, LABELS), kwargs={"listeners": [Looking()]})
    thread.start()
    thread.join()
    assert seen == [signal.getsignal(signal.SIGINT)] * 3
