"""Reductions on a device, in one launch or two.  Their arguments say where the lines lie."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ..._core.devices import UnsupportedOnDevice, ways
from ..._spec.op import Op
from ..allocation.device_scratch import Scratch
from ..array.device_array import DeviceArray
from ..compile.kernel_catalogue import ACCUMULATOR_BYTES, Kernels
from ..compile.row_kernels import kernels_of_row
from ..launch.launch_configuration import config
from ..launch.submit import submit
from .reduce_geometry import ChainOperands, Reduction, plan_reduction


def plan_of_row(row: Op, x: DeviceArray, axes: tuple[int, ...]) -> tuple[Reduction, Kernels] | None:
    """The plan of reducing `x` along `axes`, and its kernels; None where there is no result.  Raises
    UnsupportedOnDevice."""
    found = kernels_of_row(row, x.number)
    try:
        plan = planned(x.shape, x.strides, axes, x.itemsize)
    except ValueError as error:
        raise UnsupportedOnDevice(f"op {row.name!r}: {error}; {ways()}") from None
    return None if plan is None else (plan, found.of(plan.variant))


def launch_reduction(
    plan: Reduction,
    kernels: Kernels,
    address: int,
    y: DeviceArray,
    sources: Sequence[DeviceArray],
    chain: ChainOperands | None = None,
) -> None:
    """Give the launches of a planned reduction to this thread's stream.

    address: of the array that is reduced, or 0 where it is what a chain makes of `sources`
    """
    device = y.device_number
    scratch = Scratch(device, plan.scratch_bytes) if plan.scratch_bytes else None
    room = scratch.address if scratch is not None else 0
    for launch in plan.launches(address, y.address, room, config.maximum_grid_size, chain):
        submit(device, kernels, launch, [*sources, y])


@lru_cache(maxsize=1024)
def planned(shape: tuple[int, ...], strides: tuple[int, ...], axes: tuple[int, ...], itemsize: int) -> Reduction | None:
    """`plan_reduction`, remembered."""
    return plan_reduction(shape, strides, axes, itemsize, ACCUMULATOR_BYTES)
