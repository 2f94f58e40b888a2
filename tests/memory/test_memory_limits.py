"""Limits are never passed, whatever is asked for; what fails says why."""

import gc
import os
import subprocess
import sys
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, rule

import nd4py as nd
from nd4py._mem.pool.pool_counters import of_classes, rounded_bytes
from nd4py._mem.pool.pool_measures import Exchange
from nd4py._mem.pool.pool_system import resident
from nd4py._mem.sizes import physical_memory

MIB = 2**20


@pytest.fixture(autouse=True)
def _limits_as_before():
    gc.collect()
    before = nd.memory.limits()
    nd.memory.trim()
    yield
    nd.memory.set_limits(**vars(before))
    nd.memory.set_report_path(None)


def headroom(n_bytes):
    """A `maxbytes` of so much more than is in use now."""
    nd.memory.trim()
    return nd.memory.stats().taken_bytes + n_bytes


def test_set_limits_returns_what_held():
    before = nd.memory.limits()
    assert nd.memory.set_limits(maxbytes="3G", cacheable_length=1000) == before
    held = nd.memory.limits()
    assert (held.maxbytes, held.cacheable_length, held.cache_bytes) == (3 * 2**30, 1000, before.cache_bytes)
    nd.memory.set_limits(**vars(before))
    assert nd.memory.limits() == before


def test_each_limit_is_its_own():
    """Defect 4: a setter sets what its name says."""
    for i, name in enumerate(vars(nd.memory.limits())):
        before = vars(nd.memory.limits())
        nd.memory.set_limits(**{name: (i + 1) * 2**33})
        assert vars(nd.memory.limits()) == {**before, name: (i + 1) * 2**33}


def test_percentages():
    nd.memory.set_limits(maxbytes="50%", maxphysicalbytes="80%")
    assert nd.memory.limits().maxbytes == physical_memory() // 2
    assert nd.memory.limits().maxphysicalbytes == int(physical_memory() * 0.8)


@pytest.mark.parametrize("value, error", [(-1, ValueError), ("many", ValueError), ("5X", ValueError), (1.5, TypeError)])
def test_other_limits_are_refused(value, error):
    before = nd.memory.limits()
    with pytest.raises(error, match="maxbytes"):
        nd.memory.set_limits(maxbytes=value)
    assert nd.memory.limits() == before


def test_less_than_is_in_use_is_refused():
    x = nd.ones(100_000)
    before = nd.memory.limits()
    with pytest.raises(ValueError, match=r"maxbytes: .* are in use already, given 1000; free arrays first"):
        nd.memory.set_limits(maxbytes=1000)
    assert nd.memory.limits() == before
    assert float(x[5]) == 1.0


