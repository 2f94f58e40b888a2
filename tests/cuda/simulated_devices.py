"""Simulated devices in use for a while, all of whose memory must be free at the end."""

import gc
from contextlib import contextmanager

from nd4py.cuda.drivers import use_driver


@contextmanager
def in_use(driver, n_devices):
    """`driver`, of `n_devices`, in place of the process's own."""
    before = use_driver(driver)
    yield driver
    gc.collect()
    use_driver(before)
    assert [driver._devices[number].used for number in range(n_devices)] == [0] * n_devices
