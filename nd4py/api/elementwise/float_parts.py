"""Parts of floating numbers: mantissa and exponent, fraction and whole part, distance to the next number."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..._core.annotations import DTypeLike, Operand
from ..._core.array.array import NDArray
from ..._exec.autodiff.nodes import constant
from ..._exec.concat import as_array
from ..._exec.dispatch.selection import Composed, call_composed
from ..._exec.drivers.driver_table import binary_parts
from ..._spec.op import FLOAT, HALVES
from ..arguments import both_into, into, tells_its_name
from ..operands import as_real
from .elementwise import clip as limited
from .elementwise import copysign, isinf, negative, nextafter, subtract, trunc
from .elementwise import frexp as parts_by_row
from .elementwise import ldexp as scaled
from .elementwise import where as choose

__all__ = ["frexp", "ldexp", "modf", "spacing"]

FARTHEST = 10_000  # exponents beyond it give 0 or infinity in every dtype

FREXP = Composed("frexp", ("x",), (*FLOAT, *HALVES), n_out=2)
LDEXP = Composed("ldexp", ("x1", "x2"), (*FLOAT, *HALVES))
MODF = Composed("modf", ("x",), (*FLOAT, *HALVES), n_out=2)
SPACING = Composed("spacing", ("x",), (*FLOAT, *HALVES))


class FrexpResult(NamedTuple):
    """Numbers in [0.5, 1) with the sign of the given ones, and the powers of 2 that they are multiplied with."""

    mantissa: NDArray
    exponent: NDArray


class ModfResult(NamedTuple):
    """The fractions, and the whole parts, both with the sign of the number."""

    fractional: NDArray
    integral: NDArray


def frexp(
    x: Operand,
    /,
    out: Any = None,
    out2: NDArray | None = None,
    *,
    where: Any = True,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> FrexpResult:
    """(mantissa, exponent) with x = mantissa * 2**exponent and 0.5 <= |mantissa| < 1.

    x: real numbers; integers become float64.  0, infinities and NaN are their own mantissas, with the exponent 0.
    out: a pair of arrays that take them, or the first of two, `out` and `out2`.
    where, dtype, casting, order, subok, signature: as of `add`.
    Raises TypeError for complex numbers.
    Returns arrays of the dtype of x and of int32, or `out`.

    >>> mantissa, exponent = nd.frexp([8.0, -0.75])
    >>> mantissa.tolist(), exponent.tolist()
    ([0.5, -0.75], [4, 0])
    """
    if where is not True or dtype is not casting or order is not signature:
        outs = out if out2 is None else (out, out2)
        return FrexpResult(*call_composed(FREXP, frexp, (x,), outs, where, dtype, casting, order, signature))
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
def ldexp(
    x1: Operand,
    x2: Operand,
    /,
    out: Any = None,
    *,
    where: Any = True,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """x1 * 2**x2, rounded once.

    x1: real numbers; integers become float64.    x2: integers, or floats, whose fractions are dropped.  They broadcast.
    where, dtype, casting, order, subok, signature: as of `add`.
    Raises TypeError for complex numbers, ValueError for shapes that do not broadcast.
    Returns an array of the dtype of x1.

    >>> nd.ldexp([0.5, 3.0], [4, -1]).tolist()
    [8.0, 1.5]
    """
    if where is not True or dtype is not casting or order is not signature:
        found: NDArray = call_composed(LDEXP, ldexp, (x1, x2), out, where, dtype, casting, order, signature)
        return found
    x, exponents = as_real("ldexp: x1", x1), as_array(x2)
    if exponents.dtype.kind == "c":
        raise TypeError(f"ldexp: x2 must be of integers, given {exponents.dtype}")
    if exponents.dtype.kind in "iu" and exponents.dtype.itemsize > 1:
        exponents = limited(exponents, -FARTHEST if exponents.dtype.kind == "i" else 0, FARTHEST)
    return scaled(x, exponents.astype(x.dtype, copy=False), out=out)


def modf(
    x: Operand,
    /,
    out: Any = None,
    out2: NDArray | None = None,
    *,
    where: Any = True,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> ModfResult:
    """(fractional, integral): the fractions and the whole parts of real numbers, both with the sign of the number.

    x: integers become float64.  The fraction of an infinity is 0.
    out: a pair of arrays that take them, or the first of two, `out` and `out2`.
    where, dtype, casting, order, subok, signature: as of `add`.
    Raises TypeError for complex numbers.
    Returns two arrays of the dtype of x.

    >>> fractional, integral = nd.modf([2.5, -0.25])
    >>> fractional.tolist(), integral.tolist()
    ([0.5, -0.25], [2.0, -0.0])
    """
    if where is not True or dtype is not casting or order is not signature:
        outs = out if out2 is None else (out, out2)
        return ModfResult(*call_composed(MODF, modf, (x,), outs, where, dtype, casting, order, signature))
    x = as_real("modf", x)
    whole = trunc(x)
    fractions = copysign(choose(isinf(x), 0.0, subtract(x, whole)), x)
    return ModfResult(*both_into("modf", (fractions, whole), out, out2))


def spacing(
    x: Operand,
    /,
    out: Any = None,
    *,
    where: Any = True,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
    order: str | None = None,
    subok: bool = True,
    signature: Any = None,
) -> NDArray:
    """The distance from `x` to the next number of its dtype away from 0, with the sign of x; NaN for infinities.

    x: real numbers; integers become float64.  Raises TypeError for complex numbers.
    out: takes the result.    where, dtype, casting, order, subok, signature: as of `add`.
    Returns an array of the dtype of x.

    >>> nd.spacing(1.0).item() == nd.finfo("float64").eps
    True
    """
    if where is not True or dtype is not casting or order is not signature:
        found: NDArray = call_composed(SPACING, spacing, (x,), out, where, dtype, casting, order, signature)
        return found
    x = as_real("spacing", x)
    return into("spacing", subtract(nextafter(x, copysign(float("inf"), x)), x), out)