def test_environment():
    code = "import nd4py as nd; print(*vars(nd.memory.limits()).values())"

    def printed(**environment):
        environment = {**os.environ, **{f"ND4PY_{name.upper()}": text for name, text in environment.items()}}
        return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)

    assert printed().stdout.split() == ["0", "0", str(physical_memory() // 4), str(2**52)]
    given_all = printed(maxbytes="2G", maxphysicalbytes="50%", cache_bytes="0", cacheable_length="1000")
    assert given_all.stdout.split() == [str(2**31), str(physical_memory() // 2), "0", "1000"]
    assert "ND4PY_CACHE_BYTES: bytes, '512M'" in printed(cache_bytes="a lot").stderr


@pytest.mark.parametrize("limit", [100 * MIB, "100M"])
def test_more_than_the_limit_is_a_memory_error(limit):
    """M8: requested, used, cached, limit and peak are named."""
    nd.memory.set_limits(maxbytes=limit)
    x = nd.ones(1_000_000)
    with pytest.raises(MemoryError) as caught:
        nd.empty(13_000_000)
    text = str(caught.value)
    live = nd.memory.stats().live_bytes
    assert "cannot allocate 104000000 bytes for an array of shape (13000000,)" in text
    assert f"{live} bytes" in text
    assert "0 cached" in text
    assert f"maxbytes is {100 * MIB}" in text
    assert "the most in use was" in text
    assert nd.empty(1_000_000).size == x.size


def test_the_limit_is_exact():
    nd.memory.set_limits(maxbytes=headroom(5 * MIB))
    first = nd.empty(3 * MIB, dtype="uint8")
    second = nd.empty(2 * MIB, dtype="uint8")
    with pytest.raises(MemoryError):
        nd.empty(1, dtype="uint8")
    del second
    assert nd.empty(2 * MIB, dtype="uint8").size + first.size == 5 * MIB


def test_what_others_keep_is_trimmed_before_a_request_fails():
    nd.memory.set_limits(maxbytes=headroom(4 * MIB))
    ready, leave = threading.Event(), threading.Event()

    def work():
        made = [nd.empty(500) for _ in range(200)]
        del made
        ready.set()
        leave.wait()

    thread = threading.Thread(target=work)
    thread.start()
    ready.wait()
    assert nd.memory.stats().cached_bytes >= 200 * 4096
    assert nd.empty(4 * MIB - 128 * 1024, dtype="uint8").size
    leave.set()
    thread.join()


def test_physical_limit():
    """M9."""
    bound = resident() + 60 * MIB
    nd.memory.set_limits(maxphysicalbytes=bound)
    held = []
    with pytest.raises(MemoryError, match=f"maxphysicalbytes is {bound}"):
        held.extend(nd.ones(MIB) for _ in range(20))
    assert 5 <= len(held) <= 8
    assert resident() <= bound + 2 * MIB


def test_longer_blocks_are_really_freed():
    """M3, defect 1: a block is looked at by its own limit."""
    nd.memory.set_limits(cacheable_length="1M")
    calls = nd.memory.stats().system_allocations
    for _ in range(5):
        nd.empty(2 * MIB, dtype="uint8")
        assert nd.memory.stats().cached_bytes < 2 * MIB
    assert nd.memory.stats().system_allocations == calls + 5
    nd.empty(MIB, dtype="uint8")
    assert nd.memory.stats().cached_bytes >= MIB
    nd.memory.set_limits(cacheable_length=1000)
    made = [nd.empty(n, dtype="uint8") for n in (10, 900, 1100, 10_000, 3_000_000)]
    del made
    assert all(n <= 1000 for n, _, cached in of_classes() if cached)


def test_nothing_is_cached_without_a_cache():
    nd.memory.set_limits(cache_bytes=0)
    x = nd.ones((100, 100))
    (x @ x + x).sum()
    assert nd.memory.stats().cached_bytes == 0


def test_the_newest_blocks_stay():
    nd.memory.set_limits(cache_bytes=20 * MIB)
    old = nd.empty(12 * MIB, dtype="uint8")
    new = nd.empty(14 * MIB, dtype="uint8")
    del old
    del new
    cached = {n for n, _, count in of_classes() if count}
    assert 14 * MIB in cached
    assert 12 * MIB not in cached


@settings(max_examples=60)
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 3 * MIB)), max_size=60), st.integers(0, 8 * MIB), st.data())
def test_limits_hold_for_any_requests(steps, room, data):
    """Never over by a byte, and no refusal that was not needed."""
    live_at_start = headroom(0)
    maxbytes, cache = live_at_start + room, data.draw(st.integers(0, 4 * MIB))
    length = data.draw(st.integers(0, 4 * MIB))
    before = nd.memory.set_limits(maxbytes=max(1, maxbytes), cache_bytes=cache, cacheable_length=length)
    held = []
    try:
        for is_freed, n_bytes in steps:
            if is_freed and held:
                held.pop(n_bytes % len(held))
            else:
                live = nd.memory.stats().live_bytes
                try:
                    held.append(nd.empty(n_bytes, dtype="uint8"))
                except MemoryError:
                    assert live + rounded_bytes(n_bytes) > maxbytes
            now = nd.memory.stats()
            assert now.taken_bytes <= max(1, maxbytes)
            assert now.cached_bytes <= cache
            assert all(n <= length for n, _, count in of_classes() if count)
    finally:
        held.clear()
        nd.memory.set_limits(**vars(before))


class Pool(RuleBasedStateMachine):
    """Requests, frees in other threads, and changes of the limits, in any order."""

    arrays = Bundle("arrays")

    @initialize()
    def start(self):
        self.before = nd.memory.limits()
        self.base = headroom(0)
        self.maxbytes, self.cache = 0, self.before.cache_bytes

    @rule(target=arrays, n_bytes=st.one_of(st.integers(0, 2000), st.integers(0, 400_000)))
    def allocate(self, n_bytes):
        try:
            return [nd.empty(n_bytes, dtype="uint8")]
        except MemoryError:
            assert self.maxbytes
            return []

    @rule(array=consumes(arrays))
    def free(self, array):
        array.clear()

    @rule(array=consumes(arrays))
    def free_elsewhere(self, array):
        thread = threading.Thread(target=array.clear)
        thread.start()
        thread.join()

    @rule(room=st.integers(0, MIB), cache=st.integers(0, MIB))
    def limit(self, room, cache):
        try:
            nd.memory.set_limits(maxbytes=self.base + room + 1, cache_bytes=cache)
        except ValueError:
            return
        self.maxbytes, self.cache = self.base + room + 1, cache

    @invariant()
    def holds(self):
        now = nd.memory.stats()
        assert not self.maxbytes or now.taken_bytes <= self.maxbytes
        assert now.cached_bytes <= self.cache

    def teardown(self):
        nd.memory.set_limits(**vars(self.before))


