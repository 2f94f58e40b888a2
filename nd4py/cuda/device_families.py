"""Scans and indexing on a device.

Operands are brought to the layouts their kernels read, then launched.
"""

from .._core.devices import UnsupportedOnDevice, ways
from .._core.layout.layouts import dense, sizes_around
from .._spec.dtypes import DTYPES, NUMBER
from .._spec.op import Op
from .allocation.device_scratch import Scratch
from .array.device_array import DeviceArray, empty_on_device
from .array.transfer import fill_bytes, to_host
from .compile.kernel_catalogue import ACCUMULATOR_BYTES, Kernels, function_kernels
from .compile.row_kernels import kernels_of_row
from .launch.function_launches import Scan, gather_launch
from .launch.launch_configuration import config
from .launch.submit import submit

UINT64 = NUMBER["uint64"]
OUT_OF_RANGE = 2**64 - 1  # less the position of the first index that is


def kernels_of(name: str, dtype: str, variant: str | None = None) -> Kernels:
    """The kernels of a function, or those that a launch of `variant` needs.  Raises UnsupportedOnDevice."""
    try:
        return function_kernels(name, dtype, variant)
    except TypeError as error:
        raise UnsupportedOnDevice(f"{error}; {ways()}") from None


def run_scan(row: Op, x: DeviceArray, axis: int, include_initial: bool) -> DeviceArray:
    """The running results of a row along an axis."""
    kernels = kernels_of_row(row, x.number)
    x = dense(x)
    outer, n, inner = sizes_around(x.shape, axis)
    shape = (*x.shape[:axis], n + include_initial, *x.shape[axis + 1 :])
    y = empty_on_device(shape, kernels.result_number, x.device_number)
    scan = Scan(
        outer, n, inner, dense_strides(n, inner, x.itemsize), dense_strides(n + include_initial, inner, y.itemsize),
        merges=bool(row.merge), has_initial=include_initial,
    )  # fmt: skip
    scratch = Scratch(x.device_number, scan.n_totals * ACCUMULATOR_BYTES) if scan.n_totals else None
    room = scratch.address if scratch is not None else 0
    launches = scan.launches(x.address, y.address, room, config.maximum_grid_size)
    for launch in launches:
        submit(x.device_number, kernels.of(launches[0].variant), launch, [x, y])
    return y


def dense_strides(n: int, inner: int, itemsize: int) -> tuple[int, int, int]:
    """Bytes along outer, n and inner of a dense array."""
    return n * inner * itemsize, inner * itemsize, itemsize


def run_gather(
    variant: str,
    kernels: Kernels,
    x: DeviceArray,
    indices: DeviceArray,
    y: DeviceArray,
    sizes: tuple[int, int, int, int],
) -> int | None:
    """Move elements from `x` to `y` by dense indices; sizes: (outer, n, n_indices, inner).

    Waits for the device; returns an index out of range, or None.
    """
    device = x.device_number
    fault = empty_on_device((), UINT64, device)
    fill_bytes(fault, 0)
    launch = gather_launch(
        variant, x.address, indices.address, y.address, sizes, fault.address, config.maximum_grid_size
    )
    submit(device, kernels, launch, [x, indices, y, fault])
    found = fault.item()
    return to_host(indices.reshape(-1)[OUT_OF_RANGE - found]).item() if found else None


def run_take(x: DeviceArray, indices: DeviceArray, sizes: tuple[int, int, int]) -> tuple[DeviceArray, int | None]:
    """(the elements that indices name along the middle axis, an index out of range or None)."""
    outer, n, inner = sizes
    device = x.device_number
    kernels = kernels_of("gather", DTYPES[x.number].name)
    y = empty_on_device((outer, indices.size, inner), x.number, device)
    if y.size == 0 and (n or indices.size == 0):
        return y, None
    return y, run_gather("take", kernels, x, indices, y, (outer, n, indices.size, inner))
