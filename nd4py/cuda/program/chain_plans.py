"""Launch plans of chains and of their steps, for operands of a layout."""

from __future__ import annotations

from functools import partial

from ..._spec.dtypes import DTYPES
from ..._spec.ops import ALL
from ..array.device_array import DeviceArray
from ..compile.kernel_catalogue import cast_kernels, chain_kernels
from ..compile.loaded_modules import loaded_modules
from ..compile.row_kernels import kernels_of_row
from ..copy.copies import operand
from ..driver.driver import Function
from ..launch.geometry import Launch, chain_launch, map_launch
from ..launch.submit import plan
from .device_assembly import Assembly


def plan_chain(work: Assembly, outputs: list[DeviceArray]) -> tuple[Function, Launch]:
    """The kernel of a whole chain, compiled or loaded.  Raises DeviceError when it does not compile."""
    shape = work.shape
    operands = [operand(x, shape) for x in (*work.leaves, *outputs)]
    launch = plan("chain", partial(chain_launch, shape, operands, len(work.leaves), b""))
    assert launch is not None
    kernels = chain_kernels(work.text(), launch.variant)
    return loaded_modules.function(work.device, kernels, launch.variant), launch


def plan_row(
    op: int | None, number: int, inputs: list[DeviceArray | bytes], n_params: int, outputs: list[DeviceArray]
) -> tuple[str, Function, Launch]:
    """The same of a row, or of a conversion where `op` is None, with its name; inputs: arrays, or elements' bytes."""
    first, source = outputs[0], DTYPES[number]
    name = "conversion" if op is None else ALL[op].name
    operands = [operand(x, first.shape) for x in (*inputs, *outputs)]
    launch = plan(name, partial(map_launch, first.shape, operands, len(inputs), (0.0,) * n_params))
    assert launch is not None
    if op is None:
        kernels = cast_kernels(source.name, first.dtype.name, launch.variant)
    else:
        kernels = kernels_of_row(ALL[op], number).of(launch.variant)
    return name, loaded_modules.function(first.device_number, kernels, launch.variant), launch
