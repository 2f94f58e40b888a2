"""The simulator finds what it says it finds: small kernels with one bug each, and drivers' rules."""

import ctypes

import numpy as np
import pytest
from simulated_devices import is_on_gpu
from simulator.driver import LAUNCH, SimulatorDriver

from nd4py.cuda.compile.kernel_catalogue import inlined
from nd4py.cuda.driver.driver import DeviceError, DeviceLost, DeviceOutOfMemory, KernelModule

pytestmark = pytest.mark.skipif(is_on_gpu(), reason="about the simulator itself")
HEAD = '#include "device.cuh"\nstruct Arguments { int* y; long long n; };\n'


def module(body, threads=256):
    """A module with one kernel `k`; the body sees `a`, its Arguments."""
    kernel = f"ND_DEVICE void body(const Arguments& a) {{ {body} }}\nND_KERNEL(k, {threads}, Arguments, body)\n"
    return KernelModule("test", inlined(HEAD) + kernel, (), (), body)


@pytest.fixture
def driver():
    return SimulatorDriver(devices=2, memory=1 << 20, alignment=16)


def run(driver, body, n=64, grid=(1, 1, 1), block=(64, 1, 1), shared_bytes=0, threads=256):
    """The n ints that a kernel leaves."""
    loaded = driver.module_load(module(body, threads))
    address, y = driver.malloc(4 * n), np.empty(n, np.int32)
    arguments = np.array([address, n], np.int64).tobytes()
    driver.launch(driver.get_function(loaded, "k"), grid, block, shared_bytes, 0, (arguments,))
    driver.memcpy_d2h_async(y.ctypes.data, address, y.nbytes, 0)
    driver.free(address)
    return y


ROUND = "__shared__ int s[64]; s[threadIdx.x] = threadIdx.x; __syncthreads(); a.y[threadIdx.x] = s[63 - threadIdx.x];"


def test_barriers_and_shared_memory(driver):
    np.testing.assert_array_equal(run(driver, ROUND), np.arange(64)[::-1])
    dynamic = ROUND.replace("__shared__ int s[64];", "ND_DYNAMIC_SHARED(room); int* s = (int*)room;")
    np.testing.assert_array_equal(run(driver, dynamic, shared_bytes=256), np.arange(64)[::-1])


