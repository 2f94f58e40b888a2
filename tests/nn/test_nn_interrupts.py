"""A step of training that is interrupted is done or not done: parameters, updater state, counters and score agree."""

import ctypes
import gc
import random
import signal
import threading
import time

import numpy as np
import pytest

import nd4py as nd
from nd4py import nn
from nd4py.data import DataSet, NormalizerStandardize
from nd4py.nn.registries import UPDATERS
from nd4py.nn.updaters import Sgd
from nd4py.parallel import ParallelWrapper, average_and_propagate

N_INTERRUPTS = 1500
FEATURES = np.linspace(-1, 1, 8 * 5).reshape(8, 5).astype("float32")
LABELS = np.eye(3, dtype="float32")[np.arange(8) % 3]


class Interrupted(BaseException):
    """Sent to a thread in the midst of what it does."""


class Counting:
    """A listener that takes as long as a step, so that some interrupts come after it."""

    def iteration_done(self, model, iteration, epoch):
        sum(i for i in range(8000))


class OwnUpdate(nn.Updater):
    """Momentum by arithmetic in place, as a user may write it."""

    state = ("v",)

    def settings(self, iteration, epoch):
        return {}

    def update(self, gradient, state, iteration, epoch):
        state *= 0.5
        state += gradient
        return 0.1 * state


def network(updater=None, **settings):
    updater = nn.Adam(0.01) if updater is None else updater
    layers = [nn.DenseLayer(6, activation="tanh"), nn.OutputLayer(3, activation="softmax")]
    settings = {"l2": 0.01, "weight_decay": 0.01} | settings
    return nn.MultiLayerNetwork(layers, input_type=nn.InputType.feed_forward(5), updater=updater, **settings)


def state_of(net):
    """What a step changes, as bytes, and as a user sees it through views that were taken before."""
    state = net.updater_state()
    return (
        np.asarray(net.params()).tobytes(),
        None if state is None else np.asarray(state).tobytes(),
        (net.iteration_count, net.epoch_count, repr(net.score_value), net.last_batch_size),
    )


def successor(net):
    """The state of the network after one step more."""
    twin = net.clone()
    twin.fit_batch(FEATURES, LABELS)
    return state_of(twin)


def check_interrupts(net, interrupt_at, n=N_INTERRUPTS):
    """Interrupt steps at random moments; each leaves the state before or after it, and both are seen."""
    held = net.param_table()["0_W"], net.params()
    steps, rng = [], random.Random(7)
    net.set_listeners(Counting())
    for _ in range(60):
        start = time.perf_counter()
        net.fit_batch(FEATURES, LABELS)
        steps.append(time.perf_counter() - start)
    typical = sorted(steps)[len(steps) // 2]
    outcomes = {"before": 0, "after": 0, "finished": 0}
    for _ in range(n):
        before, after = state_of(net), successor(net)
        try:
            interrupt_at(rng.uniform(0.05, 1.5) * typical, net)
        except Interrupted:
            found = state_of(net)
            assert found in (before, after)
            assert np.asarray(held[1]).tobytes() == found[0]
            assert np.asarray(held[0]).tobytes() == np.asarray(net.param_table()["0_W"]).tobytes()
            outcomes["after" if found == after else "before"] += 1
        else:
            assert state_of(net) == after
            outcomes["finished"] += 1
        assert nd.workspace_manager.current_workspace() is None
    return outcomes


def by_signal(delay, net):
    """A handler of a signal that raises, as Ctrl-C's does."""

    def handle(number, frame):
        raise Interrupted

    before = signal.signal(signal.SIGALRM, handle)
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, max(delay, 1e-6))
            net.fit_batch(FEATURES, LABELS)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.signal(signal.SIGALRM, before)


def by_thread(delay, net):
    """An exception that another thread sends."""
    raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
    caller, is_over, is_sent = ctypes.c_ulong(threading.get_ident()), threading.Lock(), threading.Event()
    done, is_started = [], []

    def send():
        while not is_started:  # the exception is for the step, not for what starts a thread
            time.sleep(0)
        end = time.perf_counter() + delay
        while time.perf_counter() < end:
            time.sleep(0)
        with is_over:
            if not done:
                raise_in(caller, ctypes.py_object(Interrupted))
        is_sent.set()

    sender = threading.Thread(target=send)
    sender.start()
    try:
        is_started.append(True)
        net.fit_batch(FEATURES, LABELS)
        with is_over:
            done.append(True)
    finally:
        while True:
            try:
                sender.join()
                break
            except Interrupted:
                continue


@pytest.mark.usefixtures("frequent_switches")
@pytest.mark.parametrize("interrupt", [by_signal, by_thread])
def test_an_interrupted_step_is_done_or_not_done(interrupt):
    outcomes = check_interrupts(network(), interrupt)
    assert outcomes["before"] > 0
    assert outcomes["after"] > 0


@pytest.mark.parametrize(
    "updater", [*(kind() for kind in UPDATERS.values()), OwnUpdate()], ids=[*UPDATERS, "OwnUpdate"]
)
@pytest.mark.parametrize("workspace_mode", ["enabled", "none"])
def test_interrupted_steps_of_every_updater(updater, workspace_mode):
    check_interrupts(network(updater, workspace_mode=workspace_mode), by_signal, 60)


