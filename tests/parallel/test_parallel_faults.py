"""ParallelWrapper when something fails: the exception arrives within a second and every thread is let go."""

import gc
import os
import subprocess
import sys
import threading
import time

import pytest

import nd4py as nd
from nd4py.data import DataSet
from nd4py.parallel import ParallelWrapper


class Model:
    """Trains nothing; the replica number `fails` raises `error` in its batch number `at`, the others take `seconds`."""

    def __init__(self, fails=None, at=0, error=None, seconds=0.0):
        self.behaviour = fails, at, error, seconds
        self.number, self.family, self.calls = 0, [self], 0
        self.listeners = []
        self.iteration_count = self.epoch_count = 0
        self.score_value = self.last_etl_ms = 0.0
        self.threads = set()
        self.is_training = False

    def clone(self, *, replica):
        other = Model(*self.behaviour)
        other.number, other.family = replica, self.family
        self.family.append(other)
        return other

    def params(self):
        return nd.zeros(3)

    def set_params(self, values):
        pass

    def updater_state(self):
        return None

    def fit_batch(self, features, labels):
        assert not self.is_training, "two threads train one replica"
        self.is_training = True
        try:
            self.threads.add(threading.current_thread().name)
            fails, at, error, seconds = self.behaviour
            self.calls += 1
            if self.number == fails and self.calls == at:
                raise error
            time.sleep(seconds)
            self.iteration_count += 1
            return 1.0
        finally:
            self.is_training = False


def batches(n):
    return [DataSet(nd.zeros((2, 3)), nd.zeros((2, 1))) for _ in range(n)]


def our_threads():
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("nd4py")]


@pytest.fixture(autouse=True)
def _no_thread_stays():
    yield
    gc.collect()
    deadline = time.monotonic() + 5.0
    while our_threads() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert our_threads() == []


def test_threads_are_kept_between_fits_and_go_with_shutdown():
    model = Model()
    wrapper = ParallelWrapper(model, workers=3)
    assert our_threads() == []
    wrapper.fit(batches(7))
    assert sorted(our_threads()) == ["nd4py worker 0", "nd4py worker 1", "nd4py worker 2"]
    alive = {thread.ident for thread in threading.enumerate()}
    wrapper.fit(batches(6))
    assert {thread.ident for thread in threading.enumerate()} == alive
    assert [replica.threads for replica in model.family] == [{f"nd4py worker {i}"} for i in range(3)]
    wrapper.shutdown()
    assert our_threads() == []
    wrapper.close()
    wrapper.fit(batches(2))
    wrapper.shutdown()
    assert model.iteration_count == 3 + 2 + 1


def test_a_wrapper_that_is_dropped_lets_its_threads_go():
    ParallelWrapper(Model(), workers=2).fit(batches(4))
    gc.collect()
    assert our_threads() == []


@pytest.mark.parametrize("error", [ValueError("bad batch"), MemoryError(), SystemExit(1)], ids=repr)
@pytest.mark.parametrize("fails", [0, 1, 2])
def test_what_a_worker_raises_is_raised_by_fit(fails, error):
    with pytest.raises(type(error)) as caught:
        ParallelWrapper(Model(fails, at=2, error=error), workers=3).fit(batches(300))
    assert caught.value is error
    assert any("fit_batch" in str(entry) for entry in caught.traceback)
    assert our_threads() == []


def test_it_does_not_wait_for_the_others_to_end_their_batches():
    start = time.monotonic()
    with pytest.raises(OSError, match="disk"):
        ParallelWrapper(Model(fails=1, at=1, error=OSError("disk"), seconds=2.0), workers=3).fit(batches(300))
    assert time.monotonic() - start < 1.0


def test_after_a_failure_the_wrapper_can_fit_again():
    model = Model(fails=1, at=1, error=OSError("flaky"), seconds=0.8)
    wrapper = ParallelWrapper(model, workers=2)
    with pytest.raises(OSError, match="flaky"):
        wrapper.fit(batches(4))
    model.behaviour = None, 0, None, 0.0
    wrapper.fit(batches(4))  # waits for the batch that was cut off; Model.fit_batch would notice
    wrapper.shutdown()
    assert model.iteration_count == 1 + 2


@pytest.mark.parametrize("prefetch_buffer", [0, 24])
def test_what_the_iterator_raises_is_raised_by_fit(prefetch_buffer):
    def failing():
        yield from batches(6)
        raise LookupError("shelf 7 is empty")

    model = Model()
    with pytest.raises(LookupError, match="shelf 7"):
        ParallelWrapper(model, prefetch_buffer=prefetch_buffer).fit(failing())
    assert our_threads() == []
    assert model.iteration_count == 3


def test_what_a_listener_raises_is_raised_by_fit():
    class Listener:
        def iteration_done(self, model, iteration, epoch):
            raise RuntimeError(f"enough at {iteration}")

    model = Model()
    model.listeners = [Listener()]
    with pytest.raises(RuntimeError, match="enough at 1"):
        ParallelWrapper(model).fit(batches(100))
    assert our_threads() == []
    assert len(model.listeners) == 1


def test_a_replica_that_cannot_be_made():
    model = Model()
    model.clone = lambda replica: 1 // 0
    with pytest.raises(ZeroDivisionError):
        ParallelWrapper(model).fit(batches(4))
    assert our_threads() == []


def test_one_fit_at_a_time():
    wrapper = ParallelWrapper(Model(seconds=0.3))
    first = threading.Thread(target=wrapper.fit, args=(batches(2),))
    first.start()
    time.sleep(0.1)
    with pytest.raises(RuntimeError, match="running in another thread"):
        wrapper.fit(batches(2))
    first.join()
    wrapper.shutdown()


def test_shutdown_while_training_is_an_error_of_that_training():
    wrapper = ParallelWrapper(Model(seconds=0.05))
    caught = []

    def train():
        try:
            wrapper.fit(batches(1000))
        except RuntimeError as error:
            caught.append(str(error))

    training = threading.Thread(target=train)
    training.start()
    while not wrapper.model.calls:
        time.sleep(0.01)
    wrapper.shutdown()
    training.join(5.0)
    assert len(caught) == 1
    assert "shut down while training" in caught[0]


PROGRAM = """
import time, threading
from test_parallel_faults import Model, ParallelWrapper, batches
wrapper = ParallelWrapper(Model(seconds={seconds}))
{action}
"""


@pytest.mark.parametrize(
    "seconds, action",
    [
        (0.0, "wrapper.fit(batches(4))"),
        (0.05, "threading.Thread(target=wrapper.fit, args=(batches(10000),), daemon=True).start(); time.sleep(0.3)"),
        (60.0, "threading.Thread(target=wrapper.fit, args=(batches(10000),), daemon=True).start(); time.sleep(0.3)"),
    ],
    ids=["idle workers", "while training", "in a long batch"],
)
def test_the_interpreter_exits(seconds, action):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(seconds=seconds, action=action)],
        timeout=30,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == 0, done.stderr  # the thread that is cut off may say so, but nothing crashes or hangs
    assert "Fatal" not in done.stderr
