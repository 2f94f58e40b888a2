"""Matrix factorizations and Fourier transforms on a device.  Results are made for a library's routines to write.

For arrays on devices what `nd4py._exec.drivers.factorization_drivers` and `nd4py._exec.drivers.fourier_drivers` have
for the host's; see there what they take and return.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from ..._core.devices import UnsupportedOnDevice, ways
from ..._core.layout.layouts import dense
from ..._spec.dtypes import DTYPES, NUMBER
from ..allocation.ownership import used_on_stream
from ..array.device_array import DeviceArray, empty_on_device
from ..driver.driver import LibraryArray, RoutineMissing
from ..driver.driver_choice import driver
from ..launch.current_stream import bound_device, check_not_capturing, stream_of

__all__ = [
    "cholesky",
    "determinants",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "fourier_transforms",
    "inverse",
    "logarithms_of_determinants",
    "qr",
    "solve",
    "svd",
    "svdvals",
]

Failure: TypeAlias = tuple[int, bool]
REAL = {NUMBER["complex64"]: NUMBER["float32"], NUMBER["complex128"]: NUMBER["float64"]}
COMPLEX = {real: number for number, real in REAL.items()}


def run(name: str, inputs: Sequence[DeviceArray], outputs: Sequence[DeviceArray], **attributes: Any) -> Failure:
    """Give a routine to this thread's stream.  Raises UnsupportedOnDevice where the device's library lacks it.

    Raises DeviceError for a factorization in a graph, since whether it failed is asked of the device.
    """
    if all(y.size == 0 for y in outputs):
        return -1, True
    if name != "fourier":
        check_not_capturing(f"{name} waits for the device")
    given = [dense(x) for x in inputs]
    device = outputs[0].device_number
    stream = stream_of(device)
    bound_device(device)
    try:
        failure = driver().run_routine(
            name, list(map(as_given, given)), list(map(as_given, outputs)), attributes, stream
        )
    except RoutineMissing as error:
        raise UnsupportedOnDevice(f"{error}; {ways()}") from None
    for x in (*given, *outputs):
        used_on_stream(x, stream)
    return failure


def as_given(x: DeviceArray) -> LibraryArray:
    """An array as the driver gets it."""
    return LibraryArray(x.address, x.shape, DTYPES[x.number].name)


def results(x: DeviceArray, *sizes: int, number: int | None = None) -> DeviceArray:
    """An uninitialised array of `sizes` for every matrix of the stack `x`, in its dtype or another."""
    return empty_on_device((*x.shape[:-2], *sizes), x.number if number is None else number, x.device_number)


def real_number(x: DeviceArray) -> int:
    """The number of the real dtype of the width of `x`."""
    return REAL.get(x.number, x.number)


def complex_number(x: DeviceArray) -> int:
    """The number of the complex dtype of the width of `x`."""
    return COMPLEX.get(x.number, x.number)


def cholesky(x: DeviceArray, *, is_upper: bool) -> tuple[DeviceArray, Failure]:
    factor = results(x, *x.shape[-2:])
    return factor, run("cholesky", [x], [factor], is_upper=is_upper)


def qr(x: DeviceArray, *, is_complete: bool) -> tuple[DeviceArray, DeviceArray]:
    m, n = x.shape[-2:]
    columns = m if is_complete else min(m, n)
    q, r = results(x, m, columns), results(x, columns, n)
    run("qr", [x], [q, r], is_complete=is_complete)
    return q, r


def svd(x: DeviceArray, *, is_full: bool) -> tuple[DeviceArray, DeviceArray, DeviceArray, Failure]:
    m, n = x.shape[-2:]
    k = min(m, n)
    u, vh = results(x, m, m if is_full else k), results(x, n if is_full else k, n)
    s = results(x, k, number=real_number(x))
    return u, s, vh, run("svd", [x], [u, s, vh], is_full=is_full)


def svdvals(x: DeviceArray) -> tuple[DeviceArray, Failure]:
    s = results(x, min(x.shape[-2:]), number=real_number(x))
    return s, run("svdvals", [x], [s])


def eigh(x: DeviceArray) -> tuple[DeviceArray, DeviceArray, Failure]:
    values, vectors = results(x, x.shape[-1], number=real_number(x)), results(x, *x.shape[-2:])
    return values, vectors, run("eigh", [x], [values, vectors])


def eigvalsh(x: DeviceArray) -> tuple[DeviceArray, Failure]:
    values = results(x, x.shape[-1], number=real_number(x))
    return values, run("eigvalsh", [x], [values])


def eig(x: DeviceArray) -> tuple[DeviceArray, DeviceArray, Failure]:
    number = complex_number(x)
    values, vectors = results(x, x.shape[-1], number=number), results(x, *x.shape[-2:], number=number)
    return values, vectors, run("eig", [x], [values, vectors])


def eigvals(x: DeviceArray) -> tuple[DeviceArray, Failure]:
    values = results(x, x.shape[-1], number=complex_number(x))
    return values, run("eigvals", [x], [values])


def solve(a: DeviceArray, b: DeviceArray) -> tuple[DeviceArray, Failure]:
    stack = max(a.shape[:-2], b.shape[:-2], key=len)
    a, b = a.broadcast_to((*stack, *a.shape[-2:])), b.broadcast_to((*stack, *b.shape[-2:]))
    x = results(b, *b.shape[-2:])
    return x, run("solve", [a, b], [x])


def inverse(x: DeviceArray) -> tuple[DeviceArray, Failure]:
    y = results(x, *x.shape[-2:])
    return y, run("inverse", [x], [y])


def determinants(x: DeviceArray) -> DeviceArray:
    y = results(x)
    run("determinants", [x], [y])
    return y


def logarithms_of_determinants(x: DeviceArray) -> tuple[DeviceArray, DeviceArray]:
    signs, logarithms = results(x), results(x, number=real_number(x))
    run("logarithms_of_determinants", [x], [signs, logarithms])
    return signs, logarithms


def fourier_transforms(x: DeviceArray, steps: Sequence[tuple[str, int, int]], norm: str) -> DeviceArray:
    """One transform after the other, each of n points along an axis, in the precision of `x`."""
    for transform, n, axis in steps:
        length = n // 2 + 1 if transform == "rfft" else n
        number = real_number(x) if transform == "irfft" else complex_number(x)
        y = empty_on_device((*x.shape[:axis], length, *x.shape[axis + 1 :]), number, x.device_number)
        run("fourier", [x], [y], transform=transform, n=n, axis=axis, norm=norm)
        x = y
    return x
