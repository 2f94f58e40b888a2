"""Kernels that run in one thread while another takes their memory away: right values or an error."""

import contextlib
import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import nd4py as nd
from nd4py import nn
from nd4py._mem.workspace.held_memory import count_running

SIDE = 1024
SIZE = SIDE * SIDE  # elements of float64 that take milliseconds
BYTES = 8 * SIZE

VALUES = np.random.default_rng(3).uniform(0.5, 2.0, SIZE)

# How a workspace has memory, and the scopes until a block of it is used again.
WORKSPACES = {
    "plain": ({}, 1),
    "sized": ({"initial_size": 3 * BYTES}, 1),
    "circular": ({"policy_reset": "endofbuffer_reached", "overallocation_limit": 1, "initial_size": 3 * BYTES}, 2),
    "when_freed": ({"policy_reuse": "when_freed"}, 1),
    "virtual": ({"policy_location": "virtual", "policy_learning": "none", "initial_size": 8 * BYTES}, 1),
    "reused": ({"policy_location": "virtual", "policy_learning": "none", "policy_reuse": "when_freed"}, 1),
    "mapped": ({"policy_location": "mmap", "policy_learning": "none", "initial_size": 3 * BYTES}, 1),
    "spilled": ({"policy_learning": "none"}, 1),
}

SQUARE = (SIDE, SIDE)
IMAGES = (4, 16, 128, 128)
POSITIONS = nd.asarray(np.random.default_rng(4).integers(0, SIZE, SIZE))
WEIGHTS = nd.asarray(np.random.default_rng(5).normal(size=(8, 16, 3, 3)))
POINTS = nd.asarray(np.random.default_rng(5).normal(size=(64, 64, 1, 1)))


def in_place(x):
    x += 1
    return x


def written_over(x):
    return nd.exp(x, out=x)


