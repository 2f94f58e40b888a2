"""Simulated devices in use for a while, all of whose memory must be free at the end; and threads that share them."""

import gc
import os
import threading
from contextlib import contextmanager

import pytest
from simulator.driver import SimulatorDriver

from nd4py.cuda.driver.driver import Driver, RoutineMissing
from nd4py.cuda.driver.driver_choice import driver_of_this_machine, use_driver

SIMULATED = {"delays", "is_sparse", "memory"}  # options that no GPU has


class RealDriver:
    """The driver of this machine's GPU, for the same tests: it runs threads in its own order.

    A test that needs what only a simulator has is skipped where it asks for it.
    """

    def __init__(self):
        self.driver = driver_of_this_machine()
        self.missing_routines = set()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if not hasattr(Driver, name) and not hasattr(self.driver, name):
            pytest.skip(f"only a simulator has {name}")
        return getattr(self.driver, name)

    def run_routine(self, name, *arguments):
        self.check_routine(name)
        return self.driver.run_routine(name, *arguments)

    def gemm(self, *arguments):
        self.check_routine("gemm")
        self.driver.gemm(*arguments)

    def communicator_create(self, devices):
        self.check_routine("all_reduce")
        return self.driver.communicator_create(devices)

    def check_routine(self, name):
        """As in the simulator, a test may say that the library lacks some."""
        if name in self.missing_routines:
            raise RoutineMissing(f"{name} is to be missing")

    def schedule(self, order, seed=0):
        """A GPU has its own."""

    def revive(self):
        """What lost a GPU, keeps it lost."""


def is_on_gpu():
    return os.environ.get("ND4PY_CUDA_TESTS_ON") == "gpu"


def default_driver(**options):
    """A simulator, or with ND4PY_CUDA_TESTS_ON=gpu the GPU of this machine; then tests are skipped that want more
    devices than there are, or what only a simulator can pretend."""
    if not is_on_gpu():
        return SimulatorDriver(**options)
    if asked := sorted(name for name in SIMULATED if options.get(name)):
        pytest.skip(f"only a simulator has {', '.join(asked)}")
    return RealDriver()


@contextmanager
def in_use(driver, n_devices):
    """`driver`, of `n_devices`, in place of the process's own."""
    before = use_driver(driver)
    yield driver
    gc.collect()
    use_driver(before)
    if isinstance(driver, SimulatorDriver):
        assert [driver._devices[number].used for number in range(n_devices)] == [0] * n_devices


def side_by_side(n_threads, work):
    """Run `work(number)` in as many threads, which begin together; raises what the first failed one raised."""
    start, errors = threading.Barrier(n_threads), []

    def run(number):
        try:
            start.wait(30)
            work(number)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(n_threads)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    if errors:
        raise errors[0]
    assert not any(thread.is_alive() for thread in threads), "threads wait for each other"
