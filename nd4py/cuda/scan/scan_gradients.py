"""Gradients of scans, by kernels of their own."""

from __future__ import annotations

from ..._core.layout.layouts import dense, sizes_around
from ..._spec.ops import ALL
from ..array.device_array import DeviceArray, empty_on_device
from ..compile.row_kernels import kernels_of_row
from ..launch.function_launches import scan_gradient_launch
from ..launch.launch_configuration import config
from ..launch.submit import submit

__all__ = ["scan_gradient"]


def scan_gradient(op: int, g: DeviceArray, x: DeviceArray, y: DeviceArray, axis: int) -> DeviceArray:
    """What reaches the elements `x` of a scan along an axis from the gradient `g` of its results `y`."""
    kernels, device = kernels_of_row(ALL[op], x.number), x.device_number
    g, x, y = dense(g), dense(x), dense(y)
    dx = empty_on_device(x.shape, x.number, device)
    if x.size:
        addresses = (g.address, x.address, y.address, dx.address)
        launch = scan_gradient_launch(*addresses, *sizes_around(x.shape, axis), config.maximum_grid_size)
        submit(device, kernels.of(launch.variant), launch, [g, x, y, dx])
    return dx
