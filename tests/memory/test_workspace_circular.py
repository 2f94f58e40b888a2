"""Circular workspaces: each scope has a block of its own, and arrays live until their block is used again."""

import numpy as np
import pytest

import nd4py as nd


def circular(limit=1, **settings):
    return nd.WorkspaceConfiguration(policy_reset="endofbuffer_reached", overallocation_limit=limit, **settings)


def test_size_is_learned_with_room_for_more():
    ws = nd.Workspace("learned", circular(2))
    with ws:
        nd.empty(1000, dtype="uint8")
    block = int(1008 * 1.3) + 8 - int(1008 * 1.3) % 8
    assert block == 1312
    assert (ws.initial_block_size, ws.current_size, ws.max_cycle_allocations) == (block, 3 * block, block)


def test_size_that_divides_by_eight_gets_eight_more():
    ws = nd.Workspace("learned", circular(1))
    with ws:
        nd.empty(160, dtype="uint8")
    assert ws.initial_block_size == 208 + 8


@pytest.mark.parametrize("block", [1024, 1000, 1001])
def test_each_scope_has_its_block(block):
    ws = nd.Workspace("laps", circular(2, initial_size=block))
    addresses, offsets = [], []
    for _ in range(7):
        with ws:
            addresses.append(nd.empty(3).address)
        offsets.append(ws.host_offset)
    assert offsets == [block, 2 * block, 3 * block, block, 2 * block, 3 * block, block]
    assert addresses[:3] == addresses[3:6]
    assert len(set(addresses)) == 3
    assert all(address % 64 == 0 for address in addresses)
    assert ws.steps_count == 2


def test_arrays_live_until_their_block_comes_round():
    ws = nd.Workspace("laps", circular(2, initial_size=1024))
    made = []
    for generation in range(1, 9):
        with ws:
            made.append(nd.full(5, generation))
            for age, x in enumerate(reversed(made)):
                if age < 3:
                    assert x.tolist() == [generation - age] * 5
                else:
                    with pytest.raises(nd.WorkspaceError, match=r"generation \d.*used its memory again") as error:
                        x.tolist()
                    assert f"generation {generation - age}, and the circular" in str(error.value)
                    assert f"is at generation {generation} " in str(error.value)
        assert made[-1].tolist() == [generation] * 5


def test_strict_has_the_blocks_of_its_size():
    ws = nd.Workspace("one", circular(5, policy_allocation="strict", initial_size=1024, steps_number=1))
    assert (ws.current_size, ws.steps_number) == (1024, 1)
    with ws:
        x = nd.ones(3)
    assert x.tolist() == [1.0] * 3
    with ws, pytest.raises(nd.WorkspaceError):
        x.tolist()


def test_before_the_arena_is_made():
    ws = nd.Workspace("unlearned", circular(1, policy_learning="none"))
    made = []
    for generation in range(4):
        with ws:
            made.append(nd.full(4, generation))
    assert [x.tolist() for x in made[2:]] == [[2] * 4, [3] * 4]
    for x in made[:2]:
        with pytest.raises(nd.WorkspaceError):
            x.tolist()


def test_what_exceeds_the_block_is_pinned():
    """The array that crosses the end of the block, and all after it, small as they may be."""
    ws = nd.Workspace("pinned", circular(1, initial_size=1024))
    with ws:
        arrays = [nd.empty(n, dtype="uint8") for n in (512, 528, 16)]
        assert (ws.pinned_size, ws.number_of_pinned_allocations) == (528 + 16, 2)
        assert (ws.spilled_size, ws.cycle_allocations, ws.host_offset) == (0, 512 + 528 + 16, 512)
        assert all(x.is_attached() for x in arrays)
    assert ws.current_size == 2048


def test_pinned_are_forgotten_after_their_steps():
    ws = nd.Workspace("pinned", circular(1, initial_size=1024))
    with ws:
        nd.empty(2048, dtype="uint8")
    history = []
    for _ in range(8):
        with ws:
            nd.empty(16, dtype="uint8")
        history.append((ws.steps_count, ws.number_of_pinned_allocations, ws.pinned_size))
    assert history == [
        (0, 1, 2048),
        (1, 1, 2048),
        (1, 1, 2048),
        (2, 1, 2048),
        (2, 1, 2048),
        *[(3, 0, 0)] * 2,
        (4, 0, 0),
    ]


def test_pinned_allocations_keep_later_scopes_in_their_blocks():
    """A scope that used part of its block and memory outside leaves the next one at the next block."""
    ws = nd.Workspace("aligned", circular(1, initial_size=1000))
    with ws:
        nd.empty(600, dtype="uint8"), nd.empty(600, dtype="uint8")
    assert ws.host_offset == 1000
    with ws:
        x = nd.full(900, 7, dtype="uint8")
    with ws:
        y = nd.full(900, 8, dtype="uint8")
    assert set(x.tolist()) == {7}
    assert set(y.tolist()) == {8}


@pytest.mark.parametrize(
    "settings", [{"limit": 1.5}, {"limit": 2.9}, {"limit": 3, "max_size": 1500}, {"max_size": 300}]
)
def test_blocks_never_overlap_what_is_alive(settings):
    """Whatever the sizes: as many scopes keep their arrays as there are whole blocks."""
    ws = nd.Workspace("odd", circular(**{"limit": 1, **settings}, initial_size=1000))
    random = np.random.default_rng(5)
    alive = []
    for generation in range(1, 200):
        with ws:
            made = [nd.full(int(n), generation % 251, dtype="uint8") for n in random.integers(1, 500, 3)]
        alive = [(x, value) for x, value in alive if type(x) is nd.NDArray] + [(x, generation % 251) for x in made]
        for x, value in alive:
            assert set(np.asarray(x.detach())) == {value}


def test_reallocate_makes_larger_blocks_after_a_while():
    ws = nd.Workspace("trimmed", circular(1, initial_size=1024, policy_spill="reallocate"))
    with ws:
        nd.empty(2048, dtype="uint8")
    sizes = []
    for _ in range(14):
        with ws:
            x = nd.full(16, 3, dtype="uint8")
            sizes.append((ws.current_size, ws.number_of_pinned_allocations > 0))
        assert set(x.tolist()) == {3}
    block = int(2048 * 1.3) + 8 - int(2048 * 1.3) % 8
    assert sizes[0] == (2048, True)
    assert sizes[-1] == (2 * block, False)
    assert ws.initial_block_size == block
    with ws:
        nd.empty(2048, dtype="uint8")
        assert ws.number_of_pinned_allocations == 0


def test_view_of_numpy_survives_the_laps():
    ws = nd.Workspace("exported", circular(1, initial_size=1024))
    with ws:
        seen = np.asarray(nd.full(5, 42))
    for value in range(6):
        with ws:
            nd.full(5, value)
    assert seen.tolist() == [42] * 5


def test_destroying_takes_the_arrays_too():
    before = nd.memory.stats().live_bytes
    ws = nd.Workspace("gone", circular(1, initial_size=1024))
    with ws:
        x = nd.ones(3)
    ws.destroy()
    with pytest.raises(nd.WorkspaceError, match="has been destroyed"):
        x.tolist()
    del x
    assert nd.memory.stats().live_bytes == before


def test_arrays_keep_their_workspace_alive():
    before = nd.memory.stats().live_bytes
    ws = nd.Workspace("held", circular(1, initial_size=1024))
    with ws:
        x = nd.full(3, 5)
    del ws
    assert x.workspace.id == "held"
    assert x.tolist() == [5, 5, 5]
    del x
    assert nd.memory.stats().live_bytes == before
