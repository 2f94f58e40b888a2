"""Copies, conversions and fills on a device, from any layout to any other."""

from __future__ import annotations

import struct
from functools import partial
from typing import TypeAlias

from ..._spec.dtypes import DTYPES
from ..allocation.ownership import overlaps, prepare_to_write
from ..array.device_array import DeviceArray, empty_on_device
from ..array.transfer import copy_bytes, fill_bytes
from ..compile.kernel_catalogue import cast_kernels, copy_kernels, fill_kernels
from ..launch.geometry import Operand, map_launch
from ..launch.submit import plan, submit

Element: TypeAlias = DeviceArray | bytes  # an array, or one element that is repeated


def operand(x: Element, shape: tuple[int, ...]) -> Operand:
    """What a kernel sees of an input: a scalar comes by value, repeated along every axis."""
    if isinstance(x, bytes):
        return Operand(0, len(x), (0,) * len(shape), x)
    return Operand(x.address, x.itemsize, x.broadcast_to(shape).strides)


def convert(x: DeviceArray, number: int) -> DeviceArray:
    """A C-ordered copy as dtype `number`."""
    y = empty_on_device(x.shape, number, x.device_number)
    write(y, x)
    return y


def write(target: DeviceArray, value: Element) -> None:
    """Fill an array with an array that broadcasts to it, or with the bytes of one element."""
    if target.size == 0:
        return
    prepare_to_write(target)
    if isinstance(value, bytes):
        fill(target, value)
        return
    if overlaps(value, target):
        value = convert(value, value.number)
    is_same = value.number == target.number
    if is_same and value.is_contiguous and target.is_contiguous and value.shape == target.shape:
        copy_bytes(value, target)
        return
    source = operand(value, target.shape)
    seen = [source, Operand(target.address, target.itemsize, target.strides)]
    launch = plan("copy", partial(map_launch, target.shape, seen, 1))
    if launch is None:
        return
    if is_same:
        kernels = copy_kernels(value.itemsize, launch.variant)
    else:
        kernels = cast_kernels(DTYPES[value.number].name, DTYPES[target.number].name, launch.variant)
    submit(target.device_number, kernels, launch, [value, target])


def fill(target: DeviceArray, element: bytes) -> None:
    """Every element the same bytes."""
    if target.is_contiguous and len(set(element)) == 1:
        fill_bytes(target, element[0])
        return
    params = struct.unpack("2d", element.ljust(16, b"\0"))
    seen = [Operand(target.address, target.itemsize, target.strides)]
    launch = plan("fill", partial(map_launch, target.shape, seen, 0, params))
    if launch is not None:
        submit(target.device_number, fill_kernels(target.itemsize, launch.variant), launch, [target])
