"""Functions that choose between operands: rows of the table in the forms users call."""

from typing import Any

from .._core.annotations import Operand
from .._core.array import NDArray
from .data_types import rank, result_type
from .elementwise import clip as limit
from .elementwise import maximum, minimum

__all__ = ["clip"]


def clip(x: NDArray, /, min: Operand | None = None, max: Operand | None = None, *, out: Any = None) -> NDArray:
    """`x` limited to [min, max], either of which may be left out; NaN in any operand gives NaN.

    x: a real dtype, which the result keeps; the bounds are scalars or arrays and broadcast.
    Raises TypeError for bounds of a higher kind than `x`, such as floats for integers; ValueError for shapes that do
    not broadcast.
    """
    bounds = [bound for bound in (min, max) if bound is not None]
    for bound in bounds:
        if rank(result_type(x, bound).name) > rank(x.dtype.name):
            raise TypeError(f"clip: bounds of a higher kind than {x.dtype} would change its dtype; convert x first")
    if len(bounds) == 2:
        limited = limit(x, *bounds, out=out)
    elif max is not None:
        limited = minimum(x, max, out=out)
    else:
        limited = maximum(x, min, out=out) if min is not None else x.copy()
    return limited.astype(x.dtype, copy=False)
