"""Threads that share arrays, for a while: right values, and no crash, with a GIL and without one.

ND4PY_STRESS_SECONDS says how long each test goes on.
"""

import gc
import os
import queue
import random
import threading
import time

import numpy as np
import pytest

import nd4py as nd
from nd4py import nn, parallel

pytestmark = pytest.mark.usefixtures("frequent_switches")  # with a GIL

SECONDS = float(os.environ.get("ND4PY_STRESS_SECONDS", "0.4"))
N_THREADS = 4
SIZE = 20_000  # elements of float64: operations on them are deferred


def run_together(*functions, seconds=SECONDS):
    """Call each function again and again, in a thread of its own with random numbers of its own, for a while."""
    failures, end = [], time.monotonic() + seconds
    start = threading.Barrier(len(functions))

    def repeat(function, seed):
        chance = random.Random(seed)
        start.wait()
        try:
            while not failures and time.monotonic() < end:
                function(chance)
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=repeat, args=(f, i)) for i, f in enumerate(functions)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def filled(value, size=SIZE):
    return nd.full(size, value, dtype="float64")


def check(x, value):
    """Every element is `value`, which is read in one of several ways."""
    kind = hash(value) % 4
    if kind == 0:
        assert x.min().item() == value == x.max().item()
    elif kind == 1:
        assert x[x.size // 2].item() == value
    elif kind == 2:
        assert np.asarray(x)[-1] == value
    else:
        assert (x == value).all()


def test_chains_grow_on_arrays_that_others_read_and_drop():
    box = [(filled(float(i)), float(i)) for i in range(6)]

    def step(chance):
        x, value = box[chance.randrange(6)]
        y, other = x * 0.5 + 1.0, value * 0.5 + 1.0
        action = chance.randrange(6)
        if action == 0:
            box[chance.randrange(6)] = (y, other)
        elif action == 1:
            check(y, other)
        elif action == 2:
            z, third = box[chance.randrange(6)]
            check(y * z, other * third)
        elif action == 3:
            assert y.sum().item() == pytest.approx(other * SIZE)
        elif action == 4:
            check(x, value)
        else:
            nd.flush()

    run_together(*[step] * N_THREADS)


def test_deferred_arrays_end_in_other_threads_while_their_chains_run():
    handed = queue.SimpleQueue()

    def make(chance):
        if handed.qsize() > 50:
            time.sleep(0.001)
            return
        x = filled(chance.random())
        outputs = [x + float(k) for k in range(4)]
        for output in outputs:
            handed.put(output)
        if chance.random() < 0.5:
            outputs[0].block()

    def drop(chance):
        try:
            x = handed.get(timeout=0.01)
        except queue.Empty:
            return
        if chance.random() < 0.2:
            assert x.min().item() == x.max().item()

    run_together(make, drop, drop, lambda chance: nd.flush())


def test_one_deferred_array_is_needed_by_all_threads_at_once():
    start, box = threading.Barrier(N_THREADS), [None]

    def step(chance):
        try:
            if start.wait(timeout=5) == 0:
                box[0] = filled(2.0) * 3.0 + 1.0
            start.wait(timeout=5)
            x = box[0]
            if chance.random() < 0.5:
                check(x + 1.0, 8.0)
            assert x.sum().item() == 7.0 * SIZE
        except threading.BrokenBarrierError:
            return
        finally:
            if time.monotonic() > end:
                start.abort()

    end = time.monotonic() + SECONDS * 0.8
    run_together(*[step] * N_THREADS)


def test_views_and_exports_of_one_array_are_counted_right():
    shared = nd.arange(float(SIZE))

    def step(chance):
        first = chance.randrange(SIZE - 100)
        view = shared[first : first + 100]
        assert view[3].item() == first + 3.0
        assert np.asarray(view.reshape(10, 10).T)[1, 0] == first + 1.0
        assert memoryview(shared)[first] == float(first)
        assert nd.from_dlpack(shared)[first].item() == float(first)

    run_together(*[step] * N_THREADS)
    gc.collect()
    assert shared.closeable


def test_threads_write_in_place_to_their_own_arrays_of_shared_operands():
    shared = [filled(float(k)) for k in range(3)]

    def step(chance):
        own = shared[0] + 1.0
        for _ in range(4):
            own += shared[1]
            own *= 2.0
        own[5] = -1.0
        total = (own - shared[2]).sum().item()
        value = ((((1.0 + 1) * 2 + 1) * 2 + 1) * 2 + 1) * 2
        assert total == (value - 2.0) * (SIZE - 1) - 3.0

    run_together(*[step] * N_THREADS)


def is_of_released(error):
    """Whether an array was closed, or its scope was left, before the method of it that was looked up was called."""
    return "closed" in str(error) or "ReleasedArray" in str(error)


def test_writing_and_closing_while_others_compute_gives_some_values_or_an_error():
    box = [filled(1.0)]

    def compute(chance):
        try:
            (box[0] * 2.0 + box[0]).sum().item()
            box[0][10].item()
        except (TypeError, ValueError) as error:
            assert is_of_released(error)

    def write(chance):
        try:
            x = box[0]
            x += 1.0
            x[3:7] = 2.0
        except (TypeError, ValueError) as error:
            assert is_of_released(error)

    def replace(chance):
        x = box[0]
        box[0] = filled(1.0)
        try:
            x.close()
        except ValueError as error:
            assert "cannot be closed" in str(error)

    run_together(compute, compute, write, write, replace)


@pytest.mark.parametrize("reuse", ["when_freed", "scope_end"])
def test_arrays_of_a_workspace_end_in_other_threads(reuse):
    handed = queue.SimpleQueue()
    settings = {"policy_reuse": "when_freed"} if reuse == "when_freed" else {}

    def scope(chance):
        with nd.workspace(f"shared {reuse}", nd.WorkspaceConfiguration(**settings)):
            x = filled(3.0, 1000)
            handed.put(x[10:20])
            handed.put(filled(4.0, 500))
            y = [x + float(k) for k in range(5)]
            assert y[4].sum().item() == 7000.0

    def drop(chance):
        try:
            x = handed.get(timeout=0.01)
            x.is_in_scope()
            (x + 1.0).tolist()
        except (queue.Empty, nd.WorkspaceError):
            return
        except TypeError as error:
            assert is_of_released(error)

    run_together(scope, scope, drop, drop)


def test_layouts_are_interned_by_all_threads():
    shared = nd.zeros(5040, dtype="int8")
    shapes = [(a, b, 5040 // a // b) for a in range(1, 13) for b in range(1, 21) if 5040 % (a * b) == 0]

    def step(chance):
        shape = chance.choice(shapes)
        x = shared.reshape(shape)
        assert x.shape == shape
        assert x.T.shape == shape[::-1]
        a, b = chance.randrange(1, 400), chance.randrange(1, 400)
        assert nd.empty((a, b), dtype="int8").T.shape == (b, a)

    run_together(*[step] * N_THREADS)


def test_one_graph_is_replayed_by_all_threads():
    weights = nd.asarray(np.linspace(-1, 1, 64).reshape(8, 8))
    graph = nd.capture(lambda x: nd.tanh(x @ weights) * 2.0)
    inputs = [nd.asarray(np.random.default_rng(n).normal(size=(n, 8))) for n in (1, 2, 3, 5)]
    wanted = [np.asarray(graph(x)).copy() for x in inputs]

    def step(chance):
        k = chance.randrange(len(inputs))
        assert np.array_equal(np.asarray(graph(inputs[k])), wanted[k])

    run_together(*[step] * N_THREADS)


def test_each_thread_has_a_tape():
    shared = nd.asarray(np.linspace(0.1, 1, 50))
    gradient = nd.grad(lambda x, scale: (nd.sin(x) * x * scale).sum())
    wanted = np.asarray(gradient(shared, 1.0)).copy()

    def step(chance):
        scale = float(chance.randrange(1, 5))
        np.testing.assert_allclose(np.asarray(gradient(shared, scale)), wanted * scale, rtol=1e-12)

    run_together(*[step] * N_THREADS)


def test_callers_share_one_model():
    net = nn.MultiLayerNetwork(
        [nn.DenseLayer(7, "tanh"), nn.OutputLayer(3)], input_type=nn.InputType.feed_forward(5), seed=2
    )
    inputs = [np.random.default_rng(n).normal(size=(n, 5)).astype("float32") for n in (1, 2, 3)]
    wanted = [np.asarray(net.output(x)).copy() for x in inputs]
    with parallel.ParallelInference(net) as model:

        def step(chance):
            k = chance.randrange(3)
            np.testing.assert_allclose(np.asarray(model.output(inputs[k])), wanted[k], rtol=1e-5, atol=1e-6)

        run_together(*[step] * N_THREADS)


def test_numbers_drawn_from_one_generator_differ():
    drawn = queue.SimpleQueue()

    def step(chance):
        drawn.put(nd.random.uniform(size=4).tolist()[0])

    run_together(*[step] * N_THREADS, seconds=SECONDS / 2)
    numbers = [drawn.get() for _ in range(drawn.qsize())]
    assert len(set(numbers)) == len(numbers)
