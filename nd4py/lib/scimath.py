"""Functions whose results are complex where no real number is one: the square root of -1 is 1j.

NumPy's `emath`.  Design: the values decide on the dtype, so each call looks at all of them; with complex numbers given,
the functions of the namespace do the same without a look.
"""

from __future__ import annotations

from .._core.annotations import Operand
from .._core.array.array import NDArray
from .._exec.concat import as_array
from ..api.arguments import tells_its_name
from ..api.elementwise import elementwise as rows
from ..api.reductions.reductions import any as any_of

__all__ = ["arccos", "arcsin", "arctanh", "log", "log10", "log2", "logn", "power", "sqrt"]


def as_complex(x: NDArray) -> NDArray:
    """Real numbers as complex ones of their precision; integers as complex128."""
    return x.astype("complex64" if x.dtype.kind == "f" and x.dtype.itemsize < 8 else "complex128")


def unless_negative(x: Operand) -> NDArray:
    """Numbers, as complex ones where one of them is below 0."""
    numbers = as_array(x)
    return as_complex(numbers) if numbers.dtype.kind in "if" and any_of(numbers < 0) else numbers


def unless_beyond_one(x: Operand) -> NDArray:
    """Numbers, as complex ones where one of them lies outside of [-1, 1]."""
    numbers = as_array(x)
    is_beyond = numbers.dtype.kind in "iuf" and any_of((numbers > 1) | (numbers < -1))
    return as_complex(numbers) if is_beyond else numbers


@tells_its_name
def sqrt(x: Operand) -> NDArray:
    """The square root, all of them complex where an element of `x` is below 0.

    Raises TypeError for what is no number.  Returns an array of the shape of x.

    >>> nd.emath.sqrt([-1, 4]).tolist()
    [1j, (2+0j)]
    """
    return rows.sqrt(unless_negative(x))


@tells_its_name
def log(x: Operand) -> NDArray:
    """The natural logarithm, complex where an element of `x` is below 0.

    Raises TypeError for what is no number.  Returns an array of the shape of x.

    >>> nd.emath.log(-1.0)
    array(0.+3.14159265j, dtype=complex128)
    """
    return rows.log(unless_negative(x))


@tells_its_name
def log2(x: Operand) -> NDArray:
    """The logarithm to base 2, complex where an element of `x` is below 0.

    Raises TypeError for what is no number.  Returns an array of the shape of x.

    >>> nd.emath.log2(8.0)
    array(3., dtype=float64)
    """
    return rows.log2(unless_negative(x))


@tells_its_name
def log10(x: Operand) -> NDArray:
    """The logarithm to base 10, complex where an element of `x` is below 0.

    Raises TypeError for what is no number.  Returns an array of the shape of x.

    >>> nd.emath.log10(100.0)
    array(2., dtype=float64)
    """
    return rows.log10(unless_negative(x))


@tells_its_name
def logn(n: Operand, x: Operand) -> NDArray:
    """The logarithm to base `n`, complex where an element of `x` or of `n` is below 0.

    Raises TypeError for what is no number, ValueError for shapes that do not broadcast.  Returns an array of their
    common shape.

    >>> nd.emath.logn(2.0, [4.0, 8.0]).tolist()
    [2.0, 3.0]
    """
    return rows.divide(rows.log(unless_negative(x)), rows.log(unless_negative(n)))


@tells_its_name
def power(x: Operand, p: Operand) -> NDArray:
    """`x` to the power of `p`, complex where an element of `x` is below 0; floats where whole `p` is below 0.

    Raises TypeError for what is no number, ValueError for shapes that do not broadcast.  Returns an array of their
    common shape.

    >>> nd.emath.power([2, 4], -2).tolist()
    [0.25, 0.0625]
    """
    base, exponent = unless_negative(x), as_array(p)
    if exponent.dtype.kind == "i" and any_of(exponent < 0):
        exponent = exponent.astype("float64")
    return rows.pow(base, exponent)


@tells_its_name
def arccos(x: Operand) -> NDArray:
    """The inverse cosine, complex where an element of `x` lies outside of [-1, 1].

    Raises TypeError for what is no number.  Returns an array of the shape of x.

    >>> nd.emath.arccos(1.0)
    array(0., dtype=float64)
    """
    return rows.acos(unless_beyond_one(x))


@tells_its_name
def arcsin(x: Operand) -> NDArray:
    """The inverse sine, complex where an element of `x` lies outside of [-1, 1].

    Raises TypeError for what is no number.  Returns an array of the shape of x.

    >>> nd.emath.arcsin(0.0)
    array(0., dtype=float64)
    """
    return rows.asin(unless_beyond_one(x))


@tells_its_name
def arctanh(x: Operand) -> NDArray:
    """The inverse hyperbolic tangent, complex where an element of `x` lies outside of [-1, 1].

    Raises TypeError for what is no number.  Returns an array of the shape of x.

    >>> nd.emath.arctanh(0.5)
    array(0.54930614, dtype=float64)
    """
    return rows.atanh(unless_beyond_one(x))
