"""Kernels of the rows, and errors for rows without one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from ..._core.devices import UnsupportedOnDevice, ways
from ..._spec.dtypes import BY_NAME, DTYPES, NUMBER
from ..._spec.op import Op
from ..._spec.ops import ALL
from ..._spec.render.row_render import result_type
from ..launch.geometry import PACKET_BYTES
from .kernel_catalogue import Kernels, row_kernels

BY_ROW = {row.name: row for row in ALL}


@dataclass(frozen=True)
class RowKernels:
    """A row for one dtype: the dtype of its results, and how many elements a packet has."""

    name: str
    dtype: str
    result_number: int
    width: int

    def of(self, variant: str) -> Kernels:
        """The kernels that launches beginning with `variant` need, in a module of their own, which compiles faster."""
        return row_kernels(self.name, self.dtype, variant)


def kernels_of_row(row: Op, number: int) -> RowKernels:
    """The kernels of a row for dtype `number`.  Raises UnsupportedOnDevice with the reason."""
    return found_kernels(row.name, DTYPES[number].name)


@cache
def found_kernels(name: str, dtype: str) -> RowKernels:
    """`kernels_of_row`, remembered by name."""
    row = BY_ROW[name]
    try:
        row_kernels(name, dtype)
    except TypeError as error:
        raise UnsupportedOnDevice(f"op {name!r}: {error}; {ways()}") from None
    except KeyError:
        raise UnsupportedOnDevice(
            f"op {name!r} for {dtype} has no CUDA kernel (operations of family {row.family!r} have none); {ways()}"
        ) from None
    result = result_type(row, BY_NAME[dtype])
    width = PACKET_BYTES // max(result.itemsize, BY_NAME[dtype].itemsize)
    return RowKernels(name, dtype, NUMBER[result.name], width)
