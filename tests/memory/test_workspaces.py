"""Scopes of workspaces: entering, leaving, nesting, borrowing, and threads."""

import contextlib
import gc
import os
import subprocess
import sys
import threading
import warnings
import weakref

import pytest
from workspace_programs import in_thread

import nd4py as nd

MANAGER = nd.workspace_manager
LARGE = nd.WorkspaceConfiguration(initial_size="64K")


@pytest.fixture(autouse=True)
def clean():
    """Every test leaves no scope open, and no workspace behind."""
    yield
    assert MANAGER.current_workspace() is None
    MANAGER.destroy_all_workspaces_for_current_thread()


def test_entry_and_exit():
    with nd.workspace("a", LARGE) as a:
        assert MANAGER.current_workspace() is a
        assert (a.is_open, a.generation_id, a.cycles_count) == (True, 1, 0)
        x = nd.empty(5)
        assert (a.cycle_allocations, a.host_offset, a.device_offset) == (48, 48, 48)
        assert x.workspace is a
    assert (a.is_open, a.generation_id, a.cycles_count) == (False, 1, 1)
    assert (a.cycle_allocations, a.host_offset, a.last_cycle_allocations, a.max_cycle_allocations) == (0, 0, 48, 48)
    with a:
        nd.empty(2)
    assert (a.generation_id, a.last_cycle_allocations, a.max_cycle_allocations, a.steps_count) == (2, 16, 48, 1)


def test_memory_is_used_again_from_the_start():
    addresses = []
    for _ in range(3):
        with nd.workspace("a", LARGE):
            addresses.append((nd.empty(3).address, nd.empty(3).address))
    assert addresses[0] == addresses[1] == addresses[2]
    assert addresses[0][1] - addresses[0][0] == 32


def test_nothing_is_counted_for_empty_arrays():
    with nd.workspace("a", LARGE) as a:
        x = nd.empty((0, 3))
        assert (a.cycle_allocations, x.is_attached()) == (0, True)


def test_large_arrays_begin_on_a_cache_line_and_learning_knows():
    strict = nd.WorkspaceConfiguration(policy_allocation="strict")
    for cycle in range(3):
        with nd.workspace("aligned", strict) as a:
            arrays = [nd.empty(n) for n in (1, 1000, 3, 512, 513, 2)]
            assert all(x.address % 64 == 0 for x in arrays if x.nbytes >= 4096 and cycle)
            assert (a.spilled_size == 0) == (cycle > 0)


def test_nesting_restores_the_outer_one():
    with nd.workspace("a", LARGE) as a:
        with nd.workspace("b", LARGE) as b:
            assert b.previous_workspace is a
            assert nd.ones(1).workspace is b
            with nd.workspace("c", LARGE) as c:
                assert c.previous_workspace is b
            assert MANAGER.current_workspace() is b
        assert MANAGER.current_workspace() is a
        assert b.previous_workspace is None
        assert nd.ones(1).workspace is a


def test_entering_the_current_one_again_resets_nothing():
    with nd.workspace("a", LARGE) as a:
        x = nd.empty(2)
        with a:
            with a:
                assert (a.tag_scope, a.generation_id) == (2, 1)
                y = nd.empty(2)
            assert a.tag_scope == 1
        assert (a.tag_scope, a.is_open, a.host_offset) == (0, True, 32)
        x[...], y[...] = 1.0, 2.0
        assert (x + y).tolist() == [3.0, 3.0]
    assert not a.is_open


def test_entering_an_outer_one_again_borrows_it():
    with nd.workspace("a", LARGE) as a:
        x = nd.ones(2)
        with nd.workspace("b", LARGE) as b:
            y = nd.ones(2)
            with a:
                assert (a.is_borrowed, a.borrowing_workspace, a.generation_id) == (True, b, 1)
                z = nd.ones(2)
                assert z.workspace is a
                with pytest.raises(nd.WorkspaceError, match="'b' cannot be closed"):
                    b.close()
            assert (MANAGER.current_workspace(), a.is_borrowed, b.previous_workspace) == (b, False, a)
            assert y.tolist() == [1.0, 1.0]
        assert (x + z).tolist() == [2.0, 2.0]