def test_steps_agree_with_updates_in_place():
    for updater in [kind() for kind in UPDATERS.values()] + [OwnUpdate()]:
        state, gradient = updater.init(nd.zeros(7)), nd.linspace(-1, 1, 7)
        params = (nd.ones(7),) if updater.takes_params else ()
        for iteration in range(3):
            kept = None if state is None else state.copy()
            delta, advanced = updater.advance(gradient.copy(), state, iteration, 0, *params)
            assert (state is None and kept is None) or nd.all(state == kept)
            assert nd.all(updater.update(gradient.copy(), state, iteration, 0, *params) == delta)
            assert (state is None and advanced is None) or nd.all(state == advanced)


class Failing(Sgd):
    """An updater that fails on the way."""

    state = ("v",)

    def update(self, gradient, state, iteration, epoch):
        state += 1
        raise MemoryError("no more")


def test_a_step_that_fails_changes_nothing():
    net = network(Failing(0.1))
    before = state_of(net)
    with pytest.raises(MemoryError, match="no more"):
        net.fit_batch(FEATURES, LABELS)
    assert state_of(net) == before


def test_deferred_readers_of_parameters_see_them_as_they_were():
    net = network()
    before = np.array(net.params())
    twice = net.params() * 2
    net.fit_batch(FEATURES, LABELS)
    assert (np.asarray(twice) == before * 2).all()


def test_a_model_takes_over_both_vectors_or_none():
    net = network()
    before = state_of(net)
    with pytest.raises(ValueError, match="set_updater_state: a vector of shape"):
        net.adopt(nd.zeros(net.num_params()), nd.zeros(3))
    assert state_of(net) == before
    net.adopt(nd.zeros(net.num_params()), nd.ones(2 * net.num_params()), iteration_count=9)
    assert net.iteration_count == 9
    assert not np.asarray(net.params()).any()


def interrupted_by_signal(call, delay):
    def handle(number, frame):
        raise Interrupted

    before = signal.signal(signal.SIGALRM, handle)
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, delay)
            call()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except Interrupted:
        pass
    except RuntimeError as error:  # what a Condition of Python makes of it where it takes its lock again
        assert isinstance(error.__context__, Interrupted)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_interrupted_averaging_leaves_each_model_whole():
    models, rng = [network(seed=i) for i in range(3)], random.Random(3)
    for model in models:
        model.fit_batch(FEATURES, LABELS)
    start = [(np.array(model.params()), np.array(model.updater_state())) for model in models]
    averaged = [sum(vectors) / np.float32(3) for vectors in zip(*start, strict=True)]
    seen = set()
    for _ in range(300):
        for model, (params, state) in zip(models, start, strict=True):
            model.adopt(params, state)
        interrupted_by_signal(lambda: average_and_propagate(models, models, updaters=True), rng.uniform(1e-6, 4e-4))
        for model, (params, state) in zip(models, start, strict=True):
            found = np.asarray(model.params()), np.asarray(model.updater_state())
            is_before = [(vector == kept).all() for vector, kept in zip(found, (params, state), strict=True)]
            is_after = [np.allclose(vector, mean, atol=1e-6) for vector, mean in zip(found, averaged, strict=True)]
            assert all(is_before) or all(is_after)
            seen.add(all(is_before))
    assert seen == {True, False}


def test_an_interrupted_fit_of_workers_leaves_a_whole_model():
    data = [DataSet(FEATURES, LABELS) for _ in range(6)]
    rng = random.Random(5)
    for _ in range(10):
        net = network()
        wrapper = ParallelWrapper(net, workers=2, averaging_frequency=1, prefetch_buffer=0)
        interrupted_by_signal(lambda wrapper=wrapper: wrapper.fit(data, epochs=3), rng.uniform(1e-3, 2e-2))
        wrapper.fit(data)
        assert np.isfinite(np.asarray(net.params())).all()


# An interrupt in a weak reference's callback or in __del__ is printed by Python, and the call goes on.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("prefetch_buffer", [0, 4])
def test_no_interrupt_leaves_a_thread_behind(prefetch_buffer):
    net, data, rng = network(), [DataSet(FEATURES, LABELS)] * 2, random.Random(11)
    for _ in range(150):
        wrapper = ParallelWrapper(net, workers=2, prefetch_buffer=prefetch_buffer)
        interrupted_by_signal(lambda wrapper=wrapper: wrapper.fit(data), rng.uniform(1e-6, 6e-3))
        del wrapper
    gc.collect()
    deadline = time.monotonic() + 5.0
    while our_threads() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert our_threads() == []


def our_threads():
    """Those that run: where `start` itself is interrupted, `enumerate` keeps one that never began."""
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("nd4py") and thread.is_alive()]


def test_an_interrupted_fit_of_a_normalizer_keeps_one_fit():
    old, new = (DataSet(FEATURES * k, LABELS * k) for k in (1, 3))
    rng, seen = random.Random(2), set()
    for _ in range(200):
        normalizer = NormalizerStandardize().fit_label().fit(old)
        interrupted_by_signal(lambda normalizer=normalizer: normalizer.fit(new), rng.uniform(1e-6, 1e-3))
        ratios = [float(normalizer.std[0] / FEATURES.std(0)[0]), float(normalizer.label_std[0] / LABELS.std(0)[0])]
        assert ratios == pytest.approx([ratios[0]] * 2, rel=1e-3)
        seen.add(round(ratios[0]))
    assert seen == {1, 3}
