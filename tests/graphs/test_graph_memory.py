"""What a graph reads from outside, where its results lie, and who may replay it at a time."""

import gc
import os
import signal
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from graph_programs import assert_same

import nd4py as nd


def random(*shape, seed=0):
    return nd.asarray(np.random.default_rng(seed).standard_normal(shape).astype("float32"), copy=True)


def convolved():
    """A function whose graph keeps packed weights, its weights, and an input."""
    w = random(8, 3, 3, 3)
    return (lambda x: nd.conv2d(x, w)), w, random(2, 3, 9, 9, seed=1)


WRITES = {
    "fill": lambda w: w.__setitem__(..., 2.0),
    "element": lambda w: w.__setitem__((0, 0, 0, 0), 2.0),
    "in place": lambda w: w.__iadd__(1.0),
    "view": lambda w: w[1:].__imul__(2.0),
    "out": lambda w: nd.multiply(w, 3.0, out=w),
    "mask": lambda w: w.__setitem__(w > 0, 0.5),
    "numpy": lambda w: np.asarray(w).__setitem__(0, 5.0),
    "numpy and gone": lambda w: (np.asarray(w).__setitem__(1, 7.0), gc.collect()),
    "buffer": lambda w: memoryview(w).cast("B").cast("f").__setitem__(3, 9.0),
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_later_writes_to_an_array_from_outside_are_seen(write):
    function, w, x = convolved()
    graph = nd.capture(function, x)
    before = graph(x).tobytes()
    write(w)
    assert_same(graph(x), function(x))
    assert graph(x).tobytes() != before
    write(w)
    assert_same(graph(x), function(x))


def test_writes_through_an_export_that_stays_are_seen():
    function, w, x = convolved()
    view = np.asarray(w)
    graph = nd.capture(function, x)
    for value in (1.0, 2.0, 3.0):
        view[0] = value
        assert_same(graph(x), function(x))


def test_foreign_memory_is_read_at_each_call():
    theirs = np.ones(5)
    graph = nd.capture(lambda x: x * nd.asarray(theirs))
    assert graph(nd.ones(5)).tolist() == [1.0] * 5
    theirs[...] = 3.0
    assert graph(nd.ones(5)).tolist() == [3.0] * 5


def test_an_array_from_outside_that_a_deferred_operation_moves():
    w = nd.ones(200_000)
    graph = nd.capture(lambda x: x * w, nd.ones(200_000))
    for k in range(3):
        w += 1  # deferred where nobody else sees the array
        assert graph(nd.ones(200_000)).tolist()[:2] == [k + 2.0] * 2


def test_a_graph_keeps_what_it_reads():
    def capture():
        w = random(4)
        return nd.capture(lambda x: x + w, nd.zeros(4)), weakref.ref(w), w.tolist()

    graph, kept, expected = capture()
    gc.collect()
    assert kept() is not None
    assert graph(nd.zeros(4)).tolist() == expected
    del graph
    gc.collect()
    assert kept() is None


def test_a_closed_array_from_outside_is_an_error():
    w = random(4)
    graph = nd.capture(lambda x: x + w, nd.zeros(4))
    w.close()
    with pytest.raises(ValueError, match="closed"):
        graph(nd.zeros(4))


def test_an_array_of_a_scope_that_was_left_is_an_error():
    with nd.workspace("scope"):
        w = random(4)
        graph = nd.capture(lambda x: x + w, nd.zeros(4))
        assert graph(nd.zeros(4)).workspace.id == "scope"
    with pytest.raises(nd.WorkspaceError, match="scope"):
        graph(nd.zeros(4))


def test_results_lie_in_the_open_workspace():
    graph = nd.capture(lambda x: (x + 1, x[1:] * 2), nd.zeros(4))
    with nd.workspace("results"):
        assert all(y.workspace.id == "results" for y in graph(nd.ones(4)))
    assert not graph(nd.ones(4))[0].is_attached()


def test_a_workspace_opened_by_the_function():
    def function(x):
        with nd.workspace("inside"):
            return ((x + 1) * 2).detach()

    graph = nd.capture(function)
    assert graph(nd.ones(3)).tolist() == [4.0] * 3
    assert graph(nd.zeros(3)).tolist() == [2.0] * 3


def test_memory_is_given_back():
    def bytes_after(n):
        for _ in range(n):
            graph = nd.capture(lambda x: nd.tanh(x @ x) + x, random(64, 64))
            graph(random(64, 64))
            del graph
        gc.collect()
        return nd.memory.stats().live_bytes

    bytes_after(2)
    assert bytes_after(5) == bytes_after(1)


def test_memory_between_launches_is_used_again():
    def function(x):
        for _ in range(50):
            x = x @ x * 0.1
        return x

    graph = nd.capture(function, random(100, 100))
    assert graph.n_launches == 100
    blocks = graph.workplace_bytes - 3 * 100 * 100 * 4
    assert blocks < 100 * 24_000  # of the launches; the arrays in between take three matrices, not a hundred


def test_launches_whose_results_nobody_needs_are_left_out():
    graph = nd.capture(lambda x: (nd.exp(x) * 2, x + 1)[1], nd.ones(3))
    assert graph.n_launches == 1


def test_without_memory_a_call_says_so():
    x = random(64, 64)
    graph = nd.capture(lambda x: (x @ x) @ x, x)
    expected = graph(x)
    nd.memory.set_limits(maxbytes=nd.memory.stats().live_bytes + 1000)
    try:
        with pytest.raises(MemoryError):
            [graph(x) for _ in range(100)]
    finally:
        nd.memory.set_limits(maxbytes=0)
    assert_same(graph(x), expected)


@pytest.mark.parametrize("n_threads", [1, 2])
def test_threads_replay_one_graph(n_threads, frequent_switches):
    w = random(96, 96)
    function = lambda x: nd.softmax(nd.tanh(x @ w) @ w + x.sum(axis=0), axis=1)  # noqa: E731
    inputs = [random(96, 96, seed=seed) for seed in range(8)]
    expected = [function(x).tobytes() for x in inputs]
    graph = nd.capture(function)

    def work(i):
        with nd.threads(n_threads):
            return [graph(inputs[i]).tobytes() == expected[i] for _ in range(40)]

    with ThreadPoolExecutor(8) as pool:
        assert all(all(found) for found in pool.map(work, range(8)))


def test_threads_capture_at_a_time():
    def work(i):
        graph = nd.capture(lambda x: nd.exp(x * i) + 1, nd.ones(1000))
        return graph(nd.ones(1000)).tobytes() == (nd.exp(nd.ones(1000) * i) + 1).tobytes()

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(40)))


