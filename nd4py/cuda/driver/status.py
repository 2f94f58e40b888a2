"""Status of CUDA: whether devices can be used, and if not, why.

It is asked when a device is first needed, never at import.

Design: counting devices opens a connection to the driver, after which a fork is unsafe, and importing CuPy takes a
tenth of a second, so neither happens before a device is asked for.  CuPy may be missing, broken (built for another
NumPy), or whole without a GPU beneath it; each is a reason in words, not an exception at some later array.  A forked
child of a process that found devices has none: CUDA does not survive a fork.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
from functools import cache, lru_cache
from typing import NamedTuple


class CudaUnavailable(RuntimeError):
    """There is no CUDA device to work on; the text says why and what to do.

    >>> issubclass(nd.cuda.CudaUnavailable, RuntimeError)
    True
    """


class CudaStatus(NamedTuple):
    """What was found.

    n_devices: how many there are.
    reason: why there is nothing, "" when available    cupy: its version, "" when it is missing
    nvrtc: whether kernels can be compiled here; without it only kernels compiled before, and kept on disk, run

    >>> status = nd.cuda.status()
    >>> status.available or len(status.reason) > 0
    True
    """

    available: bool
    n_devices: int
    reason: str
    cupy: str
    nvrtc: bool


OF_PARENT = (
    "CUDA was in use in the parent of this process when it was forked; start processes with multiprocessing's 'spawn' "
    "or 'forkserver', or fork before a device is looked for"
)
is_forked = False  # from a process that had found devices


def status() -> CudaStatus:
    """What this machine offers through CuPy.  Found at the first call, and the same ever after, but in a fork.

    Raises nothing.

    >>> status = nd.cuda.status()
    >>> status.available or len(status.reason) > 0
    True
    """
    found = found_here()
    return found._replace(available=False, n_devices=0, reason=OF_PARENT) if is_forked else found


@cache
def watch_forks() -> None:
    """Let forked children know that they are, once there are devices."""
    os.register_at_fork(after_in_child=note_fork)


def note_fork() -> None:
    global is_forked
    is_forked = found_here.cache_info().currsize > 0 and found_here().available


@lru_cache(maxsize=1)
def found_here() -> CudaStatus:
    """`status()` of a process that was not forked."""
    if importlib.util.find_spec("cupy") is None:
        return CudaStatus(False, 0, "CuPy is not installed: pip install 'nd4py[cuda13]'", "", False)
    try:
        cupy = importlib.import_module("cupy")
    except Exception as error:
        return CudaStatus(False, 0, f"CuPy cannot be imported: {type(error).__name__}: {error}", "", False)
    try:
        n_devices = cupy.cuda.runtime.getDeviceCount()
    except Exception as error:
        return CudaStatus(False, 0, str(error), cupy.__version__, False)
    try:
        cupy.cuda.nvrtc.getVersion()
        has_compiler = True
    except Exception:  # the library is looked for at the first call, and not finding it is no CUDA error
        has_compiler = False
    watch_forks()
    reason = "" if n_devices else "the driver works but finds no CUDA device"
    return CudaStatus(n_devices > 0, n_devices, reason, cupy.__version__, has_compiler)
