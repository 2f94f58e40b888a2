"""The caches of device memory: limits that hold, blocks that are not shared, streams that are waited for."""

import gc
import threading

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nd4py.cuda import memory
from nd4py.cuda.allocation.device_scratch import Scratch
from nd4py.cuda.driver.driver import DeviceError, DeviceLost, DeviceOutOfMemory
from nd4py.cuda.driver.driver_choice import use_driver

KIB = 1024


def test_a_freed_block_is_taken_again(stub):
    first = Scratch(0, 1000)
    address = first.address
    del first
    second = Scratch(0, 900)  # of the same size class
    assert second.address == address
    assert stub.counts["malloc"] == 1
    assert memory.stats(0).hits == 1
    assert memory.stats(0).misses == 1


def test_devices_and_streams_keep_their_own_blocks(stub):
    for device, stream in ((0, 0), (0, 7), (1, 0)):
        Scratch(device, 100, stream)
    assert stub.counts["malloc"] == 3
    assert [memory.stats(device).cached_bytes for device in (0, 1)] == [1024, 512]


def test_sizes_are_multiples_of_512_bytes_with_little_waste(stub):
    for n_bytes in [0, 1, 511, 512, 513, 4097, 10**6, 10**6 + 1, 3 * 2**20 + 5]:
        block = Scratch(0, n_bytes)
        assert block.nbytes % 512 == 0
        assert n_bytes <= block.nbytes <= max(512, n_bytes + 511, n_bytes * 5 // 4 + 512)


def test_long_blocks_are_not_kept(stub):
    memory.set_limits(0, cacheable_length="64K")
    Scratch(0, 65 * KIB)
    Scratch(0, 64 * KIB)
    found = memory.stats(0)
    assert (found.evicted, found.cached_bytes) == (1, 64 * KIB)
    assert len(stub.live) == 1


def test_the_limit_on_all_memory_counts_what_is_cached(stub):
    memory.set_limits(0, max_bytes="1M")
    first, second = Scratch(0, 400 * KIB), Scratch(0, 400 * KIB)
    del first
    Scratch(0, 512 * KIB)  # fits once the cached block is given back
    assert memory.stats(0).taken_bytes <= 1024 * KIB
    with pytest.raises(DeviceOutOfMemory, match=r"cannot allocate 819200 bytes of device cuda:0.*limit is 1048576"):
        Scratch(0, 800 * KIB)
    assert isinstance(second, Scratch)


def test_a_limit_below_what_is_in_use_is_refused(stub):
    held = Scratch(0, 400 * KIB)
    with pytest.raises(ValueError, match="bytes are in use already"):
        memory.set_limits(0, max_bytes="100K")
    assert memory.limits(0).max_bytes == 0
    assert held.nbytes >= 400 * KIB


def test_a_lower_limit_gives_cached_blocks_back_at_once(stub):
    held = [Scratch(0, 100 * KIB) for _ in range(10)]
    held.clear()
    memory.set_limits(0, max_cache="300K")
    assert memory.stats(0).cached_bytes <= 300 * KIB
    memory.set_limits(0, max_cache=0)
    assert not stub.live


def test_out_of_memory_trims_and_tries_once_more(stub):
    Scratch(0, 300 * KIB)  # cached afterwards
    stub.faults["malloc"] = [DeviceOutOfMemory("full")]
    block = Scratch(0, 512)
    assert block.nbytes == 512
    assert memory.stats(0).cached_bytes == 0
    stub.faults["malloc"] = [DeviceOutOfMemory("full"), DeviceOutOfMemory("full still")]
    with pytest.raises(MemoryError, match=r"512 bytes .* in use.*the driver says: full still"):
        Scratch(0, 300)
    del block
    assert memory.stats(0).n_blocks == 0


def test_a_lost_device_is_told_at_once_and_takes_no_other_with_it(stub):
    held = Scratch(1, 100)
    stub.faults["malloc"] = [DeviceLost("an illegal address")]
    with pytest.raises(DeviceLost, match="illegal address"):
        Scratch(0, 100)
    assert Scratch(1, 100).address != held.address


def test_a_refused_release_is_counted_and_harms_no_other(stub):
    memory.set_limits(0, max_cache=0)
    block = Scratch(0, 100)
    stub.faults["free"] = [DeviceLost("gone")]
    del block
    assert memory.stats(0).failed_releases == 1
    assert memory.stats(0).live_bytes == 0
    stub.live.clear()  # what the driver kept


def test_a_block_waits_for_the_other_streams_that_work_on_it(stub):
    block = Scratch(0, 100, 0)
    block.used_on(0, 5)
    stub.is_recording = True
    stub.unfinished_events = _Everything()
    address = block.address
    del block
    assert ("event_record", stub.calls[-1][1], 5) in stub.calls
    other = Scratch(0, 100, 0)
    assert other.address != address
    assert memory.stats(0).waiting_bytes == 512
    stub.unfinished_events = set()
    assert Scratch(0, 100, 0).address == address
    assert memory.stats(0).waiting_bytes == 0


def test_a_request_that_would_fail_waits_for_parked_blocks(stub):
    memory.set_limits(0, max_bytes=1024)
    block = Scratch(0, 1000, 0)
    block.used_on(0, 5)
    stub.unfinished_events = _Everything()
    del block
    assert Scratch(0, 1000, 0).nbytes == 1024
    assert stub.counts["event_synchronize"] == 1


def test_a_block_used_on_its_own_stream_does_not_wait(stub):
    block = Scratch(0, 100, 3)
    block.used_on(0, 3)
    del block
    assert stub.counts["event_record"] == 0


def test_pinned_blocks_wait_for_every_stream(stub):
    block = Scratch(-1, 100)
    block.used_on(0, 0)
    stub.unfinished_events = _Everything()
    address = block.address
    del block
    assert Scratch(-1, 100).address != address
    assert stub.counts["host_alloc"] == 2
    stub.unfinished_events = set()


def test_blocks_are_taken_ahead(stub):
    memory.set_limits(0, n_ahead=3)
    held = [Scratch(0, 100) for _ in range(4)]
    assert memory.stats(0).misses == 1
    assert stub.counts["malloc"] == 4
    assert len({block.address for block in held}) == 4


def test_taking_ahead_ends_quietly_where_memory_ends(stub):
    memory.set_limits(0, n_ahead=3, max_bytes=1024)
    assert Scratch(0, 512).nbytes == 512
    assert memory.stats(0).taken_bytes == 1024


@pytest.mark.parametrize("n_ahead, error", [(-1, ValueError), (101, ValueError), (True, TypeError), ("3", TypeError)])
def test_wrong_numbers_of_blocks_are_refused(stub, n_ahead, error):
    with pytest.raises(error, match="n_ahead"):
        memory.set_limits(0, n_ahead=n_ahead)


def test_trim_gives_the_largest_blocks_back_first(stub):
    held = [Scratch(0, n * KIB) for n in (1, 64, 8)]
    held.clear()
    assert memory.trim(0, keep="10K") == 64 * KIB
    assert memory.stats(0).cached_bytes == 9 * KIB
    assert memory.trim(0) == 9 * KIB


def test_percentages_are_of_the_device(stub):
    memory.set_limits(0, max_bytes="50%")
    assert memory.limits(0).max_bytes == stub.device_bytes // 2


def test_devices_keep_a_share_of_their_memory(stub):
    """A long result, which the driver would be asked for each time, is kept for the next one."""
    assert memory.limits(1).max_cache == stub.device_bytes * 3 // 4
    assert memory.limits(1).cacheable_length == stub.device_bytes // 4
    assert memory.limits("pinned").max_cache == memory.GIB
    for _ in range(3):
        Scratch(1, 3 * memory.GIB)
    assert stub.counts["malloc"] == 1


def test_shares_and_numbers_of_the_environment(stub, monkeypatch):
    for name, text in (("CUDA_MAX_CACHE", "10%"), ("CUDA_MAX_BYTES", "4096"), ("CUDA_N_AHEAD", "2")):
        monkeypatch.setenv(f"ND4PY_{name}", text)
    monkeypatch.setenv("ND4PY_PINNED_MAX_CACHE", "1M")
    monkeypatch.setattr(memory, "starting", {is_pinned: memory.given_limits(is_pinned) for is_pinned in (False, True)})
    assert memory.limits(0) == memory.MemoryLimits(4096, stub.device_bytes // 10, stub.device_bytes // 4, 2)
    assert memory.limits("pinned").max_cache == 2**20
    for name, text, words in (
        ("CUDA_MAX_CACHE", "half", "ND4PY_CUDA_MAX_CACHE: bytes, '512M', '2G' or '50%', given 'half'"),
        ("PINNED_MAX_CACHE", "10%", "ND4PY_PINNED_MAX_CACHE: bytes, '512M', '2G', given '10%'"),
        ("CUDA_N_AHEAD", "101", "n_ahead: 0 to 100, given 101"),
    ):
        monkeypatch.setenv(f"ND4PY_{name}", text)
        with pytest.raises(ValueError, match=words):
            memory.given_limits(name.startswith("PINNED"))
        monkeypatch.delenv(f"ND4PY_{name}")


def test_one_cache_for_threads_that_meet_a_device_at_once(stub, monkeypatch):
    """The driver is asked what a device has, and lets others go on meanwhile."""
    asked = threading.Barrier(2)

    def slow():
        asked.wait(10)
        return 2**30, 2**31

    monkeypatch.setattr(stub, "mem_info", slow)
    held = []
    threads = [threading.Thread(target=lambda: held.append(Scratch(0, 100))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert memory.stats(0).n_blocks == 2


def test_peak_is_of_live_bytes(stub):
    held = [Scratch(0, 1024) for _ in range(3)]
    held.clear()
    assert memory.stats(0).peak_bytes == 3072
    memory.reset_peak_bytes(0)
    assert memory.stats(0).peak_bytes == 0


def test_another_driver_is_refused_while_memory_is_in_use(stub):
    block = Scratch(1, 10)
    with pytest.raises(RuntimeError, match=r"1 arrays on cuda:1 are alive"):
        use_driver(None)
    del block


def test_no_device_of_that_name(stub):
    for name in ("cuda:2", "cuda:x", "gpu", 5):
        with pytest.raises(ValueError, match=r"device"):
            memory.stats(name)


class _Everything:
    """A set that holds every event until it is synchronized."""

    def __init__(self):
        self.reached = set()

    def __contains__(self, event):
        return event not in self.reached

    def discard(self, event):
        self.reached.add(event)

    def clear(self):
        self.reached = set()


requests = st.lists(
    st.one_of(
        st.tuples(st.just("take"), st.integers(0, 3 * 2**20), st.sampled_from([0, 1, 2])),
        st.tuples(st.just("free"), st.integers(0, 99), st.integers(0, 1)),
        st.tuples(st.just("limit"), st.integers(0, 2**22), st.integers(0, 2**21)),
        st.tuples(st.just("fail"), st.integers(1, 2), st.just(0)),
        st.tuples(st.just("trim"), st.integers(0, 2**21), st.just(0)),
    ),
    max_size=60,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(program=requests)
def test_any_program_keeps_blocks_apart_and_limits_exact(stub, program):
    """Whatever is asked for: blocks in use never overlap, the cache never exceeds its limit, the books agree with the
    driver's."""
    memory.trim(0)
    memory.set_limits(0, max_cache=2**21, cacheable_length=2**20)
    held = []
    for what, first, second in program:
        if what == "take":
            try:
                held.append(Scratch(0, first, second))
            except DeviceError:
                stub.faults.clear()
        elif what == "free" and held:
            block = held.pop(first % len(held))
            if second:
                block.used_on(0, 9)
            del block
        elif what == "limit":
            memory.set_limits(0, max_cache=first, cacheable_length=second)
        elif what == "fail":
            stub.faults["malloc"] = [DeviceOutOfMemory("full")] * first
        elif what == "trim":
            memory.trim(0, keep=first)
        found, bounds = memory.stats(0), memory.limits(0)
        assert found.cached_bytes <= bounds.max_cache
        assert found.n_blocks == len(held)
        assert found.live_bytes == sum(block.nbytes for block in held)
        assert found.taken_bytes == stub.used(0)
        spans = sorted((block.address, block.address + block.nbytes) for block in held)
        assert all(end <= start for (_, end), (start, _) in zip(spans, spans[1:], strict=False))
    stub.faults.clear()
    held.clear()
    gc.collect()
