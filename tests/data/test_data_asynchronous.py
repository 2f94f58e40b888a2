"""Reading ahead: order, exceptions, and no thread or waiter left behind in any order of events."""

import gc
import itertools
import os
import random
import subprocess
import sys
import threading
import time
import traceback

import numpy as np
import pytest

import nd4py as nd
from nd4py.data import ArrayDataSetIterator, AsyncDataSetIterator, AsyncShieldDataSetIterator
from nd4py.data.channel import Channel, StoppedError

LIMIT_SECONDS = 5.0


def producers():
    return [thread for thread in threading.enumerate() if thread.name == "nd4py prefetch"]


@pytest.fixture(autouse=True)
def _no_thread_stays():
    yield
    deadline = time.monotonic() + LIMIT_SECONDS
    while producers() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert producers() == []


class Source:
    """Counts from 0; fails with `error` instead of item `fails_at`; takes `delay` seconds per item."""

    def __init__(self, n, fails_at=None, error=None, delay=0.0):
        self.n, self.fails_at, self.error, self.delay = n, fails_at, error, delay
        self.n_made = 0

    def __iter__(self):
        for item in range(self.n):
            time.sleep(self.delay)
            if item == self.fails_at:
                raise self.error
            self.n_made += 1
            yield item


def in_thread(function):
    """Run `function` in a thread; returns a call that gives its result or its exception, within the limit."""
    outcome = []

    def run():
        try:
            outcome.append(function())
        except BaseException as error:
            outcome.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()

    def result():
        thread.join(LIMIT_SECONDS)
        assert not thread.is_alive(), "hangs"
        return outcome[0]

    return result


@pytest.mark.parametrize("queue_size", [1, 2, 8, 1000])
def test_the_same_batches_in_the_same_order_each_time(queue_size):
    rows = nd.asarray(np.arange(30.0)[:, None])
    base = ArrayDataSetIterator(rows, rows, batch=4, seed=1)
    expected = ArrayDataSetIterator(rows, rows, batch=4, seed=1)
    ahead = AsyncDataSetIterator(base, queue_size)
    assert (len(ahead), ahead.batch_size, ahead.async_supported) == (8, 4, False)
    for _ in range(3):
        for found, wanted in zip(ahead, expected, strict=True):
            assert np.array_equal(np.asarray(found.features), np.asarray(wanted.features))


def test_reads_no_further_ahead_than_the_queue_holds():
    source = Source(100)
    one_pass = iter(AsyncDataSetIterator(source, queue_size=3))
    next(one_pass)
    time.sleep(0.2)
    assert source.n_made <= 1 + 3 + 1  # taken, waiting, in the producer's hand
    one_pass.close()


@pytest.mark.parametrize("error", [KeyError("item 7"), SystemExit(3), KeyboardInterrupt(), MemoryError()], ids=repr)
@pytest.mark.parametrize("queue_size", [1, 50])
def test_an_exception_at_item_7_arrives_after_six_items(error, queue_size):
    received = []

    def read():
        for item in AsyncDataSetIterator(Source(20, fails_at=6, error=error), queue_size):
            received.append(item)

    assert in_thread(read)() is error
    assert received == [0, 1, 2, 3, 4, 5]
    assert "__iter__" in [frame.name for frame in traceback.extract_tb(error.__traceback__)]


def test_after_an_exception_the_pass_is_over_and_a_new_one_can_start():
    ahead = AsyncDataSetIterator(Source(5, fails_at=2, error=OSError("disk")))
    one_pass = iter(ahead)
    assert [next(one_pass), next(one_pass)] == [0, 1]
    with pytest.raises(OSError, match="disk"):
        next(one_pass)
    assert list(one_pass) == []
    with pytest.raises(OSError, match="disk"):
        list(ahead)


def test_an_exception_when_the_base_starts():
    class Broken:
        def __iter__(self):
            raise LookupError("no such split")

    with pytest.raises(LookupError, match="no such split"):
        list(AsyncDataSetIterator(Broken()))


