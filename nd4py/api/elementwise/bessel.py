"""The modified Bessel function i0.

Source: Clenshaw 1962, "Chebyshev Series for Mathematical Functions"; the coefficients are those of the Cephes library
(Moshier 1989), which NumPy has too.
"""

from __future__ import annotations

from ..._core.annotations import Operand
from ..._core.array.array import NDArray
from ..operands import as_real, widened
from .elementwise import abs, divide, exp, less_equal, maximum, minimum, multiply, sqrt, subtract, where

__all__ = ["i0"]

NEAR = 8.0
# exp(-x) i0(x) as a series in x / 2 - 2 up to NEAR, exp(-x) sqrt(x) i0(x) as one in 32 / x - 2 from there on.
# fmt: off
NEAR_SERIES = (
    -4.4153416464793395e-18, 3.3307945188222384e-17, -2.431279846547955e-16, 1.715391285555133e-15,
    -1.1685332877993451e-14, 7.676185498604936e-14, -4.856446783111929e-13, 2.95505266312964e-12,
    -1.726826291441556e-11, 9.675809035373237e-11, -5.189795601635263e-10, 2.6598237246823866e-09,
    -1.300025009986248e-08, 6.046995022541919e-08, -2.670793853940612e-07, 1.1173875391201037e-06,
    -4.4167383584587505e-06, 1.6448448070728896e-05, -5.754195010082104e-05, 0.00018850288509584165,
    -0.0005763755745385824, 0.0016394756169413357, -0.004324309995050576, 0.010546460394594998, -0.02373741480589947,
    0.04930528423967071, -0.09490109704804764, 0.17162090152220877, -0.3046826723431984, 0.6767952744094761,
)
FAR_SERIES = (
    -7.233180487874754e-18, -4.830504485944182e-18, 4.46562142029676e-17, 3.461222867697461e-17,
    -2.8276239805165836e-16, -3.425485619677219e-16, 1.7725601330565263e-15, 3.8116806693526224e-15,
    -9.554846698828307e-15, -4.150569347287222e-14, 1.54008621752141e-14, 3.8527783827421426e-13,
    7.180124451383666e-13, -1.7941785315068062e-12, -1.3215811840447713e-11, -3.1499165279632416e-11,
    1.1889147107846439e-11, 4.94060238822497e-10, 3.3962320257083865e-09, 2.266668990498178e-08,
    2.0489185894690638e-07, 2.8913705208347567e-06, 6.889758346916825e-05, 0.0033691164782556943, 0.8044904110141088,
)
# fmt: on


def i0(x: Operand) -> NDArray:
    """The modified Bessel function of the first kind and order 0.

    x: real numbers; integers become float64.  Raises TypeError for complex numbers.
    Returns an array of the dtype of x.

    >>> round(nd.i0(1.0).item(), 12)
    1.266065877752
    """
    x = as_real("i0", x)
    size = abs(widened(x))
    near, far = minimum(size, NEAR), maximum(size, NEAR)
    small = chebyshev(subtract(divide(near, 2.0), 2.0), NEAR_SERIES)
    large = divide(chebyshev(subtract(divide(32.0, far), 2.0), FAR_SERIES), sqrt(far))
    return multiply(exp(size), where(less_equal(size, NEAR), small, large)).astype(x.dtype, copy=False)


def chebyshev(x: NDArray, series: tuple[float, ...]) -> NDArray:
    """The sum of Chebyshev polynomials of x / 2 with these coefficients, the highest first (Clenshaw's recurrence)."""
    b0: NDArray | float = series[0]
    b1: NDArray | float = 0.0
    b2: NDArray | float = 0.0
    for coefficient in series[1:]:
        b2, b1 = b1, b0
        b0 = multiply(x, b1) - b2 + coefficient
    return multiply(subtract(b0, b2), 0.5)
