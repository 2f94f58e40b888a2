"""nonzero and its kin: the indices of the elements that are not zero."""

from __future__ import annotations

from typing import Any

from ..._core.annotations import Operand
from ..._core.array.array import NDArray
from ..._exec.concat import as_array
from ..._exec.device.placement import filled_beside
from ..._exec.drivers import index_drivers
from ..._spec.dtypes import DEFAULT_INT
from ..arguments import tells_its_name
from ..manipulation.manipulation import stack
from .take import take

__all__ = ["argwhere", "compress", "extract", "flatnonzero", "nonzero"]


def nonzero(x: Operand, /) -> tuple[NDArray, ...]:
    """The indices of the elements that are not 0, in C order: an int64 array for each axis.

    Raises ValueError for an array without dimensions.

    >>> nd.nonzero([0, 5, 0, 7])
    (array([1, 3], dtype=int64),)
    """
    x = as_array(x)
    if x.ndim == 0:
        raise ValueError("nonzero: the array has no dimensions to index; give it one, x.reshape(1)")
    return index_drivers.nonzero(x)


def argwhere(x: Operand, /) -> NDArray:
    """The indices of the elements that are not 0, in C order, as the rows of an int64 matrix (count, x.ndim).

    Raises TypeError for an argument that cannot become an array.

    >>> nd.argwhere([[0, 1], [2, 0]])
    array([[0, 1],
           [1, 0]], dtype=int64)
    """
    x = as_array(x)
    if x.ndim == 0:
        return filled_beside(x, (flatnonzero(x).size, 0), DEFAULT_INT, 0)
    return stack(index_drivers.nonzero(x), axis=1)


def flatnonzero(x: Operand, /) -> NDArray:
    """The positions, in C order, of the elements that are not 0, as int64.

    Raises TypeError for an argument that cannot become an array.

    >>> nd.flatnonzero([0, 5, 0, 7])
    array([1, 3], dtype=int64)
    """
    x = as_array(x)
    return index_drivers.flat_nonzero(x)


def extract(condition: Operand, x: Operand, /) -> NDArray:
    """The elements of `x`, in C order, where `condition`, of as many elements, is not 0.

    Raises IndexError unless both have as many elements, TypeError for an argument that cannot become an array.

    >>> nd.extract([True, False, True], [1, 2, 3])
    array([1, 3], dtype=int64)
    """
    return as_array(x).reshape(-1)[as_array(condition).reshape(-1).astype("bool", copy=False)]


@tells_its_name
def compress(condition: Any, x: Operand, /, axis: int | None = None, out: NDArray | None = None) -> NDArray:
    """The slices of `x` along `axis` where the 1-d `condition` is not 0; None selects from the elements in C order.

    out: takes the result.  Raises IndexError when a condition beyond the size of the axis holds.

    >>> nd.compress([True, False, True], [1, 2, 3])
    array([1, 3], dtype=int64)
    """
    x = as_array(x)
    return take(x.reshape(-1) if axis is None else x, flatnonzero(condition), axis or 0, out)
