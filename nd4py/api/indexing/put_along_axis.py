"""put_along_axis: values written to elements at given indices along an axis."""

from __future__ import annotations

from typing import Any

from ..._core.annotations import Operand
from ..._core.array.array import NDArray
from ..._core.array.released import type_name
from ..._core.layout.shape import normalize_axis
from ..._exec.autodiff.nodes import is_array
from ..._exec.indexing.along_axis import write_along
from .take import integers

__all__ = ["put_along_axis"]


def put_along_axis(x: NDArray, /, indices: Any, values: Operand, axis: int | None = -1) -> None:
    """Write `values` to the elements of `x` that take_along_axis would read; of values for the same element the last
    stays.

    indices: integers, one axis for each of `x`, and of its sizes except along `axis`.
    values: a scalar, or an array that broadcasts to the shape that take_along_axis returns.
    axis: None writes to the elements of `x` in C order, and needs them to lie so.
    Raises as take_along_axis does, TypeError for complex values where elements are real, ValueError when `x` is
    read-only or being differentiated; nothing is written then.

    >>> x = nd.asarray([[1, 2], [3, 4]])
    >>> nd.put_along_axis(x, [[0], [1]], 9, axis=1)
    >>> x
    array([[9, 2],
           [3, 9]], dtype=int64)
    """
    if not is_array(x):
        raise TypeError(f"put_along_axis: needs an array to write to, given {type_name(x)}")
    target = x.reshape(-1, copy=False) if axis is None else x
    position = 0 if axis is None else normalize_axis(axis, x.ndim)
    write_along(x, target, integers("put_along_axis", indices), values, position)
