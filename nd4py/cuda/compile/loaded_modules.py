"""Loaded kernels: each module once per device, found by the digest of what it is made from."""

from __future__ import annotations

from threading import Lock
from typing import NamedTuple

from ..driver.driver import Function, Module
from ..driver.driver_choice import at_change, driver
from ..launch.current_stream import bound_device, check_not_capturing
from . import packed_kernels
from .kernel_catalogue import Kernels


class ModuleStatistics(NamedTuple):
    """n_modules, n_functions: loaded now    hits, loads: how often a function was there already, or a module loaded
    packed: how many of these modules were compiled when nd4py was built
    """

    n_modules: int
    n_functions: int
    hits: int
    loads: int
    packed: int


class LoadedModules:
    """The modules and functions that were loaded through the driver in use."""

    def __init__(self) -> None:
        self.modules: dict[tuple[int, str], Module] = {}  # by device and digest
        self.functions: dict[tuple[int, str, str], Function] = {}  # by device, digest and name
        self.hits = self.loads = 0
        self.lock = Lock()

    def module(self, device: int, kernels: Kernels) -> Module:
        """The module of some kernels on a device.  Raises DeviceError with the compiler's words."""
        key = (device, kernels.module.digest)
        found = self.modules.get(key)
        if found is None:
            check_not_capturing(f"kernels of {kernels.module.name!r} would have to be loaded")
            bound_device(device)
            loaded = driver().module_load(kernels.module)
            with self.lock:
                found = self.modules.setdefault(key, loaded)
                self.loads += 1
            if found != loaded:  # another thread was faster
                driver().module_unload(loaded)
        return found

    def function(self, device: int, kernels: Kernels, variant: str) -> Function:
        """One kernel on a device."""
        key = (device, kernels.module.digest, variant)
        found = self.functions.get(key)
        if found is None:
            check_not_capturing(f"kernel {variant!r} of {kernels.module.name!r} would have to be loaded")
            found = driver().get_function(self.module(device, kernels), kernels.symbols[variant])
            self.functions[key] = found
        else:
            self.hits += 1
        return found

    def clear(self) -> None:
        """Forget everything: the driver changes."""
        self.modules.clear()
        self.functions.clear()

    def statistics(self) -> ModuleStatistics:
        """What is loaded, and how often it was asked for."""
        return ModuleStatistics(len(self.modules), len(self.functions), self.hits, self.loads, packed_kernels.used)


loaded_modules = LoadedModules()
at_change.append(loaded_modules.clear)