def test_borrowing_by_hand():
    a = nd.workspace("a", LARGE)
    with pytest.raises(nd.WorkspaceError, match="'a' is not open"):
        a.notify_scope_borrowed()
    with a, nd.workspace("b", LARGE) as b:
        with contextlib.closing(a.notify_scope_borrowed()):
            assert MANAGER.current_workspace() is a
            with nd.workspace("c", LARGE), pytest.raises(nd.WorkspaceError, match="'a' is borrowed already"):
                a.notify_scope_borrowed()
            with nd.scope_out_of_workspaces():
                assert not nd.ones(1).is_attached()
            assert MANAGER.current_workspace() is a
        assert MANAGER.current_workspace() is b
    assert not a.is_open


def test_closing_by_hand_and_twice():
    a = nd.workspace("a", LARGE).notify_scope_entered()
    a.notify_scope_left()
    a.close()
    assert (a.cycles_count, a.is_open) == (1, False)


def test_scopes_are_closed_in_reverse_order():
    a = nd.workspace("a", LARGE).notify_scope_entered()
    b = nd.workspace("b", LARGE).notify_scope_entered()
    with pytest.raises(nd.WorkspaceError, match="'a' cannot be closed while workspace 'b' .* inside 'a'"):
        a.close()
    b.close()
    a.close()


def test_inner_scope_left_open_is_closed_and_reported():
    made = []

    def leave_open():
        made.extend([nd.workspace("b", LARGE).notify_scope_entered(), nd.ones(3)])

    with (
        pytest.raises(nd.WorkspaceError, match="'a' was left while .*'b'.*; all are closed now"),
        nd.workspace("a", LARGE),
    ):
        leave_open()
    assert not made[0].is_open
    with pytest.raises(nd.WorkspaceError, match="'b'"):
        made[1].tolist()


def test_an_error_goes_before_the_report():
    def fail():
        nd.workspace("b", LARGE).notify_scope_entered()
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), nd.workspace("a", LARGE) as a:
        fail()
    assert not a.is_open


def test_generator_left_inside_its_scope():
    def produce():
        with nd.workspace("inside", LARGE):
            yield nd.ones(3)

    generator = produce()
    with pytest.raises(nd.WorkspaceError, match="'a' was left while"), nd.workspace("a", LARGE):
        x = next(generator)
    generator.close()
    with pytest.raises(nd.WorkspaceError, match="'inside'"):
        x.tolist()


def test_scope_out():
    with nd.workspace("a", LARGE) as a:
        before = a.cycle_allocations
        with nd.scope_out_of_workspaces():
            assert MANAGER.current_workspace() is None
            x = nd.ones(3)
            with nd.workspace("b", LARGE) as b:
                assert b.previous_workspace is None
                assert nd.ones(1).workspace is b
            assert MANAGER.current_workspace() is None
        assert MANAGER.current_workspace() is a
        assert (a.cycle_allocations, x.is_attached()) == (before, False)
    assert x.tolist() == [1.0, 1.0, 1.0]


def test_scope_out_restores_what_was_current_also_when_it_was_borrowed():
    """dl4j#8784"""
    with nd.workspace("a", LARGE) as a, nd.workspace("b", LARGE) as b:
        with a:
            with nd.scope_out_of_workspaces(), nd.workspace("c", LARGE), nd.scope_out_of_workspaces():
                assert MANAGER.current_workspace() is None
            assert MANAGER.current_workspace() is a
        assert MANAGER.current_workspace() is b


def test_scope_out_without_a_workspace():
    with nd.scope_out_of_workspaces():
        assert not nd.ones(1).is_attached()