def test_leaving_the_loop_takes_the_thread_along():
    ahead = AsyncDataSetIterator(Source(1000), queue_size=2)
    for item in ahead:
        if item == 3:
            break
    assert producers() == []  # while the iterator itself lives on
    with pytest.raises(ZeroDivisionError):
        _ = [1 // item for item in ahead]
    gc.collect()
    assert producers() == []


def test_a_pass_that_is_not_read_is_collected():
    one_pass = iter(AsyncDataSetIterator(Source(1000), queue_size=2))
    next(one_pass)
    assert len(producers()) == 1
    del one_pass
    assert producers() == []


def test_nested_loops_have_passes_of_their_own():
    ahead = AsyncDataSetIterator(Source(4))
    assert list(itertools.product(ahead, ahead)) == list(itertools.product(range(4), range(4)))
    assert [(a, b) for a in ahead for b in ahead] == list(itertools.product(range(4), range(4)))


@pytest.mark.parametrize("end", ["reset", "close"])
def test_a_waiting_reader_is_released(end):
    ahead = AsyncDataSetIterator(Source(3, delay=0.3))
    outcome = in_thread(lambda: list(ahead))
    time.sleep(0.1)
    start = time.monotonic()
    getattr(ahead, end)()
    getattr(ahead, end)()
    assert isinstance(outcome(), RuntimeError)
    assert "start a new `for`" in str(outcome())
    assert time.monotonic() - start < 1.0


def test_reset_ends_the_pass_and_resets_the_base():
    source = Source(10)
    resets = []
    source.reset = lambda: resets.append(1)
    ahead = AsyncDataSetIterator(source, queue_size=2)
    one_pass = iter(ahead)
    next(one_pass)
    ahead.reset()
    with pytest.raises(RuntimeError, match="reset or closed"):
        next(one_pass)
    assert resets == [1]
    assert list(ahead) == list(range(10))


def test_closed_for_good():
    with AsyncDataSetIterator(Source(3)) as ahead:
        assert list(ahead) == [0, 1, 2]
    ahead.close()
    with pytest.raises(ValueError, match="closed"):
        next(iter(ahead))


@pytest.mark.parametrize("queue_size", [0, -1])
def test_queue_size_is_checked(queue_size):
    with pytest.raises(ValueError, match=f"at least 1, got {queue_size}"):
        AsyncDataSetIterator(Source(3), queue_size)


@pytest.mark.parametrize("wrap", [AsyncShieldDataSetIterator, AsyncDataSetIterator])
def test_who_must_not_be_read_ahead_is_refused(wrap):
    with pytest.raises(ValueError, match=f"{wrap.__name__} says async_supported=False"):
        AsyncDataSetIterator(wrap(Source(3)))


def test_waiting_is_measured():
    ahead = AsyncDataSetIterator(Source(3, delay=0.05))
    waited = [ahead.last_etl_ms for _ in ahead]
    assert all(20.0 < milliseconds < 1000.0 for milliseconds in waited)
    ready = AsyncDataSetIterator(Source(3))
    for _ in ready:
        time.sleep(0.05)
    assert ready.last_etl_ms < 20.0


def test_resets_from_many_threads_while_reading():
    ahead = AsyncDataSetIterator(Source(50), queue_size=2)
    stop = threading.Event()

    def read(seed):
        chance = random.Random(seed)
        while not stop.is_set():
            last = chance.randrange(50)
            try:
                for item in ahead:
                    if item == last:
                        break
            except RuntimeError as error:
                assert "reset or closed" in str(error)
        return "done"

    def reset():
        while not stop.is_set():
            ahead.reset()
        return "done"

    outcomes = [in_thread(lambda seed=seed: read(seed)) for seed in range(3)]
    outcomes += [in_thread(reset) for _ in range(2)]
    time.sleep(1.0)
    stop.set()
    assert [outcome() for outcome in outcomes] == ["done"] * 5
    ahead.close()


PROGRAMS = {
    "an open pass": "one_pass = iter(AsyncDataSetIterator(range(1000), 2)); next(one_pass)",
    "a producer in a slow read": "one_pass = iter(AsyncDataSetIterator(slow(), 2)); next(one_pass)",
    "an exception": "for item in AsyncDataSetIterator(range(1000), 2): raise SystemExit(0)",
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_the_interpreter_exits(program):
    preparation = "import time\nfrom nd4py.data import AsyncDataSetIterator\ndef slow():\n  yield 1\n  time.sleep(60)\n"
    done = subprocess.run(
        [sys.executable, "-c", preparation + program],
        timeout=30,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_channel_hands_over_in_order_then_the_error_once():
    channel = Channel(3)
    assert channel.put("a")
    assert channel.put("b")
    channel.finish(OSError("late"))
    assert (channel.take(), channel.take()) == ("a", "b")
    with pytest.raises(OSError, match="late"):
        channel.take()
    assert channel.take() is None


def test_stopping_a_channel_releases_both_sides():
    full, empty = Channel(1), Channel(1)
    full.put(1)
    putter, taker = in_thread(lambda: full.put(2)), in_thread(empty.take)
    time.sleep(0.05)
    full.stop()
    empty.stop()
    assert putter() is False
    assert isinstance(taker(), StoppedError)
