"""The driver in use: the one given to `use_driver`, else the one through CuPy where there is a device."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from functools import cache
from threading import Lock
from typing import Any, cast

from .driver import DeviceError, Driver
from .status import CudaUnavailable, status

in_use: Driver | None = None
lock = Lock()
at_change: list[Callable[[], None]] = []  # called when the driver changes: release what is its, or raise RuntimeError
at_fork: list[Callable[[], None]] = []  # called in a forked child: what works without asking for the driver must stop
lacking: set[tuple[str, int, str]] = set()  # (a routine, a device, a dtype) that the library was found to lack
at_change.append(lacking.clear)


def driver() -> Driver:
    """The driver in use.  Raises CudaUnavailable, with the reason, where there is none."""
    global in_use
    if in_use is None:
        with lock:
            if in_use is None:
                watch_forks()
                in_use = driver_of_this_machine()
    return in_use


def driver_of_this_machine() -> Driver:
    """CuPy's driver, imported now."""
    found = status()
    if not found.available:
        raise CudaUnavailable(f"no CUDA device: {found.reason}; arrays on device='cpu' work without one")
    made: Driver = importlib.import_module("nd4py.cuda.driver.cupy_driver").CupyDriver()
    return made


def use_driver(chosen: Driver | None) -> Driver | None:
    """Work through `chosen` from now on; None goes back to CuPy.  Returns the driver given before.

    Raises RuntimeError while arrays of the driver in use are alive.

    >>> before = nd.cuda.use_driver(None)  # CuPy, as without this call
    >>> before = nd.cuda.use_driver(before)
    """
    global in_use
    with lock:
        watch_forks()
        if in_use is not None and in_use is not chosen:
            for let_go in reversed(at_change):  # as they were built on each other
                let_go()
        before, in_use = in_use, chosen
    return before


@cache
def watch_forks() -> None:
    """Let forked children know that they are, from the first use of a driver on."""
    os.register_at_fork(after_in_child=forget_in_child)


class DriverOfParent:
    """What a forked child has of the driver that its parent was using: a name, and an error for everything else."""

    name = "forked"

    def __getattr__(self, method: str) -> Any:
        raise DeviceError(
            f"{method}: CUDA was in use in the parent of this process when it was forked, and cannot be used in the "
            "child; start processes with multiprocessing's 'spawn' or 'forkserver', or fork before a device is used"
        )


def forget_in_child() -> None:
    """In a forked child: CUDA does not survive a fork, so nothing here may pretend that it did."""
    global in_use, lock
    lock = Lock()  # another thread of the parent's may have held it
    if in_use is not None:
        in_use = cast(Driver, DriverOfParent())
        for let_go in at_fork:
            let_go()


def device_count() -> int:
    """How many devices there are; 0 where CUDA is not available, and never an error.  Raises nothing.

    >>> nd.cuda.device_count() >= 0
    True
    """
    if isinstance(in_use, DriverOfParent) or (in_use is None and not status().available):
        return 0
    return driver().device_count()


def use_for_cupy() -> None:
    """Let CuPy take the memory of its arrays from the caches of nd4py.cuda, so that the two do not keep one each.

    Raises CudaUnavailable, with the reason, where CuPy has no device.

    >>> try:
    ...     nd.cuda.use_for_cupy()
    ... except nd.cuda.CudaUnavailable:
    ...     print("CuPy has no device")
    CuPy has no device
    """
    driver_of_this_machine()
    importlib.import_module("nd4py.cuda.driver.cupy_driver").use_for_cupy()
