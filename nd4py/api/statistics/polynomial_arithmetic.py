"""Sums, products, quotients, derivatives, integrals and roots of polynomials.

A polynomial is a row of coefficients, that of the highest power first, as for `polyval`.
"""

from __future__ import annotations

from functools import wraps
from typing import Any

from ..._core.array.array import NDArray
from ..._core.whole_numbers import count
from ..._exec.autodiff.nodes import constant, is_array
from ..._exec.concat import as_array
from ..._exec.device.placement import filled_beside
from ..arguments import Function, tells_its_name
from ..creation.data_types import DType, int64, result_type
from ..elementwise.elementwise import add, divide, multiply, not_equal, subtract
from ..indexing.nonzero import flatnonzero
from ..linalg.eigen import eigvals
from ..manipulation.manipulation import concat
from ..manipulation.rearranging import diag
from ..operands import alike, as_number, beside, numbers_beside
from ..reductions.reductions import all
from .correlation import convolve

__all__ = ["poly", "polyadd", "polyder", "polydiv", "polyint", "polymul", "polysub", "roots"]

MOST_INTEGRALS = 1000  # 1 / 171! is 0 in float64


def object_for_object(function: Function) -> Function:
    """`function` of coefficients, which gives an object (`poly1d`) where it is given one."""

    @wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        result = function(*args, **keywords)
        for item in args:
            if not is_array(item) and hasattr(item, "of_coefficients"):
                make = item.of_coefficients
                return tuple(make(row) for row in result) if isinstance(result, tuple) else make(result)
        return result

    return call  # type: ignore[return-value]


def coefficients(name: str, p: Any) -> NDArray:
    """`p` as a row; a number is a polynomial of degree 0.  Raises ValueError for more axes."""
    row = as_array(p)
    if row.ndim > 1:
        raise ValueError(f"{name}: a polynomial is a row of coefficients, given shape {row.shape}")
    return row if row.ndim else row.reshape(-1)


def same_length(name: str, a1: Any, a2: Any) -> list[NDArray]:
    """Both polynomials with zeros in front of the shorter one, in their common dtype."""
    rows = alike(coefficients(name, a1), coefficients(name, a2))
    if rows[0].size == rows[1].size:
        return rows
    n = sorted((rows[0].size, rows[1].size))[1]
    return [x if x.size == n else concat([filled_beside(x, (n - x.size,), x.dtype, 0), x]) for x in rows]


@object_for_object
def polyadd(a1: Any, a2: Any) -> NDArray:
    """The sum of two polynomials.  Raises ValueError for arrays that are no rows, TypeError without a common dtype.

    a1, a2: coefficients, the highest power first.

    >>> nd.polyadd([1, 2], [9, 5, 4]).tolist()
    [9, 6, 6]
    """
    first, second = same_length("polyadd", a1, a2)
    return add(first, second)


@object_for_object
def polysub(a1: Any, a2: Any) -> NDArray:
    """The difference of two polynomials.  Raises as `polyadd` does.

    a1, a2: coefficients, the highest power first.

    >>> nd.polysub([2, 10, -2], [3, 10, -4]).tolist()
    [-1, 0, 2]
    """
    first, second = same_length("polysub", a1, a2)
    return subtract(first, second)


def without_zeros(row: NDArray) -> NDArray:
    """The coefficients from the first on that is not 0, the last one at least."""
    places = flatnonzero(not_equal(row, 0))
    return row[int(places[0]) if places.size else row.size - 1 :]


@object_for_object
def polymul(a1: Any, a2: Any) -> NDArray:
    """The product of two polynomials.  Raises as `polyadd` does, and ValueError for no coefficients.

    a1, a2: coefficients, the highest power first.

    >>> nd.polymul([1, 2, 3], [9, 5, 1]).tolist()
    [9, 23, 38, 17, 3]
    """
    rows = coefficients("polymul", a1), coefficients("polymul", a2)
    if not rows[0].size or not rows[1].size:
        raise ValueError("polymul: needs one coefficient at least, given none")
    return convolve(without_zeros(rows[0]), without_zeros(rows[1]))


@object_for_object
def polydiv(u: Any, v: Any) -> tuple[NDArray, NDArray]:
    """(quotient, remainder) of two polynomials, in float64 at least.

    u, v: coefficients, the highest power first.
    Raises ValueError for no coefficients, and where the first one of `v` is 0.
    Returns two arrays.

    >>> quotient, rest = nd.polydiv([3.0, 5.0, 2.0], [2.0, 1.0])
    >>> quotient.tolist(), rest.tolist()
    ([1.5, 1.75], [0.25])
    """
    rest, divisor = alike(as_number(coefficients("polydiv", u)), as_number(coefficients("polydiv", v)))
    if not rest.size or not divisor.size:
        raise ValueError("polydiv: needs one coefficient at least, given none")
    if divisor[0] == 0:
        raise ValueError("polydiv: the first coefficient of v is 0")
    n = divisor.size
    factors = []
    while rest.size >= n:
        factors.append(divide(rest[:1], divisor[:1]))
        rest = concat([subtract(rest[1:n], multiply(divisor[1:], factors[-1])), rest[n:]])
    rest = rest if rest.size else filled_beside(rest, (1,), rest.dtype, 0)
    quotient = concat(factors) if factors else filled_beside(rest, (1,), rest.dtype, 0)
    return quotient, without_small(rest)


