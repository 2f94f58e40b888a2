"""Workspaces on devices: arenas there, what scopes release, and what other streams and libraries keep."""

import gc
import threading

import numpy as np
import pytest
from device_training import numpy_of

import nd4py as nd
from nd4py.cuda import memory
from nd4py.cuda.array.transfer import from_host

pytestmark = pytest.mark.usefixtures("simulator")


@pytest.fixture(autouse=True)
def no_workspaces():
    yield
    gc.collect()
    nd.workspace_manager.destroy_all_workspaces_for_current_thread()


def arena_of(workspace, device=0):
    return workspace.mirrors[device]


def test_a_loop_takes_memory_once():
    """The first scope takes blocks of the cache; its arena is made then, and later scopes ask for nothing."""
    asked = []
    weights = nd.ones((20, 5), device="cuda:0")
    for step in range(4):
        before = memory.stats("cuda:0").hits + memory.stats("cuda:0").misses
        with nd.workspace("step") as ws:
            x = nd.full((10, 20), float(step), device="cuda:0")
            assert x.is_attached()
            assert x.workspace is ws
            total = nd.sum(nd.exp(-(x @ weights))).detach()
        asked.append(memory.stats("cuda:0").hits + memory.stats("cuda:0").misses - before)
        assert not total.is_attached()
        np.testing.assert_allclose(numpy_of(total), 50 * np.exp(-20.0 * step), rtol=1e-12)
    arena = arena_of(ws)
    assert arena.generation_id == ws.generation_id == 4
    assert (arena.spilled_size, arena.cycles_count) == (0, 4)
    assert arena.current_size >= arena.last_cycle_allocations > 0
    assert asked[0] > asked[1] == asked[2] == asked[3]
    assert ws.host_offset == ws.spilled_size == 0


