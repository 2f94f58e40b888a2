"""Scans and indexing on a device.

Operands are brought to the layouts their kernels read, then launched.
"""

from __future__ import annotations

from .._core.devices import UnsupportedOnDevice, ways
from .._core.layout.layouts import dense, sizes_around
from .._mem.errors import WorkspaceError
from .._spec.dtypes import DTYPES
from .._spec.op import Op
from .allocation.device_scratch import Scratch
from .array.device_array import DeviceArray, empty_on_device
from .array.transfer import to_host
from .compile.kernel_catalogue import ACCUMULATOR_BYTES, Kernels, function_kernels
from .compile.row_kernels import kernels_of_row
from .launch.current_stream import check_not_capturing
from .launch.faults import noting
from .launch.function_launches import Scan, gather_launch
from .launch.launch_configuration import config
from .launch.submit import submit

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
    name: str,
    variant: str,
    kernels: Kernels,
    x: DeviceArray,
    indices: DeviceArray,
    y: DeviceArray,
    sizes: tuple[int, int, int, int],
) -> None:
    """Move elements from `x` to `y` by dense indices; sizes: (outer, n, n_indices, inner).

    An index out of range is told in the name of `name` when the host looks next.  Raises DeviceError while a graph is
    captured, at which nobody looks.
    """
    device = x.device_number
    check_not_capturing(f"{name} would look for indices out of range")

    def saying(fault: int) -> str:
        wrong = wrong_index(indices, OUT_OF_RANGE - fault, sizes[1])
        return f"{name}: {wrong} is out of range for an axis of size {sizes[1]}"

    with noting(device, saying) as word:
        launch = gather_launch(variant, x.address, indices.address, y.address, sizes, word, config.maximum_grid_size)
        submit(device, kernels, launch, [x, indices, y])


def wrong_index(indices: DeviceArray, position: int, n: int) -> str:
    """The index at a position that was out of range for n elements, in words."""
    try:
        index = to_host(indices.reshape(-1)[position]).item()
    except WorkspaceError:  # its memory is gone
        return f"the index at position {position}"
    return f"the index at position {position}" if -n <= index < n else f"index {index}"  # written since


def run_take(x: DeviceArray, indices: DeviceArray, sizes: tuple[int, int, int]) -> DeviceArray:
    """The elements that indices name along the middle axis; see `run_gather` for indices out of range."""
    outer, n, inner = sizes
    kernels = kernels_of("gather", DTYPES[x.number].name)
    y = empty_on_device((outer, indices.size, inner), x.number, x.device_number)
    if y.size:
        run_gather("take", "take", kernels, x, indices, y, (outer, n, indices.size, inner))
    return y
