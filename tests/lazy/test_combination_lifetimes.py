"""Deferred operations handed to other threads and processes, and the memory that they keep."""

import contextlib
import gc
import os
import subprocess
import sys
import threading
import weakref

import numpy as np
import pytest
from deferred_arrays import VALUES, N, equal, fresh, is_deferred

import nd4py as nd
from nd4py._mem.pool.pool_system import resident

# Threads and processes.


def in_thread(function):
    found = []
    thread = threading.Thread(target=lambda: found.append(function()))
    thread.start()
    thread.join()
    return found[0]


def test_another_thread_may_look_at_write_and_continue_a_deferred_array():
    x = fresh()
    y = x + 1
    assert in_thread(lambda: float(y[0])) == -2
    y = x + 1
    equal(in_thread(lambda: y * 2), (VALUES + 1) * 2)
    y = x + 1
    z = y * 3
    in_thread(lambda: y.__imul__(2))
    equal(y, (VALUES + 1) * 2)
    equal(z, (VALUES + 1) * 3)
    y = x + 1
    in_thread(lambda: x.__setitem__(..., 0))
    equal(y, VALUES + 1)


def test_what_another_thread_left_behind_is_deferred_until_a_value_is_read():
    y = in_thread(lambda: fresh() * 2)
    assert is_deferred(y)
    equal(y + 1, VALUES * 2 + 1)
    y = in_thread(lambda: fresh() * 2)
    nd.flush()
    nd.synchronize()
    assert not is_deferred(y)


