"""Wrong values for every field of a configuration and every method of the manager: an error that says what is wrong."""

import enum
import math
import subprocess
import sys
import textwrap
import time
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

import nd4py as nd

HUGE = 2**70
LONG = "9" * 5000

# What no field takes.
STRANGERS = [object(), [], {}, b"1", 1j, lambda: 1, nd, float]
WRONG = {
    "size": [
        -1,
        HUGE,
        2**63,
        LONG,
        "9" * 30,
        "-1",
        "1.5.2",
        "2P",
        "",
        "50%",
        "nan",
        1.5,
        math.nan,
        math.inf,
        True,
        None,
    ],
    "overallocation_limit": [-1, -0.1, math.nan, math.inf, -math.inf, 1e30, HUGE, 10**400, "0.3", True, None],
    "count": [-1, HUGE, 2**31, 10**400, 1.5, 1.0, math.nan, "3", True, None],
    "temp_file_path": ["", "a\0b", 5, 1.5, True],
    "policy": ["unheard of", "", LONG, 0, 1, 1.5, True, None],
}
RIGHT = {
    "size": [0, 1, "512M", "2G", "1.5K", " 7 ", "10 KiB", 2**63 - 1],
    "overallocation_limit": [0, 0.3, 1, 1_000_000],
    "count": [0, 1, 2**31 - 1],
    "temp_file_path": [None, "arena", Path("arena")],
}


def kind_of(field):
    if isinstance(field.default, enum.Enum):
        return "policy"
    name = field.name
    return "size" if name.endswith("_size") else name if name in WRONG else "count"


FIELDS = fields(nd.WorkspaceConfiguration)


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.name)
def test_wrong_values_are_refused(field):
    for value in WRONG[kind_of(field)] + STRANGERS:
        with pytest.raises((TypeError, ValueError), match=f"^{field.name}: ") as error:
            nd.WorkspaceConfiguration(**{field.name: value})
        assert len(str(error.value)) < 400


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.name)
def test_right_values_are_taken(field):
    if kind_of(field) == "policy":
        needs = {"mmap": {"policy_learning": "none"}, "virtual": {"policy_learning": "none"}}
        needs["endofbuffer_reached"] = {"overallocation_limit": 1}
        for member in type(field.default):
            for value in (member, str(member), str(member).upper()):
                made = nd.WorkspaceConfiguration(**{field.name: value}, **needs.get(str(member), {}))
                assert getattr(made, field.name) is member
        return
    for value in RIGHT[kind_of(field)]:
        beside = {"overallocation_limit": 0} if field.name == "initial_size" else {}
        beside |= {"max_size": value} if field.name == "min_size" else {}
        nd.WorkspaceConfiguration(**{field.name: value}, **beside)


def test_sizes_are_exact():
    assert nd.WorkspaceConfiguration(max_size="9007199254740993").max_size == 9007199254740993
    assert nd.WorkspaceConfiguration(max_size="1.5K").max_size == 1536


def test_size_that_over_allocation_makes_too_large():
    with pytest.raises(ValueError, match="^initial_size: .*overallocation_limit"):
        nd.WorkspaceConfiguration(initial_size=2**62, overallocation_limit=100)


def test_learned_size_that_over_allocation_makes_too_large():
    ws = nd.Workspace("greedy", nd.WorkspaceConfiguration(overallocation_limit=1_000_000))
    with ws:
        nd.zeros(1000)
    assert ws.current_size in (0, 8000 * 1_000_001)


