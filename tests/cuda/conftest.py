"""Drivers for the tests of this folder."""

import gc
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from simulated_devices import in_use
from simulator.compiler import QUICK
from simulator.driver import SimulatorDriver
from stub_driver import StubDriver

import nd4py as nd
from nd4py.cuda.drivers import use_driver
from nd4py.cuda.fallback import counts


@pytest.fixture(scope="module")
def simulator():
    """Two simulated devices, whose kernels are compiled quickly: `test_kernel_*.py` check what their skeletons do."""
    with in_use(SimulatorDriver(devices=2, flags=QUICK), 2) as driver:
        yield driver


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
