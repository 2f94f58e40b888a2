"""Correlation of two rows."""

from ..._core.array.array import NDArray
from ...cpu.matmul import correlation as cpu
from ..concat import join
from ..conversion import empty
from ..device.device_functions import matmul_elsewhere
from ..dispatch.by_backend import by_backend, unsupported

MAX_PART_ELEMENTS = 1 << 26  # of the matrix that a device multiplies with


def sums_on_host(x: NDArray, short: NDArray) -> NDArray:
    """The sums over i of x[i + k] * short[i], for every k at which `short` lies within `x`: rows without gaps."""
    y = empty((x.size - short.size + 1,), x.dtype)
    cpu.correlate(x, short, y)
    return y


def sums_by_product(x: NDArray, short: NDArray) -> NDArray:
    """The same as one product with the matrix whose rows are the parts of `x`, which must not be too large."""
    n = x.size - short.size + 1
    if n * short.size > MAX_PART_ELEMENTS:
        raise unsupported(
            f"rows of {x.size} and {short.size} numbers are too long for a product of {MAX_PART_ELEMENTS} parts"
        )
    sums: NDArray = matmul_elsewhere(join([x[i : i + n] for i in range(short.size)], 1, True), short)
    return sums


slid_sums = by_backend("correlate", sums_on_host, sums_by_product)