@pytest.mark.parametrize("order", [("forward", 0), ("reverse", 0), ("random", 9)])
def test_warp_functions(driver, order):
    driver.schedule(*order)
    lane = np.arange(64) % 32
    for call, want in (
        ("__shfl_sync(~0u, threadIdx.x, 5, 8)", np.arange(64) // 8 * 8 + 5),
        ("__shfl_up_sync(~0u, threadIdx.x, 3, 32)", np.where(lane < 3, np.arange(64), np.arange(64) - 3)),
        ("__shfl_down_sync(~0u, threadIdx.x, 3, 16)", np.where(lane % 16 < 13, np.arange(64) + 3, np.arange(64))),
        ("__shfl_xor_sync(~0u, threadIdx.x, 7, 32)", np.arange(64) ^ 7),
        ("__ballot_sync(~0u, threadIdx.x % 2)", np.full(64, 0xAAAAAAAA - 2**32)),
        ("__any_sync(~0u, threadIdx.x == 40)", np.arange(64) >= 32),
        ("__all_sync(~0u, threadIdx.x != 40)", np.arange(64) < 32),
    ):
        np.testing.assert_array_equal(run(driver, f"a.y[threadIdx.x] = {call};"), want, err_msg=call)
    driver.schedule("forward")


BUGS = {
    "illegal address": "a.y[threadIdx.x * 4096] = 1;",
    "illegal address .*thread .63, 0, 0.": "if (threadIdx.x == 63) a.y[70000] = 1;",
    "wrote behind the 248 bytes": "if (threadIdx.x == 0) a.y[63] = 1;",
    "wait at different barriers": "if (threadIdx.x < 32) __syncthreads(); else { __syncthreads(); }",
    "has returned while others wait": "if (threadIdx.x < 40) return; __syncthreads();",
    "lanes of its mask that never reach": (
        "if (threadIdx.x < 16) a.y[0] = __shfl_sync(~0u, 1, 0, 32); else __syncthreads();"
    ),
    "mask leaves it out": "a.y[0] = __shfl_sync(0xffffu, 1, 0, 32);",
    "array place out of range": "int s[4] = {1, 2, 3, 4}; a.y[0] = s[threadIdx.x];",
    "misaligned access": "*(packet<int, 4, true>*)(a.y + 1) = packet<int, 4, true>{};",
}


@pytest.mark.parametrize("words", BUGS)
def test_bugs_are_named_with_kernel_block_and_thread(driver, words):
    with pytest.raises(DeviceLost, match=f"^k: .*{words}"):
        run(driver, BUGS[words], n=62)
    with pytest.raises(DeviceLost):  # and the device stays lost
        driver.malloc(4)


def test_memory_that_was_not_written_is_poison(driver):
    """Shared memory, lanes that take no part, device memory."""
    assert (run(driver, "__shared__ int s[64]; a.y[threadIdx.x] = s[threadIdx.x];") == -1).all()
    got = run(driver, "if (threadIdx.x < 8) a.y[threadIdx.x] = __shfl_sync(0xffu, 7, 20, 32);")
    assert (got == -1).all()


@pytest.mark.parametrize(
    "words, options",
    [
        ("more threads in a block than the kernel was built for", {"block": (512, 1, 1)}),
        ("1 to 1024 threads", {"block": (64, 64, 1), "threads": 1024}),
        ("a grid has 1 to", {"grid": (1, 70000, 1)}),
        ("more than 48 KiB", {"shared_bytes": 50000}),
    ],
)
def test_wrong_launches_are_refused(driver, words, options):
    with pytest.raises(DeviceError, match=words) as error:
        run(driver, "", **options)
    assert not isinstance(error.value, DeviceLost)


def test_wrong_arguments_and_names_are_refused(driver):
    loaded = driver.module_load(module(""))
    function = driver.get_function(loaded, "k")
    with pytest.raises(DeviceError, match="takes one struct of 16 bytes; given were .8."):
        driver.launch(function, (1, 1, 1), (1, 1, 1), 0, 0, (bytes(8),))
    with pytest.raises(DeviceError, match="no kernel 'other'"):
        driver.get_function(loaded, "other")
    with pytest.raises(DeviceError, match="no_such_function"):
        driver.module_load(module("no_such_function();"))


def test_kernels_are_launched_from_c(driver):
    """Through a function of cuLaunchKernel's type; what fails is raised by the status."""
    launch = LAUNCH(driver.launch_address())
    function = driver.get_function(driver.module_load(module("a.y[threadIdx.x] = 2;")), "k")
    address, y = driver.malloc(256), np.zeros(64, np.int32)
    arguments = np.array([address, 64], np.int64)
    parameters = (ctypes.c_void_p * 1)(arguments.ctypes.data)
    assert launch(function, 1, 1, 1, 64, 1, 1, 0, None, parameters, None) == 0
    driver.memcpy_d2h_async(y.ctypes.data, address, 256, 0)
    assert (y == 2).all()
    status = launch(function, 1, 1, 1, 512, 1, 1, 0, None, parameters, None)
    with pytest.raises(DeviceError, match="^two: k: more threads in a block than the kernel was built for"):
        driver.raise_status(status, "two")


def test_results_that_depend_on_the_order_differ(driver):
    """What the schedules are for: the last writer wins, and who that is changes."""
    results = set()
    for order in (("forward", 0), ("reverse", 0), ("random", 1)):
        driver.schedule(*order)
        results.add(int(run(driver, "a.y[0] = threadIdx.x;")[0]))
    driver.schedule("forward")
    assert len(results) > 1


def test_memory_has_a_limit(driver):
    driver.malloc(1 << 19)
    assert driver.mem_info() == (1 << 19, 1 << 20)
    with pytest.raises(DeviceOutOfMemory, match="524288 of 1048576 are used"):
        driver.malloc((1 << 19) + 1)


def test_copies_outside_an_allocation_are_refused(driver):
    address, word = driver.malloc(8), ctypes.c_int64(3)
    with pytest.raises(DeviceError, match="16 bytes at .* are not memory of simulated device 0"):
        driver.memcpy_h2d_async(address, ctypes.addressof(word), 16, 0)


def test_delayed_work_waits_for_the_host():
    """Without a wait the host reads what was there before."""
    driver = SimulatorDriver(delays=True)
    source, target = np.arange(4, dtype=np.int64), np.zeros(4, np.int64)
    address, stream = driver.malloc(32), driver.stream_create()
    driver.memcpy_h2d_async(address, source.ctypes.data, 32, stream)
    driver.memcpy_d2h_async(target.ctypes.data, address, 32, stream)
    assert (target == 0).all()
    event = driver.event_create()
    driver.event_record(event, stream)
    assert not driver.event_query(event)
    driver.event_synchronize(event)
    np.testing.assert_array_equal(target, source)


def test_a_stream_waits_for_an_event_of_another():
    driver = SimulatorDriver(delays=True)
    source, target = np.arange(4, dtype=np.int64), np.zeros(4, np.int64)
    address, first, second = driver.malloc(32), driver.stream_create(), driver.stream_create()
    driver.memcpy_h2d_async(address, source.ctypes.data, 32, first)
    event = driver.event_create()
    driver.event_record(event, first)
    driver.event_wait(event, second)
    driver.memcpy_d2h_async(target.ctypes.data, address, 32, second)
    driver.stream_synchronize(second)
    np.testing.assert_array_equal(target, source)


def test_captured_work_runs_when_its_graph_is_launched(driver):
    address, word = driver.malloc(8), np.zeros(1, np.int64)
    stream = driver.stream_create()
    driver.begin_capture(stream)
    driver.memset_async(address, 1, 8, stream)
    graph = driver.end_capture(stream)
    for expected in (-1, 0x0101010101010101):
        driver.memcpy_d2h_async(word.ctypes.data, address, 8, stream)
        assert word[0] == expected
        driver.graph_launch(graph, stream)
