"""Statistics of CUDA: memory, loaded kernels, chains and fallbacks."""

from __future__ import annotations

from dataclasses import dataclass

from ..compile.loaded_modules import ModuleStatistics, loaded_modules
from ..driver.driver_choice import device_count
from ..fallback import fallbacks
from ..memory import MemoryStatistics, stats
from ..program.chain_runs import ChainStatistics, chain_statistics

__all__ = ["CudaStatistics", "statistics"]


@dataclass(frozen=True)
class CudaStatistics:
    """memory: of each device    pinned: of pinned host memory    modules: kernels loaded
    chains: what became of operations that were deferred
    fallbacks: how often each operation ran on the host in place of a device

    >>> nd.cuda.statistics().memory[0].live_bytes >= 0
    True
    """

    memory: tuple[MemoryStatistics, ...]
    pinned: MemoryStatistics
    modules: ModuleStatistics
    chains: ChainStatistics
    fallbacks: dict[str, int]


def statistics() -> CudaStatistics:
    """The counters of everything in `nd4py.cuda` now.  Raises nothing.

    >>> len(nd.cuda.statistics().memory) == nd.cuda.device_count()
    True
    """
    devices = range(device_count())
    return CudaStatistics(
        memory=tuple(map(stats, devices)),
        pinned=stats("pinned"),
        modules=loaded_modules.statistics(),
        chains=chain_statistics(),
        fallbacks=fallbacks(),
    )
