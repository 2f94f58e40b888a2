"""Arithmetic composed of the table's functions, under NumPy's names."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..._core.annotations import DTypeLike, Operand
from ..._core.array.array import NDArray
from ..._core.layout.layouts import dense
from ..._exec.concat import as_array
from ..._exec.dispatch.selection import Composed, call_composed
from ..._exec.drivers.driver_table import bits_counted
from ..._spec.dtypes import DEFAULT_COMPLEX, DEFAULT_FLOAT
from ..._spec.op import FLOAT, HALVES, INTEGER
from ..arguments import IN_WORDS, both_into, into, rename, tells_its_name
from ..operands import as_real
from .elementwise import abs as magnitude
from .elementwise import (
    floor_divide,
    pow,
    remainder,
)

__all__ = ["bitwise_count", "divmod", "fabs", "float_power"]


DIVMOD = Composed("divmod", ("x1", "x2"), (*INTEGER, *FLOAT, *HALVES), n_out=2)
FABS = Composed("fabs", ("x",), (*FLOAT, *HALVES))
FLOAT_POWER = Composed("float_power", ("x1", "x2"), (DEFAULT_FLOAT, DEFAULT_COMPLEX))
BITWISE_COUNT = Composed("bitwise_count", ("x",), ("uint8",), result="count")


class DivmodResult(NamedTuple):
    """floor(x1 / x2), and what is left of x1."""

    quotient: NDArray
    remainder: NDArray


@tells_its_name
def divmod(
    x1: Operand,
    x2: Operand,
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
) -> DivmodResult:
    """(x1 // x2, x1 % x2), which is what Python's `divmod` of arrays gives too.

    x1, x2: real numbers; they broadcast.
    out: a pair of arrays that take the results, or the first of two, `out` and `out2`.
    where, dtype, casting, order, subok, signature: as of `add`.
    Raises TypeError for other dtypes, ValueError for shapes that do not broadcast.
    Returns two arrays.

    >>> quotient, rest = nd.divmod([7, -7], 3)
    >>> quotient.tolist(), rest.tolist()
    ([2, -3], [1, 2])
    """
    if where is not True or dtype is not casting or order is not signature:
        outs = out if out2 is None else (out, out2)
        return DivmodResult(*call_composed(DIVMOD, both_parts, (x1, x2), outs, where, dtype, casting, order, signature))
    return DivmodResult(*both_into("divmod", both_parts(x1, x2), out, out2))


def both_parts(x1: Operand, x2: Operand) -> tuple[NDArray, NDArray]:
    """The quotient and the remainder."""
    x1, x2 = operands(x1, x2)
    return floor_divide(x1, x2), remainder(x1, x2)


def operands(x1: Operand, x2: Operand) -> tuple[Operand, Operand]:
    """Both as they are where they are numbers of Python's, else as arrays; one at least is an array."""
    is_number = [isinstance(x, int | float | complex) for x in (x1, x2)]
    first = as_array(x1) if not is_number[0] or all(is_number) else x1
    return first, x2 if is_number[1] else as_array(x2)


def fabs(
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
    """|x| of real numbers as floats: integers become float64.

    where, dtype, casting, order, subok, signature: as of `add`.
    Raises TypeError for complex numbers, whose magnitude is `abs`.
    Returns an array of a floating dtype.

    >>> nd.fabs([-2, 3]).tolist()
    [2.0, 3.0]
    """
    try:
        if where is not True or dtype is not casting or order is not signature:
            found: NDArray = call_composed(FABS, fabs, (x,), out, where, dtype, casting, order, signature)
            return found
        return magnitude(as_real("fabs", x), out=out)
    except IN_WORDS as error:
        rename(error, "fabs")
        raise


@tells_its_name
def float_power(
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
    """x1 to the power of x2 in float64, or in complex128 where one of them is complex; so 2**-1 is 0.5.

    x1, x2: numbers; they broadcast.  Raises TypeError for other operands, ValueError for shapes that do not.
    where, dtype, casting, order, subok, signature: as of `add`.
    Returns an array of that dtype.

    >>> nd.float_power([1, 2, 4], -1).tolist()
    [1.0, 0.5, 0.25]
    """
    if where is not True or dtype is not casting or order is not signature:
        found: NDArray = call_composed(FLOAT_POWER, float_power, (x1, x2), out, where, dtype, casting, order, signature)
        return found
    x1, x2 = as_array(x1), as_array(x2)
    wide = DEFAULT_COMPLEX if "c" in (x1.dtype.kind, x2.dtype.kind) else DEFAULT_FLOAT
    return pow(x1.astype(wide, copy=False), x2.astype(wide, copy=False), out=out)


def bitwise_count(
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
    """How many bits of |x| are 1, as uint8.

    x: integers.  Raises TypeError for other dtypes.
    out: takes the result.    where, dtype, casting, order, subok, signature: as of `add`.

    >>> nd.bitwise_count([7, -8, 255]).tolist()
    [3, 1, 8]
    """
    if where is not True or dtype is not casting or order is not signature:
        found: NDArray = call_composed(BITWISE_COUNT, bitwise_count, (x,), out, where, dtype, casting, order, signature)
        return found
    x = as_array(x)
    if x.dtype.kind not in "iu":
        raise TypeError(f"bitwise_count: needs integers, given {x.dtype}")
    return into("bitwise_count", bits_counted(dense(x)), out)
