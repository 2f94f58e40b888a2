"""poly1d: a polynomial as an object, that can be called, added, multiplied, divided and printed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy

from ..._core.array.array import NDArray
from ..._core.whole_numbers import whole
from ..._exec.concat import as_array
from ..arguments import tells_its_name
from ..creation.creation import zeros
from ..elementwise.elementwise import divide, negative
from ..manipulation.manipulation import concat
from ..reductions.reductions import all
from .polynomial_arithmetic import poly, polyadd, polyder, polydiv, polyint, polymul, polysub, roots, without_zeros
from .polynomials import polyval

__all__ = ["poly1d"]


class poly1d:  # noqa: N801 - NumPy's name
    """A polynomial with the coefficients of the highest power first, or with these roots.

    c_or_r: a row of numbers, a number, or another polynomial; leading zeros are left out.
    r: whether they are the roots; variable: its letter in print, "x" by default.
    p(x) is its value at numbers, arrays, or of another polynomial; p[k] the coefficient of x**k; +, -, *, / and ** are
    those of polynomials, and / gives quotient and remainder.
    Raises ValueError for an array of more than one axis, TypeError for what is no array.

    >>> p = nd.poly1d([1, 2, 3])
    >>> p(0.5).item(), p[2].item(), p.order
    (4.25, 1, 2)
    >>> print(p * p)
       4     3      2
    1 x + 4 x + 10 x + 12 x + 9
    """

    __array_ufunc__ = None  # NumPy's arrays leave their operators to it
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, c_or_r: Any, r: bool = False, variable: str | None = None) -> None:
        given: NDArray = c_or_r.coeffs if isinstance(c_or_r, poly1d) else as_array(c_or_r)
        if given.ndim > 1:
            raise ValueError(f"poly1d: needs a row of coefficients, given shape {given.shape}")
        row = poly(given.reshape(-1)) if r else without_zeros(given.reshape(-1))
        self.coeffs: NDArray = row if row.size else zeros((1,), row.dtype)
        self.variable = variable or getattr(c_or_r, "variable", "x")

    @property
    def order(self) -> int:
        """The highest power."""
        return self.coeffs.size - 1

    @property
    def roots(self) -> NDArray:
        """Where it is 0, complex numbers among them."""
        return roots(self.coeffs)

    c = coef = coefficients = property(lambda self: self.coeffs, doc="The coefficients, of the highest power first.")
    o = order
    r = roots

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return numpy.array(self.coeffs, dtype)

    def __call__(self, val: Any) -> Any:
        if not isinstance(val, poly1d):
            return polyval(self.coeffs, val)
        result = poly1d(0)
        for coefficient in self.coeffs:
            result = result * val + coefficient
        return result

    def __len__(self) -> int:
        return self.order

    def __iter__(self) -> Iterator[NDArray]:
        return iter(self.coeffs)

    def __getitem__(self, val: int) -> Any:
        power = whole("poly1d: the power", val)
        if not 0 <= power <= self.order:
            return zeros((), self.coeffs.dtype)
        return self.coeffs[self.order - power]

    def __setitem__(self, key: int, val: Any) -> None:
        power = whole("poly1d: the power", key)
        if power < 0:
            raise ValueError(f"poly1d: there are no negative powers, given {power}")
        missing = max(power - self.order, 0)
        row = concat([zeros((missing,), self.coeffs.dtype), self.coeffs]) if missing else self.coeffs.copy()
        row[row.size - 1 - power] = val
        self.coeffs = row

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, poly1d):
            return NotImplemented
        return self.coeffs.shape == other.coeffs.shape and bool(all(self.coeffs == other.coeffs))

    def __pos__(self) -> poly1d:
        return self

    def __neg__(self) -> poly1d:
        return poly1d(negative(self.coeffs), variable=self.variable)

    def __add__(self, other: Any) -> poly1d:
        return self.of_coefficients(polyadd(self.coeffs, row_of(other)))

    __radd__ = __add__

    def __sub__(self, other: Any) -> poly1d:
        return self.of_coefficients(polysub(self.coeffs, row_of(other)))

    def __rsub__(self, other: Any) -> poly1d:
        return self.of_coefficients(polysub(row_of(other), self.coeffs))

    def __mul__(self, other: Any) -> poly1d:
        return self.of_coefficients(polymul(self.coeffs, row_of(other)))

    __rmul__ = __mul__

    def __pow__(self, val: int) -> poly1d:
        power = whole("poly1d: the exponent", val)
        if power < 0:
            raise ValueError(f"poly1d: the exponent must be a whole number of 0 or more, given {power}")
        result = poly1d(1)
        for _ in range(power):
            result = self * result
        return self.of_coefficients(result.coeffs)

    def __truediv__(self, other: Any) -> Any:
        if not isinstance(other, poly1d) and as_array(other).ndim == 0:
            return self.of_coefficients(divide(self.coeffs, other))
        quotient, remainder = polydiv(self.coeffs, row_of(other))
        return self.of_coefficients(quotient), self.of_coefficients(remainder)

    def __rtruediv__(self, other: Any) -> Any:
        return poly1d(other, variable=self.variable) / self

    @tells_its_name
    def deriv(self, m: int = 1) -> poly1d:
        """The derivative of order m.  Raises ValueError for a negative one.  Returns a polynomial.

        >>> nd.poly1d([1, 2, 3]).deriv()
        poly1d([2, 2])
        """
        return self.of_coefficients(polyder(self.coeffs, m))

    @tells_its_name
    def integ(self, m: int = 1, k: Any = 0) -> poly1d:
        """The integral of order m, with the constants k.  Raises ValueError for a negative order.

        Returns a polynomial.

        >>> nd.poly1d([2, 2]).integ(k=3)
        poly1d([1., 2., 3.])
        """
        return self.of_coefficients(polyint(self.coeffs, m, k))

    @tells_its_name
    def of_coefficients(self, coefficients: Any) -> poly1d:
        """The polynomial with these coefficients in the same variable.  Raises as the class does.

        >>> nd.poly1d([1, 2]).of_coefficients([3, 4])
        poly1d([3, 4])
        """
        return poly1d(coefficients, variable=self.variable)

    def __repr__(self) -> str:
        return repr(self._theirs())

    def __str__(self) -> str:
        return str(self._theirs())

    def _theirs(self) -> Any:
        """NumPy's object, which is printed."""
        return numpy.poly1d(numpy.asarray(self.coeffs).astype(self.coeffs.dtype.name), variable=self.variable)


def row_of(p: Any) -> Any:
    """The coefficients of a polynomial, or what they are given as."""
    return p.coeffs if isinstance(p, poly1d) else as_array(p)