def test_two_threads_may_look_at_one_deferred_array():
    x = nd.array(np.linspace(0, 1, 150_000), copy=True)
    wanted = np.asarray(nd.tanh(nd.exp(x)))
    for _ in range(10):
        y = nd.tanh(nd.exp(x))
        z = y + 1
        assert is_deferred(z)
        barrier, found = threading.Barrier(4), []

        def look(array, barrier=barrier, found=found):
            barrier.wait()
            found.append((array, np.array(array)))

        threads = [threading.Thread(target=look, args=(array,)) for array in (y, z, y, z)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        assert len(found) == 4
        for array, values in found:
            np.testing.assert_array_equal(values, wanted if array is y else wanted + 1)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_child_process_finds_the_values():
    y = fresh() * 2 + 1
    child = os.fork()
    if child == 0:
        is_right = bool((np.asarray(y) == VALUES * 2 + 1).all()) and float((y + 1).max()) == 8
        os._exit(0 if is_right else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    equal(y, VALUES * 2 + 1)


def test_the_interpreter_ends_with_deferred_work():
    program = """
import threading
import nd4py as nd
x = nd.ones(100_000)
y = nd.exp(x + 1) * 2
class Keeper: pass
keeper = Keeper(); keeper.array = y - 1; keeper.self = keeper
other = []
thread = threading.Thread(target=lambda: other.append(x * 5)); thread.start(); thread.join()
x += 1
"""
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


# Memory.


def test_running_out_of_memory_names_the_line_and_loses_nothing():
    n = 1 << 20
    x = nd.ones(n)
    nd.memory.trim()
    before = nd.memory.limits()
    y = nd.exp(x - 1) + 1
    kept = y * 2
    line = sys._getframe().f_lineno - 2
    nd.memory.set_limits(maxbytes=nd.memory.stats().taken_bytes + 4096, cache_bytes=0)
    try:
        for _ in range(2):
            with pytest.raises(MemoryError, match=rf"test_combination_lifetimes.py, line {line}"):
                float(y[0])
            assert is_deferred(y)
        nd.flush()  # the error is that of the arrays, and waits there
        assert is_deferred(y)
        assert is_deferred(kept)
    finally:
        nd.memory.set_limits(**vars(before))
    equal(y, np.full(n, 2.0))
    equal(kept, np.full(n, 4.0))


def test_what_deferred_work_keeps_stays_below_an_eighth_of_the_limit():
    before = nd.memory.limits()
    limit = nd.memory.stats().taken_bytes + 400 * 8 * N
    nd.memory.set_limits(maxbytes=limit)
    try:
        results = []
        for i in range(100):
            results.append(fresh() + i)
            assert nd.combine_statistics().pending_bytes <= limit // 8 + 8 * N
        assert any(map(is_deferred, results))
        assert not all(map(is_deferred, results))
    finally:
        nd.memory.set_limits(**vars(before))
    equal(results[99], VALUES + 99)


@pytest.mark.parametrize("name", ["maxbytes", "maxphysicalbytes"])
def test_a_limit_set_while_work_is_deferred_holds_from_the_next_operation_on(name):
    nd.synchronize()
    nd.memory.trim()
    before, mebibyte = nd.memory.limits(), 1 << 20
    base = max(nd.memory.stats().taken_bytes, resident())
    spare = 400 * mebibyte + base // 4
    n_arrays = (base + spare) // (50 * mebibyte) + 2
    kept = [nd.empty(mebibyte) + i for i in range(n_arrays)]
    assert nd.memory.stats().pending_arrays == n_arrays
    n_bytes = 8 * mebibyte * n_arrays
    try:
        nd.memory.set_limits(**{name: base + n_bytes + spare})
        assert nd.memory.stats().pending_bytes == n_bytes > (base + n_bytes + spare) // 8
        kept.append(fresh() + 1)
        assert nd.memory.stats().pending_arrays == 1
    finally:
        nd.memory.set_limits(**vars(before))


def test_the_memory_statistics_show_what_waits():
    gc.collect()
    nd.synchronize()
    held = nd.memory.stats()
    assert (held.pending_bytes, held.pending_arrays) == (0, 0)
    x = fresh()
    y = x * 2
    z = y + x
    held = nd.memory.stats()
    assert (held.pending_bytes, held.pending_arrays) == (8 * N, 2)
    assert held.pending_bytes == nd.combine_statistics().pending_bytes
    del y
    assert nd.memory.stats().pending_arrays == 1
    assert "kept for 1 arrays not computed yet" in nd.memory.summary()
    z.block()
    held = nd.memory.stats()
    assert (held.pending_bytes, held.pending_arrays) == (0, 0)


def test_a_scope_of_threads_runs_what_is_deferred_at_both_ends():
    x = fresh()
    before = x + 1
    with nd.threads(1):
        assert not is_deferred(before)
        inside = x * 2
        assert is_deferred(inside)
    assert not is_deferred(inside)
    equal(before, VALUES + 1)
    equal(inside, VALUES * 2)
    kept = []

    def fail():
        with nd.threads(1):
            kept.append(x * 3)
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert not is_deferred(kept[0])
    equal(kept[0], VALUES * 3)


def test_what_deferred_work_keeps_is_counted_bounded_and_let_go():
    gc.collect()
    nd.synchronize()
    assert nd.combine_statistics().pending_bytes == 0
    start = nd.memory.stats().live_bytes
    results = [fresh() + 1 for _ in range(10)]
    assert nd.combine_statistics().pending_bytes == 10 * 8 * N
    results.clear()
    assert nd.combine_statistics().pending_bytes == 0
    assert nd.memory.stats().live_bytes == start
    x = fresh()
    y = x
    for _ in range(500):
        y = y * 0.5 + x
    program = nd.explain(y)
    assert program is None or len(program.steps) <= 64
    assert nd.memory.stats().live_bytes <= start + 4 * 8 * (N + 512)
    del x, y
    assert nd.memory.stats().live_bytes == start
    assert nd.combine_statistics().pending_bytes == 0


def test_dropped_work_is_never_done():
    x = fresh()
    before = nd.combine_statistics().launched
    y = nd.exp(x) + 1
    del y
    nd.synchronize()
    assert nd.combine_statistics().launched == before


def test_no_reference_cycles_form():
    gc.collect()
    gc.disable()
    try:
        x = fresh()
        y = nd.exp(x) * 2
        z = y + x
        z += y
        ends = [weakref.ref(x), weakref.ref(y), weakref.ref(z)]
        del x, y, z
        assert [end() for end in ends] == [None] * 3
    finally:
        gc.enable()


# Memory of arrays that are gone.

CONFIGURATIONS = {
    "reusing": {"policy_reuse": "when_freed", "policy_location": "virtual", "policy_learning": "none"},
    "arena": {"initial_size": 40 * N * 8},
}


@pytest.mark.parametrize("given", CONFIGURATIONS)
def test_an_array_that_is_gone_lends_its_memory_in_a_workspace(given):
    workspace = nd.Workspace("lends", nd.WorkspaceConfiguration(**CONFIGURATIONS[given]))
    with workspace:
        x = nd.full(N, 3.0)
        before = workspace.host_offset
        y = x + 1
        del x
        y.block()
        assert workspace.host_offset == before
        assert y.workspace is workspace
        z = y * 2  # y is held and keeps its memory
        z.block()
        assert workspace.host_offset > before
        equal(y, np.full(N, 4.0))
        equal(z, np.full(N, 8.0))


def test_an_array_that_is_gone_lends_its_memory_in_the_pool():
    x = nd.full(N, 3.0)
    before = nd.memory.stats()
    y = x + 1
    del x
    y.block()
    after = nd.memory.stats()
    assert (after.hits + after.misses, after.live_bytes) == (before.hits + before.misses, before.live_bytes)
    equal(y, np.full(N, 4.0))


def test_memory_of_the_pool_is_not_lent_to_results_in_a_workspace_nor_the_other_way():
    workspace = nd.Workspace("does not lend", nd.WorkspaceConfiguration(**CONFIGURATIONS["arena"]))
    x = nd.full(N, 3.0)
    with workspace:
        y = x + 1
        del x
        assert y.block().is_attached()
        with nd.scope_out_of_workspaces():
            z = y + 1
            del y
            z.block()
    assert not z.is_attached()
    equal(z, np.full(N, 5.0))


def test_memory_of_a_circular_workspace_is_not_lent():
    size = {"overallocation_limit": 3, "initial_size": 90 * N * 8}
    workspace = nd.Workspace("ring", nd.WorkspaceConfiguration(policy_reset="endofbuffer_reached", **size))
    for _ in range(4):
        with workspace:
            x = nd.full(N, 3.0)
            before = workspace.host_offset
            y = x + 1
            del x
            y.block()
            assert workspace.host_offset > before
            equal(y, np.full(N, 4.0))


IN_PLACE = {
    "a number": "x += 1",
    "an array": "x *= z",
    "a deferred array": "x -= y",
    "itself": "x += x",
    "twice": "x += 1; x *= 2",
    "out=": "nd.add(x, z, out=x)",
    "assigned": "x[...] = y",
    "another's result": "y += 1; x += y",
}


@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("statement", IN_PLACE.values(), ids=IN_PLACE)
@pytest.mark.parametrize("origin", ["outside", "of a thread", "of the outer scope", "borrowed out"])
def test_what_is_written_in_place_in_a_scope_stays_where_it_was_made(statement, depth, origin):
    def made():
        x, z = fresh(), fresh() + 2
        if origin == "of a thread":
            x, z = x * 1, z * 1
        else:
            x.block()
        z.block()
        return {"nd": nd, "x": x, "y": fresh() * 3, "z": z}

    plain = {"nd": nd, "x": VALUES.copy(), "y": VALUES * 3, "z": VALUES + 2}
    exec(statement.replace("nd.add(x, z, out=x)", "x += z"), plain)
    with nd.workspace("outer") if origin == "of the outer scope" else contextlib.nullcontext():
        names = in_thread(made) if origin == "of a thread" else made()
        with contextlib.ExitStack() as scopes:
            for level in range(depth):
                scopes.enter_context(nd.workspace(f"inner {level}"))
            if origin == "borrowed out":
                scopes.enter_context(nd.scope_out_of_workspaces())
            exec(statement, names)
        with nd.workspace("inner 0"):
            nd.full((N,), 7.0)
        equal(names["x"], plain["x"])
        equal(names["y"], plain["y"])


LOOKS = {
    "synchronize": lambda y: nd.synchronize(),
    "block": lambda y: y.block(),
    "an operation": lambda y: y + 1,
    "in place": lambda y: y.__iadd__(0),
    "an element": lambda y: float(y[0]),
    "a reduction": lambda y: float(nd.sum(y)),
}


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_what_was_put_off_in_a_thread_does_not_lie_in_the_scope_of_who_runs_it(look):
    y = in_thread(lambda: fresh() * 2)
    with nd.workspace("another thread's"):
        look(y)
    equal(y, VALUES * 2)