TestPool = Pool.TestCase
TestPool.settings = settings(max_examples=30, stateful_step_count=30)


def test_limits_hold_beside_working_threads():
    nd.memory.set_limits(maxbytes=headroom(12 * MIB), cache_bytes=3 * MIB)
    bound = nd.memory.limits()
    exchange = Exchange(256, 16384)
    passed, done = [], threading.Event()

    def watch():
        while not done.is_set():
            now = nd.memory.stats()
            passed.append(now.taken_bytes > bound.maxbytes)

    watcher = threading.Thread(target=watch)
    watcher.start()
    exchange.run(8, 10_000)
    done.set()
    watcher.join()
    assert not any(passed)
    assert nd.memory.stats().cached_bytes <= bound.cache_bytes
    assert exchange.n_faults == 0


def in_tiles(x):
    """The gradients of a convolution with a kernel of 3 x 3, which is computed again where it is not finite."""
    loss = lambda x, w: nd.sum(nd.conv2d(x, w))  # noqa: E731
    dx, dw = nd.grad(loss, (0, 1))(x.reshape(1, 64, 125, 125), x[:36864].reshape(64, 64, 3, 3))
    return nd.sum(dx, axis=(0, 1, 2)) + nd.sum(dw)


SCRATCH = {
    "matmul": lambda x: x.reshape(1000, 1000) @ x.reshape(1000, 1000),
    "sort": lambda x: nd.sort(x),
    "unique": lambda x: nd.unique_values(x),
    "sum": lambda x: x.reshape(1000, 1000).sum(axis=0),
    "cumulative_sum": lambda x: nd.cumulative_sum(x),
    "solve": lambda x: nd.linalg.solve(x.reshape(1000, 1000), x[:1000]),
    "conv2d": lambda x: nd.conv2d(x[:250_000].reshape(1, 1, 500, 500), x[:25].reshape(1, 1, 5, 5)),
    "conv2d in tiles": lambda x: in_tiles(x.astype("float32")),
    "conv2d of infinities": lambda x: in_tiles((1 + x.astype("float32")) * float("inf")),
    "bincount": lambda x: nd.bincount(x.astype("int32")),
    "softmax": lambda x: nd.softmax(x.reshape(1000, 1000)),
}


@pytest.mark.parametrize("name", SCRATCH)
def test_scratch_memory_that_is_refused_is_a_memory_error(name):
    """With ever more room the call fails cleanly, until it succeeds with the right result."""
    x = nd.asarray(np.random.default_rng(0).random(1_000_000), copy=True)
    wanted = np.asarray(SCRATCH[name](x))
    live = nd.memory.stats().live_bytes
    n_refused = 0
    for room in (0, 4096, 64 * 1024, MIB, 3 * MIB, 5 * MIB, 8 * MIB, 9 * MIB, 12 * MIB, 18 * MIB, 32 * MIB, 100 * MIB):
        nd.memory.set_limits(maxbytes=headroom(room))
        try:
            result = np.asarray(SCRATCH[name](x))  # deferred operations need memory when they are read
        except MemoryError as error:
            n_refused += 1
            assert "maxbytes is" in str(error)
        else:
            np.testing.assert_array_equal(result, wanted)
            del result
        assert nd.memory.stats().live_bytes == live
        nd.memory.set_limits(maxbytes=0)
    assert 1 <= n_refused < 12


def test_report(tmp_path):
    """M10."""
    path = tmp_path / "report.txt"
    assert nd.memory.set_report_path(path) is None
    nd.memory.set_limits(maxbytes=headroom(MIB))
    with nd.workspace("of the report"), pytest.raises(MemoryError, match=rf"\(report: .*{path.name}\)"):
        nd.empty(10_000_000)
    text = path.read_text()
    for part in ("cannot allocate 80000000 bytes", "system", "limits", "maxbytes", "memory pool", "hit rate",
                 "blocks by size", "of the report", "environment", "stack", "in test_report"):  # fmt: skip
        assert part in text
    nd.workspace_manager.destroy_all_workspaces_for_current_thread()
    assert nd.memory.set_report_path(tmp_path / "missing" / "report.txt") == path
    with pytest.raises(MemoryError, match="the report could not be written"):
        nd.empty(10_000_000)
    assert nd.memory.set_report_path(None) == tmp_path / "missing" / "report.txt"
    with pytest.raises(MemoryError) as caught:
        nd.empty(10_000_000)
    assert "report" not in str(caught.value)


def test_report_of_the_environment(tmp_path):
    code = "import nd4py as nd\ntry:\n    nd.empty(10**7)\nexcept MemoryError:\n    pass"
    path = tmp_path / "report.txt"
    environment = {**os.environ, "ND4PY_MEMORY_REPORT": str(path), "ND4PY_MAXBYTES": "1M"}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)
    assert "ND4PY_MAXBYTES" in path.read_text()