def test_use_switched_off():
    with nd.workspace("a", LARGE) as a:
        nd.empty(1)
        a.toggle_workspace_use(False)
        plain = nd.ones(4)
        assert (a.cycle_allocations, a.number_of_external_allocations, a.spilled_size) == (16, 0, 0)
        assert (plain.is_attached(), a.is_used) == (False, False)
        a.toggle_workspace_use(True)
        assert nd.ones(1).is_attached()
        a.toggle_workspace_use(False)
    assert a.is_used
    assert plain.tolist() == [1.0] * 4
    with a:
        assert nd.ones(1).is_attached()


def test_every_tenth_array_beside_a_switched_off_workspace_warns():
    with nd.workspace("a", LARGE) as a, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        a.toggle_workspace_use(False)
        for _ in range(25):
            nd.empty(1)
    assert [str(warning.message)[:34] for warning in caught] == [
        "10 arrays were made beside workspa",
        "20 arrays were made beside workspa",
    ]


def test_twenty_threads_have_twenty_workspaces():
    together = threading.Barrier(20)

    def work():
        with nd.workspace("same", LARGE) as ws:
            x = nd.full(10, threading.get_ident() % 1000)
            together.wait()
            assert ws.thread_id == threading.get_ident()
            assert set(x.tolist()) == {threading.get_ident() % 1000}
            together.wait()
            return id(ws), x.address

    found = []
    threads = [threading.Thread(target=lambda: found.append(work())) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [len(set(column)) for column in zip(*found, strict=True)] == [20, 20]


def test_scopes_of_other_threads_are_not_ours():
    with nd.workspace("a", LARGE):
        assert in_thread(lambda: (MANAGER.current_workspace(), nd.ones(1).is_attached())) == (None, False)
        assert in_thread(MANAGER.all_workspace_ids_for_current_thread) == []


def test_other_threads_may_not_enter_or_close():
    def complaint(function):
        with pytest.raises(nd.WorkspaceError, match="belongs to thread"):
            function()
        return True

    a = nd.workspace("a", LARGE)
    assert in_thread(lambda: complaint(a.notify_scope_entered))
    assert in_thread(lambda: complaint(lambda: MANAGER.set_workspace_for_current_thread(a)))
    with a:
        assert in_thread(lambda: complaint(a.notify_scope_borrowed))
        assert in_thread(lambda: complaint(a.close))
        assert in_thread(lambda: complaint(lambda: a.__exit__(None, None, None)))
        assert nd.ones(1).workspace is a


def test_workspaces_of_ended_threads_are_freed():
    before = nd.memory.stats().live_bytes

    def work():
        with nd.workspace("short", nd.WorkspaceConfiguration(initial_size="1M")) as ws:
            nd.ones(1000)
        return weakref.ref(ws)

    assert [in_thread(work)() for _ in range(10)] == [None] * 10
    assert nd.memory.stats().live_bytes == before


def test_thread_that_ends_inside_a_scope():
    def work():
        return weakref.ref(nd.Workspace("forgotten", LARGE).notify_scope_entered())

    left = []
    with pytest.warns(ResourceWarning, match="'forgotten': its thread ended inside its scope"):
        left += [in_thread(work), gc.collect()]
    assert left[0]() is None
    assert not nd.ones(1).is_attached()


def test_open_scope_lives_without_a_name():
    """Nothing else may hold a workspace that was entered by hand."""
    nd.Workspace("nameless", LARGE).notify_scope_entered()
    gc.collect()
    x = nd.ones(3)
    assert x.workspace.id == "nameless"
    MANAGER.current_workspace().close()


def test_arrays_in_cycles_with_their_workspace():
    class Holder:
        pass

    for config in (LARGE, nd.WorkspaceConfiguration(policy_reset="endofbuffer_reached", overallocation_limit=2)):
        before = nd.memory.stats().live_bytes
        ws = nd.Workspace("cycle", config)
        with ws:
            holder = Holder()
            holder.workspace, holder.array, holder.self = ws, nd.ones(100), holder
            holder.view, holder.foreign = holder.array[2:], memoryview(holder.array)
            holder.array.node = [holder]
        gone = weakref.ref(holder), weakref.ref(ws)
        del holder, ws
        gc.collect()
        assert [reference() for reference in gone] == [None, None]
        assert nd.memory.stats().live_bytes == before


def test_destroying():
    before = nd.memory.stats().live_bytes
    a = nd.workspace("a", LARGE)
    with a:
        x = nd.ones(3)
        with pytest.raises(nd.WorkspaceError, match="'a' is open"):
            a.destroy()
        with pytest.raises(nd.WorkspaceError, match="'a' are open"):
            MANAGER.destroy_all_workspaces_for_current_thread()
    MANAGER.destroy_workspace(a)
    a.destroy()
    assert (a.is_destroyed, a.current_size) == (True, 0)
    with pytest.raises(nd.WorkspaceError, match="'a' has been destroyed"):
        a.notify_scope_entered()
    with pytest.raises(nd.WorkspaceError, match="which has been destroyed"):
        x.tolist()
    del x
    assert nd.memory.stats().live_bytes == before
    assert nd.workspace("a") is not a


def test_repr():
    a = nd.workspace("a", LARGE)
    assert repr(a) == "<Workspace 'a': closed, generation 0, 0 B of 83.2 KiB used>"
    with a:
        nd.empty(100)
        assert repr(a) == "<Workspace 'a': open, generation 1, 800 B of 83.2 KiB used>"
    a.destroy()
    assert "destroyed" in repr(a)


# Processes.


def run(code):
    """Standard output and error of a fresh interpreter."""
    command = [sys.executable, "-X", "dev", "-c", "import nd4py as nd, os, gc\n" + code]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, env={**os.environ})
    assert result.returncode == 0, result.stderr
    return result.stdout, result.stderr


