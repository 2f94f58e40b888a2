"""Correlation of two rows."""

from ..._core.array.array import NDArray
from ...cpu.matmul import correlation as cpu
from ..concat import join
from ..conversion import empty
from ..device.device_functions import matmul_elsewhere
from ..device.device_operations import filled_beside
from ..dispatch.by_backend import by_backend, unsupported

MAX_PART_ELEMENTS = 1 << 26  # of the matrix that a device multiplies with


def sums_on_host(x: NDArray, short: NDArray, before: int, after: int) -> NDArray:
    """The sums of x[k - before + i] * short[i] over those i that `x` has: rows without gaps.

    before, after: how many numbers of `short` lie beside `x` at the first result, and at the last one.
    """
    y = empty((x.size + before + after - short.size + 1,), x.dtype)
    cpu.correlate(x, short, before, y)
    return y


def sums_by_product(x: NDArray, short: NDArray, before: int, after: int) -> NDArray:
    """The same as one product with the matrix whose rows are the parts of `x` between zeros, which must not be too
    large."""
    if before + after:
        x = join([filled_beside(x, (before,), x.dtype, 0), x, filled_beside(x, (after,), x.dtype, 0)], 0)
    n = x.size - short.size + 1
    if n * short.size > MAX_PART_ELEMENTS:
        raise unsupported(
            f"rows of {x.size} and {short.size} numbers are too long for a product of {MAX_PART_ELEMENTS} parts"
        )
    sums: NDArray = matmul_elsewhere(join([x[i : i + n] for i in range(short.size)], 1, True), short)
    return sums


slid_sums = by_backend("correlate", sums_on_host, sums_by_product)
