"""NumPy's classes of polynomials, `Polynomial`, `Chebyshev` and their like, as `numpy.polynomial` has them.

They are NumPy's own: arrays of nd4py are taken as points and coefficients, and NumPy's arrays are given.
`nd4py.polyval` and `nd4py.polyfit` are nd4py's, with gradients.
"""

from __future__ import annotations

import sys as _sys
from typing import Any

import numpy.polynomial as _numpys
from numpy.polynomial import chebyshev, hermite, hermite_e, laguerre, legendre, polynomial, polyutils

__all__ = list(_numpys.__all__)
__path__: list[str] = []  # imports take it for a package, as NumPy's is one
_sys.modules |= {
    "nd4py.polynomial.chebyshev": chebyshev,
    "nd4py.polynomial.hermite": hermite,
    "nd4py.polynomial.hermite_e": hermite_e,
    "nd4py.polynomial.laguerre": laguerre,
    "nd4py.polynomial.legendre": legendre,
    "nd4py.polynomial.polynomial": polynomial,
    "nd4py.polynomial.polyutils": polyutils,
}


def __getattr__(name: str) -> Any:
    """What NumPy's module has by this name.  Raises AttributeError where it has none."""
    if name not in __all__:
        raise AttributeError(f"neither nd4py.polynomial nor numpy.polynomial has an attribute {name!r}")
    return getattr(_numpys, name)


def __dir__() -> list[str]:
    return __all__
