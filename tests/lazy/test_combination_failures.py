"""Errors of operations that were deferred: each belongs to the arrays it concerns, and to no others."""

import gc
import re
import threading
import weakref
from contextlib import contextmanager, suppress

import numpy as np
import pytest
from deferred_arrays import VALUES, N, equal, fresh, is_deferred

import nd4py as nd
from nd4py import WorkspaceError

HERE = rf"multiply in .*{re.escape(__file__.rsplit('/', 1)[-1])}, line \d+"


@pytest.fixture(autouse=True)
def library_goes_on():
    """After each test everything works, and nothing is left."""
    nd.flush()
    gc.collect()
    before = nd.combine_statistics().pending_bytes
    yield
    use_everything()
    gc.collect()
    assert nd.combine_statistics().pending_bytes == before


def use_everything():
    """What a deferred error used to come out of."""
    nd.flush()
    nd.synchronize()
    with nd.threads(1):
        equal(fresh() + 1, VALUES + 1)
    with nd.workspace("afterwards"):
        equal(fresh() * 3, VALUES * 3)
    x = fresh()
    x += 1
    equal(x, VALUES + 1)
    assert float((fresh() * 0 + 1).sum()) == N


@contextmanager
def no_memory(room=4096):
    """A pool that has nothing left."""
    nd.memory.trim()
    before = nd.memory.limits()
    nd.memory.set_limits(maxbytes=nd.memory.stats().taken_bytes + room, cache_bytes=0)
    try:
        yield
    finally:
        nd.memory.set_limits(**vars(before))


def in_thread(function):
    results, errors = [], []

    def run():
        try:
            results.append(function())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(60)
    if errors:
        raise errors[0]
    return results[0]


def config(**keywords):
    return nd.WorkspaceConfiguration(**keywords)


# Closed operands.

CHAINS = {
    "one": (lambda x: x * 2, VALUES * 2),
    "longer": (lambda x: (x * 2 + 1) * x, (VALUES * 2 + 1) * VALUES),
    "a view": (lambda x: x[10:] * 2, VALUES[10:] * 2),
    "a reversed view": (lambda x: x[::-1] * 2, VALUES[::-1] * 2),
    "a reduction": (lambda x: ((x * 2).reshape(100, 1000) * 1.0).sum(axis=1), None),
    "rows": (lambda x: (x.reshape(100, 1000) * 2).max(axis=1), (VALUES.reshape(100, 1000) * 2).max(axis=1)),
    "a conversion": (lambda x: (x * 2).astype(nd.float32), (VALUES * 2).astype(np.float32)),
    "in place": (lambda x: in_place(x * 2), VALUES * 2 + 1),
    "absorbed": (lambda x: (x * 2) + (fresh() * 3), VALUES * 2 + VALUES * 3),
    "several": (lambda x: (x * 2, x * 3, x + 1)[1], VALUES * 3),
}


def in_place(y):
    y += 1
    return y


@pytest.mark.parametrize("where", ["here", "elsewhere"])
@pytest.mark.parametrize("case", CHAINS)
def test_values_are_those_of_the_call_when_the_operand_is_closed(case, where):
    make, expected = CHAINS[case]
    if expected is None:
        expected = np.asarray(make(fresh()))
    x = fresh()
    y = make(x) if where == "here" else in_thread(lambda: make(x))
    x.close()
    use_everything()
    equal(y, expected)


def test_closing_gives_the_memory_back():
    x = fresh()
    y = x * 2
    z = y + x
    x.close()
    assert nd.combine_statistics().pending_bytes == 0
    equal(y, VALUES * 2)
    equal(z, VALUES * 3)


def test_closing_without_memory_loses_nothing():
    x = fresh()
    y, z = x[1:] * 2, x * 3
    w = z - x
    with no_memory():
        with pytest.raises(ValueError, match="views"):
            x.close()
        del y
        x.close()
        with pytest.raises(ValueError, match="closed"):
            x + 1
        use_small()
        nd.flush()
    equal(z, VALUES * 3)
    equal(w, VALUES * 3 - VALUES)


def use_small():
    with nd.threads(1), nd.workspace("small"):
        assert float((nd.ones(10) + 1).sum()) == 20


def test_a_result_takes_the_memory_of_its_closed_operand():
    x = fresh()
    y = x * 2
    with no_memory():
        x.close()
        assert not is_deferred(y)
    equal(y, VALUES * 2)


