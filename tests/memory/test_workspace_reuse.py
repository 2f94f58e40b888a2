"""Arenas that use the memory of gone arrays again, and arenas of addresses."""

import random
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nd4py as nd
from nd4py._mem.arena.memory_plan import lay_out

REUSES = {"policy_reuse": "when_freed", "policy_allocation": "strict", "policy_spill": "reallocate"}
VIRTUAL = {"policy_location": "virtual", "policy_learning": "none"}


def workspace(**policies):
    return nd.Workspace("reuse", nd.WorkspaceConfiguration(**policies))


def most_alive(events):
    """The most bytes alive at a time."""
    alive, total, most = {}, 0, 0
    for key, size in events:
        total += size or -alive[key]
        alive[key] = size
        most = max(most, total)
    return most


@st.composite
def lifetimes(draw):
    """What is taken and given back, in order."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    events, alive = [], []
    for key in range(draw(st.integers(0, 40))):
        while alive and rng.random() < 0.4:
            events.append((alive.pop(rng.randrange(len(alive))), 0))
        events.append((key, 64 * rng.randrange(1, 50)))
        alive.append(key)
    return events


@settings(max_examples=200, deadline=None)
@given(lifetimes())
def test_planned_places_never_overlap(events):
    plan, n_bytes = lay_out(events)
    assert [size for size, _ in plan] == [size for _, size in events if size]
    assert most_alive(events) <= n_bytes <= 2 * most_alive(events)
    alive, taken = {}, iter(plan)
    for key, size in events:
        if not size:
            del alive[key]
            continue
        size, start = next(taken)
        assert start + size <= n_bytes
        assert all(start + size <= other or end <= start for other, end in alive.values())
        alive[key] = (start, start + size)


def turn(ws, n_bytes=64_000):
    """Arrays one after the other, two alive at a time."""
    with ws:
        x = nd.zeros(n_bytes, dtype="uint8")
        for number in range(1, 11):
            x = x + 1
            assert int(x[0]) == int(x[-1]) == number


@pytest.mark.parametrize("policies", [REUSES, REUSES | VIRTUAL], ids=["ram", "virtual"])
def test_memory_of_gone_arrays_is_used_again(policies):
    ws = workspace(**policies)
    for _ in range(3):
        turn(ws)
        assert ws.last_cycle_allocations <= 3 * 64_000
    assert ws.spilled_size == 0
    assert ws.last_cycle_allocations <= 2 * 64_000 + 10 * 64  # planned: two arrays and single values


def test_without_it_every_array_has_its_own():
    ws = workspace()
    turn(ws)
    assert ws.last_cycle_allocations >= 11 * 64_000


def test_the_arena_is_learned_from_the_places():
    ws = workspace(**REUSES)
    turn(ws)
    assert ws.current_size == ws.last_cycle_allocations
    with ws:
        x = nd.zeros(64_000, dtype="uint8")
        assert ws.spilled_size == 0
        assert x.is_attached()


def test_other_sizes_than_planned_find_gaps():
    """The last batch of an epoch is smaller; once two in a row differ there is a new plan."""
    ws = workspace(**REUSES | VIRTUAL)
    turn(ws)
    turn(ws, 48_000)
    turn(ws)
    planned = ws.allocated_size
    for _ in range(4):
        turn(ws, 48_000)
        turn(ws, 48_000)
    assert ws.allocated_size <= planned


def test_an_array_that_lives_longer_than_planned_is_not_overwritten():
    ws = workspace(**REUSES)
    for longer in (False, False, True, True, False):
        with ws:
            kept = []
            for number in range(20):
                x = nd.full(1000, number)
                if longer:
                    kept.append(x)
            assert [int(x[0]) for x in kept] == [int(x[-1]) for x in kept] == list(range(20 if longer else 0))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32))
def test_random_lifetimes_keep_their_values(seed):
    """Scopes that mostly repeat, and sometimes do not."""
    ws = workspace(**REUSES | random.Random(seed).choice([{}, VIRTUAL]))
    for n_scope in range(6):
        rng = random.Random(seed if n_scope % 3 else seed + n_scope)
        with ws:
            alive = []
            for number in range(30):
                alive.append((nd.full(rng.randrange(1, 3000), float(number)), number))
                if rng.random() < 0.3:
                    alive.append((alive[0][0][1:], alive[0][1]))
                while rng.random() < 0.45 and alive:
                    alive.pop(rng.randrange(len(alive)))
                assert all((np.asarray(x) == value).all() for x, value in alive)
            del alive
    assert ws.n_arrays == 0


def test_views_keep_the_place():
    ws = workspace(**REUSES)
    with ws:
        view = nd.full(1000, 5.0)[10:]
        others = [nd.zeros(1000) for _ in range(5)]
        assert float(view.sum()) == 990 * 5.0
        del others


def test_exports_keep_the_place_and_then_the_block():
    ws = workspace(**REUSES | VIRTUAL)
    with ws:
        seen = np.asarray(nd.full(1000, 5.0))
        nd.zeros(1000)
        nd.ones(1000)
    with ws:
        nd.ones(2000)
    assert (seen == 5.0).all()


def test_addresses_get_memory_when_they_are_used():
    before = nd.memory.stats().live_bytes
    ws = workspace(initial_size="1G", **VIRTUAL)
    assert ws.current_size == 2**30
    assert ws.allocated_size == 0
    with ws:
        x = nd.ones(10**6)
        assert 8e6 <= ws.allocated_size <= 9e6
        assert 0 <= nd.memory.stats().live_bytes - before - ws.allocated_size < 1000  # and records of arrays
    with pytest.raises(nd.WorkspaceError):
        x.sum()
    del x
    ws.destroy()
    assert nd.memory.stats().live_bytes == before


def test_addresses_obey_the_limits():
    nd.memory.trim()
    ws = workspace(**VIRTUAL)
    held = nd.memory.set_limits(maxbytes=nd.memory.stats().taken_bytes + 4_000_000)
    try:
        with ws:
            x = nd.ones(250_000)
            with pytest.raises(MemoryError, match="arena of a workspace.*maxbytes is"):
                nd.ones(10**6)
            assert float(x.sum()) == 250_000
            assert nd.ones(100).is_attached()
    finally:
        nd.memory.set_limits(maxbytes=held.maxbytes)
    with ws:
        assert nd.ones(10**6).is_attached()


def test_a_plan_gives_back_what_it_does_not_need():
    ws = workspace(**REUSES | VIRTUAL)
    for _ in range(2):
        with ws:
            before = nd.empty(1_000_000, dtype="uint8")
            between = nd.empty(100_000, dtype="uint8")
            del before
            after = nd.empty(1_200_000, dtype="uint8")
            assert ws.allocated_size >= 1_300_000
            del between, after
        assert ws.last_cycle_allocations <= 1_310_000
    assert ws.allocated_size <= 1_600_000


def test_scopes_of_very_many_arrays_go_on_without_a_plan():
    ws = workspace(**REUSES | VIRTUAL)
    start = time.perf_counter()
    for _ in range(3):
        with ws:
            kept = [nd.full(10, number) for number in range(6_000)]
            assert all(int(x[9]) == number for number, x in enumerate(kept))
            del kept[::2]
            assert ws.host_offset <= 6_000 * 128 + 64  # and single values
            kept += [nd.full(10, number) for number in range(3_000)]
            assert ws.host_offset <= 6_000 * 128 + 64  # and single values
            del kept
    assert time.perf_counter() - start < 30  # a plan of so many would take minutes


def test_places_can_be_recorded():
    ws, ranges = workspace(**REUSES), []
    ws.record_places(ranges)
    with ws:
        x = nd.empty(1000, dtype="uint8")
        del x
        nd.empty(1000, dtype="uint8")
    ws.record_places(None)
    assert ranges == [(0, 1024), (0, 0), (0, 1024), (0, 0)]
    with pytest.raises(ValueError, match="policy_reuse"):
        workspace().record_places([])


def test_a_scope_without_a_plan_takes_no_more_than_is_alive():
    """Gaps that nothing fits into give their memory to what lies behind them, and get it again when they are used."""
    ws = workspace(**REUSES | VIRTUAL)
    with ws:
        kept = [nd.full(2_000_000, 7, dtype="uint8")]
        for n_bytes in (1_000_000, 1_500_000, 2_500_000, 4_000_000):
            gone = nd.full(n_bytes, 9, dtype="uint8")
            kept.append(nd.full(n_bytes + 100_000, len(kept), dtype="uint8"))
            del gone
        assert ws.host_offset >= 20_400_000
        assert ws.allocated_size <= 15_400_000 + 6 * 2**18  # the last two beside what was kept, and parts of chunks
        for n_bytes in (900_000, 1_400_000, 2_400_000):
            kept.append(nd.full(n_bytes, len(kept), dtype="uint8"))
        assert [int(x.min()) for x in kept] == [int(x.max()) for x in kept] == [7, 1, 2, 3, 4, 5, 6, 7]
        del kept
    assert ws.allocated_size <= 16_100_000 + 2**18


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32))
def test_large_arrays_keep_their_values_while_gaps_lose_their_memory(seed):
    rng = random.Random(seed)
    ws = workspace(**REUSES | VIRTUAL)
    before = nd.memory.stats().live_bytes
    for _ in range(4):
        with ws:
            alive = []
            for number in range(25):
                alive.append((nd.full(rng.randrange(1, 1_500_000), number, dtype="uint8"), number))
                while rng.random() < 0.45 and alive:
                    alive.pop(rng.randrange(len(alive)))
                assert all(int(x.min()) == int(x.max()) == value for x, value in alive)
            del alive
        assert nd.memory.stats().live_bytes - before >= ws.allocated_size
    del ws
    assert nd.memory.stats().live_bytes == before


def convolution(ws, images, filters):
    """The sums of a convolution and its gradient, in a scope."""
    with ws:
        y = nd.conv2d(images, filters)
        gradient = nd.grad(lambda w: nd.sum(nd.conv2d(images, w) * y))(filters)
        return float(y.sum()), float(gradient.sum())


def test_kernels_work_in_the_arena():
    rng = nd.random.Generator(3)
    images, filters = rng.normal(size=(16, 3, 20, 20), dtype="float32"), rng.normal(size=(8, 3, 5, 5), dtype="float32")
    ws = workspace(**REUSES | VIRTUAL)
    wanted = convolution(ws, images, filters)
    assert convolution(ws, images, filters) == wanted
    planned = ws.last_cycle_allocations
    nd.memory.start_recording()
    assert convolution(ws, images, filters) == wanted
    assert max(nd.memory.stop_recording().n_bytes) < 10_000  # records of arrays, and what products take
    with nd.threads(2):  # other amounts of working memory: they come from the pool, and the plan goes on
        assert convolution(ws, images, filters) == wanted
    assert ws.last_cycle_allocations <= planned


@pytest.mark.parametrize("policies", [{}, REUSES, {"initial_size": "10M"}], ids=["plain", "learns", "initial size"])
def test_kernels_work_beside_arenas_without_room(policies):
    images, filters = nd.ones((16, 3, 20, 20)), nd.ones((8, 3, 5, 5))
    ws = workspace(**policies)
    assert convolution(ws, images, filters) == convolution(ws, images, filters) == (32_768 * 75, 4096 * 75 * 600)