def test_interpreter_may_end_inside_scopes():
    out, error = run(
        "a = nd.workspace('a').notify_scope_entered(); x = nd.ones(3)\n"
        "nd.Workspace('b', nd.WorkspaceConfiguration(initial_size=4096)).notify_scope_entered(); y = nd.ones(3)\n"
        "nd.kept = [nd.ones(3)[1:]]; print((x + y).tolist())"
    )
    assert out == "[2.0, 2.0, 2.0]\n"
    assert "Traceback" not in error.replace("ResourceWarning", "")


def test_fork_inside_a_scope():
    out, _ = run(
        "with nd.workspace('a', nd.WorkspaceConfiguration(initial_size=4096)) as a:\n"
        "    x = nd.ones(3)\n"
        "    child = os.fork()\n"
        "    y = x + 1\n"
        "    assert y.workspace is a and y.tolist() == [2.0] * 3\n"
        "if child == 0:\n"
        "    gc.collect()\n"
        "    os._exit(7)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))"
    )
    assert out == "7\n"


def test_with_takes_over_a_scope_that_a_call_entered():
    """As Java's try does with what notifyScopeEntered and notifyScopeBorrowed return."""
    a, b = nd.Workspace("a", LARGE), nd.Workspace("b", LARGE)
    with a.notify_scope_entered(), b:
        with a.notify_scope_borrowed() as borrowed:
            assert borrowed is a
            assert nd.ones(3).workspace is a
        assert nd.ones(3).workspace is b
    assert not a.is_open
    assert MANAGER.current_workspace() is None
    a.notify_scope_entered()
    nd.ones(3)
    with a:
        assert a.tag_scope == 1
    assert a.is_open
    a.close()


def leave_with_a_borrow(a, b, error=None):
    with a, b:
        a.notify_scope_borrowed()
        nd.ones(3)
        if error is not None:
            raise error


def test_what_was_borrowed_inside_is_left_with_the_scope_inside():
    a, b = nd.Workspace("a", LARGE), nd.Workspace("b", LARGE)
    with pytest.raises(KeyError):
        leave_with_a_borrow(a, b, KeyError())
    assert MANAGER.current_workspace() is None
    assert not any((a.is_open, b.is_open, a.is_borrowed))
    with pytest.raises(nd.WorkspaceError, match="'b' was left while"):
        leave_with_a_borrow(a, b)
    assert MANAGER.current_workspace() is None