def test_what_waits_for_memory_does_not_lose_its_operand_to_another_result():
    x = fresh()
    y = x * 2
    z = y + 1
    del x
    with no_memory():
        for array in (y, z):
            with pytest.raises(MemoryError):
                array[0]
    with no_memory(room=int(8 * N * 1.5)):
        assert float(y[0]) == VALUES[0] * 2
        del y
        assert float(z[0]) == VALUES[0] * 2 + 1


def test_closing_while_another_thread_runs_the_chain():
    for _ in range(20):
        x = fresh(np.ones(2_000_000))
        y = nd.sin(x) * 2
        looker = threading.Thread(target=y.block)
        looker.start()
        try:
            x.close()
        except ValueError:
            looker.join()
            x.close()
        looker.join()
        assert float(y[0]) == float(y[1_999_999]) == 2 * np.sin(1.0)


# Scopes that end.


@pytest.mark.parametrize("case", CHAINS)
@pytest.mark.parametrize("wide", [{}, {"policy_reset": "endofbuffer_reached"}], ids=["plain", "circular"])
def test_values_of_another_thread_hold_when_a_scope_ends(case, wide):
    make, expected = CHAINS[case]
    if expected is None:
        expected = np.asarray(make(fresh()))
    with nd.workspace("operands of another thread", config(initial_size=64 * N)):
        x = nd.array(VALUES, copy=True)
        y = in_thread(lambda: make(x))
    use_everything()
    equal(y, expected)


def test_what_another_thread_looks_at_lies_in_no_scope_of_its():
    y = fresh() * 2

    def look():
        with nd.workspace("the looker's", config(initial_size=64 * N)):
            return float(y[0])

    assert in_thread(look) == VALUES[0] * 2
    assert not y.is_attached()
    equal(y, VALUES * 2)


def test_an_ended_scope_fails_what_had_no_memory_and_nothing_else():
    other = fresh()
    with nd.workspace("short of memory", config(initial_size=9 * N)):
        x = nd.array(VALUES, copy=True)
        y, joined, z = in_thread(lambda: (x * 2, x * 3 + other * 0, other * 5))
        short = no_memory()
        short.__enter__()
    short.__exit__(None, None, None)
    for array in (y, joined):
        for _ in range(2):
            with pytest.raises(MemoryError, match=r"(multiply|add) in .*line \d+"):
                array[0]
            with pytest.raises(MemoryError, match="the operation was"):
                array + 1
            nd.flush()
    equal(z, VALUES * 5)


FULL = {
    "strict": config(
        initial_size=8 * N + 4096, policy_allocation="strict", policy_learning="none", policy_spill="fail"
    ),
    "fail": config(initial_size=8 * N + 4096, policy_learning="none", policy_spill="fail"),
}


SEVERAL = {
    "two chains": lambda x: (x * 2, x * 3),
    "one chain": lambda x: one_chain(x),
}


def one_chain(x):
    y = x * 2
    return y, (y * 1.5)


@pytest.mark.parametrize("several", SEVERAL)
@pytest.mark.parametrize("kind", FULL)
def test_a_full_arena_is_the_error_of_what_found_no_room(kind, several):
    x = fresh()
    with nd.workspace(f"full {kind} {several}", FULL[kind]):
        y, z = SEVERAL[several](x)
        equal(z, VALUES * 3)  # what is looked at gets the room
        nd.flush()
        assert is_deferred(y)
        for _ in range(2):
            with pytest.raises(WorkspaceError, match=HERE):
                y[0]
        nd.flush()
        with nd.threads(1):
            pass
        with nd.workspace("inner"):
            equal(x + 1, VALUES + 1)
        equal(z, VALUES * 3)
        assert np.isclose(float((y * 1.0 + 1).sum()), N)  # needs no room
        assert is_deferred(y)
    for use in (
        lambda: y[0],
        lambda: y + 1,
        lambda: repr(y),
        lambda: y.sum(),
        lambda: nd.exp(y),
        lambda: np.asarray(y),
    ):
        with pytest.raises(WorkspaceError, match=HERE):
            use()
    with pytest.raises(WorkspaceError, match="scope is closed"):
        z + 1
    equal(x, VALUES)


# Too little memory.


def test_without_memory_each_array_has_its_own_error_and_can_be_looked_at_again():
    x = fresh()
    y = x * 2
    z = y + 1
    w = x * 7
    with no_memory():
        for array in (y, z, w, y):
            with pytest.raises(MemoryError, match=r"(multiply|add) in .*line \d+"):
                array[0]
            assert is_deferred(array)
        nd.flush()
        nd.synchronize()
        use_small()
        with nd.workspace("other"):
            assert float(w.sum()) == pytest.approx(float((VALUES * 7).sum()), abs=1e-6)
        assert is_deferred(y)
        assert is_deferred(z)
    equal(y, VALUES * 2)
    equal(z, VALUES * 2 + 1)
    equal(w, VALUES * 7)


