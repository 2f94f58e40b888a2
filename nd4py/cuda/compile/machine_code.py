"""Machine code of modules: what was compiled with nd4py, else what is kept on disk, else what is compiled now."""

from __future__ import annotations

from collections.abc import Callable

from ..driver.driver import COMPILER_OPTIONS, DeviceError, KernelModule
from . import disk_cache, packed_kernels


def machine_code(
    module: KernelModule,
    capability: tuple[int, int],
    version: str | None,
    compiled: Callable[[KernelModule, str], bytes],
) -> bytes:
    """What a driver loads.

    version: of the compiler; None where there is none, and then code by any compiler is taken from disk
    compiled: gives the code of a module for an architecture, such as "sm_90"
    Raises what `compiled` raises, and DeviceError where a compiler is needed and missing.
    """
    code = packed_kernels.load(module.digest, capability)
    if code is not None:
        return code
    architecture = "sm_{}{}".format(*capability)
    key = disk_cache.key_of(module.digest, architecture, *COMPILER_OPTIONS)
    for kept in [version] if version is not None else disk_cache.versions_of(key):
        code = disk_cache.load(key, kept)
        if code is not None:
            return code
    if version is None:
        raise DeviceError(
            f"kernels of {module.name!r} were never compiled on this machine, and CUDA's compiler NVRTC is not "
            "installed: pip install nvidia-cuda-nvrtc, or nd4py[cuda13], which contains it"
        )
    code = compiled(module, architecture)
    disk_cache.store(key, version, code)
    return code