NO_ID = [None, "", 5, 1.5, b"a", [], {}, object()]
NO_WORKSPACE = ["step", 5, [], object()]
NO_CONFIGURATION = ["step", 5, 0, "", [], {}, nd.WorkspaceConfiguration]
MANAGER = nd.workspace_manager
CALLS = [
    *[(MANAGER.check_if_workspace_exists, value) for value in NO_ID],
    *[(MANAGER.check_if_workspace_exists_and_active, value) for value in NO_ID],
    *[(nd.workspace, value) for value in NO_ID],
    *[(lambda value: MANAGER.create_new_workspace(id=value), value) for value in NO_ID],
    *[(MANAGER.destroy_workspace, value) for value in NO_WORKSPACE],
    *[(MANAGER.set_workspace_for_current_thread, value) for value in [None, *NO_WORKSPACE]],
    *[(MANAGER.set_default_configuration, value) for value in [None, *NO_CONFIGURATION]],
    *[(lambda value: nd.workspace("wrong", value), value) for value in NO_CONFIGURATION],
    *[(lambda value: nd.Workspace("wrong", value), value) for value in NO_CONFIGURATION],
    *[(MANAGER.create_new_workspace, value) for value in NO_CONFIGURATION],
    *[(lambda value: MANAGER.create_new_workspace(None, "wrong", value), value) for value in ["0", 1.5, True, []]],
]


@pytest.mark.parametrize("call, value", CALLS)
def test_wrong_arguments_of_the_manager(call, value):
    before = MANAGER.all_workspace_ids_for_current_thread()
    with pytest.raises(TypeError, match="(id|workspace|configuration|device_id): .*given"):
        call(value)
    assert MANAGER.all_workspace_ids_for_current_thread() == before


@pytest.mark.parametrize("value", [-1, HUGE, 10**400])
def test_device_that_there_is_not(value):
    with pytest.raises(ValueError, match="device_id: "):
        MANAGER.create_new_workspace(None, "wrong", value)


@pytest.mark.parametrize("value", ["", "unheard of", 0, 1.5, None, []])
def test_debug_mode_that_there_is_not(value):
    with pytest.raises((ValueError, TypeError), match="mode: one of 'disabled'"):
        MANAGER.set_debug_mode(value)


def test_name_of_a_workspace_to_be_destroyed_says_what_to_do():
    with pytest.raises(TypeError, match=r"given 'step'; get it by nd4py.workspace\('step'\)"):
        MANAGER.destroy_workspace("step")


def test_destroying_one_of_two_of_a_name_keeps_the_other():
    mine = nd.workspace("of a name")
    nd.workspace_manager.destroy_workspace(nd.Workspace("of a name"))
    assert nd.workspace("of a name") is mine
    MANAGER.destroy_workspace(mine)
    assert not MANAGER.check_if_workspace_exists("of a name")


def test_leaving_what_was_not_entered():
    ws = nd.Workspace("closed")
    with pytest.raises(nd.WorkspaceError, match="'closed' was not entered by `with`"):
        ws.__exit__(None, None, None)
    with ws:
        nd.ones(3)
    with pytest.raises(nd.WorkspaceError, match="not entered"):
        ws.__exit__(None, None, None)
    ws.notify_scope_entered()
    with pytest.raises(nd.WorkspaceError, match="not entered"):
        ws.__exit__(None, None, None)
    ws.close()


def test_looking_a_workspace_up_does_not_grow_with_their_number():
    def seconds():
        found = []
        for _ in range(5):
            start = time.perf_counter()
            for _ in range(1000):
                nd.workspace("looked up")
            found.append(time.perf_counter() - start)
        return min(found)

    try:
        few = seconds()
        for i in range(1000):
            nd.workspace(f"one of many {i}")
        assert seconds() < 5 * few
    finally:
        MANAGER.destroy_all_workspaces_for_current_thread()


