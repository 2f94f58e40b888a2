"""Random programs: values are never corrupted, counters fit, nothing leaks; in one thread and in several.

ND4PY_STRESS=n runs the threads n times as long.
"""

import gc
import os
import threading
import warnings
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from workspace_programs import run_program

import nd4py as nd

STRESS = int(os.environ.get("ND4PY_STRESS", "1"))


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "[0-9]+ arrays were made beside")
        yield


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(5, 200))
def test_random_programs(seed, n_steps):
    gc.collect()
    before = nd.memory.stats().live_bytes
    run_program(seed, n_steps)
    assert nd.memory.stats().live_bytes == before
    assert nd.workspace_manager.current_workspace() is None


def run_threads(work, n_threads):
    """Run work(number) in threads; the first error of one is an error here."""
    failed = []

    def guarded(number):
        try:
            work(number)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=guarded, args=(number,)) for number in range(n_threads)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]


def test_random_programs_in_threads(frequent_switches):
    gc.collect()
    before = nd.memory.stats().live_bytes
    run_threads(lambda number: [run_program(1000 * number + i, 60) for i in range(4 * STRESS)], 8)
    gc.collect()
    assert nd.memory.stats().live_bytes == before


def test_arrays_freed_by_other_threads(frequent_switches):
    """Consumers free what producers made in circular workspaces, whole and in views."""
    config = nd.WorkspaceConfiguration(policy_reset="endofbuffer_reached", overallocation_limit=3)
    gc.collect()
    before = nd.memory.stats().live_bytes
    shared = []

    def work(number):
        if number % 2:
            for _ in range(300 * STRESS):
                taken, shared[:5] = shared[:5], []
                for x in taken:
                    with suppress(nd.WorkspaceError):
                        assert len(set(x[1:].tolist())) <= 1
            return
        ws = nd.Workspace(f"producer {number}", config)
        for value in range(300 * STRESS):
            with ws:
                x = nd.full(20, value)
                shared.extend([x, x[3:]])
        ws.destroy()

    run_threads(work, 8)
    shared.clear()
    gc.collect()
    assert nd.memory.stats().live_bytes == before
