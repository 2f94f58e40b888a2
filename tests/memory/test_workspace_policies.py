"""Sizes that workspaces learn, and what becomes of arrays that do not fit."""

import pytest

import nd4py as nd

C = nd.WorkspaceConfiguration


def cycle(ws, *sizes):
    """Open the scope once and make arrays of so many bytes; returns them."""
    with ws:
        return [nd.empty(n, dtype="uint8") for n in sizes]


def counters(ws):
    return ws.spilled_size, ws.number_of_external_allocations, ws.pinned_size, ws.number_of_pinned_allocations


@pytest.mark.parametrize(
    ("settings", "size"),
    [
        ({}, 1310),  # 1008 bytes and 30%
        ({"overallocation_limit": 0.1}, 1108),
        ({"overallocation_limit": 0.0}, 1008),
        ({"policy_allocation": "strict"}, 1008),
        ({"min_size": 5000}, 5000),
        ({"min_size": 100}, 1310),
        ({"max_size": 500}, 500),
        ({"max_size": 1200}, 1200),
        ({"max_size": 5000}, 1310),
        ({"min_size": 600, "max_size": 700}, 700),
        ({"policy_learning": "none"}, 0),
        ({"policy_learning": "over_time"}, 0),
    ],
    ids=str,
)
def test_size_learned_in_the_first_scope(settings, size):
    ws = nd.Workspace("learns", C(**settings))
    assert ws.current_size == 0
    cycle(ws, 1000)
    assert ws.current_size == size
    cycle(ws, 5000)
    assert ws.current_size == size


@pytest.mark.parametrize(
    ("settings", "size"),
    [
        ({}, 1300),
        ({"policy_allocation": "strict"}, 1000),
        ({"overallocation_limit": 1.5}, 2500),
        ({"max_size": 900}, 900),
        ({"min_size": 4000}, 4000),
    ],
    ids=str,
)
def test_initial_size_is_there_at_once(settings, size):
    ws = nd.Workspace("initial", C(initial_size=1000, **settings))
    assert (ws.current_size, ws.initial_block_size) == (size, 1000)
    cycle(ws, 9000)
    assert ws.current_size == size
    assert ws.max_cycle_allocations == 9008


def test_learning_over_time_takes_the_largest():
    ws = nd.Workspace("over time", C(policy_learning="over_time", cycles_before_initialization=3))
    for n in (160, 480):
        cycle(ws, n)
        assert ws.current_size == 0
    cycle(ws, 320)
    assert ws.current_size == 480 + 144
    cycle(ws, 4800)
    assert ws.current_size == 624


def test_learning_over_time_by_hand():
    ws = nd.Workspace("by hand", C(policy_learning="over_time", policy_allocation="strict"))
    ws.initialize_workspace()
    assert ws.current_size == 0
    for n in (160, 320, 16):
        cycle(ws, n)
    with ws, pytest.raises(nd.WorkspaceError, match="'by hand' is open"):
        ws.initialize_workspace()
    ws.initialize_workspace()
    assert ws.current_size == 320
    ws.initialize_workspace()
    assert ws.current_size == 320


def test_no_learning_spills_for_ever():
    ws = nd.Workspace("never", C(policy_learning="none"))
    for _ in range(3):
        cycle(ws, 100, 200)
        assert counters(ws) == (112 + 208, 2, 0, 0)  # forgotten when the scope is entered again
        ws.initialize_workspace()
    assert ws.current_size == 0


def test_first_scope_spills_and_the_second_does_not():
    ws = nd.Workspace("external")
    with ws:
        x = nd.empty(100, dtype="uint8")
        assert counters(ws) == (112, 1, 0, 0)
        assert x.is_attached()
    assert counters(ws) == (0, 0, 0, 0)
    with ws:
        nd.empty(100, dtype="uint8")
        assert counters(ws) == (0, 0, 0, 0)
        assert ws.host_offset == 112


def test_external_spills_what_does_not_fit():
    ws = nd.Workspace("external", C(initial_size=96, policy_allocation="strict"))
    with ws:
        inside, outside, again = (nd.empty(n, dtype="uint8") for n in (64, 48, 32))
        assert counters(ws) == (48, 1, 0, 0)
        assert (ws.host_offset, ws.cycle_allocations) == (96, 144)
        assert again.address == inside.address + 64
        assert outside.is_attached()
    assert ws.current_size == 96
    assert ws.max_cycle_allocations == 144
    with pytest.raises(nd.WorkspaceError):
        outside.tolist()


