"""Windows: weights that fade out toward the ends of a signal."""

from __future__ import annotations

from typing import Any

from ..._core.array.array import NDArray
from ..._core.whole_numbers import real
from ..elementwise.bessel import i0
from ..elementwise.elementwise import abs, add, cos, divide, maximum, multiply, sqrt, square, subtract
from .creation import arange, asarray, zeros

__all__ = ["bartlett", "blackman", "hamming", "hanning", "kaiser"]

PI = 3.141592653589793
LARGEST = 2**53  # from here on a float64 skips whole numbers


def distances(name: str, n: Any) -> tuple[NDArray, float]:
    """How far each point of a window is from its middle, and the ends are: 1 - n, 3 - n ... n - 1, and n - 1."""
    length = real(f"{name}: M", n)
    if not length < LARGEST:
        raise ValueError(f"{name}: M must be below 2**53, given {n}")
    if length < 1:
        return asarray([], dtype="float64"), 1.0
    return (arange(1.0 - length, length, 2.0), length - 1) if length > 1 else (zeros(1, dtype="float64"), 1.0)


def by_cosines(name: str, n: Any, *weights: float) -> NDArray:
    """weights[0] + weights[1] * cos(angle) + weights[2] * cos(2 * angle), where the angle is 0 in the middle."""
    distance, end = distances(name, n)
    total: Any = weights[0]
    for k, weight in enumerate(weights[1:], 1):
        total = add(multiply(cos(multiply(distance, k * PI / end)), weight), total)
    result: NDArray = total
    return result


def bartlett(M: int) -> NDArray:  # noqa: N803 - NumPy's name
    """The Bartlett window of M points in float64, a triangle: 0 at its ends, 1 in its middle; empty for M below 1.

    Raises TypeError for what is no number.

    >>> nd.bartlett(5).tolist()
    [0.0, 0.5, 1.0, 0.5, 0.0]
    """
    distance, end = distances("bartlett", M)
    return subtract(1.0, divide(abs(distance), end))


def blackman(M: int) -> NDArray:  # noqa: N803 - NumPy's name
    """The Blackman window of M points in float64: 0.42 + 0.5 cos(a) + 0.08 cos(2 a); empty for M below 1.

    Raises TypeError for what is no number.

    >>> nd.round(nd.blackman(5), 2)
    array([-0.  ,  0.34,  1.  ,  0.34, -0.  ], dtype=float64)
    """
    return by_cosines("blackman", M, 0.42, 0.5, 0.08)


def hamming(M: int) -> NDArray:  # noqa: N803 - NumPy's name
    """The Hamming window of M points in float64: 0.54 + 0.46 cos(a); empty for M below 1.

    Raises TypeError for what is no number.

    >>> nd.hamming(3)
    array([0.08, 1.  , 0.08], dtype=float64)
    """
    return by_cosines("hamming", M, 0.54, 0.46)


def hanning(M: int) -> NDArray:  # noqa: N803 - NumPy's name
    """The Hann window of M points in float64: 0.5 + 0.5 cos(a); empty for M below 1.

    Raises TypeError for what is no number.

    >>> nd.hanning(3).tolist()
    [0.0, 1.0, 0.0]
    """
    return by_cosines("hanning", M, 0.5, 0.5)


def kaiser(M: int, beta: float) -> NDArray:  # noqa: N803 - NumPy's name
    """The Kaiser window of M points in float64, of shape `beta`: i0(beta sqrt(1 - d**2)) / i0(beta), d from -1 to 1.

    Raises TypeError for what is no number.
    Returns an empty array for M below 1.

    >>> nd.round(nd.kaiser(5, 14.0), 4)
    array([0.    , 0.1649, 1.    , 0.1649, 0.    ], dtype=float64)
    """
    (distance, end), beta = distances("kaiser", M), real("kaiser: beta", beta)
    inside = maximum(subtract(1.0, square(divide(distance, end))), 0.0)
    return divide(i0(multiply(sqrt(inside), beta)), i0(beta))
