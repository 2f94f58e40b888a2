"""Several devices at once: access between them, and the average of what each of them computed."""

from collections.abc import Sequence

from .array import DeviceArray, empty_on_device
from .drivers import driver
from .transfer import copy_to_peer

__all__ = ["allow_cross_device_access", "average"]


def allow_cross_device_access(allowed: bool) -> int:
    """Let kernels of each device read the memory of all others that they can reach, or no more.

    Copies between devices work either way, through the host where they must.  Returns how many pairs were changed.
    Raises TypeError for anything but True and False.
    """
    if not isinstance(allowed, bool):
        raise TypeError(f"allow_cross_device_access: True or False, given {allowed!r}")
    used = driver()
    devices = range(used.device_count())
    pairs = [(a, b) for a in devices for b in devices if a != b and used.can_access_peer(a, b)]
    for device, peer in pairs:
        used.enable_peer(device, peer, allowed)
    return len(pairs)


def average(arrays: Sequence[DeviceArray]) -> None:
    """Replace the elements of every array by their mean over all arrays, each on its own device.

    arrays: dense, of one shape and one floating dtype; several may be on one device
    The sum is a tree of copies between pairs of devices, in an order that depends on nothing but their number, so the
    result is the same bits each time.
    Raises ValueError for none, or arrays that differ; TypeError for a dtype that has no mean.
    """
    check_alike(arrays)
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
