"""Regularly spaced numbers, index grids and triangles."""

from __future__ import annotations

import math
from collections.abc import Iterable

from ..._core.annotations import DTypeLike, Operand
from ..._core.array.array import NDArray
from ..._core.whole_numbers import clamped, count, items, real
from ..arguments import tells_its_name
from ..elementwise.elementwise import pow
from ..manipulation.manipulation import astype, reshape
from ..manipulation.rearranging import dtype_of_diagonals
from . import spaced_arrays
from .basic_creation import python_number
from .creation import arange, asarray, empty, eye, linspace
from .spaced_arrays import is_listed

__all__ = ["geomspace", "identity", "indices", "logspace", "tri"]


@tells_its_name
def logspace(
    start: float | Operand, stop: float | Operand, num: int = 50, endpoint: bool = True,
    base: float | Operand = 10.0, dtype: DTypeLike | None = None, axis: int = 0,
) -> NDArray:  # fmt: skip
    """`num` numbers from base**start to base**stop with evenly spaced exponents; float64 by default.

    start, stop, base: numbers, or arrays that broadcast, whose elements give one row of numbers each.
    endpoint: whether base**stop is the last one.  axis: where the numbers lie in the result of arrays.
    Raises ValueError for a negative `num` or an axis outside.
    Returns an array of one axis, of one more than the broadcast arrays have.

    >>> nd.logspace(0, 3, 4)
    array([   1.,   10.,  100., 1000.], dtype=float64)
    """
    if any(map(is_listed, (start, stop, base))):
        return spaced_arrays.logspace(start, stop, num, endpoint, base, dtype, axis)
    exponents = linspace(start, stop, num, endpoint, axis=axis)
    return astype(pow(asarray(real("logspace: base", base)), exponents), dtype or exponents.dtype, copy=False)


@tells_its_name
def geomspace(
    start: complex | Operand, stop: complex | Operand, num: int = 50, endpoint: bool = True,
    dtype: DTypeLike | None = None, axis: int = 0,
) -> NDArray:  # fmt: skip
    """`num` numbers from start to stop, evenly spaced on a logarithmic scale; float64 by default.

    start, stop: real numbers of one sign; complex numbers, between which the result is a spiral; or arrays that
    broadcast, whose elements are the ends of one row of numbers each.
    endpoint: whether `stop` is the last one.  axis: where the numbers lie in the result of arrays.
    Raises ValueError for a negative `num`, for 0, and for real numbers of different signs.
    Returns an array of one axis, of one more than the broadcast ends have where they are arrays.

    >>> nd.geomspace(1, 1000, 4)
    array([   1.,   10.,  100., 1000.], dtype=float64)
    """
    if is_listed(start) or is_listed(stop):
        return spaced_arrays.geomspace(start, stop, num, endpoint, dtype, axis)
    first, last = python_number("geomspace", start), python_number("geomspace", stop)
    if isinstance(first, complex) or isinstance(last, complex):
        return spaced_arrays.geomspace(first, last, num, endpoint, dtype, axis)
    for what, end in (("start", first), ("stop", last)):
        real(f"geomspace: {what}", end)
    if first * last <= 0:
        raise ValueError(f"geomspace: start and stop must have one sign and not be 0, given {first} and {last}")
    sign = math.copysign(1.0, first)
    x = logspace(math.log10(abs(first)), math.log10(abs(last)), num, endpoint, axis=axis) * sign
    if num > 0:
        x[0] = float(first)
    if num > 1 and endpoint:
        x[-1] = float(last)
    return astype(x, dtype or x.dtype, copy=False)


@tells_its_name
def identity(n: int, dtype: DTypeLike | None = None) -> NDArray:
    """The (n, n) matrix with ones on its diagonal and zeros elsewhere, float64 by default.

    Raises ValueError for a negative n, TypeError for a number that is not whole.

    >>> nd.identity(2)
    array([[1., 0.],
           [0., 1.]], dtype=float64)
    """
    return eye(n, dtype=dtype)


def tri(N: int, M: int | None = None, k: int = 0, dtype: DTypeLike | None = None) -> NDArray:  # noqa: N803
    """A matrix of N rows and M columns with ones on diagonal `k` and below and zeros elsewhere, float64 by default.

    Raises ValueError for a negative number of rows or columns, TypeError for a number that is not whole.

    >>> nd.tri(3)
    array([[1., 0., 0.],
           [1., 1., 0.],
           [1., 1., 1.]], dtype=float64)
    """
    n_rows = count("tri: N", N)
    n_cols = n_rows if M is None else count("tri: M", M)
    k = clamped("tri: k", k, -n_rows, n_cols)
    whole = dtype_of_diagonals(n_rows, n_cols)
    rows, columns = (astype(arange(i, i + n), whole, copy=False) for i, n in ((0, n_rows), (-k, n_cols)))
    return astype(rows.reshape((n_rows, 1)) >= columns, dtype or "float64")


def indices(
    dimensions: Iterable[int], dtype: DTypeLike | None = None, sparse: bool = False
) -> NDArray | tuple[NDArray, ...]:
    """The index of every element of an array along each axis, int64 by default.

    dimensions: its shape, n sizes.  Returns (n, *dimensions), or with sparse=True n arrays that broadcast to them.
    Raises ValueError for a negative size, TypeError for anything but a sequence of whole numbers.

    >>> rows, columns = nd.indices((2, 2))
    >>> rows.tolist(), columns.tolist()
    ([[0, 0], [1, 1]], [[0, 1], [0, 1]])
    """
    shape = tuple(count("indices: a size", size) for size in items("indices: dimensions", dimensions))
    axes_indices = [
        reshape(arange(size, dtype=dtype), tuple(size if j == i else 1 for j in range(len(shape))))
        for i, size in enumerate(shape)
    ]
    if sparse:
        return tuple(axes_indices)
    if not axes_indices:
        return arange(0, dtype=dtype or "int64")
    grids = empty((len(shape), *shape), dtype=axes_indices[0].dtype)
    for grid, axis_indices in zip(grids, axes_indices, strict=True):
        grid[...] = axis_indices
    return grids
