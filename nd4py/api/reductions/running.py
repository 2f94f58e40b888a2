"""cumsum and cumprod: NumPy's running results, over the flattened array where no axis is given."""

from __future__ import annotations

from typing import Any

from ..._core.annotations import DTypeLike, Operand
from ..._core.array.array import NDArray
from ..._exec.concat import any_array, as_array
from ..arguments import tells_its_name
from .scans import cumulative_prod, cumulative_sum

__all__ = ["cumprod", "cumsum"]


def flattened(a: Any, axis: int | None) -> tuple[NDArray, int | None]:
    """`a` and the axis to run along: without one the elements in C order."""
    if axis is not None:
        return any_array(a), axis
    x = as_array(a)
    return x if x.ndim == 1 else x.reshape(-1), 0


@tells_its_name
def cumsum(a: Operand, axis: int | None = None, dtype: DTypeLike | None = None, out: NDArray | None = None) -> NDArray:
    """Running sum along `axis`, or over all elements in C order (None); see `cumulative_sum`.

    Returns an array of one axis for axis=None.  Raises as `cumulative_sum` does.

    >>> nd.cumsum(nd.asarray([[1, 2], [3, 4]])).tolist()
    [1, 3, 6, 10]
    """
    x, axis = flattened(a, axis)
    return cumulative_sum(x, axis, dtype, out)


@tells_its_name
def cumprod(a: Operand, axis: int | None = None, dtype: DTypeLike | None = None, out: NDArray | None = None) -> NDArray:
    """Running product along `axis`, or over all elements in C order (None); see `cumulative_prod`.

    Returns an array of one axis for axis=None.  Raises as `cumulative_prod` does.

    >>> nd.cumprod(nd.asarray([[1, 2], [3, 4]])).tolist()
    [1, 2, 6, 24]
    """
    x, axis = flattened(a, axis)
    return cumulative_prod(x, axis, dtype, out)
