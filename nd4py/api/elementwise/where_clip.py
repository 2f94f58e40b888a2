"""where and clip, in the forms users call."""

from __future__ import annotations

from functools import cache
from typing import Any

from ..._core.annotations import DTypeLike, Operand
from ..._core.array.array import NDArray
from ..._exec.concat import any_array, as_array
from ..arguments import IN_WORDS, into, rename
from ..creation.data_types import can_cast, iinfo, rank, result_type
from ..indexing.nonzero import nonzero
from .elementwise import clip as limit
from .elementwise import maximum, minimum, positive
from .elementwise import where as choose

__all__ = ["clip", "where"]

PLAIN = (float, int)  # numbers that never change the dtype of floats
SCALARS_OF = {"f": (float, int), "i": (int,), "u": (int,)}  # Python's numbers that never change a dtype, by its kind


@cache
def limits_of(name: str) -> tuple[int, int]:
    """The least and the greatest number of an integer dtype."""
    found = iinfo(name)
    return found.min, found.max


def clip(
    x: Operand,
    /,
    min: Operand | None = None,
    max: Operand | None = None,
    out: Any = None,
    *,
    a_min: Operand | None = None,
    a_max: Operand | None = None,
    dtype: DTypeLike | None = None,
    casting: str | None = None,
) -> NDArray:
    """`x` limited to [min, max], either of which may be left out; NaN in any operand gives NaN.

    a_min and a_max are NumPy's older names for min and max.
    dtype: what `x` and the bounds are converted to first.
    casting: which conversion to the dtype of `out` is allowed, as of `can_cast`; without it, within a kind.

    x: numbers, complex ones in NumPy's order; the bounds are scalars or arrays and broadcast.  The result has the dtype
    of x, or the common one where a bound is of a higher kind, such as a float beside integers.  A Python int below all
    numbers of an integer dtype, or above them, limits nothing.
    Raises TypeError for `out` of a lower kind; ValueError for shapes that do not broadcast.
    Returns an array, `out` where it is given.

    >>> nd.clip([1, 5, 9], 2, 6)
    array([2, 5, 6], dtype=int64)
    """
    is_alone = out is None and dtype is None and casting is None and a_min is None and a_max is None
    if is_alone and type(min) in PLAIN and type(max) in PLAIN and hasattr(x, "dtype") and x.dtype.kind == "f":
        plain: list[Any] = [min, max]
        return limit(x, *plain)  # what follows takes several times as long
    if a_min is not None or a_max is not None:
        if (min is not None and a_min is not None) or (max is not None and a_max is not None):
            raise TypeError("clip: give each bound once, as min and max or as a_min and a_max")
        min, max = a_min if min is None else min, a_max if max is None else max
    if dtype is not None:
        x = as_array(x).astype(dtype, copy=False)
        min, max = (None if bound is None else as_array(bound).astype(dtype, copy=False) for bound in (min, max))
    x = any_array(x)
    if casting is not None and out is not None:
        wide = x.astype(result_type(x, *(bound for bound in (min, max) if bound is not None)), copy=False)
        if not can_cast(wide.dtype, out.dtype, casting):
            raise TypeError(f"clip: a result of {wide.dtype} cannot become {out.dtype} with casting={casting!r}")
        return into("clip", clip(wide, min, max).astype(out.dtype, copy=False), out)
    if x.dtype.kind in "iu" and (type(min) is int or type(max) is int):
        least, most = limits_of(x.dtype.name)
        min = None if type(min) is int and min <= least else min
        max = None if type(max) is int and max >= most else max
    bounds = [bound for bound in (min, max) if bound is not None]
    try:
        if any(type(bound) not in SCALARS_OF.get(x.dtype.kind, ()) for bound in bounds):
            min, max = (bound if is_operand(bound) else as_array(bound) for bound in (min, max))
            bounds = [bound for bound in (min, max) if bound is not None]
            x = in_kind_of(x, bounds)
        if out is not None and (not bounds or result_type(x, *bounds) != x.dtype):
            return positive(clip(x, min, max), out=out)  # what is on the way has another dtype
        if len(bounds) == 2 and result_type(x, *bounds).kind == "c":
            limited = minimum(maximum(x, bounds[0]), bounds[1], out=out)
        elif len(bounds) == 2:
            limited = limit(x, *bounds, out=out)
        elif max is not None:
            limited = minimum(x, max, out=out)
        else:
            limited = maximum(x, min, out=out) if min is not None else x.copy()
    except IN_WORDS as error:
        rename(error, "clip")
        raise
    return limited if out is not None else limited.astype(x.dtype, copy=False)


def is_operand(bound: Any) -> bool:
    """Whether a bound is none, a number, or has a dtype."""
    return bound is None or isinstance(bound, float | int | complex) or hasattr(bound, "dtype")


def in_kind_of(x: NDArray, bounds: list[Any]) -> NDArray:
    """`x`, in the dtype common with its bounds where one of them is of a higher kind."""
    wide = result_type(x, *bounds)
    return x if rank(wide.name) <= rank(x.dtype.name) else x.astype(wide)


def where(condition: Any, x1: Any = None, x2: Any = None, /, *, out: Any = None) -> Any:
    """x1 where the condition holds, else x2.  With the condition alone, `nonzero(condition)`.

    The operands broadcast; x1 and x2 may have any dtypes with a common one, the condition should be bool.
    Raises TypeError for one value without the other.
    Returns an array, or the tuple of `nonzero`.

    >>> nd.where([True, False], [1, 2], [10, 20])
    array([ 1, 20], dtype=int64)
    """
    if x1 is None and x2 is None:
        return nonzero(condition)
    if x1 is None or x2 is None:
        raise TypeError("where: give both x1 and x2, or the condition alone")
    return choose(condition, x1, x2, out=out)
