"""Whether arrays are equal, or nearly."""

from typing import Any

from .._core.array import NDArray
from .creation import asarray
from .elementwise import equal, isclose, isnan, logical_and, logical_or
from .manipulation import broadcast_arrays, broadcast_shapes
from .operands import alike, as_array, as_real, kind_of
from .reductions import all

__all__ = ["allclose", "array_equal", "array_equiv"]


def allclose(
    x1: NDArray, x2: NDArray | float, /, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> NDArray:
    """Whether |x1 - x2| <= atol + rtol * |x2| holds for all elements, see `isclose`.

    x1, x2: real numbers; they broadcast.  Returns a bool without dimensions.
    Raises ValueError for shapes that do not broadcast, TypeError for complex numbers.
    """
    x1, x2 = alike(as_real("allclose", x1), as_real("allclose", x2))
    return all(isclose(x1, x2, rtol=rtol, atol=atol, equal_nan=equal_nan))


def array_equal(x1: Any, x2: Any, /, equal_nan: bool = False) -> NDArray:
    """Whether two arrays have one shape and equal elements; NaN equals NaN if `equal_nan`.

    Returns a bool without dimensions.  Raises TypeError for what is no array, and dtypes without a common one.
    """
    x1, x2 = as_array(x1), as_array(x2)
    if x1.shape != x2.shape:
        return asarray(False)
    same = equal(*alike(x1, x2))
    if equal_nan and kind_of(x1).endswith("floating") and kind_of(x2).endswith("floating"):
        same = logical_or(same, logical_and(isnan(x1), isnan(x2)))
    return all(same)


def array_equiv(x1: Any, x2: Any, /) -> NDArray:
    """Whether two arrays broadcast to each other with equal elements, as a bool without dimensions."""
    x1, x2 = as_array(x1), as_array(x2)
    try:
        broadcast_shapes(x1.shape, x2.shape)
    except ValueError:
        return asarray(False)
    x1, x2 = broadcast_arrays(x1, x2)
    return array_equal(x1, x2)