def test_other_threads_compute_as_ever_during_a_capture():
    inside, go_on, found = threading.Event(), threading.Event(), []

    def function(x):
        inside.set()
        go_on.wait(10)
        return x + 1

    def beside():
        inside.wait(10)
        with nd.workspace("beside"):
            y = nd.sort(nd.asarray([3.0, 1.0]))
            found.append((y.workspace.id, float(y[0]), np.asarray(y * 2).tolist()))
        go_on.set()

    thread = threading.Thread(target=beside)
    thread.start()
    nd.capture(function, nd.ones(3))
    thread.join()
    assert found == [("beside", 1.0, [2.0, 6.0])]


def test_work_of_another_thread_is_refused():
    def function(x):
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(lambda: x * 2).result() + 1

    with pytest.raises(nd.CaptureError, match="computes in one thread"):
        nd.capture(function, nd.ones(3))


def test_the_gil_is_free_while_a_graph_runs():
    x = random(700, 700)
    graph = nd.capture(lambda x: ((x @ x) @ x) @ x, x)
    ticks, is_over = [], threading.Event()

    def tick():
        while not is_over.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.0005)

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.perf_counter()
    while time.perf_counter() - start < 0.3:
        graph(x)
    end = time.perf_counter()
    is_over.set()
    thread.join()
    assert sum(start < tick < end for tick in ticks) > 20


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_process_replays():
    x = random(200, 200)
    graph = nd.capture(lambda x: nd.tanh(x @ x), x)
    expected = graph(x).tobytes()
    child = os.fork()
    if child == 0:
        os._exit(0 if graph(x).tobytes() == expected else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_an_interrupt_ends_a_replay():
    x = random(600, 600)

    def function(x):
        y = x
        for _ in range(2000):
            y = nd.tanh(y @ x)
        return y

    short = nd.capture(lambda x: nd.tanh(x @ x), random(600, 600))

    def handler(number, frame):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, handler)
    try:
        with nd.threads(1):
            start = time.perf_counter()
            signal.setitimer(signal.ITIMER_REAL, 0.3)
            with pytest.raises(KeyboardInterrupt):
                nd.capture(function, x)
            assert time.perf_counter() - start < 20
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert_same(short(x), nd.tanh(x @ x))


def test_summary_lists_launches():
    graph = nd.capture(lambda x: nd.softmax(x @ x), random(4, 4))
    lines = graph.summary().splitlines()
    assert lines[0].split() == ["launch", "bytes", "microseconds", "of"]
    assert lines[1].startswith("product")
    assert "nd4py.softmax" in lines[2]
    assert "test_graph_memory.py" in lines[2]
    assert lines[3].startswith("2 launches, ")
    assert "nothing is captured" in nd.capture(lambda x: x).summary()