def test_reallocate_grows_without_adding_more_each_time():
    ws = nd.Workspace("grows", C(policy_spill="reallocate"))
    cycle(ws, 1600)
    assert ws.current_size == 2080
    cycle(ws, 1600, 480)
    assert ws.current_size == 2080
    cycle(ws, 1600, 1600)
    assert ws.current_size == 3200
    cycle(ws, 16)
    assert ws.current_size == 3200
    with ws:
        nd.empty(3200, dtype="uint8")
        assert counters(ws) == (0, 0, 0, 0)


def test_reallocate_stops_at_the_largest_size():
    ws = nd.Workspace("bounded", C(policy_spill="reallocate", policy_allocation="strict", max_size=1000))
    cycle(ws, 160)
    assert ws.current_size == 160
    cycle(ws, 480)
    assert ws.current_size == 480
    cycle(ws, 1600)
    assert ws.current_size == 480  # 1600 is beyond max_size: growing would not help


def test_reallocate_of_an_arena_of_fixed_size():
    ws = nd.Workspace("fixed", C(policy_spill="reallocate", policy_learning="none", initial_size=160))
    cycle(ws, 1600)
    assert ws.current_size == 208


def test_fail_leaves_everything_as_it_was():
    ws = nd.Workspace("full", C(policy_spill="fail", initial_size=1024, policy_allocation="strict"))
    with ws:
        nd.empty(512, dtype="uint8")
        with pytest.raises(nd.WorkspaceError, match="'full' is full: 528 bytes asked for, 512 of 1024 in use"):
            nd.empty(520, dtype="uint8")
        assert (ws.host_offset, ws.cycle_allocations, ws.n_arrays) == (512, 512, 0)
        assert counters(ws) == (0, 0, 0, 0)
        x = nd.empty(512, dtype="uint8")
        assert (ws.host_offset, ws.n_arrays, x.is_attached()) == (1024, 1, True)


def test_fail_without_an_arena():
    ws = nd.Workspace("nothing", C(policy_spill="fail"))
    with ws, pytest.raises(nd.WorkspaceError, match="0 of 0 in use; give it a larger initial_size"):
        nd.empty(1)


def test_no_memory_is_taken_once_the_size_is_known():
    ws = nd.Workspace("steady")

    def step():
        with ws:
            x = nd.ones((50, 40)) + 1.0
            return float(nd.sum(nd.exp(x @ x.T)[1:]))

    step()
    step()
    before = nd.memory.stats()
    assert len({step() for _ in range(20)}) == 1
    after = nd.memory.stats()
    assert (after.misses, after.live_bytes) == (before.misses, before.live_bytes)


def test_out_of_memory_when_the_arena_is_made():
    before = nd.memory.stats().live_bytes
    with pytest.raises(MemoryError, match="the arena of a workspace"):
        nd.Workspace("too large", C(initial_size=1 << 60))
    assert nd.memory.stats().live_bytes == before


def test_out_of_memory_when_the_size_is_learned():
    """The scope is closed all the same, and goes on with memory outside."""
    ws = nd.Workspace("too large", C(min_size=1 << 60))
    for generation in (1, 2):
        with pytest.raises(MemoryError, match="the arena of a workspace"), ws:
            x = nd.ones(10)
        assert nd.workspace_manager.current_workspace() is None
        assert (ws.is_open, ws.generation_id, ws.cycles_count) == (False, generation, generation)
        assert (ws.current_size, ws.cycle_allocations, ws.host_offset) == (0, 0, 0)
        with pytest.raises(nd.WorkspaceError):
            x.tolist()


def test_out_of_memory_inside():
    ws = nd.Workspace("huge", C(initial_size=1024))
    with ws:
        with pytest.raises(MemoryError, match="an array of workspace 'huge'"):
            nd.empty(1 << 58, dtype="uint8")
        assert counters(ws) == (0, 0, 0, 0)
        assert nd.ones(3).is_attached()
