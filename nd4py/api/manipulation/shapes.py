"""The shape of what may be an array or a list: NumPy's functions for it."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import Any

from ..._core.annotations import Axes, Shape
from ..._exec.concat import any_array
from ..operands import axes_of

__all__ = ["iterable", "ndim", "shape", "size"]


def ndim(a: Any) -> int:
    """The number of axes of an array, of nested lists, or of a number.  Raises TypeError and ValueError for others.

    >>> nd.ndim([[1, 2], [3, 4]])
    2
    """
    return any_array(a).ndim


def shape(a: Any) -> Shape:
    """The sizes of the axes of an array, of nested lists, or of a number.  Raises TypeError and ValueError for others.

    >>> nd.shape([[1, 2, 3], [4, 5, 6]])
    (2, 3)
    """
    return any_array(a).shape


def size(a: Any, axis: Axes = None) -> int:
    """The number of elements, or of those along `axis`, an int or a tuple.

    Raises TypeError for what is no array, AxesError for a wrong axis.

    >>> nd.size([[1, 2, 3], [4, 5, 6]], 1)
    3
    """
    sizes = any_array(a).shape
    return prod(sizes[i] for i in axes_of("size", axis, len(sizes)))


def iterable(y: Any) -> bool:
    """Whether `y` can be looped over: arrays without dimensions cannot.  Raises nothing.

    >>> nd.iterable([1, 2]), nd.iterable(3)
    (True, False)
    """
    if not isinstance(y, Iterable):
        return False
    return getattr(y, "shape", None) != ()
