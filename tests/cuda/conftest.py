"""Drivers for the tests of this folder."""

import gc
import traceback

import pytest
from simulated_devices import default_driver, in_use, is_on_gpu, side_by_side
from simulator.compiler import QUICK
from stub_driver import StubDriver

import nd4py as nd
from nd4py.cuda.driver.driver_choice import use_driver
from nd4py.cuda.fallback import counts


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """On a machine with fewer GPUs than a test names, the test is skipped."""
    try:
        return (yield)
    except ValueError as error:
        if is_on_gpu() and "no CUDA device" in str(error):
            pytest.skip(str(error))
        raise


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """What a failed test left in its frames is let go once it is reported: its arrays would keep the driver in use."""
    report = yield
    if call.excinfo is not None:
        traceback.clear_frames(call.excinfo.tb)
        for frame, _ in traceback.walk_tb(call.excinfo.tb):
            _ = frame.f_locals  # asking brings the copy that the report was made from up to date
    return report


@pytest.fixture(scope="module")
def simulator():
    """Two simulated devices, whose kernels are compiled quickly: `test_kernel_*.py` check what their skeletons do."""
    with in_use(default_driver(devices=2, flags=QUICK), 2) as driver:
        yield driver


@pytest.fixture(params=[(2, 1), (2, 2), (8, 1), (8, 2)], ids="{0[0]} threads on {0[1]}".format)
def crowd(request, simulator):
    """crowd(work): run `work(device, number)` in two or eight threads at once, all on one device or half on each."""
    n_threads, n_devices = request.param
    return lambda work: side_by_side(n_threads, lambda number: work(f"cuda:{number % n_devices}", number))


@pytest.fixture
def stub():
    """A stub of two devices in use, none of whose memory may be left at the end."""
    driver = StubDriver()
    before = use_driver(driver)
    yield driver
    gc.collect()
    driver.faults.clear()
    use_driver(before)
    assert not driver.live
    assert not driver.pinned


@pytest.fixture
def host_fallback():
    """Operations without a kernel run on the host meanwhile."""
    before = nd.cuda.fallback("host")
    counts.clear()
    yield
    nd.cuda.fallback(before)
    counts.clear()
