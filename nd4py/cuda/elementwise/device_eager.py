"""Eager execution of rows, each by what serves its operands best."""

from __future__ import annotations

from ..._spec.ops import ALL
from ..array.device_array import DeviceArray
from ..copy.copies import Element
from ..device_families import run_scan
from ..launch.dense_launch import run_dense_row
from .device_map import run_row


def run_map(
    op: int, number: int, operands: tuple[Element, ...], params: tuple[float, ...], outputs: list[DeviceArray]
) -> None:
    """A map row on operands that broadcast to the outputs, computed as dtype `number`."""
    if not run_dense_row(op, number, operands, params, outputs):
        run_row(ALL[op], number, operands, params, outputs)


def scan(op: int, x: DeviceArray, axis: int, include_initial: bool) -> DeviceArray:
    """The running results of a row along an axis."""
    return run_scan(ALL[op], x, axis, include_initial)
