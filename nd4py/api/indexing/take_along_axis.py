"""take_along_axis: elements at given indices along an axis."""

from __future__ import annotations

from typing import Any

from ..._core.annotations import Operand
from ..._core.array.array import NDArray
from ..._core.layout.shape import normalize_axis
from ..._exec.concat import as_array
from ..._exec.indexing.along_axis import taken_along
from .take import integers

__all__ = ["take_along_axis"]


def take_along_axis(x: Operand, /, indices: Any, axis: int | None = -1) -> NDArray:
    """From each line of `x` along `axis`, the elements at the indices in the same line of `indices`.

    x: (..., n, ...)    indices: (..., k, ...), integers in [-n, n)    Returns (..., k, ...): sizes outside `axis`
    broadcast.  axis: None takes from the elements of `x` in C order.
    Raises IndexError for indices out of range or not of an integer dtype, ValueError for shapes that do not fit.

    >>> x = nd.asarray([[3, 1], [2, 4]])
    >>> nd.take_along_axis(x, nd.argsort(x, axis=1), axis=1)
    array([[1, 3],
           [2, 4]], dtype=int64)
    """
    x, array = as_array(x), integers("take_along_axis", indices)
    if axis is None:
        return taken_along(x.reshape(-1), array, axis=0)
    return taken_along(x, array, axis=normalize_axis(axis, x.ndim))
