"""Rows that run now, each by what serves its operands best."""

from .._spec.ops import ALL
from .array import DeviceArray, empty_on_device
from .combine import reduce_pending
from .copies import Element
from .functions import run_scan
from .launch import run_dense_row
from .reductions import run_reduction
from .rows import run_row


def run_map(
    op: int, number: int, operands: tuple[Element, ...], params: tuple[float, ...], outputs: list[DeviceArray]
) -> None:
    """A map row on operands that broadcast to the outputs, computed as dtype `number`."""
    if not run_dense_row(op, number, operands, params, outputs):
        run_row(ALL[op], number, operands, params, outputs)


def reduce(op: int, x: DeviceArray, axes: tuple[int, ...], number: int, is_held: bool) -> DeviceArray:
    """A reduction row, or the place of the best element; of a pending array that nobody holds without writing it."""
    combined = None if is_held else reduce_pending(x, op, axes, number)
    if combined is not None:
        return combined
    y = empty_on_device(tuple(n for i, n in enumerate(x.shape) if i not in axes), number, x.device_number)
    run_reduction(ALL[op], x, axes, y)
    return y


def scan(op: int, x: DeviceArray, axis: int, include_initial: bool) -> DeviceArray:
    """The running results of a row along an axis."""
    return run_scan(ALL[op], x, axis, include_initial)
