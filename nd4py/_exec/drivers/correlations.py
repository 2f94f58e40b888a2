"""Correlation of two rows.

Design: long rows of floats are multiplied as matrices, whose rows are overlapping parts of the long row and whose
columns are the short one, each a place further: blocks of a product stay in registers, where the sums one after another
read and write a result for every number.  The matrix of the short row has zeros, so that infinite numbers and NaN,
which would spoil results they take no part in, keep to the other way.
"""

from __future__ import annotations

from ..._core.array.array import NDArray
from ..._core.array.numpy_methods import strided
from ..._core.graphs.launch_recording import is_capturing
from ...cpu.matmul import correlation as cpu
from ..concat import join
from ..conversion import empty
from ..device.creation_by_device import zeros
from ..device.device_functions import matmul_elsewhere
from ..device.device_operations import filled_beside
from ..dispatch.by_backend import by_backend, unsupported
from ..dispatch.dispatch import call_unary
from ..dispatch.row_table import row_number
from ..reductions import reduce
from .matmul import untracked_product

MAX_PART_ELEMENTS = 1 << 26  # of the matrix that a device multiplies with
COLUMNS = 32  # of the matrix of a short row (asv numpy_names convolve)
LEAST_PRODUCTS = 1 << 19  # of numbers, below which matrices do not pay
LEAST_SHORT = 24  # numbers of the short row, below which zeros are too much of its matrix
_isfinite, _all = row_number("isfinite"), row_number("all")


def sums_on_host(x: NDArray, short: NDArray, before: int, after: int) -> NDArray:
    """The sums of x[k - before + i] * short[i] over those i that `x` has: rows without gaps.

    before, after: how many numbers of `short` lie beside `x` at the first result, and at the last one.
    """
    n = x.size + before + after - short.size + 1
    if short.size >= LEAST_SHORT and n * short.size >= LEAST_PRODUCTS and x.dtype.kind == "f" and are_finite(x, short):
        return sums_by_blocks(x, short, before, n)
    y = empty((n,), x.dtype)
    cpu.correlate(x, short, before, y)
    return y


def are_finite(*rows: NDArray) -> bool:
    """Whether all numbers are known to be finite, which those of a graph that is captured are not."""
    return not is_capturing() and all(reduce(_all, call_unary(_isfinite, row, None)).item() for row in rows)


def sums_by_blocks(x: NDArray, short: NDArray, before: int, n: int) -> NDArray:
    """The same `n` sums, as one product of matrices."""
    m, step, n_rows = short.size, x.itemsize, -(-n // COLUMNS)
    long = zeros((n_rows * COLUMNS + m - 1,), x.dtype)
    long[before : before + x.size] = x
    parts = strided(long, (n_rows, m + COLUMNS - 1), (COLUMNS * step, step), False)
    turned = zeros((m + 2 * COLUMNS - 2,), x.dtype)
    turned[COLUMNS - 1 : COLUMNS - 1 + m] = short
    columns = strided(turned, (m + COLUMNS - 1, COLUMNS), (step, step), False)[:, ::-1]
    sums: NDArray = untracked_product(parts, columns)
    return sums.reshape(-1)[:n].copy()


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