def without_small(row: NDArray) -> NDArray:
    """The coefficients from the first on that is not 0 but for rounding, the last one at least."""
    while row.size > 1 and abs(row[0]) <= 1e-8:
        row = row[1:]
    return row


@object_for_object
@tells_its_name
def polyder(p: Any, m: int = 1) -> NDArray:
    """The m-th derivative of a polynomial.  Raises ValueError for a negative m, TypeError for one that is not whole.

    p: coefficients, the highest power first.

    >>> nd.polyder([1, 1, 1, 1]).tolist()
    [3, 2, 1]
    """
    row, m = coefficients("polyder", p), count("polyder: m", m)
    for _ in range(min(m, row.size)):
        row = multiply(row[:-1], powers(row, row.size - 1, wide_dtype(row)))
    return row


def wide_dtype(row: NDArray) -> DType:
    """The dtype of coefficients times whole numbers."""
    return result_type(row, 1) if row.dtype.kind in "fc" else int64


def powers(row: NDArray, highest: int, dtype: DType) -> NDArray:
    """The numbers highest, highest - 1 ... 1 in a dtype, where `row` is."""
    numbers = numbers_beside(row, highest, 0, -1, "float64" if dtype == "float64" else "int64")
    return numbers.astype(dtype, copy=False)


@object_for_object
def polyint(p: Any, m: int = 1, k: Any = None) -> NDArray:
    """The m-th integral of a polynomial, in float64 at least.

    p: coefficients, the highest power first.
    k: the m constants of integration, the first integral's first, or one for all; 0 by default.
    Raises ValueError for an m that is negative or above 1000, and a wrong number of constants; TypeError for what is no
    number.
    Returns an array.

    >>> nd.polyint([6.0, 2.0]).tolist()
    [3.0, 2.0, 0.0]
    """
    row, m = as_number(coefficients("polyint", p)), count("polyint: m", m)
    if m > MOST_INTEGRALS:
        raise ValueError(f"polyint: m must be at most {MOST_INTEGRALS}, given {m}; all that is left of p is 0")
    constants = [0.0] if k is None else as_array(k).reshape(-1).tolist()
    if len(constants) == 1:
        constants = constants * m
    if len(constants) < m:
        raise ValueError(f"polyint: k must be one number or {m}, given {len(constants)}")
    for value in constants[:m]:
        last = beside(row, as_array([value]).astype(result_type(row, value)))
        row = concat([divide(row, powers(row, row.size, row.dtype)), last])
    return row


@tells_its_name
def roots(p: Any) -> NDArray:
    """The roots of a polynomial: the eigenvalues of its companion matrix, and 0 for each trailing 0.

    p: coefficients, the highest power first.
    Raises ValueError for arrays that are no rows, LinAlgError for coefficients that are not finite.
    Returns complex128, or float64 where all are real.

    >>> nd.roots([1, -3, 2]).tolist()
    [2.0, 1.0]
    """
    row = as_number(coefficients("roots", p))
    places = flatnonzero(not_equal(row, 0))
    if places.size == 0:
        return row[:0]
    first, last = int(places[0]), int(places[-1])
    inner, n_zeros = row[first : last + 1], row.size - 1 - last
    n = inner.size - 1
    if n == 0:
        return filled_beside(row, (n_zeros,), row.dtype, 0)
    top = divide(inner[1:], inner[:1]) * -1.0
    below = diag(filled_beside(row, (n - 1,), row.dtype, 1.0), -1)
    found = eigvals(concat([top[None], below[1:]]))
    found = found.real if all(found.imag == 0) else found
    return concat([found, filled_beside(found, (n_zeros,), found.dtype, 0)]) if n_zeros else found


def poly(seq_of_zeros: Any) -> NDArray:
    """The coefficients of the polynomial with these roots, or of the characteristic polynomial of a square matrix.

    seq_of_zeros: (n,) the zeros, or (n, n) a matrix, whose eigenvalues they are.
    Raises ValueError for other shapes, TypeError for what is no number.
    Returns a row that begins with 1, the number 1 of no roots; real where complex roots are conjugate pairs, float64 of
    integers.

    >>> nd.poly([2.0, 1.0]).tolist()
    [1.0, -3.0, 2.0]
    """
    zeros = as_array(seq_of_zeros)
    if zeros.ndim == 2 and zeros.shape[0] == zeros.shape[1] and zeros.size:
        zeros = eigvals(as_number(zeros))
    elif zeros.ndim > 1:
        raise ValueError(f"poly: needs a row of roots or a square matrix, given shape {zeros.shape}")
    if zeros.size == 0:
        return filled_beside(zeros, (), "float64", 1)
    zeros = as_number(zeros.reshape(-1))
    one = filled_beside(zeros, (1,), zeros.dtype, 1)
    row = one
    for i in range(zeros.size):
        row = convolve(row, concat([one, zeros[i : i + 1] * -1]))
    return row.real if row.dtype.kind == "c" and is_conjugate(constant(zeros).tolist()) else row


def is_conjugate(zeros: list[complex]) -> bool:
    """Whether the numbers are real, or pairs of conjugate ones."""
    pairs = [sorted((z.real, sign * z.imag) for z in zeros) for sign in (1.0, -1.0)]
    return pairs[0] == pairs[1]
