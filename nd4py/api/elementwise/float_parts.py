"""Parts of floating numbers: mantissa and exponent, fraction and whole part, distance to the next number."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..._core.annotations import Operand
from ..._core.array.array import NDArray
from ..._exec.autodiff.nodes import constant
from ..._exec.concat import as_array
from ..._exec.drivers.driver_table import binary_parts
from ..arguments import both_into, tells_its_name
from ..operands import as_real
from .elementwise import clip as limited
from .elementwise import copysign, isinf, negative, nextafter, subtract, trunc, where
from .elementwise import frexp as parts_by_row
from .elementwise import ldexp as scaled

__all__ = ["frexp", "ldexp", "modf", "spacing"]

FARTHEST = 10_000  # exponents beyond it give 0 or infinity in every dtype


class FrexpResult(NamedTuple):
    """Numbers in [0.5, 1) with the sign of the given ones, and the powers of 2 that they are multiplied with."""

    mantissa: NDArray
    exponent: NDArray


class ModfResult(NamedTuple):
    """The fractions, and the whole parts, both with the sign of the number."""

    fractional: NDArray
    integral: NDArray


def frexp(x: Operand, /, out: Any = None, out2: NDArray | None = None) -> FrexpResult:
    """(mantissa, exponent) with x = mantissa * 2**exponent and 0.5 <= |mantissa| < 1.

    x: real numbers; integers become float64.  0, infinities and NaN are their own mantissas, with the exponent 0.
    out: a pair of arrays that take them, or the first of two, `out` and `out2`.
    Raises TypeError for complex numbers.
    Returns arrays of the dtype of x and of int32, or `out`.

    >>> mantissa, exponent = nd.frexp([8.0, -0.75])
    >>> mantissa.tolist(), exponent.tolist()
    ([0.5, -0.75], [4, 0])
    """
    x = as_real("frexp", x)
    given = constant(x)
    if x.dtype.itemsize < 4 or not x.is_contiguous:  # halves, and what is not copied to C order
        mantissa, found = parts_by_row(given)
        exponent = found.astype("int32")
    else:
        mantissa, exponent = binary_parts(given)
    if x.node is not None:
        mantissa = scaled(x, negative(exponent.astype(x.dtype)))
    return FrexpResult(*both_into("frexp", (mantissa, exponent), out, out2))


@tells_its_name
def ldexp(x1: Operand, x2: Operand, /, out: Any = None) -> NDArray:
    """x1 * 2**x2, rounded once.

    x1: real numbers; integers become float64.    x2: integers, or floats, whose fractions are dropped.  They broadcast.
    Raises TypeError for complex numbers, ValueError for shapes that do not broadcast.
    Returns an array of the dtype of x1.

    >>> nd.ldexp([0.5, 3.0], [4, -1]).tolist()
    [8.0, 1.5]
    """
    x, exponents = as_real("ldexp: x1", x1), as_array(x2)
    if exponents.dtype.kind == "c":
        raise TypeError(f"ldexp: x2 must be of integers, given {exponents.dtype}")
    if exponents.dtype.kind in "iu" and exponents.dtype.itemsize > 1:
        exponents = limited(exponents, -FARTHEST, FARTHEST)
    return scaled(x, exponents.astype(x.dtype, copy=False), out=out)


def modf(x: Operand, /, out: Any = None, out2: NDArray | None = None) -> ModfResult:
    """(fractional, integral): the fractions and the whole parts of real numbers, both with the sign of the number.

    x: integers become float64.  The fraction of an infinity is 0.
    out: a pair of arrays that take them, or the first of two, `out` and `out2`.
    Raises TypeError for complex numbers.
    Returns two arrays of the dtype of x.

    >>> fractional, integral = nd.modf([2.5, -0.25])
    >>> fractional.tolist(), integral.tolist()
    ([0.5, -0.25], [2.0, -0.0])
    """
    x = as_real("modf", x)
    whole = trunc(x)
    fractions = copysign(where(isinf(x), 0.0, subtract(x, whole)), x)
    return ModfResult(*both_into("modf", (fractions, whole), out, out2))


def spacing(x: Operand, /) -> NDArray:
    """The distance from `x` to the next number of its dtype away from 0, with the sign of x; NaN for infinities.

    x: real numbers; integers become float64.  Raises TypeError for complex numbers.
    Returns an array of the dtype of x.

    >>> nd.spacing(1.0).item() == nd.finfo("float64").eps
    True
    """
    x = as_real("spacing", x)
    return subtract(nextafter(x, copysign(float("inf"), x)), x)
