"""Polynomials by their coefficients."""

from __future__ import annotations

from typing import Any

from ..._core.array.array import NDArray
from ..._core.whole_numbers import count
from ..._exec.concat import as_array
from ..._exec.device.creation_by_device import empty
from ..._exec.device.placement import filled_beside
from ..creation.data_types import int64
from ..elementwise.elementwise import multiply, multiply_add
from ..manipulation.manipulation import broadcast_to, flip, stack
from ..operands import alike, is_inexact

__all__ = ["polyval", "vander"]


def polyval(p: Any, /, x: Any) -> NDArray:
    """p[0] * x**(n - 1) + ... + p[n - 1], by Horner's rule.

    p: (n,) coefficients, that of the highest power first    x: any shape.  Returns the shape of x.
    Raises ValueError if p has not one dimension, TypeError for dtypes without a common one.

    >>> nd.polyval([1, 0, 2], [0, 1, 2])  # x**2 + 2
    array([2, 3, 6], dtype=int64)
    """
    p, x = alike(as_array(p), as_array(x))
    if p.ndim != 1:
        raise ValueError(f"polyval: p must be a row of coefficients, given shape {p.shape}")
    if p.size == 0:
        return filled_beside(x, x.shape, x.dtype, 0)
    y = broadcast_to(p[0], x.shape)
    for i in range(1, p.size):
        y = multiply_add(y, x, p[i])
    return y if p.size > 1 else y.copy()


def vander(x: Any, /, N: int | None = None, increasing: bool = False) -> NDArray:  # noqa: N803 - NumPy's name
    """The powers N - 1 ... 1, 0 of each element, in rising order if `increasing`.

    x: (m,)    N: how many powers, m by default.  Returns (m, N), the integers and bools among dtypes as int64.
    Raises ValueError if x has not one dimension, or N is negative.

    >>> nd.vander([1, 2, 3], increasing=True)
    array([[1, 1, 1],
           [1, 2, 4],
           [1, 3, 9]], dtype=int64)
    """
    x = as_array(x)
    if x.ndim != 1:
        raise ValueError(f"vander: x must be a row, given shape {x.shape}")
    n = x.size if N is None else count("vander: N", N)
    empty((x.size, n), x.dtype, device=x.device)  # where there is no memory for all powers, none is computed
    if not is_inexact(x) and x.itemsize < int64.itemsize:
        x = x.astype(int64)
    powers = [filled_beside(x, x.shape, x.dtype, 1)]
    for _ in range(n - 1 if x.size else 0):
        powers.append(multiply(powers[-1], x))
    matrix = stack(powers, axis=1)[:, :n] if x.size else empty((0, n), x.dtype, device=x.device)
    return matrix if increasing else flip(matrix, axis=1)
