"""Execution of chains: as one kernel once it pays to compile one, else step by step.

Design: a kernel of a chain takes NVRTC up to 0.2 s to compile, a launch takes microseconds; most chains of a program
are met once or twice, those of a loop again and again.  So a structure runs step by step, by the kernels of its rows,
until it has been met `config.combine_after` times (2 if nothing else is said; ND4PY_CUDA_COMBINE_AFTER), and is
compiled when it is met again.  A structure is steps, dtypes and what is written: sizes, layouts and the numbers in it
do not count.  Compiled kernels are kept on disk as all others.  Rejected: compiling at the first meeting, as tracing
compilers do, which makes programs that run once wait for nothing.
Graphs compile at once: what is recorded is launched again, and nothing may be compiled while it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

from ..._spec.dtypes import DTYPES
from ..._spec.ops import ALL
from ..array.device_array import DeviceArray, empty_on_device
from ..compile.kernel_catalogue import Kernels, chain_reduce_kernels
from ..driver.driver_choice import at_change
from ..launch.current_stream import set_stream, stream_of
from ..launch.launch_configuration import config
from ..reduce.device_reductions import launch_reduction, planned
from ..reduce.reduce_geometry import ChainOperands
from .chain_launch import launched, stepped
from .device_assembly import Assembly

MAX_STRUCTURES = 4096


@dataclass
class Structure:
    """n_met: how often a chain of these steps was about to run    is_compiled: whether it runs as one kernel"""

    n_met: int = 0
    is_compiled: bool = False


class ChainStatistics(NamedTuple):
    """n_structures: different chains that were met    n_compiled: of these, that run as one kernel
    kernels, steps: launches that ran chains as one kernel, and operations that ran one by one instead"""

    n_structures: int
    n_compiled: int
    kernels: int
    steps: int


structures: dict[bytes, Structure] = {}
reduce_kernels: dict[tuple[bytes, int, str], Kernels] = {}
counts = {"kernels": 0, "steps": 0}
scopes_at_once: list[None] = []  # one for each scope in which chains are compiled at once


def chain_statistics() -> ChainStatistics:
    """What became of chains so far."""
    return ChainStatistics(
        len(structures), sum(found.is_compiled for found in structures.values()), counts["kernels"], counts["steps"]
    )


@contextmanager
def compiling_at_once() -> Iterator[None]:
    """Compile every chain that is met inside."""
    scopes_at_once.append(None)
    try:
        yield
    finally:
        scopes_at_once.pop()


def pays(key: bytes, n_steps: int) -> bool:
    """Whether a structure of several steps, which is met now, runs as one kernel."""
    if n_steps < 2:
        return False
    found = structures.get(key)
    if found is None:
        if len(structures) >= MAX_STRUCTURES:
            structures.pop(next(iter(structures)))  # the one that was met first
        found = structures[key] = Structure()
    found.n_met += 1
    found.is_compiled = found.is_compiled or found.n_met > config.combine_after or bool(scopes_at_once)
    return found.is_compiled


@contextmanager
def on_stream(device: int, stream: int) -> Iterator[None]:
    """Give this thread's work on a device to the stream of a chain, which another thread may have made."""
    before = set_stream(device, stream)
    try:
        yield
    finally:
        set_stream(device, before)


def run(work: Assembly) -> tuple[list[DeviceArray], int]:
    """(what is written, how many passes it took).  Raises DeviceOutOfMemory naming the line; nothing happened then."""
    is_kernel = pays(work.key, work.n_links)
    way, n_passes = (launched, 1) if is_kernel else (stepped, work.n_links)
    if stream_of(work.device) == work.stream:
        outputs = way(work)
    else:
        with on_stream(work.device, work.stream):
            outputs = way(work)
    counts["kernels" if is_kernel else "steps"] += n_passes
    return outputs, n_passes


def run_reduced(work: Assembly, op: int, axes: tuple[int, ...], number: int) -> DeviceArray | None:
    """A reduction, of dtype `number`, of the only value of a chain, which is not written; None where it has to be."""
    shape = work.shape
    if not all(x.size == 1 or (x.shape == shape and x.is_contiguous) for x in work.leaves):
        return None
    if not pays(work.key + f"{op}".encode(), work.n_links + 1):
        return None
    itemsize = value_itemsize(work)
    strides = tuple(itemsize * inner for inner in inner_sizes(shape))
    try:
        reduction = planned(shape, strides, axes, itemsize)
    except ValueError:
        return None
    if reduction is None:
        return None
    kernels = reduce_kernels_of(work, op, reduction.variant)
    constant = sum(1 << k for k, x in enumerate(work.leaves) if x.size == 1)
    given = ChainOperands(tuple(x.address for x in work.leaves), constant, work.words)
    with on_stream(work.device, work.stream):
        y = empty_on_device(tuple(n for i, n in enumerate(shape) if i not in axes), number, work.device)
        launch_reduction(reduction, kernels, 0, y, work.leaves, given)
    counts["kernels"] += 1
    return y


def reduce_kernels_of(work: Assembly, op: int, variant: str) -> Kernels:
    """The kernels of a reduced chain, found by its key: its text is made once."""
    key = (work.key, op, variant)
    if key not in reduce_kernels:
        if len(reduce_kernels) >= MAX_STRUCTURES:
            reduce_kernels.clear()
        reduce_kernels[key] = chain_reduce_kernels(work.text(), ALL[op].name, variant)
    return reduce_kernels[key]


def value_itemsize(work: Assembly) -> int:
    """Bytes of an element of the only value."""
    (number,) = work.output_numbers
    return DTYPES[number].itemsize


def inner_sizes(shape: tuple[int, ...]) -> list[int]:
    """How many elements lie behind each axis."""
    sizes: list[int] = []
    n = 1
    for size in reversed(shape):
        sizes.insert(0, n)
        n *= size
    return sizes


at_change.append(structures.clear)
