"""The mean of arrays on several devices, written to all of them.

Design: a tree of copies between pairs of devices by default, whose order depends on the number of arrays alone, so that
the bits are the same each time.  NCCL is used on request only: it uses all links between devices at once, and adds
in an order of its own, which depends on the machine.  Arrays of one device are added up there first, in their order,
since NCCL takes one array of each device.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

from .._core.array.array_base import mark_written
from .._spec.dtypes import BY_NAME, DTYPES
from .allocation.ownership import prepare_to_write, used_on_stream
from .array.device_array import DeviceArray, empty_on_device
from .array.transfer import copy_to_peer
from .driver.driver import Communicator, DeviceError, RoutineMissing
from .driver.driver_choice import at_change, driver
from .launch.current_stream import stream_of

__all__ = ["average"]

communicators: dict[tuple[int, ...], Communicator] = {}  # by the devices they join
lock = Lock()  # the calls of two threads would wait for each other on the devices, for ever


def average(arrays: Sequence[DeviceArray], *, nccl: bool = False) -> None:
    """Replace the elements of every array by their mean over all arrays, each on its own device.

    arrays: dense, of one shape and one floating dtype; several may be on one device
    nccl: add by NCCL, which may be faster where devices are linked, in an order of its own; else by a tree of copies
        between pairs of devices, in an order that depends only on the number of arrays, so the result has the
        same bits each time
    Raises ValueError for none, or arrays that differ; TypeError for a dtype that has no mean; DeviceError for `nccl`
    where there is no NCCL, with the reason.

    >>> x, y = nd.zeros(2, device="cuda:0"), nd.ones(2, device="cuda:1")
    >>> nd.cuda.average([x, y])
    >>> x.tolist(), y.tolist()
    ([0.5, 0.5], [0.5, 0.5])
    """
    check_alike(arrays)
    if nccl:
        average_by_nccl(arrays)
    else:
        average_by_copies(arrays)


def average_by_copies(arrays: Sequence[DeviceArray]) -> None:
    """Up a tree of pairs, and down again."""
    n = len(arrays)
    step = 1
    while step < n:
        for i in range(0, n - step, 2 * step):
            add_to(arrays[i], arrays[i + step])
        step *= 2
    first = arrays[0]
    first /= n
    while step > 1:
        step //= 2
        for i in range(0, n - step, 2 * step):
            copy_to_peer(arrays[i], arrays[i + step])


def average_by_nccl(arrays: Sequence[DeviceArray]) -> None:
    """First the sum on each device, then the sum of all; halves are rounded once, at the end."""
    dtype = DTYPES[arrays[0].number]
    sums: dict[int, DeviceArray] = {}
    for x in arrays:
        if x.device_number in sums:
            add_to(sums[x.device_number], x)
        else:
            sums[x.device_number] = x.astype(dtype.compute)
    add_across_devices(list(sums.values()))
    for total in sums.values():
        total /= len(arrays)
    for x in arrays:
        mean = sums[x.device_number]
        copy_to_peer(mean.astype(dtype.name, copy=False), x)


def add_across_devices(arrays: Sequence[DeviceArray]) -> None:
    """Let each array, one to a device, hold the sum of all."""
    devices = tuple(x.device_number for x in arrays)
    if len(devices) == 1:
        return
    real = DTYPES[arrays[0].number].real
    n_elements = arrays[0].nbytes // BY_NAME[real].itemsize  # a complex number is two
    for x in arrays:
        prepare_to_write(x)
    streams = [stream_of(device) for device in devices]
    with lock:
        communicator = communicator_of(devices)
        driver().all_reduce(communicator, [x.address for x in arrays], n_elements, real, streams)
    for x, stream in zip(arrays, streams, strict=True):
        used_on_stream(x, stream)
        mark_written(x)


def communicator_of(devices: tuple[int, ...]) -> Communicator:
    """The communicator of some devices, made when they are first used.  Raises DeviceError where there is no NCCL."""
    if devices not in communicators:
        try:
            communicators[devices] = driver().communicator_create(devices)
        except RoutineMissing as error:
            raise DeviceError(f"average: {error}; without nccl=True it adds by copies, in a fixed order") from None
    return communicators[devices]


def forget_driver() -> None:
    """Another driver joins devices in another way."""
    while communicators:
        driver().communicator_destroy(communicators.popitem()[1])


def check_alike(arrays: Sequence[DeviceArray]) -> None:
    """Raises unless the arrays can be averaged."""
    if not arrays:
        raise ValueError("average: needs one array at least, given none")
    for x in arrays:
        if x.shape != arrays[0].shape or x.dtype != arrays[0].dtype or not x.is_contiguous:
            raise ValueError(
                f"average: dense arrays of one shape and dtype, given {arrays[0].dtype} {arrays[0].shape} and "
                f"{x.dtype} {x.shape}"
            )
    if arrays[0].dtype.kind not in "fc":
        raise TypeError(f"average: a floating dtype, given {arrays[0].dtype}")


def add_to(x: DeviceArray, y: DeviceArray) -> None:
    """x += y, wherever `y` is."""
    if y.device_number != x.device_number:
        copied = empty_on_device(y.shape, y.number, x.device_number)
        copy_to_peer(y, copied)
        y = copied
    x += y


at_change.append(forget_driver)
