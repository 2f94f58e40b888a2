"""Whether arrays are equal, or nearly."""

from __future__ import annotations

from typing import Any

from ..._core.annotations import Operand
from ..._core.array.array import NDArray
from ..._exec.concat import as_array
from ..arguments import tells_its_name
from ..creation.basic_creation import asarray
from ..manipulation.manipulation import broadcast_arrays, broadcast_shapes
from ..operands import alike, is_inexact
from ..reductions.reductions import all
from .elementwise import abs, add, equal, isfinite, isnan, less_equal, logical_and, logical_or, multiply, subtract
from .elementwise import isclose as closeness

__all__ = ["allclose", "array_equal", "array_equiv", "isclose"]


def in_precision_of(x: Any, other: Any) -> NDArray:
    """`x` itself; a Python float as an array, of the dtype of `other` where that is an array of floats."""
    if type(x) is not float:
        return x
    return as_array(x) if type(other) is float or other.dtype.kind != "f" else as_array(x).astype(other.dtype)


def is_iterable(value: Any) -> bool:
    """Whether a tolerance is an array or a list."""
    return hasattr(value, "__array__") or isinstance(value, list | tuple)


@tells_its_name
def isclose(
    x1: Operand, x2: Operand, /, rtol: Operand = 1e-5, atol: Operand = 1e-8, equal_nan: bool = False
) -> NDArray:
    """Whether |x1 - x2| <= atol + rtol * |x2|; infinities are close to themselves, NaN only if `equal_nan`.

    x1, x2: numbers, an array or a scalar each; they broadcast.  A Python float takes the dtype of an array of floats.
    rtol, atol: numbers, or arrays that broadcast with them.
    Returns bool.
    Raises ValueError for shapes that do not broadcast.

    >>> nd.isclose([1.0, 2.0], [1.0, 2.1])
    array([ True, False], dtype=bool)
    """
    x1, x2 = (as_array(x) if type(x) is not float else x for x in (x1, x2))
    x1, x2 = in_precision_of(x1, x2), in_precision_of(x2, x1)
    has_numbers = not (is_iterable(rtol) or is_iterable(atol))
    if has_numbers and "complex floating" not in (x1.dtype.category, x2.dtype.category):
        return closeness(x1, x2, rtol=rtol, atol=atol, equal_nan=equal_nan)  # type: ignore[arg-type]
    is_near = less_equal(abs(subtract(x1, x2)), add(multiply(abs(x2), rtol), atol))
    is_close = logical_or(logical_and(is_near, isfinite(x2)), equal(x1, x2))
    return logical_or(is_close, logical_and(isnan(x1), isnan(x2))) if equal_nan else is_close


@tells_its_name
def allclose(
    x1: Operand, x2: Operand, /, rtol: Operand = 1e-5, atol: Operand = 1e-8, equal_nan: bool = False
) -> NDArray:
    """Whether |x1 - x2| <= atol + rtol * |x2| holds for all elements, see `isclose`.

    x1, x2: numbers; they broadcast.  Returns a bool without dimensions.
    Raises ValueError for shapes that do not broadcast.

    >>> nd.allclose([1.0, 2.0], [1.0, 2.0 + 1e-9])
    array(True, dtype=bool)
    """
    return all(isclose(x1, x2, rtol, atol, equal_nan))


def array_equal(x1: Any, x2: Any, /, equal_nan: bool = False) -> NDArray:
    """Whether two arrays have one shape and equal elements; NaN equals NaN if `equal_nan`.

    Returns a bool without dimensions.  Raises TypeError for an argument that is not an array, and dtypes without a
    common one.

    >>> nd.array_equal([1, 2], [1, 2]), nd.array_equal([1, 2], [1, 2, 3])
    (array(True, dtype=bool), array(False, dtype=bool))
    """
    x1, x2 = as_array(x1), as_array(x2)
    if x1.shape != x2.shape:
        return asarray(False)
    x1, x2 = alike(x1, x2)
    if equal_nan and is_inexact(x1) and is_inexact(x2):
        return all(logical_or(equal(x1, x2), logical_and(isnan(x1), isnan(x2))))
    return all(equal(x1, x2))  # in one pass: nothing else holds the comparison


def array_equiv(x1: Any, x2: Any, /) -> NDArray:
    """Whether two arrays broadcast to each other with equal elements, as a bool without dimensions.

    Raises TypeError for an argument that cannot become an array.

    >>> nd.array_equiv([1, 2], [[1, 2], [1, 2]])
    array(True, dtype=bool)
    """
    x1, x2 = as_array(x1), as_array(x2)
    try:
        broadcast_shapes(x1.shape, x2.shape)
    except ValueError:
        return asarray(False)
    x1, x2 = broadcast_arrays(x1, x2)
    return array_equal(x1, x2)
