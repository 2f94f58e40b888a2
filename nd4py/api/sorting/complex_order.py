"""The order of complex numbers, which is NumPy's: by the real parts, then by the imaginary parts, with NaN behind."""

from __future__ import annotations

from ..._core.array.array import NDArray
from ..._exec.autodiff.nodes import constant
from ..._exec.drivers.driver_table import parts, positions_of_groups
from ..._spec.dtypes import BY_NAME, NUMBER
from ..elementwise.elementwise import isnan, where
from ..manipulation.manipulation import ascontiguous
from ..reductions.reductions import any

__all__: list[str] = []


def parts_of(x: NDArray) -> list[NDArray]:
    """The real and the imaginary parts of all elements, each in a row."""
    both = parts(x, NUMBER[BY_NAME[x.dtype.name].real])
    return [ascontiguous(both[:, i]) for i in range(2)]


def ranks_of(rows: list[NDArray]) -> NDArray:
    """int64 numbers that are equal where the items of both rows are, ordered by the first, then by the second."""
    first, second = (positions_of_groups(row, False)[1] for row in rows)
    return first * first.size + second


def ranks(x: NDArray) -> NDArray:
    """int64 numbers of the shape of the complex `x`: equal where its elements are, which NaNs never are, and ordered by
    the real part, then by the imaginary part."""
    return ranks_of(parts_of(x)).reshape(x.shape)


def sortable(x: NDArray) -> NDArray:
    """`x`, or for complex numbers int64 numbers of its shape in the same order.

    Numbers without NaN come first, then those with NaN as their imaginary part, as their real part, and as both.
    """
    if x.dtype.kind != "c":
        return x
    rows = parts_of(constant(x))
    nan = [isnan(row) for row in rows]
    if not any(nan[0]) and not any(nan[1]):
        return ranks_of(rows).reshape(x.shape)
    behind = nan[0].astype("int64") * 2 + nan[1]
    inside = ranks_of([where(is_nan, 0.0, row) for is_nan, row in zip(nan, rows, strict=True)])
    return (behind * x.size**2 + inside).reshape(x.shape)
