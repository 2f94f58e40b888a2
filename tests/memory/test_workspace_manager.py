"""The manager of workspaces: finding them by name, their table, and the debug modes."""

import contextlib

import pytest
from workspace_programs import in_thread

import nd4py as nd

MANAGER = nd.workspace_manager
LARGE = nd.WorkspaceConfiguration(initial_size="64K")


@pytest.fixture(autouse=True)
def clean():
    yield
    MANAGER.destroy_all_workspaces_for_current_thread()


def test_manager_finds_by_name():
    MANAGER.destroy_all_workspaces_for_current_thread()  # those that other tests left
    a = MANAGER.get_workspace_for_current_thread(LARGE, "a")
    assert MANAGER.get_workspace_for_current_thread(id="a") is a is nd.workspace("a", LARGE)
    assert not a.is_open
    assert nd.workspace().id == "DefaultWorkspace"
    assert MANAGER.all_workspace_ids_for_current_thread() == ["a", "DefaultWorkspace"]
    assert MANAGER.all_workspaces_for_current_thread()[0] is a
    assert (MANAGER.check_if_workspace_exists("a"), MANAGER.check_if_workspace_exists("b")) == (True, False)
    with pytest.raises(nd.WorkspaceError, match="'a' exists with another configuration"):
        nd.workspace("a", nd.WorkspaceConfiguration())
    with pytest.raises(nd.WorkspaceError, match="'a' exists in this thread"):
        MANAGER.create_new_workspace(LARGE, "a")
    for bad in ("", None, 5, ["a"]):
        with pytest.raises(TypeError, match="id: "):
            MANAGER.create_new_workspace(LARGE, bad)
        with pytest.raises(TypeError, match="id: "):
            nd.workspace(bad)


def test_manager_activates():
    with contextlib.closing(MANAGER.get_and_activate_workspace(LARGE, "a")) as a:
        assert MANAGER.current_workspace() is a
        assert MANAGER.any_workspace_active_for_current_thread()
        assert MANAGER.check_if_workspace_exists_and_active("a")
        with MANAGER.scope_out_of_workspaces():
            assert not MANAGER.any_workspace_active_for_current_thread()
    assert not MANAGER.any_workspace_active_for_current_thread()
    assert not MANAGER.check_if_workspace_exists_and_active("a")
    assert not MANAGER.check_if_workspace_exists_and_active("b")


def test_manager_takes_and_destroys():
    mine = nd.Workspace("mine", LARGE)
    MANAGER.set_workspace_for_current_thread(mine)
    assert nd.workspace("mine") is mine
    default = nd.workspace()
    MANAGER.destroy_workspace()
    assert (default.is_destroyed, mine.is_destroyed) == (True, False)
    MANAGER.destroy_workspace()
    MANAGER.destroy_all_workspaces_for_current_thread()
    assert mine.is_destroyed
    assert MANAGER.all_workspaces_for_current_thread() == []


def test_workspaces_destroyed_by_hand_are_forgotten():
    first = nd.workspace("a", LARGE)
    first.destroy()
    assert not MANAGER.check_if_workspace_exists("a")
    assert MANAGER.all_workspace_ids_for_current_thread() == []
    assert nd.workspace("a") is not first


def test_default_configuration():
    manager = nd.WorkspaceManager()
    manager.set_default_configuration(LARGE)
    assert manager.get_workspace_for_current_thread().configuration == LARGE
    assert in_thread(lambda: manager.get_workspace_for_current_thread().configuration) == LARGE
    with pytest.raises(TypeError, match="configuration"):
        manager.set_default_configuration({"initial_size": 5})
    assert nd.workspace().configuration == nd.WorkspaceConfiguration()


def test_statistics_print(capsys):
    with nd.workspace("first", nd.WorkspaceConfiguration(initial_size=2048, policy_allocation="strict")):
        nd.empty(100)
        nd.empty(200)
        with nd.workspace("second"):
            MANAGER.print_allocation_statistics_for_current_thread()
    header, first, second = capsys.readouterr().out.splitlines()
    assert header.split() == ["workspace", "state", "generation", "allocated", "spilled", "pinned"]
    assert " ".join(first.split()) == "first open 1 2.0 KiB (2048) 1.6 KiB (1600) 0 B (0)"
    assert " ".join(second.split()) == "second open 1 0 B (0) 0 B (0) 0 B (0)"


# Debug modes.


@pytest.fixture
def debug_mode():
    yield MANAGER.set_debug_mode
    MANAGER.set_debug_mode("disabled")


def test_spill_everything(debug_mode):
    debug_mode("spill_everything")
    assert MANAGER.get_debug_mode() is nd.WorkspaceDebugMode.SPILL_EVERYTHING
    for config in (LARGE, nd.WorkspaceConfiguration(), nd.WorkspaceConfiguration(policy_spill="fail")):
        ws = nd.Workspace("spills", config)
        size = ws.current_size
        with ws:
            x = nd.empty(10)
            assert (x.is_attached(), ws.host_offset, ws.spilled_size) == (True, 0, 80)
            assert ws.number_of_external_allocations == 1
        assert ws.current_size == size
        with pytest.raises(nd.WorkspaceError):
            x.tolist()


def test_bypass_everything(debug_mode):
    debug_mode(nd.WorkspaceDebugMode.BYPASS_EVERYTHING)
    with nd.workspace("bypassed", LARGE) as ws:
        x = nd.ones(10)
        assert (x.is_attached(), ws.cycle_allocations) == (False, 0)
    assert x.tolist() == [1.0] * 10


def test_other_debug_modes_are_refused(debug_mode):
    with pytest.raises(ValueError, match="perhaps"):
        debug_mode("perhaps")