ENDS = {
    "with": "with nd.workspace('a'):\n    x = nd.ones(3)\n    raise SystemExit",
    "entered": "ws = nd.workspace('a')\nws.__enter__()\nx = nd.ones(3)",
    "private": "ws = nd.Workspace('a')\nws.__enter__()\nx = nd.ones(3)\ndel ws",
    "deferred": "ws = nd.workspace('a')\nws.__enter__()\nx = nd.ones(1_000_000) * 2",
    "kept by a module": "import builtins\nbuiltins.x = (nd.Workspace('a'), nd.ones(3))\nbuiltins.x[0].__enter__()",
    "generator": "def f():\n    with nd.workspace('a'):\n        yield nd.ones(3)\nit = f()\nx = next(it)",
    "nested": "for id in 'aba':\n    nd.workspace(id).__enter__()\nx = nd.ones(3)",
    "daemon": """
import threading, time
def f():
    with nd.workspace('t'):
        x = nd.ones(3)
        entered.set()
        time.sleep(100)
entered = threading.Event()
threading.Thread(target=f, daemon=True).start()
entered.wait()
""",
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ENDS)
@pytest.mark.parametrize("options", [[], ["-W", "error"], ["-X", "dev"]], ids=" ".join)
def test_program_that_ends_inside_a_scope_says_nothing(name, options):
    program = "import nd4py as nd\n" + textwrap.dedent(ENDS[name])
    run = subprocess.run([sys.executable, *options, "-c", program], capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


@pytest.mark.parametrize("limit", [3, 6, 12])
def test_network_in_few_addresses(limit):
    """Under `ulimit -v` an arena of addresses reserves fewer."""
    program = f"""
import resource
resource.setrlimit(resource.RLIMIT_AS, ({limit << 30}, {limit << 30}))
import numpy as np
from nd4py import nn
net = nn.MultiLayerNetwork([nn.DenseLayer(8, "tanh"), nn.OutputLayer(3)], input_type=nn.InputType.feed_forward(4))
x, y = np.ones((5, 4), "f4"), np.eye(3, dtype="f4")[[0, 1, 2, 0, 1]]
print(np.isfinite(net.fit_batch(x, y)), np.asarray(net.output(x)).shape)
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert run.stdout == "True (5, 3)\n", run.stderr


def test_strict_circular_arena_is_cut_into_its_blocks():
    settings = {"policy_reset": "endofbuffer_reached", "policy_allocation": "strict", "steps_number": 4}
    ws = nd.Workspace("cut", nd.WorkspaceConfiguration(initial_size=4096, **settings))
    assert (ws.current_size, ws.initial_block_size, ws.steps_number) == (4096, 1024, 4)
    made = []
    for generation in range(9):
        with ws:
            made.append(nd.full(100, float(generation)))
            assert ws.spilled_size == ws.pinned_size == 0
        alive = made[-4:]
        assert [x[0].item() for x in alive] == [float(i) for i in range(max(0, generation - 3), generation + 1)]
        for x in made[:-4]:
            with pytest.raises(nd.WorkspaceError):
                x.tolist()


@pytest.mark.parametrize("limit", [1, 3])
def test_spill_counters_of_a_circular_arenas_first_scope(limit):
    settings = {"policy_reset": "endofbuffer_reached", "overallocation_limit": limit}
    ws = nd.Workspace("spilled", nd.WorkspaceConfiguration(**settings))
    with ws:
        x = nd.ones(100)
        assert (ws.spilled_size, ws.number_of_external_allocations) == (800, 1)
    assert (ws.spilled_size, ws.number_of_external_allocations) == (800, 1)
    assert x.sum() == 100
    for _ in range(2 * limit + 4):
        with ws:
            nd.ones(100)
    assert (ws.spilled_size, ws.number_of_external_allocations) == (0, 0)


@pytest.mark.parametrize("index", [1, -1, 2, HUGE, -HUGE])
def test_number_of_the_only_sub_array(index):
    x = nd.asarray(np.arange(12.0).reshape(3, 4))
    for array in (x, x.T, x[:, 0], x[0, 0]):
        dimensions = tuple(range(array.ndim)) or (0,)
        for call in (array.tensor_along_dimension, lambda *given, x=array: nd.tensor_along_dimension(x, *given)):
            with pytest.raises((ValueError, IndexError, TypeError), match="out of range"):
                call(index, *dimensions)
    with pytest.raises(ValueError, match="out of range"):
        x.tensor_along_dimension(HUGE, 0)


@pytest.mark.parametrize("index", ["0", 0.0, None, []])
def test_number_of_a_sub_array_is_whole(index):
    x = nd.ones((3, 4))
    for dimensions in ((0, 1), (0,)):
        with pytest.raises(TypeError):
            x.tensor_along_dimension(index, *dimensions)
