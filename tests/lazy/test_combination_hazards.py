"""Memory that deferred operations read, or that results will lie in: written, shown to others, in workspaces."""

import operator
import weakref

import numpy as np
import pytest
from deferred_arrays import DEFERS_IN_PLACE, VALUES, N, equal, fresh, is_deferred

import nd4py as nd

# Memory that is written.

WRITES = {
    "fill": lambda x: x.__setitem__(..., 7),
    "element": lambda x: x.__setitem__(3, 7),
    "slice": lambda x: x.__setitem__(slice(None, None, -3), 7),
    "mask": lambda x: x.__setitem__(x > 0, 7),
    "add": lambda x: x.__iadd__(7),
    "view": lambda x: x[1:].__imul__(7),
    "reshaped view": lambda x: x.reshape(100, -1).T.__isub__(7),
    "out": lambda x: nd.multiply(x, 2, out=x),
    "out view": lambda x: nd.add(x[: N // 2], 1.0, out=x[N // 2 :]),
    "fill of a view of a view": lambda x: x[5:][5:].__setitem__(..., 0),
    "put_along_axis": lambda x: nd.put_along_axis(x, nd.asarray([1, 2]), nd.asarray([7.0, 8.0]), axis=0),
    "index_add": lambda x: nd.index_add(x, nd.asarray([1, 2]), nd.asarray([7.0, 8.0])),
    "exported": lambda x: np.asarray(x).__setitem__(..., 7),
    "buffer": lambda x: memoryview(x).__setitem__(0, 7.0),
    "DLPack": lambda x: np.from_dlpack(x).__setitem__(..., 7) if np.from_dlpack(x).flags.writeable else None,
}


@pytest.mark.parametrize("read_view", [False, True])
@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_an_operation_reads_what_was_there_when_it_was_called(write, read_view):
    x = fresh()
    y = (x[::-1] if read_view else x) * 2 + 1
    assert is_deferred(y)
    write(x)
    equal(y, (VALUES[::-1] if read_view else VALUES) * 2 + 1)


def test_views_of_a_leaf_that_were_there_before_write_too():
    x = fresh()
    view = x[::2]
    y = x + 1
    view[...] = 0
    equal(y, VALUES + 1)
    y = x - 1
    view += 5
    assert float(y[0]) == -1


def test_writing_through_an_export_made_before_is_never_missed():
    for export in (np.asarray, memoryview, np.from_dlpack):
        x = fresh()
        outside = export(x)
        y = x + 1
        assert not is_deferred(y)
        del outside
        equal(y, VALUES + 1)


def test_a_deferred_value_that_joins_exported_memory_is_computed_at_the_call():
    x, z = fresh(), fresh()
    outside = np.asarray(x)
    y = z * 2
    total = x + y
    outside[...] = 100
    equal(total, VALUES + VALUES * 2)


def test_imported_memory_is_read_at_the_call():
    for imported in (nd.asarray, nd.from_dlpack, lambda memory: nd.frombuffer(memory, dtype="float64")):
        outside = VALUES.copy()
        x = imported(outside)
        y = x * 2 + x
        outside[...] = 0
        equal(y, VALUES * 2 + VALUES)


def test_the_array_interface_shows_memory_that_is_never_read_later():
    x = fresh()
    pointer = x.__array_interface__["data"][0]
    outside = np.ctypeslib.as_array((np.ctypeslib.ctypes.c_double * N).from_address(pointer))
    y = x + 1
    outside[...] = 0
    equal(y, VALUES + 1)


# Operations in place.


@pytest.mark.parametrize("operand", [1, fresh(VALUES[:20_000])], ids=["scalar", "array"])
def test_a_cheap_operation_in_place_waits_for_a_costly_one_that_reads_its_array(operand):
    x = nd.zeros(20_000)
    y = nd.exp(x)
    assert is_deferred(y)
    x += operand
    equal(y, np.ones(20_000))


def test_in_place_on_a_deferred_array_leaves_what_reads_it_alone():
    x = fresh()
    z = x + 1
    y = z * 3
    z *= 2
    z -= 5
    assert is_deferred(z)
    assert is_deferred(y)
    equal(z, (VALUES + 1) * 2 - 5)
    equal(y, (VALUES + 1) * 3)


def test_in_place_on_an_array_with_views_keeps_the_views():
    x = fresh()
    view = x[::-1]
    x += 1
    equal(view, (VALUES + 1)[::-1])
    outside = np.asarray(x)
    x *= 2
    np.testing.assert_array_equal(outside, (VALUES + 1) * 2)


def test_in_place_on_an_unseen_array_keeps_its_identity():
    x = fresh()
    same, weak, y = x, weakref.ref(x), None
    x += 1
    assert is_deferred(x) == DEFERS_IN_PLACE
    y = x * x
    x *= 2
    assert same is x is weak()
    equal(x, (VALUES + 1) * 2)
    equal(y, (VALUES + 1) * (VALUES + 1))


def test_a_deferred_array_is_written_by_operations_that_do_not_read_it():
    a, b = fresh(), fresh()
    target = a * 2
    reader = target + 1
    other = b - 4
    assert nd.add(other, b, out=target) is target
    equal(target, VALUES - 4 + VALUES)
    equal(reader, VALUES * 2 + 1)
    equal(other, VALUES - 4)
    target = a * 2
    nd.add(a, b, out=target)
    equal(target, VALUES + VALUES)
    target = a + 3
    target[::2] = other[::2]
    equal(target, np.where(np.arange(N) % 2 == 0, VALUES - 4, VALUES + 3))


def test_read_only_arrays_refuse_deferred_writes():
    x = nd.broadcast_to(nd.ones(1), (N,))
    with pytest.raises(ValueError, match="read-only"):
        x += 1
    with pytest.raises(ValueError, match="read-only"):
        nd.add(fresh() * 2, 1.0, out=x)


@pytest.mark.parametrize("dtype", ["int32", "int64", "bool"])
def test_deferred_arrays_are_indices_and_masks(dtype):
    x = nd.reshape(nd.arange(2 * N), (2, N))
    index = nd.array((np.arange(N) % 7 > 3).astype(dtype), copy=True)
    for key in (index, index if dtype == "bool" else index + 1):
        equal(x[:, key], np.asarray(x)[:, np.asarray(key)])


# Workspaces.


def test_entering_and_leaving_a_workspace_runs_what_is_deferred():
    x = fresh()
    before = x + 1
    with nd.workspace("combination"):
        assert not is_deferred(before)
        inside = x * 2 + 1
        kept = (inside + before).detach()
        late = x - 1
    equal(kept, VALUES * 2 + 1 + (VALUES + 1))
    with pytest.raises(nd.WorkspaceError):
        float(late[0])
    nd.workspace_manager.destroy_all_workspaces_for_current_thread()


def test_scopes_inside_scopes_never_move_a_deferred_result():
    x = fresh()
    with nd.workspace("outer") as outer:
        before = x + 1
        with nd.scope_out_of_workspaces():
            assert not is_deferred(before)
            free = before * 2
            assert is_deferred(free)
        assert not is_deferred(free)
        with nd.workspace("inner"):
            with outer:
                borrowed = free + 1
            assert not is_deferred(borrowed)
            equal(borrowed, (VALUES + 1) * 2 + 1)
        equal(borrowed, (VALUES + 1) * 2 + 1)
    equal(free, (VALUES + 1) * 2)
    nd.workspace_manager.destroy_all_workspaces_for_current_thread()


def test_a_circular_workspace_does_not_run_over_what_is_to_be_read():
    configuration = nd.WorkspaceConfiguration(
        initial_size=4 * 8 * N, overallocation_limit=1, policy_reset="endofbuffer_reached", policy_learning="none"
    )
    for _ in range(5):
        with nd.workspace("ring", configuration):
            x = nd.array(VALUES, copy=True)
            y = x * 2 + 1
            equal(y, VALUES * 2 + 1)
    nd.workspace_manager.destroy_all_workspaces_for_current_thread()


def test_a_released_operand_is_named_at_the_call():
    with nd.workspace("gone"):
        x = nd.ones(N)
    y = fresh() + 1
    for call in (lambda: y + x, lambda: nd.add(x, 1.0), lambda: operator.iadd(y, x)):
        with pytest.raises(nd.WorkspaceError):
            call()
    equal(y, VALUES + 1)
    nd.workspace_manager.destroy_all_workspaces_for_current_thread()


def test_a_value_is_found_in_large_arrays_and_deferred_ones():
    x = fresh(np.arange(N) * 1.0)
    assert 5.0 in x
    assert 5.0 in x * 1.0
    assert -5.0 not in x * 1.0
