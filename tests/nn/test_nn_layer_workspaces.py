"""LayerWorkspaceMgr: array types and the workspaces they live in."""

import pytest

import nd4py as nd
from nd4py.nn import ArrayType, LayerWorkspaceMgr

LEARNED = nd.WorkspaceConfiguration()


@pytest.fixture
def manager():
    return LayerWorkspaceMgr(
        {ArrayType.ACTIVATIONS: ("activations", LEARNED), "ff_working_mem": ("scratch", LEARNED)},
    )


def test_array_types():
    names = "INPUT ACTIVATIONS ACTIVATION_GRAD FF_WORKING_MEM BP_WORKING_MEM RNN_FF_LOOP_WORKING_MEM "
    names += "RNN_BP_LOOP_WORKING_MEM UPDATER_WORKING_MEM FF_CACHE"
    assert [kind.name for kind in ArrayType] == names.split()


def test_configuration_of_types(manager):
    assert manager.workspace_name("activations") == "activations"
    assert manager.configuration(ArrayType.FF_WORKING_MEM) is LEARNED
    assert manager.is_scoped_out(ArrayType.INPUT)
    assert manager.workspace(ArrayType.INPUT) is manager.workspace_name(ArrayType.INPUT) is None
    everything = LayerWorkspaceMgr(default=("all", LEARNED))
    assert {everything.workspace(kind) for kind in ArrayType} == {everything.workspace("input")}
    assert not any(LayerWorkspaceMgr.no_workspaces().has_configuration(kind) for kind in ArrayType)
    other = nd.WorkspaceConfiguration(initial_size=10)
    with pytest.raises(ValueError, match="'scratch'.*two configurations"):
        LayerWorkspaceMgr({"input": ("scratch", LEARNED), "ff_cache": ("scratch", other)})
    with pytest.raises(ValueError, match="'unheard of'"):
        manager.workspace("unheard of")


def test_arrays_are_made_where_their_type_lives(manager):
    with manager.notify_scope_entered(ArrayType.ACTIVATIONS, ArrayType.FF_WORKING_MEM):
        assert nd.ones(3).workspace.id == "scratch"
        made = {
            "activations": manager.create(ArrayType.ACTIVATIONS, (2, 3), "float32"),
            "scratch": manager.create_uninitialized(ArrayType.FF_WORKING_MEM, 4),
        }
        for name, x in made.items():
            assert x.workspace.id == name
        assert made["activations"].dtype == nd.float32
        assert manager.create(ArrayType.INPUT, 3).workspace is None
        copy = manager.dup(ArrayType.ACTIVATIONS, made["scratch"])
        assert copy.workspace.id == "activations"
        assert nd.ones(3).workspace.id == "scratch"
    with pytest.raises(nd.WorkspaceError):
        made["scratch"].sum()


def test_cast_to(manager):
    with manager.notify_scope_entered(ArrayType.ACTIVATIONS):
        x = nd.ones(3, dtype="float32")
        assert manager.cast_to(ArrayType.ACTIVATIONS, "float32", x) is x
        y = manager.cast_to(ArrayType.ACTIVATIONS, "float64", x)
        assert y.dtype == nd.float64
        assert y.workspace.id == "activations"
        assert manager.cast_to(ArrayType.INPUT, "float32", x).workspace is None


def test_leverage_to(manager):
    with manager.notify_scope_entered(ArrayType.ACTIVATIONS, ArrayType.FF_WORKING_MEM):
        x = nd.full(3, 2.0)
        y = manager.leverage_to(ArrayType.ACTIVATIONS, x)
        assert y.workspace.id == "activations"
        assert y.tolist() == [2.0, 2.0, 2.0]
        assert manager.leverage_to(ArrayType.ACTIVATIONS, y) is y
        assert not manager.leverage_to(ArrayType.INPUT, x).is_attached()
        detached = x.detach()
        assert manager.leverage_to(ArrayType.ACTIVATIONS, detached) is detached
        manager.set_no_leverage_override("scratch")
        assert manager.leverage_to(ArrayType.ACTIVATIONS, x) is x


def test_borrowing_needs_an_open_workspace(manager):
    with pytest.raises(nd.WorkspaceError, match="not open"):
        manager.create(ArrayType.ACTIVATIONS, 3)


def test_locations_are_validated(manager):
    with manager.notify_scope_entered(ArrayType.ACTIVATIONS, ArrayType.FF_WORKING_MEM):
        x = manager.create(ArrayType.FF_WORKING_MEM, 3)
        assert manager.validate_array_location(ArrayType.FF_WORKING_MEM, x) is x
        with pytest.raises(nd.WorkspaceError, match="'activations'.*'scratch'"):
            manager.validate_array_location(ArrayType.ACTIVATIONS, x)
        with pytest.raises(nd.WorkspaceError, match="outside any workspace"):
            manager.validate_array_location(ArrayType.INPUT, x)
        moved = manager.validate_array_location(ArrayType.ACTIVATIONS, x, migrate_if_invalid=True)
        assert moved.workspace.id == "activations"
        assert not manager.validate_array_location(ArrayType.INPUT, x, migrate_if_invalid=True).is_attached()
        plain = x.detach()
        assert manager.validate_array_location(ArrayType.ACTIVATIONS, plain) is plain
        with pytest.raises(nd.WorkspaceError, match="is detached"):
            manager.validate_array_location(ArrayType.ACTIVATIONS, plain, exception_if_detached=True)


def test_without_workspaces_everything_is_plain():
    manager = LayerWorkspaceMgr.no_workspaces()
    with nd.workspace("around"), manager.notify_scope_entered(ArrayType.ACTIVATIONS):
        assert not nd.ones(3).is_attached()
        x = manager.create(ArrayType.ACTIVATIONS, 3)
        assert manager.validate_array_location(ArrayType.ACTIVATIONS, x) is x
    nd.workspace_manager.destroy_all_workspaces_for_current_thread()


def test_an_error_leaves_no_scope_open(manager):
    with pytest.raises(KeyError), manager.notify_scope_entered("activations", "ff_working_mem"):
        raise KeyError
    assert not nd.workspace_manager.any_workspace_active_for_current_thread()
