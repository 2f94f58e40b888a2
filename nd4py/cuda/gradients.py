"""Gradients with kernels of their own: those of scans, and of elements that were taken by their indices."""

from .._spec.dtypes import DTYPES
from .._spec.ops import ALL
from .array import DeviceArray, empty_on_device
from .configuration import config
from .function_launches import gather_launch, scan_gradient_launch
from .functions import dense, kernels_of, split
from .row_kernels import kernels_of_row
from .submission import submit


def scan_gradient(op: int, g: DeviceArray, x: DeviceArray, y: DeviceArray, axis: int) -> DeviceArray:
    """What reaches the elements `x` of a scan along an axis from the gradient `g` of its results `y`."""
    kernels, device = kernels_of_row(ALL[op], x.number), x.device_number
    g, x, y = dense(g), dense(x), dense(y)
    dx = empty_on_device(x.shape, x.number, device)
    if x.size:
        places = (g.address, x.address, y.address, dx.address)
        launch = scan_gradient_launch(*places, *split(x.shape, axis), config.maximum_grid_size)
        submit(device, kernels.of(launch.variant), launch, [g, x, y, dx])
    return dx


def add_at(target: DeviceArray, indices: DeviceArray, values: DeviceArray, sizes: tuple[int, int, int]) -> None:
    """Add dense values to the elements that dense indices, all in range, name along the middle axis."""
    outer, n, inner = sizes
    given = (outer, n, indices.size, inner)
    launch = gather_launch(
        "add_at", values.address, indices.address, target.address, given, max_blocks=config.maximum_grid_size
    )
    kernels = kernels_of("add_at", DTYPES[target.number].name, launch.variant)
    submit(target.device_number, kernels, launch, [target, indices, values])
