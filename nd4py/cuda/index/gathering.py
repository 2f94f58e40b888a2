"""Reading and writing of elements by indices or masks on a device.  All arrays are dense.

Where an index is out of range, the kernel notes which.  Reading goes on, and the host is told when it next looks;
writing waits, and raises IndexError before anything else happens.
"""

from __future__ import annotations

from math import prod
from typing import TypeAlias

from ..._spec.dtypes import DTYPES, NUMBER
from ..array.device_array import DeviceArray, empty_on_device
from ..compile.kernel_catalogue import Kernels
from ..device_families import kernels_of, run_gather
from ..launch.current_stream import stream_of
from ..launch.faults import look
from ..launch.function_launches import gather_launch, mask_count_bytes, mask_launches
from ..launch.launch_configuration import config
from ..launch.submit import submit
from ..sort.device_sort import argsort

__all__ = ["add_at", "add_slices", "flat_positions", "put_slices", "selected", "take_along_last", "write_selected"]

INT64, BYTES = NUMBER["int64"], 8

Sizes: TypeAlias = tuple[int, int, int]  # (outer, n, inner): elements before, along and behind the axis of the indices


def write_elements(
    name: str, variant: str, x: DeviceArray, indices: DeviceArray, y: DeviceArray, sizes: tuple[int, int, int, int]
) -> None:
    """Launch a kernel of gather.cu and wait for it; sizes: (outer, n, n_indices, inner).  Raises IndexError for an
    index out of range."""
    if sizes[0] * sizes[2] * sizes[3] == 0:
        return
    run_gather(name, variant, kernels_of("gather", DTYPES[x.number].name), x, indices, y, sizes)
    look(x.device_number, stream_of(x.device_number))


def take_along_last(x: DeviceArray, indices: DeviceArray) -> DeviceArray:
    """Element i of each line of `x` (..., n), for every i of the same line of `indices` (..., k)."""
    y = empty_on_device(indices.shape, x.number, x.device_number)
    sizes = (prod(x.shape[:-1]), x.shape[-1], indices.shape[-1], 1)
    if y.size:
        kernels = kernels_of("gather", DTYPES[x.number].name)
        run_gather("take_along_axis", "take_along", kernels, x, indices, y, sizes)
    return y


def put_slices(target: DeviceArray, indices: DeviceArray, values: DeviceArray, sizes: Sizes, are_apart: bool) -> None:
    """Write dense `values` (outer, indices, inner) where `take` would read; of equal indices the last one wins.

    are_apart: whether no two indices are equal, which needs no comparing
    """
    outer, n, inner = sizes
    variant = "put_apart" if are_apart else "put"
    write_elements("assignment by index", variant, values, indices, target, (outer, n, indices.size, inner))


def add_slices(target: DeviceArray, indices: DeviceArray, values: DeviceArray, sizes: Sizes) -> None:
    """Add dense `values` (outer, indices, inner) where `take` would read, in the order of the indices.

    Raises IndexError for an index out of range; nothing is added then.
    """
    numbers = empty_on_device(indices.shape, INT64, target.device_number)
    write_elements("index_add", "numbers", target, indices, numbers, (1, sizes[1], indices.size, 1))
    add_in_order(target, numbers, values, sizes)


def add_at(target: DeviceArray, indices: DeviceArray, values: DeviceArray, sizes: Sizes) -> None:
    """`add_slices` for indices that are known to be in range: it does not wait for the device."""
    numbers = empty_on_device(indices.shape, INT64, target.device_number)
    if indices.size:
        given = (1, sizes[1], indices.size, 1)
        launch = gather_launch("numbers", 0, indices.address, numbers.address, given, 0, config.maximum_grid_size)
        kernels = kernels_of("gather", DTYPES[target.number].name, launch.variant)
        submit(target.device_number, kernels, launch, [indices, numbers])
    add_in_order(target, numbers, values, sizes)


def add_in_order(target: DeviceArray, numbers: DeviceArray, values: DeviceArray, sizes: Sizes) -> None:
    """Add `values` where numbers from the front say, sorted so that one thread finds all that go to its index."""
    outer, n, inner = sizes
    if outer * numbers.size * inner == 0:
        return
    order = argsort(numbers.reshape(-1), False)
    given = (outer, n, numbers.size, inner)
    launch = gather_launch(
        "add_at", values.address, numbers.address, target.address, given, 0, config.maximum_grid_size, order.address
    )
    kernels = kernels_of("add_at", DTYPES[target.number].name, launch.variant)
    submit(target.device_number, kernels, launch, [target, numbers, order, values])


# Masks.


def counted(mask: DeviceArray, kernels: Kernels) -> tuple[DeviceArray, int]:
    """(how many elements are chosen before each block of a mask, how many in all)."""
    device, n = mask.device_number, mask.size
    n_bytes = mask_count_bytes(n)
    counts = empty_on_device((n_bytes // BYTES,), INT64, device)
    for launch in mask_launches("count", 0, mask.address, 0, counts.address, n, config.maximum_grid_size):
        submit(device, kernels, launch, [mask, counts])
    return counts, counts[-1:].item()


def flat_positions(mask: DeviceArray) -> DeviceArray:
    """The positions, in C order, where a mask is set; int64.  Waits for their number."""
    kernels = kernels_of("mask", "bool")
    counts, n = counted(mask, kernels)
    y = empty_on_device((n,), INT64, mask.device_number)
    run_mask("indices", kernels, None, mask, y, counts)
    return y


def selected(x: DeviceArray, mask: DeviceArray) -> DeviceArray:
    """The elements of `x` where a mask of its shape is set, in C order.  Waits for their number."""
    kernels = kernels_of("mask", DTYPES[x.number].name)
    counts, n = counted(mask, kernels)
    y = empty_on_device((n,), x.number, x.device_number)
    run_mask("compress", kernels, x, mask, y, counts)
    return y


def write_selected(target: DeviceArray, mask: DeviceArray, values: DeviceArray) -> int:
    """Write `values`, one after the other, where a mask of the shape of `target` is set.

    Returns how many are set; where that is not their number, nothing is written.
    """
    kernels = kernels_of("mask", DTYPES[target.number].name)
    counts, n = counted(mask, kernels)
    if n == values.size:
        run_mask("expand", kernels, values, mask, target, counts)
    return n


def run_mask(
    variant: str, kernels: Kernels, x: DeviceArray | None, mask: DeviceArray, y: DeviceArray, counts: DeviceArray
) -> None:
    """Launch a kernel of gather.cu that works with the counts of a mask."""
    if mask.size == 0 or y.size == 0:
        return
    source = x.address if x is not None else 0
    used = [item for item in (x, mask, y, counts) if item is not None]
    given = (variant, source, mask.address, y.address, counts.address, mask.size, config.maximum_grid_size)
    for launch in mask_launches(*given):
        submit(y.device_number, kernels, launch, used)