USES = {
    "add": lambda x: x + 1,
    "in place": lambda x: x.__iadd__(1),
    "right": lambda x: 2 * x,
    "matmul": lambda x: x @ x,
    "function": lambda x: nd.exp(x),
    "of several": lambda x: nd.concat([x, x]),
    "reduction": lambda x: nd.sum(x),
    "element": lambda x: x[0],
    "assignment": lambda x: x.__setitem__(0, 1.0),
    "shape": lambda x: x.shape,
    "copy": lambda x: x.copy(),
    "to the host": lambda x: x.to_device("cpu"),
    "print": lambda x: repr(x),
    "number": lambda x: float(x),
    "dlpack": lambda x: nd.from_dlpack(x),
    "detach": lambda x: x.detach(),
    "linalg": lambda x: nd.linalg.inv(x),
    "gradient": lambda x: nd.grad(lambda y: nd.sum(y))(x),
    "random": lambda x: nd.random.normal(loc=x),
    "operand": lambda x: nd.ones((2, 2), device="cuda:0") * x,
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_any_use_of_a_stale_array_is_an_error(use):
    with nd.workspace("step"):
        x = nd.ones((2, 2), device="cuda:0")
        view = x.T[:1]
    for stale in (x, view):
        with pytest.raises(nd.WorkspaceError, match=r"array of float64 and shape \(., 2\): it was made in"):
            use(stale)
    assert x.is_attached()
    assert not x.is_in_scope()


def test_what_the_error_says():
    with nd.workspace("step"):
        x = nd.ones(3, device="cuda:0", dtype="int16")
    with pytest.raises(nd.WorkspaceError, match="int16 and shape .3,.: it was made in workspace 'step', generation 1, "
                       "whose scope is closed"):  # fmt: skip
        x + 1
    with nd.workspace("step"), pytest.raises(nd.WorkspaceError, match="which is open again as generation 2"):
        x + 1
    nd.workspace_manager.destroy_workspace(nd.workspace("step"))
    with pytest.raises(nd.WorkspaceError, match="which has been destroyed"):
        x.shape  # noqa: B018


def test_ways_out():
    with nd.workspace("outer") as outer:
        with nd.workspace("inner") as inner:
            x = nd.asarray([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], device="cuda:0").T
            assert x.workspace is inner
            leveraged, detached, to = x.leverage(), x.detach(), x.leverage_to("outer")
            either = x.leverage_or_detach("nowhere")
            moved, twin, raw = detached.migrate(), x.dup(), x.unsafe_duplication()
            assert leveraged.workspace is to.workspace is outer
            assert moved.workspace is twin.workspace is raw.workspace is inner
            assert raw.strides == x.strides
            assert x.leverage_to("nowhere") is x
            with pytest.raises(nd.WorkspaceError, match="no workspace 'nowhere' is open here"):
                x.leverage_to("nowhere", enforce_existence=True)
            with nd.scope_out_of_workspaces():
                plain = nd.ones(3, device="cuda:0")
        assert not plain.is_attached()
        for y in (leveraged, detached, to, either):
            np.testing.assert_array_equal(numpy_of(y), [[1, 4], [2, 5], [3, 6]])
        with pytest.raises(nd.WorkspaceError):
            moved + 1
    assert not detached.is_attached()
    assert detached.workspace is None
    np.testing.assert_array_equal(numpy_of(either), [[1, 4], [2, 5], [3, 6]])


def test_each_device_has_an_arena_and_the_host_its_own():
    for _ in range(2):
        with nd.workspace("step") as ws:
            x, y = nd.ones(1000, device="cuda:0"), nd.ones(2000, device="cuda:1")
            z, moved = nd.ones(3000), nd.ones(1000).to_device("cuda:1")
            assert moved.is_attached()
    sizes = [arena_of(ws).last_cycle_allocations, arena_of(ws, 1).last_cycle_allocations, ws.last_cycle_allocations]
    assert sizes[0] >= 8000
    assert sizes[1] >= 24000
    assert sizes[2] >= 32000
    for stale in (x, y, z):
        with pytest.raises(nd.WorkspaceError):
            stale + 1


@pytest.mark.parametrize(
    "settings",
    [
        {"policy_mirroring": "host_only"},
        {"policy_location": "virtual", "policy_learning": "none", "initial_size": "1M"},
    ],
)
def test_workspaces_of_the_host_alone(settings):
    with nd.workspace("host", nd.WorkspaceConfiguration(**settings)) as ws:
        x = nd.ones(3, device="cuda:0")
        assert not x.is_attached()
        assert nd.ones(3).is_attached()
    assert numpy_of(x).tolist() == [1, 1, 1]
    assert ws.mirrors == {}


def test_a_full_arena_spills_or_fails():
    fails = nd.WorkspaceConfiguration(initial_size=1024, policy_spill="fail", policy_allocation="strict")
    with nd.workspace("fails", fails), pytest.raises(nd.WorkspaceError, match="arena of workspace 'fails' is full"):
        nd.ones(100, device="cuda:0"), nd.ones(100, device="cuda:0")
    spills = nd.WorkspaceConfiguration(initial_size=1024, policy_spill="reallocate", policy_allocation="strict")
    with nd.workspace("spills", spills) as ws:
        x, y = nd.ones(100, device="cuda:0"), nd.full(100, 2.0, device="cuda:0")
        assert arena_of(ws).number_of_external_allocations == 1
        assert y.is_attached()
        np.testing.assert_array_equal(numpy_of(x + y), np.full(100, 3.0))
    with pytest.raises(nd.WorkspaceError):
        y + 1
    assert arena_of(ws).current_size >= 2400
    with nd.workspace("spills"):
        nd.ones(100, device="cuda:0"), nd.ones(100, device="cuda:0"), nd.ones(100, device="cuda:0")
        assert arena_of(ws).number_of_external_allocations == 0


def test_circular_arenas():
    ring = nd.WorkspaceConfiguration(policy_reset="endofbuffer_reached", overallocation_limit=1, initial_size="4K")
    made = []
    for number in range(4):
        with nd.workspace("ring", ring):
            made.append(nd.full(4, float(number), device="cuda:0"))
        if number:
            assert numpy_of(made[-2]).tolist() == [number - 1.0] * 4
    with pytest.raises(nd.WorkspaceError, match="the circular workspace is at generation 4"):
        made[1] + 1
    assert numpy_of(made[3]).tolist() == [3.0] * 4
    del made


def test_memory_of_arrays_that_are_gone():
    reuse = nd.WorkspaceConfiguration(policy_reuse="when_freed")
    peaks = []
    for _ in range(3):
        with nd.workspace("reuse", reuse) as ws:
            x = nd.ones(1000, device="cuda:0")
            for _ in range(5):
                x = x * 2.0
            result = numpy_of(x)
        peaks.append(arena_of(ws).last_cycle_allocations)
        np.testing.assert_array_equal(result, np.full(1000, 32.0))
    assert max(peaks) < 4 * 8192  # of seven arrays made, few are alive at a time
    assert arena_of(ws).spilled_size == 0


def test_exported_memory_is_not_used_again():
    first = None
    for number in range(4):
        with nd.workspace("step"):
            x = nd.full(5, float(number), device="cuda:0")
            if number == 2:
                first = x.__dlpack__(max_version=(1, 0), stream=-1)
                address = x.address
    kept = nd.from_dlpack(Capsule(first))
    assert kept.address == address
    with nd.workspace("step"):
        nd.zeros(5, device="cuda:0"), nd.zeros(5, device="cuda:0")
    assert numpy_of(kept).tolist() == [2.0] * 5


class Capsule:
    """What a library gives that was handed an array's capsule."""

    def __init__(self, capsule):
        self.capsule = capsule

    def __dlpack_device__(self):
        return (2, 0)

    def __dlpack__(self, **_):
        return self.capsule


def test_streams(stub):
    """An arena works for one stream a scope; the next one waits for it, and for others that worked there."""
    first, second = nd.cuda.Stream("cuda:0"), nd.cuda.Stream("cuda:0")
    with nd.workspace("warm") as ws, first.scope():
        nd.ones(8, device="cuda:0")
    with nd.workspace("warm"), first.scope():
        x = nd.ones(8, device="cuda:0")
        inside = arena_of(ws).host_offset
        with second.scope():
            outside = nd.ones(8, device="cuda:0")
            x + outside
        assert arena_of(ws).host_offset == inside
        assert outside.is_attached()
    stub.counts.clear()
    with nd.workspace("warm"), second.scope():
        nd.ones(8, device="cuda:0")
    assert stub.counts["event_wait"] >= 1
    stub.counts.clear()
    with nd.workspace("warm"), second.scope():
        nd.ones(8, device="cuda:0")
    del x, outside
    nd.workspace_manager.destroy_all_workspaces_for_current_thread()
    first.close()
    second.close()


def test_switched_off_and_debugging():
    with nd.workspace("step") as ws:
        ws.toggle_workspace_use(False)
        assert not nd.ones(3, device="cuda:0").is_attached()
    for mode, is_attached in (("spill_everything", True), ("bypass_everything", False)):
        nd.workspace_manager.set_debug_mode(mode)
        try:
            with nd.workspace(mode) as ws:
                assert nd.ones(3, device="cuda:0").is_attached() is is_attached
            assert is_attached is bool(ws.mirrors)
        finally:
            nd.workspace_manager.set_debug_mode("disabled")


def test_gradients_in_a_scope():
    for _ in range(3):
        with nd.workspace("step"):
            x = nd.asarray([1.0, 2.0, 3.0], device="cuda:0")
            g = nd.grad(lambda x: nd.sum(nd.square(nd.sort(x)) * x[::-1]))(x).detach()
        assert numpy_of(g).tolist() == [15.0, 12.0, 7.0]
    assert g.device == "cuda:0"


def test_graphs_are_recorded_beside_workspaces():
    x = nd.ones(4, device="cuda:0")
    with nd.workspace("step"):
        graph = nd.cuda.Graph(lambda: x * 2 + 1)
        assert numpy_of(graph.launch()).tolist() == [3.0] * 4
    assert numpy_of(graph.launch()).tolist() == [3.0] * 4
    assert not graph.result.is_attached()
    graph.close()


def test_no_leaks():
    """Everything goes: with the workspace, with its arrays, in any order."""
    gc.collect()
    before = memory.stats("cuda:0").live_bytes
    stale = []
    for _ in range(3):
        with nd.workspace("step"):
            stale.append(nd.ones(100, device="cuda:0")[::2])
    assert memory.stats("cuda:0").live_bytes > before
    nd.workspace_manager.destroy_all_workspaces_for_current_thread()
    del stale
    gc.collect()
    assert memory.stats("cuda:0").live_bytes == before


def test_upload_of_an_array_whose_scope_ends(simulator, monkeypatch):
    """The driver gives up the GIL while it copies: the arena's block is given away, as to a kernel."""
    started, is_left = threading.Event(), threading.Event()
    copy_bytes = simulator.memcpy_h2d_async

    def copy_later(*given):
        started.set()
        assert is_left.wait(20)
        copy_bytes(*given)

    monkeypatch.setattr(simulator, "memcpy_h2d_async", copy_later)
    n = 300_000
    ws = nd.Workspace("uploaded", nd.WorkspaceConfiguration(initial_size=8 * n))
    found = []
    with ws:
        x = nd.full(n, 3.0)
        thread = threading.Thread(target=lambda: found.append(from_host(x, 0)))
        thread.start()
        assert started.wait(20)
    with ws:
        nd.full(n, 9.0)
        is_left.set()
        thread.join()
    assert set(numpy_of(found.pop()).tolist()) == {3.0}
