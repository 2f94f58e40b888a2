"""The pool serves from freed blocks, counts right, keeps threads apart, and follows sizes that vary."""

import ctypes
import gc
import os
import subprocess
import sys
import threading
import time
import weakref

import numpy as np
import pytest
from benchmarks.memory import train

import nd4py as nd
from nd4py._mem.pool.pool_counters import of_classes, rounded_bytes
from nd4py._mem.pool.pool_measures import Exchange, time_pool, time_system
from nd4py._mem.pool.pool_system import resident

WHOLE = os.environ.get("ND4PY_STRESS") == "1"


def run(code, **environment):
    """What a fresh interpreter prints."""
    environment = {**os.environ, **environment}
    result = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def in_thread(*calls):
    """Make the calls in a thread of their own each, together."""
    threads = [threading.Thread(target=call) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.fixture
def empty_pool():
    """Nothing is cached, and what other tests had in use does not count."""
    gc.collect()
    nd.memory.trim()
    nd.memory.reset_peak()


def test_classes_are_tight_and_complete():
    sizes = sorted({max(1, (1 << power) + delta) for power in range(2, 30) for delta in (-1, 0, 1, 777)})
    for n_bytes in sizes:
        rounded = rounded_bytes(n_bytes)
        assert rounded == rounded_bytes(rounded)
        assert n_bytes <= rounded <= max(n_bytes + 63, n_bytes * (1.25 if n_bytes <= 2**20 else 1.125))
    assert rounded_bytes(0) == 64


def test_a_fixed_loop_hits(empty_pool):
    """M1; a request is counted once (defect 3)."""
    x = nd.ones((200, 200))
    with nd.combine(False):
        nd.exp(x @ x * 1e-3) + x
    before = nd.memory.stats()
    for _ in range(100):
        with nd.combine(False):  # deferred, three operations would need the memory of one
            nd.exp(x @ x * 1e-3) + x
    after = nd.memory.stats()
    assert (after.misses, after.system_allocations) == (before.misses, before.system_allocations)
    assert after.hits - before.hits >= 400
    nd.memory.trim()
    n = nd.memory.stats()
    kept = nd.empty(123_456)
    assert (nd.memory.stats().hits, nd.memory.stats().misses) == (n.hits, n.misses + 1)
    del kept


def test_training_with_fixed_batches_hits(empty_pool):
    """M1, at the floor: 99% from the second iteration on."""
    assert train([64] * 15)[0] >= 0.99


def test_training_with_varying_batches_hits_in_little_memory(empty_pool):
    """M2, at the floor: 95% and 1.3 (defect 2)."""
    batches = np.random.default_rng(1).integers(51, 78, 25)
    hit_rate, footprint = train(batches)
    assert hit_rate >= 0.95
    assert footprint <= 1.3


def test_very_different_sizes_by_turns_learn_to_hit(empty_pool):
    def turn():
        for n in (100_000, 1_000_000, 20_000, 2_000_000, 300_000, 5_000_000):
            nd.empty(n)

    for _ in range(100):
        turn()
    before = nd.memory.stats().misses
    for _ in range(20):
        turn()
    assert nd.memory.stats().misses == before


def test_sizes_no_longer_used_go_back(empty_pool):
    """Defect 2, cold sizes: memory follows what was lately in use."""
    made = [nd.empty(1_000_000 + 250_000 * i) for i in range(20)]
    del made
    assert nd.memory.stats().cached_bytes >= 500_000_000
    for _ in range(9000):
        nd.empty(50_000)
    assert nd.memory.stats().cached_bytes <= 2_000_000


def test_a_block_serves_smaller_requests_and_comes_back_whole(empty_pool):
    address = nd.empty(1_000_000).address
    for n in (600_000, 1_000_000, 800_000, 1_000_000):
        x = nd.empty(n)
        assert x.address == address
        assert nd.memory.stats().live_bytes >= 8_000_000
        del x
    many = [nd.empty(1_000_000) for _ in range(200)]
    addresses = {x.address for x in many}
    del many
    smaller = [nd.empty(700_000) for _ in range(200)]
    assert {x.address for x in smaller} == addresses
    del smaller
    assert sum(live for n, live, _ in of_classes() if n >= 4_000_000) == 0


def test_memory_goes_at_once_without_a_collection(monkeypatch):
    """M5, M27, defect 7: nothing calls the collector."""
    monkeypatch.setattr(gc, "collect", lambda *_: pytest.fail("gc.collect was called"))
    before = nd.memory.set_limits(cacheable_length="64M")
    try:
        x = nd.zeros(30_000_000)
        x[...] = 1.0
        held = resident()
        del x
        assert resident() <= held - 200_000_000
    finally:
        nd.memory.set_limits(**vars(before))


def test_a_cycle_goes_with_a_collection():
    """M6."""

    class Node:
        pass

    gc.collect()
    before = nd.memory.stats().live_bytes
    node = Node()
    node.self, node.x = node, nd.zeros(100_000)
    seen = weakref.ref(node.x)
    del node
    assert nd.memory.stats().live_bytes >= before + 800_000
    gc.collect()
    assert seen() is None
    assert nd.memory.stats().live_bytes == before


def test_close_gives_back_and_refuses():
    """M7."""
    x = nd.zeros(100_000)
    view = x[:10]
    with pytest.raises(ValueError, match="cannot be closed"):
        view.close()
    with pytest.raises(ValueError, match="cannot be closed"):
        x.close()
    del view
    before = nd.memory.stats().live_bytes
    x.close()
    assert nd.memory.stats().live_bytes <= before - 800_000
    with pytest.raises(ValueError, match="closed"):
        x + 1


def committed_bytes(stats):
    """What is in use outside of blocks that threads took: the pages of arenas."""
    return stats.live_bytes - sum(each.allocated_bytes - each.released_bytes for each in stats.threads)


def test_statistics_of_threads():
    made, of_arenas = [], committed_bytes(nd.memory.stats())
    name = "a thread of this test"
    ready, leave = threading.Event(), threading.Event()

    def work():
        made.extend(nd.empty(100) for _ in range(50))
        ready.set()
        leave.wait()

    thread = threading.Thread(target=work, name=name)
    thread.start()
    ready.wait()
    found = {each.name: each for each in nd.memory.stats().threads}
    assert found[name].hits + found[name].misses == 50
    assert found[name].allocated_bytes == 50 * 832
    assert found[name].released_bytes == 0
    leave.set()
    thread.join()
    after = nd.memory.stats()
    assert name not in {each.name for each in after.threads}
    assert sum(each.hits for each in after.threads) == after.hits
    assert committed_bytes(after) == of_arenas
    assert after.live_bytes - of_arenas == sum(n * live for n, live, _ in of_classes())
    assert after.cached_bytes == sum(n * cached for n, _, cached in of_classes())


def test_totals(empty_pool):
    before = nd.memory.stats()
    x = nd.empty(1000)
    during = nd.memory.stats()
    assert during.requested_bytes - before.requested_bytes == 8000
    assert during.live_bytes - before.live_bytes == 8192
    assert during.taken_bytes == during.live_bytes + during.cached_bytes
    assert during.peak_bytes >= during.peak_live_bytes >= during.live_bytes
    assert during.fragmentation == 1 - during.requested_bytes / during.taken_bytes
    big = nd.empty(10_000_000)
    del big, x
    assert nd.memory.stats().peak_live_bytes >= before.live_bytes + 80_000_000
    nd.memory.reset_peak()
    assert nd.memory.stats().peak_live_bytes < before.live_bytes + 80_000_000


def test_trim_reaches_what_other_threads_keep(empty_pool):
    ready, leave = threading.Event(), threading.Event()

    def work():
        made = [nd.empty(500) for _ in range(100)]
        del made
        ready.set()
        leave.wait()
        assert all(float(nd.ones(n)[n - 1]) == 1.0 for n in range(1, 600))

    thread = threading.Thread(target=work)
    thread.start()
    ready.wait()
    assert nd.memory.stats().cached_bytes >= 100 * 4096
    nd.memory.trim()
    assert nd.memory.stats().cached_bytes == 0
    leave.set()
    thread.join()


def test_trims_beside_working_threads_lose_nothing():
    before = nd.memory.stats().live_bytes
    exchange = Exchange(256, 8192)
    running = threading.Event()

    def trim():
        while not running.is_set():
            nd.memory.trim()

    trimmer = threading.Thread(target=trim)
    trimmer.start()
    exchange.run(4, 20_000)
    running.set()
    trimmer.join()
    assert exchange.n_faults == 0
    del exchange
    assert nd.memory.stats().live_bytes == before


def test_a_child_has_its_own_pool():
    code = """
import os, threading, nd4py as nd
leave = threading.Event()
made = [nd.ones(n) for n in range(1, 300)]
def work():
    nd.ones(5000); x = [nd.ones(100) for _ in range(100)]; del x
    leave.wait()
threads = [threading.Thread(target=work) for _ in range(3)]
[t.start() for t in threads]
pid = os.fork()
if pid == 0:
    ok = len(nd.memory.stats().threads) == 2 and all(float(x.sum()) == x.size for x in made)
    made.clear(); nd.memory.trim()
    nd.memory.set_limits(maxbytes="50M")
    ok = ok and nd.memory.stats().cached_bytes == 0
    x = nd.ones(1_000_000)
    os._exit(0 if ok and float(x[5]) == 1 else 1)
print(os.waitpid(pid, 0)[1])
leave.set()
[t.join() for t in threads]
"""
    assert run(code) == "0"


def test_random_requests_of_many_threads():
    """10 million under ND4PY_STRESS=1, in 16 threads that free each other's blocks; nothing is ever changed."""
    exchange = Exchange(2048, 4096)
    exchange.run(16, 625_000 if WHOLE else 6_000)
    assert exchange.n_faults == 0


def test_random_requests_find_a_planted_bug():
    exchange = Exchange(64, 4096)
    exchange.run(4, 1_000, planted=500)
    assert exchange.n_faults == 1


def test_measures_measure():
    for n_bytes in (64, 100_000):
        assert 0 < time_pool(n_bytes, 1000, True) < 1e-3
        assert 0 < time_system(n_bytes, 1000, True) < 1e-2


def test_blocks_are_aligned_and_apart():
    made = [nd.full(n, n % 250, dtype="uint8") for n in (*range(1, 400), 70_000, 1_500_000, 5_000_000)]
    assert all(x.address % 64 == 0 for x in made)
    spans = sorted((x.address, x.nbytes) for x in made)
    assert all(a + n <= b for (a, n), (b, _) in zip(spans, spans[1:], strict=False))
    assert all(ctypes.c_ubyte.from_address(x.address + x.size - 1).value == x.size % 250 for x in made)


def test_threads_that_end_leave_their_blocks(empty_pool):
    n_threads = len(nd.memory.stats().threads)
    in_thread(*[lambda: [nd.empty(1000) for _ in range(20)]] * 4)
    deadline = time.monotonic() + 10
    while len(nd.memory.stats().threads) > n_threads and time.monotonic() < deadline:
        time.sleep(0.001)  # join() returns a little before the thread is gone
    before = nd.memory.stats()
    assert before.cached_bytes >= 20 * 8192
    kept = [nd.empty(1000) for _ in range(20)]
    assert nd.memory.stats().misses == before.misses
    del kept