# Each takes an array of SIZE elements of float64.
OPERATIONS = {
    "sum": lambda x: x.sum(),
    "sum of rows": lambda x: x.reshape(SQUARE).sum(axis=0),
    "sum of a chain": lambda x: (nd.exp(x) * x + 1).sum(),
    "argmax": lambda x: nd.argmax(nd.permute_dims(x.reshape(SQUARE), (1, 0)), axis=0),
    "exp": nd.exp,
    "exp of a reversed view": lambda x: nd.exp(x[::-1]),
    "out": written_over,
    "in place": in_place,
    "chain": lambda x: nd.tanh(nd.exp(x) * 2 + x),
    "astype": lambda x: nd.sin(x.astype(nd.float32)),
    "transposed copy": lambda x: nd.permute_dims(x.reshape(SQUARE), (1, 0)).copy(),
    "matmul": lambda x: x.reshape(SQUARE) @ x.reshape(SQUARE),
    "transposed matmul": lambda x: x.reshape(SQUARE).T @ x.reshape(SQUARE),
    "matrix and vector": lambda x: x.reshape((512, 2048)) @ x[:2048],
    "dot": lambda x: x @ x,
    "complex matmul": lambda x: x.reshape((2, 512, 1024))[0].astype(nd.complex128) @ x.reshape((1024, 1024)),
    "sort": nd.sort,
    "argsort": nd.argsort,
    "sort of lines": lambda x: nd.sort(x.reshape((SIDE * 16, SIDE // 16))),
    "unique": nd.unique_values,
    "unique counts": lambda x: nd.unique_counts(x).counts,
    "searchsorted": lambda x: nd.searchsorted(nd.asarray(np.sort(VALUES[:1000])), x),
    "cumulative sum": nd.cumulative_sum,
    "cumulative sum of lines": lambda x: nd.cumulative_sum(x.reshape(SQUARE), axis=0),
    "take": lambda x: nd.take(x, POSITIONS),
    "index": lambda x: x[POSITIONS],
    "put": lambda x: x.__setitem__(POSITIONS, 3.0) or x,
    "mask": lambda x: x[x > 1],
    "write by mask": lambda x: x.__setitem__(x > 1, 3.0) or x,
    "where": lambda x: nd.where(x > 1, x, -x),
    "softmax": lambda x: nd.softmax(x.reshape(SQUARE)),
    "softmax of columns": lambda x: nd.softmax(x.reshape(SQUARE), axis=0),
    "layer norm": lambda x: nd.layer_norm(x.reshape(SQUARE)),
    "conv2d": lambda x: nd.conv2d(x.reshape(IMAGES), WEIGHTS),
    "conv2d in single precision": lambda x: nd.conv2d(x.astype(nd.float32).reshape(IMAGES), WEIGHTS.astype(nd.float32)),
    "conv2d of points": lambda x: nd.conv2d(x.reshape((4, 64, 64, 64)), POINTS),
    "max_pool2d": lambda x: nd.max_pool2d(x.reshape(IMAGES), 3, stride=1),
    "repeat": lambda x: nd.repeat(x, 2),
    "histogram": lambda x: nd.histogram(x, 50)[0],
    "correlate": lambda x: nd.correlate(x[:200_000], x[:50]),
    "solve": lambda x: nd.linalg.solve(x.reshape(SQUARE)[:400, :400].copy(), x[:400]),
    "svd": lambda x: nd.linalg.svdvals(x.reshape(SQUARE)[:200, :200].copy()),
    "eigh": lambda x: nd.linalg.eigvalsh(x.reshape(SQUARE)[:200, :200].copy()),
    "concat": lambda x: nd.concat([x, x]),
    "median": nd.median,
}


def wait_for_kernel(thread):
    """Until a kernel runs without the GIL, or the thread is over."""
    until = time.monotonic() + 20
    while not count_running() and thread.is_alive() and time.monotonic() < until:
        time.sleep(0)


def computed_beside(operation, x):
    """(the thread that computes, where it puts [the value], or [the error])."""
    found = []

    def compute():
        try:
            found.append(np.array(operation(x)))
        except nd.WorkspaceError as error:
            found.append(error)
        except TypeError as error:  # between two kernels of one call
            assert "ReleasedArray" in str(error)
            found.append(nd.WorkspaceError(str(error)))

    thread = threading.Thread(target=compute)
    thread.start()
    wait_for_kernel(thread)
    return thread, found


def race(settings, n_scopes, operation, expected):
    """Compute on an array of a scope while it ends and others follow.  Returns whether the values were right."""
    ws = nd.Workspace("raced", nd.WorkspaceConfiguration(**settings))
    with ws:
        nd.zeros(SIZE)
    with ws:
        x = nd.asarray(VALUES, copy=True)
        thread, found = computed_beside(operation, x)
    fresh = []
    for _ in range(n_scopes):
        with ws:
            fresh = [nd.zeros(SIZE), nd.full(SIZE, 7.0)]
            assert fresh[0].sum() + fresh[1].sum() == 7.0 * SIZE
            if _ == n_scopes - 1:
                thread.join()
                assert not np.asarray(fresh[0]).any()
                assert (np.asarray(fresh[1]) == 7).all()
            del fresh
    if isinstance(found[0], nd.WorkspaceError):
        return False
    np.testing.assert_array_equal(found[0], expected)
    return True


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", WORKSPACES)
@pytest.mark.parametrize("name", ["sum", "exp", "out", "chain", "matmul"])
def test_scope_that_ends_under_a_kernel(kind, name):
    expected = np.array(OPERATIONS[name](nd.asarray(VALUES, copy=True)))
    right = [race(*WORKSPACES[kind], OPERATIONS[name], expected) for _ in range(4)]
    assert any(right) or name in ("out", "chain")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("is_deferred", [True, False])
@pytest.mark.parametrize("name", OPERATIONS)
def test_operations_hold_what_they_read_and_write(name, is_deferred):
    def operation(x):
        with nd.combine(is_deferred):
            return OPERATIONS[name](x)

    expected = np.array(operation(nd.asarray(VALUES, copy=True)))
    for _ in range(2):
        race(*WORKSPACES["sized"], operation, expected)


@pytest.mark.parametrize("looks", ["item", "sum", "add", "copy"])
def test_chain_put_off_in_another_thread_over_a_scope_that_ends(looks):
    """What has not begun when the scope ends is an error, never the next scope's data."""
    ws = nd.Workspace("left", nd.WorkspaceConfiguration(initial_size=2 * BYTES))
    made, is_left = threading.Event(), threading.Event()
    found = []

    def compute():
        y = nd.exp(x) + 1
        made.set()
        is_left.wait()
        try:
            found.append({"item": lambda: y[0].item(), "sum": y.sum, "add": lambda: y + 1, "copy": y.copy}[looks]())
            found[0] = np.array(found[0])
        except nd.WorkspaceError as error:
            found[:] = [error]

    with ws:
        x = nd.asarray(VALUES, copy=True)
        thread = threading.Thread(target=compute)
        thread.start()
        made.wait()
    with ws:
        kept = nd.full(2 * SIZE, 9.0)
        is_left.set()
        thread.join()
        assert kept.sum() == 18.0 * SIZE
    if not isinstance(found[0], nd.WorkspaceError):
        y = np.array(nd.exp(nd.asarray(VALUES)) + 1)
        assert found[0].sum() == pytest.approx(
            {"item": y[0], "sum": y.sum(), "add": y.sum() + SIZE, "copy": y.sum()}[looks]
        )


def test_blocks_go_round_when_kernels_run_elsewhere():
    """Only what a kernel touches is given away: a network in each thread keeps its arenas."""
    elsewhere = nd.asarray(VALUES, copy=True)
    stop = threading.Event()

    def compute():
        while not stop.is_set():
            nd.exp(elsewhere).sum().item()

    thread = threading.Thread(target=compute)
    thread.start()
    ws = nd.Workspace("kept", nd.WorkspaceConfiguration(initial_size=BYTES))
    try:
        addresses = set()
        for _ in range(20):
            with ws:
                x = nd.ones(1000)
                addresses.add(x.address)
                wait_for_kernel(thread)
    finally:
        stop.set()
        thread.join()
    assert len(addresses) == 1


def test_closing_is_refused_while_another_thread_computes():
    for _ in range(5):
        x = nd.asarray(VALUES, copy=True)
        thread, found = computed_beside(lambda x: nd.sort(x), x)
        with contextlib.suppress(ValueError):
            x.close()
            assert not thread.is_alive() or not count_running()
        other = nd.full(SIZE, 9.0)
        thread.join()
        np.testing.assert_array_equal(found[0], np.sort(VALUES))
        assert other.sum() == 9.0 * SIZE


def test_refusal_to_close_says_why():
    x = nd.asarray(np.tile(VALUES, 4), copy=True)
    thread, _ = computed_beside(nd.argsort, x)
    assert count_running()
    assert not x.closeable
    with pytest.raises(ValueError, match="another thread computes on it"):
        x.close()
    thread.join()
    x.close()


def test_destroying_a_workspace_under_a_kernel():
    for settings, _ in WORKSPACES.values():
        ws = nd.Workspace("destroyed", nd.WorkspaceConfiguration(**settings))
        with ws:
            x = nd.asarray(VALUES, copy=True)
            thread, found = computed_beside(nd.sort, x)
        ws.destroy()
        others = [nd.full(SIZE, 9.0) for _ in range(3)]
        thread.join()
        np.testing.assert_array_equal(found[0], np.sort(VALUES))
        assert all(other.sum() == 9.0 * SIZE for other in others)


def test_network_whose_batch_is_lapped():
    """A batch of a circular workspace that comes around while another thread's network reads it."""
    layers = [
        nn.ConvolutionLayer(kernel_size=(3, 3), n_out=4, activation="relu"),
        nn.DenseLayer(32, "tanh"),
        nn.OutputLayer(5),
    ]
    net = nn.MultiLayerNetwork(layers, input_type=nn.InputType.convolutional(32, 32, 1), seed=1)
    batch = np.random.default_rng(6).normal(size=(256, 1, 32, 32)).astype(np.float32)
    expected = np.array(net.output(nd.asarray(batch)))
    settings = {"policy_reset": "endofbuffer_reached", "overallocation_limit": 1, "initial_size": 2 * batch.nbytes}
    ws = nd.Workspace("batches", nd.WorkspaceConfiguration(**settings))
    for _ in range(6):
        with ws:
            x = nd.asarray(batch, copy=True)
        thread, found = computed_beside(net.output, x)
        for _ in range(3):
            with ws:
                nd.full(batch.shape, 1e6, dtype=nd.float32)
        thread.join()
        if not isinstance(found[0], nd.WorkspaceError):
            np.testing.assert_array_equal(found[0], expected)


def test_fork_forgets_the_kernels_of_other_threads():
    program = """
import os, threading, time
import nd4py as nd
from nd4py import nn
from nd4py._mem.workspace.held_memory import count_running
x = nd.ones(20_000_000)
thread = threading.Thread(target=lambda: nd.argsort(x))
thread.start()
while not count_running() and thread.is_alive():
    time.sleep(0)
child = os.fork()
if child == 0:
    os._exit(0 if count_running() == 0 else 1)
status = os.waitpid(child, 0)[1]
thread.join()
raise SystemExit(os.waitstatus_to_exitcode(status))
"""
    run = subprocess.run([sys.executable, "-W", "ignore", "-c", program], env=dict(os.environ), timeout=60)
    assert run.returncode == 0
