"""Products of elements one of which is zero, where partial products overflow.

Design: a long product is made of several that are multiplied at the end, and one of them may overflow while a zero lies
in another: inf * 0, NaN.  Multiplied one after the other, the elements give 0.  So where a product is NaN, and only
there, its elements are checked again.  Rejected: products in order (one multiplication waits for the one before), and a
second accumulator for the exponent.
"""

from __future__ import annotations

from typing import Any

from ..._core.annotations import Shape
from ..._core.array.array import NDArray
from ..._exec.conversion import with_values
from ..._spec.ops import ALL
from ..reductions.reductions import all, any, count_nonzero
from .elementwise import bitwise_and, equal, isfinite, isnan, logical_and, logical_not, logical_or, signbit, where

__all__: list[str] = []


def product_with_zeros(op: int, x: NDArray, axes: Shape, y: NDArray) -> NDArray:
    """`y`, the products of `x` along `axes`, with 0 for NaN where an element is 0 and all of them are finite.

    The sign of the 0 is that of the product.  The row nanprod passes over NaN here too.
    """
    missing, taken = isnan(x), isfinite(x)
    if ALL[op].name == "nanprod":
        taken = logical_or(taken, missing)
    is_zero = logical_and(any(equal(x, 0), axes), all(taken, axes))
    zero: Any = 0.0
    if x.dtype.kind == "f":
        n_negative = count_nonzero(logical_and(signbit(x), logical_not(missing)), axes)
        is_odd = equal(bitwise_and(n_negative, 1), 1)
        zero = where(is_odd, -0.0, where(is_odd, y, 0.0))  # in the dtype of y
    return with_values(where(logical_and(is_zero, isnan(y)), zero, y))
