"""Whether CUDA devices can be used here, and if not, why: asked when a device is first needed, never at import.

Design: counting devices opens a connection to the driver, after which a fork is unsafe, and importing CuPy takes a
tenth of a second, so neither happens before somebody asks for a device.  CuPy may be missing, broken (built for another
NumPy), or whole without a GPU beneath it; each is a reason in words, not an exception at some later array.
"""

import importlib
import importlib.util
from functools import lru_cache
from typing import NamedTuple


class CudaUnavailable(RuntimeError):
    """There is no CUDA device to work on; the text says why and what to do."""


class CudaStatus(NamedTuple):
    """What was found.

    reason: why there is nothing, "" when available    cupy: its version, "" when it is missing
    nvrtc: whether kernels can be compiled here; without it only kernels compiled before, and kept on disk, run
    """

    available: bool
    n_devices: int
    reason: str
    cupy: str
    nvrtc: bool


@lru_cache(maxsize=1)
def status() -> CudaStatus:
    """What this machine offers through CuPy.  Found at the first call, and the same ever after."""
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
    reason = "" if n_devices else "the driver works but finds no CUDA device"
    return CudaStatus(n_devices > 0, n_devices, reason, cupy.__version__, has_compiler)