def test_memory_for_some_of_several():
    x = fresh()
    y = x * 2
    results = [y + k for k in range(5)]
    with no_memory(room=int(8 * N * 2.5)):
        nd.flush()
        deferred = [z for z in results if is_deferred(z)] + [y] * is_deferred(y)
        assert 0 < len(deferred) < 6
        with pytest.raises(MemoryError, match=r"(add|multiply) in .*line \d+"):
            deferred[0][0]
    equal(y, VALUES * 2)
    for k, z in enumerate(results):
        equal(z, VALUES * 2 + k)


def test_memory_goes_to_the_array_looked_at():
    x = fresh()
    y = x * 2
    z = y + 1
    with no_memory(room=int(8 * N * 1.5)):
        assert float(z[0]) == VALUES[0] * 2 + 1
        assert is_deferred(y)
        assert float(y.max()) == 6
    equal(y, VALUES * 2)


def test_what_could_not_run_before_a_scope_lies_outside_it():
    x = fresh()
    y = x * 2
    with nd.workspace("entered while memory is short", config(initial_size=16 * N)) as ws:
        pass
    y = x * 3
    with no_memory():
        ws.notify_scope_entered()
    with ws:
        assert is_deferred(y)
        equal(y, VALUES * 3)
        assert not y.is_attached()
        w = y + x
    ws.close()
    equal(y, VALUES * 3)
    with pytest.raises(WorkspaceError):
        w + 1


def test_a_write_to_an_operand_is_refused_where_its_reader_has_no_memory():
    x = fresh()
    y = x * 2
    with no_memory(), pytest.raises(MemoryError, match=HERE):
        x[0] = 5
    equal(x, VALUES)
    equal(y, VALUES * 2)


# Gradients, references.


def test_a_gradient_through_a_failed_array():
    x = fresh()
    with nd.workspace("for a gradient", FULL["fail"]):
        y, z = x * 2, x * 3
        nd.flush()
        lost = z if is_deferred(z) else y
        with pytest.raises(WorkspaceError, match=HERE):
            nd.grad(lambda a: (a * lost[::-1]).sum())(x)
    with pytest.raises(WorkspaceError):
        nd.grad(lambda a: (a * lost).sum())(x)
    equal(nd.grad(lambda a: (a * 2).sum())(x), np.full(N, 2.0))


@pytest.mark.parametrize("in_place", [False, True])
def test_a_cycle_through_the_error_of_a_failed_array_is_freed(in_place):
    """The error of an array refers to frames once it was raised, and a frame of these to the array."""

    def fail():
        x, y = fresh(), fresh()
        with nd.workspace(f"in a cycle {in_place}", FULL["fail"]):
            if in_place:
                y *= x * 3
            else:
                y = x * 2
            z = x * 3
            nd.flush()
        for lost in (y, z):
            with suppress(WorkspaceError):
                lost.tolist()
        return weakref.ref(y), weakref.ref(z)

    watched = fail()
    gc.collect()
    assert [each() for each in watched] == [None, None]


def test_a_failed_array_keeps_nothing_alive():
    x = fresh()
    live = nd.memory.stats().live_bytes
    with nd.workspace("keeps nothing", FULL["fail"]) as ws:
        y, z = x * 2, x * 3
    for array in (y, z):
        with pytest.raises(WorkspaceError):
            array[0]
    ws.destroy()
    assert nd.combine_statistics().pending_bytes == 0
    del y, z, array, ws
    assert nd.memory.stats().live_bytes <= live + 4096
    x.close()
    assert nd.memory.stats().live_bytes < live


def test_threads_of_failures():
    """Every thread has its own failures, and meets no others."""
    problems = []

    def work(k):
        try:
            for i in range(20):
                x = fresh()
                with nd.workspace(f"of thread {k}", FULL["fail"]):
                    y, z = x * 2, x * 3
                    nd.flush()
                for name, array in (("y", y), ("z", z)):
                    with suppress(WorkspaceError):
                        problems.append((name, i, k, float(array[0]), array.is_attached()))
                w = x * 4
                x.close()
                assert float(w[i]) == VALUES[i] * 4
        except BaseException as error:
            problems.append(error)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert problems == []
