"""The configuration of workspaces: fields, defaults, names and what is refused."""

from dataclasses import FrozenInstanceError, fields

import pytest

import nd4py as nd

DEFAULTS = {
    "policy_allocation": "overallocate",
    "overallocation_limit": 0.3,
    "policy_spill": "external",
    "policy_learning": "first_loop",
    "policy_reset": "block_left",
    "policy_mirroring": "full",
    "policy_location": "ram",
    "temp_file_path": None,
    "initial_size": 0,
    "min_size": 0,
    "max_size": 0,
    "cycles_before_initialization": 0,
    "steps_number": 2,
    "policy_reuse": "none",
}
ENUMS = {
    nd.AllocationPolicy: ["STRICT", "OVERALLOCATE"],
    nd.SpillPolicy: ["EXTERNAL", "REALLOCATE", "FAIL"],
    nd.LearningPolicy: ["FIRST_LOOP", "OVER_TIME", "NONE"],
    nd.ResetPolicy: ["BLOCK_LEFT", "ENDOFBUFFER_REACHED"],
    nd.MirroringPolicy: ["FULL", "HOST_ONLY"],
    nd.LocationPolicy: ["RAM", "MMAP", "VIRTUAL"],
    nd.ReusePolicy: ["NONE", "WHEN_FREED"],
    nd.WorkspaceType: ["SCOPED", "CIRCULAR", "DUMMY"],
    nd.WorkspaceDebugMode: ["DISABLED", "SPILL_EVERYTHING", "BYPASS_EVERYTHING"],
}


def test_fields_and_defaults():
    made = nd.WorkspaceConfiguration()
    assert {field.name: getattr(made, field.name) for field in fields(made)} == DEFAULTS


@pytest.mark.parametrize("kind", ENUMS, ids=lambda kind: kind.__name__)
def test_enum_has_the_names(kind):
    assert [member.name for member in kind] == ENUMS[kind]


@pytest.mark.parametrize("field", [field for field in fields(nd.WorkspaceConfiguration) if field.name[:7] == "policy_"])
def test_policies_may_be_given_by_name_in_any_case(field):
    for member in type(field.default):
        extra = {"overallocation_limit": 1} if member is nd.ResetPolicy.ENDOFBUFFER_REACHED else {}
        extra |= {"policy_learning": "none"} if member in (nd.LocationPolicy.MMAP, nd.LocationPolicy.VIRTUAL) else {}
        for given in (member, member.value, member.name):
            made = nd.WorkspaceConfiguration(**{field.name: given, **extra})
            assert getattr(made, field.name) is member
    with pytest.raises(ValueError, match=f"{field.name}.*{next(iter(type(field.default))).value}.*'unheard of'"):
        nd.WorkspaceConfiguration(**{field.name: "unheard of"})


@pytest.mark.parametrize("name", ["initial_size", "min_size", "max_size"])
def test_sizes(name):
    assert getattr(nd.WorkspaceConfiguration(**{name: "2K"}), name) == 2048
    for bad, error in [
        (-1, ValueError),
        ("many", ValueError),
        ("50%", ValueError),
        (1.5, TypeError),
        (True, TypeError),
    ]:
        with pytest.raises(error, match=name):
            nd.WorkspaceConfiguration(**{name: bad})


@pytest.mark.parametrize(
    "wrong",
    [
        {"overallocation_limit": -0.1},
        {"cycles_before_initialization": -1},
        {"steps_number": -1},
        {"policy_reset": "endofbuffer_reached", "overallocation_limit": 0.5},
        {"policy_location": "mmap", "policy_learning": "first_loop"},
        {"policy_location": "virtual", "policy_learning": "first_loop"},
        {"policy_reuse": "when_freed", "policy_reset": "endofbuffer_reached", "overallocation_limit": 2},
        {"min_size": 100, "max_size": 50},
    ],
    ids=lambda wrong: "-".join(wrong),
)
def test_contradictions_are_refused(wrong):
    with pytest.raises(ValueError, match=rf"^({'|'.join(wrong)}): "):
        nd.WorkspaceConfiguration(**wrong)


def test_strict_circular_workspace_needs_no_limit():
    made = nd.WorkspaceConfiguration(policy_reset="endofbuffer_reached", policy_allocation="strict")
    assert nd.Workspace("strict", made).steps_number == 1


def test_it_does_not_change():
    with pytest.raises(FrozenInstanceError):
        nd.WorkspaceConfiguration().initial_size = 5
    with pytest.raises(TypeError):
        nd.WorkspaceConfiguration("strict")


def test_type_and_steps_follow_from_the_policies():
    assert nd.Workspace("scoped").workspace_type is nd.WorkspaceType.SCOPED
    assert nd.Workspace("scoped", nd.WorkspaceConfiguration(steps_number=7)).steps_number == 1
    for limit, steps in [(1, 2), (2.5, 3), (4, 5)]:
        made = nd.WorkspaceConfiguration(policy_reset="endofbuffer_reached", overallocation_limit=limit)
        assert nd.Workspace("circular", made).workspace_type is nd.WorkspaceType.CIRCULAR
        assert nd.Workspace("circular", made).steps_number == steps


def test_counters_exist_and_begin_at_zero():
    fresh = nd.Workspace("fresh")
    assert fresh.id == "fresh"
    assert fresh.thread_id > 0
    zero = """device_id current_size initial_block_size host_offset device_offset cycle_allocations
        last_cycle_allocations max_cycle_allocations spilled_size pinned_size number_of_external_allocations
        number_of_pinned_allocations cycles_count step_number steps_count generation_id tag_scope n_arrays"""
    assert {getattr(fresh, name) for name in zero.split()} == {0}
    assert (fresh.is_open, fresh.is_used, fresh.is_destroyed) == (False, True, False)
    assert fresh.previous_workspace is None
    assert fresh.borrowing_workspace is None


def test_policies_of_mirroring_are_the_same_here():
    """On the CPU there is nothing to mirror: arrays lie in the arena on the host."""
    for policy in nd.MirroringPolicy:
        ws = nd.Workspace("mirror", nd.WorkspaceConfiguration(policy_mirroring=policy, initial_size=1024))
        with ws:
            x = nd.empty(4)
            assert (x.device, x.is_attached(), ws.host_offset) == ("cpu", True, 32)
