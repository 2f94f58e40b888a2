"""Rounding to a number of decimals, and toward zero."""

from __future__ import annotations

from typing import Any

from ..._core.annotations import Operand
from ..._core.array.array import NDArray
from ..._core.whole_numbers import clamped
from ..._exec.concat import as_array
from ..arguments import IN_WORDS, into, rename
from ..manipulation.manipulation import stack
from .elementwise import divide, multiply, trunc
from .elementwise import round as nearest

__all__ = ["around", "fix", "rint", "round"]

rint = nearest
NONE = 0  # decimals: the number itself, which Python keeps once
MOST = 300  # decimals on either side of the point


def round(a: Operand, decimals: int = NONE, out: Any = None) -> NDArray:
    """`a` rounded to `decimals` places after the point, before it where they are negative; halves go to the even digit.

    a: numbers; of complex ones each part is rounded.  Integers stay what they are unless `decimals` is negative.
    Computed as a * 10**decimals rounded to a whole number, and divided again, as NumPy does.
    Raises TypeError for bools and for `decimals` that are no whole number, ValueError for an `out` of another shape.
    Returns an array of the dtype of a, `out` where it is given.

    >>> nd.round([2.345, -1.255], 1).tolist()
    [2.3, -1.3]
    """
    if decimals is NONE:
        return nearest(a, out)
    places = clamped("round: decimals", decimals, -MOST, MOST)
    x = as_array(a)
    if places == 0 or (x.dtype.kind in "iu" and places > 0):
        return nearest(x, out)
    if x.dtype.kind == "c" and x.node is None:  # parts apart: NaN and the sign of 0 stay in theirs
        parts = stack([round(part, places) for part in (x.real, x.imag)], axis=-1)
        return into("round", parts.view(x.dtype).reshape(x.shape), out)
    scale = 10.0 ** abs(places)
    first, last = (multiply, divide) if places > 0 else (divide, multiply)
    rounded = last(nearest(first(x, scale)), scale).astype(x.dtype, copy=False)
    return into("round", rounded, out)


around = round


def fix(x: Operand, /, out: Any = None) -> NDArray:
    """`x` without its fraction: `trunc` under NumPy's other name for it.

    Raises TypeError for bools and complex numbers, ValueError for an `out` of another shape.
    Returns an array of the dtype of x.

    >>> nd.fix([2.7, -2.7]).tolist()
    [2.0, -2.0]
    """
    try:
        return trunc(as_array(x), out=out)
    except IN_WORDS as error:
        rename(error, "fix")
        raise
