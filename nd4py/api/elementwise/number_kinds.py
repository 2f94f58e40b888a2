"""What kind of numbers there are: real, complex, scalar; and the angle of complex ones."""

from __future__ import annotations

from typing import Any

import numpy

from ..._core.annotations import Operand
from ..._core.array.array import NDArray
from ..._core.whole_numbers import real as real_number
from ..._exec.autodiff.nodes import constant
from ..._exec.concat import any_array, as_array
from ..creation.data_types import finfo
from ..operands import as_number
from ..reductions.reductions import max_of_absolutes
from .elementwise import atan2, equal, imag, multiply, not_equal, real

__all__ = ["angle", "iscomplex", "iscomplexobj", "isreal", "isrealobj", "isscalar", "real_if_close"]


def angle(z: Operand, deg: bool = False) -> NDArray:
    """The angle of complex numbers in the plane, in (-pi, pi], or with `deg` in degrees; 0 or pi of real numbers.

    z: an array of numbers.
    Raises TypeError for what is no number.
    Returns an array of the dtype of the parts; integers become float64.

    >>> nd.angle([1j, -1.0], deg=True).tolist()
    [90.0, 180.0]
    """
    z = as_number(z)
    radians = atan2(imag(z), real(z))
    return multiply(radians, 57.29577951308232) if deg else radians


def iscomplex(x: Any) -> NDArray:
    """Whether the imaginary part of each element differs from 0, as bools.  Raises TypeError for what is no number.

    >>> nd.iscomplex([1 + 0j, 1 + 1j])
    array([False,  True], dtype=bool)
    """
    return not_equal(imag(numbers(x)), 0)


def isreal(x: Any) -> NDArray:
    """Whether the imaginary part of each element is 0, as bools.  Raises TypeError for what is no number.

    >>> nd.isreal([1 + 0j, 1 + 1j])
    array([ True, False], dtype=bool)
    """
    return equal(imag(numbers(x)), 0)


def numbers(x: Any) -> NDArray:
    """`x` as an array that has parts: bools become integers."""
    array = as_array(x)
    return array.astype("uint8") if array.dtype == "bool" else array


def iscomplexobj(x: Any) -> bool:
    """Whether `x` has a complex dtype, whatever its elements are.  Raises TypeError for what is no number.

    >>> nd.iscomplexobj(nd.ones(2, dtype="complex64")), nd.iscomplexobj([1.0])
    (True, False)
    """
    return any_array(x).dtype.kind == "c"


def isrealobj(x: Any) -> bool:
    """Whether `x` has no complex dtype.  Raises TypeError for what is no number.

    >>> nd.isrealobj([1.0]), nd.isrealobj(1 + 0j)
    (True, False)
    """
    return not iscomplexobj(x)


def isscalar(element: Any) -> bool:
    """Whether `element` is a number or a text of Python, or a scalar of NumPy; arrays of nd4py never are.

    Raises nothing.

    >>> nd.isscalar(3.0), nd.isscalar(nd.ones(1))
    (True, False)
    """
    return isinstance(element, int | float | complex | str | bytes | memoryview | numpy.generic)


def real_if_close(a: Any, tol: float = 100) -> NDArray:
    """The real parts of `a` where all imaginary parts are nearly 0, else `a` itself.

    tol: how near, in units of the dtype's `eps` where it exceeds 1, else as a number.
    Raises TypeError for what is no number.
    Returns an array: a view of the real parts, or `a`.

    >>> nd.real_if_close([2.1 + 4e-14j, 5.2 + 3e-15j], tol=1000).tolist()
    [2.1, 5.2]
    """
    a, bound = as_array(a), real_number("real_if_close: tol", tol)
    if a.dtype.kind != "c":
        return a
    bound = bound * finfo(a.dtype).eps if bound > 1 else bound
    return a.real if max_of_absolutes(imag(constant(a))) < bound else a
