"""repeat: slices repeated, each as often as a count says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..._core.annotations import Operand
from ..._core.array.array import NDArray
from ..._core.layout.shape import normalize_axis
from ..._core.lazy_modules import LazyModule
from ..._core.whole_numbers import count
from ..._exec.concat import as_array
from ..indexing.take import take
from ..operands import beside, numbers_beside
from .manipulation import ALL
from .rearranging import FEW_COPIES, beside_each_other

if TYPE_CHECKING:
    from ..._exec.drivers import repeats as driver
else:
    driver = LazyModule("nd4py._exec.drivers.repeats", globals())

__all__ = ["repeat"]


def repeat(x: Operand, /, repeats: int | Sequence[int] | NDArray, axis: int | None = None) -> NDArray:
    """`x` with every slice along `axis` repeated; None repeats the elements of the flattened array.

    repeats: one count for all slices, or an integer for each of them.
    Raises ValueError for negative counts, or a wrong number of them, TypeError for one that is no integer.
    Returns an array of the dtype of x.

    >>> nd.repeat([1, 2], 2)
    array([1, 1, 2, 2], dtype=int64)
    """
    x = as_array(x)
    if axis is None:
        x, axis = x.reshape(-1), 0
    axis = normalize_axis(axis, x.ndim)
    if isinstance(repeats, int):
        return repeat_evenly(x, repeats, axis)
    counts = beside(x, as_array(repeats))
    if counts.size == 1 and counts.ndim <= 1:
        return repeat_evenly(x, counts.reshape(()), axis)
    if counts.shape != (x.shape[axis],) or "int" not in counts.dtype.name:
        raise ValueError(
            f"repeat: expected one count or {x.shape[axis]} integers, given {counts.dtype} of shape {counts.shape}"
        )
    if x.node is None:
        return driver.repeated(x, counts, axis)
    return take(x, driver.repeated(numbers_beside(x, 0, x.shape[axis]), counts, 0), axis=axis)


def repeat_evenly(x: NDArray, repeats: int | NDArray, axis: int) -> NDArray:
    """Every slice `repeats` times."""
    n = count("repeat: counts", repeats)
    before, after = x.shape[: axis + 1], x.shape[axis + 1 :]
    slices = x[(*(ALL,) * (axis + 1), None)]
    if after and 0 < n <= FEW_COPIES:
        return beside_each_other(slices, (*(1,) * (axis + 1), n, *(1,) * len(after))).reshape(
            (*before[:axis], before[axis] * n, *after)
        )
    copies = slices.broadcast_to((*before, n, *after))
    return copies.reshape((*before[:axis], before[axis] * n, *after), copy=True)
