"""Calls of rows with `where=`, `dtype=` and `casting=`, NumPy's keywords of universal functions."""

from typing import Any

from ..._core.annotations import DTypeLike
from ..._core.dtype import DType, dtype_of
from ..._core.whole_numbers import named
from ..._spec.dtypes import promote
from ..._spec.ops import ALL
from ..concat import as_array
from ..conversion import astype
from .dispatch import call
from .row_table import row_number

WHERE = row_number("where")
PYTHONS_NUMBERS = (bool, int, float, complex)
CASTINGS = ("no", "equiv", "safe", "same_kind", "unsafe")


def may_cast(first: DType, last: DType, casting: str) -> bool:
    """Whether elements of one dtype may become another one, as `can_cast` says.  Raises ValueError for another rule."""
    named("casting", casting, CASTINGS)
    if casting in ("no", "equiv"):
        return first == last
    if casting == "unsafe" or promote(first.name, last.name) == last.name:
        return True
    return casting == "same_kind" and "buifc".index(first.kind) <= "buifc".index(last.kind)


def check_cast(op: int, what: str, first: DType, last: DType, casting: str) -> None:
    """Raises TypeError unless elements of one dtype may become another one."""
    if not may_cast(first, last, casting):
        raise TypeError(f"{ALL[op].name}: {what} of {first} cannot become {last} with casting={casting!r}")


def call_selected(
    op: int, operands: tuple[Any, ...], out: Any, where: Any, dtype: DTypeLike | None, casting: str | None
) -> Any:
    """`call` of a row whose operands are converted to `dtype` first, and whose result is taken where a mask holds.

    Elsewhere `out` keeps its elements; a new array has 0 there.  With `casting`, `out` takes results of every dtype
    that may become its own.
    Raises TypeError for a mask that is not of bools, and where `casting` forbids a conversion.
    """
    if casting is not None:
        named("casting", casting, CASTINGS)
        for x in operands if dtype is not None else ():
            if type(x) not in PYTHONS_NUMBERS:
                check_cast(op, "an operand", as_array(x).dtype, dtype_of(dtype), casting)
        if out is not None:
            result = call_selected(op, operands, None, None, dtype, None)
            check_cast(op, "a result", result.dtype, out.dtype, casting)
            return put_selected(astype(result, out.dtype, False), out, where)
    if dtype is not None:
        wanted = dtype_of(dtype)
        operands = tuple(x if type(x) in PYTHONS_NUMBERS else astype(as_array(x), wanted, False) for x in operands)
        if all(type(x) in PYTHONS_NUMBERS for x in operands):
            operands = (astype(as_array(operands[0]), wanted, False), *operands[1:])
    if where is True or where is None:
        return call(op, operands, (), out)
    return call(WHERE, (mask_of(where), call(op, operands, (), None), False if out is None else out), (), out)


def put_selected(result: Any, out: Any, where: Any) -> Any:
    """`out` with the elements of a result of its dtype, where a mask holds."""
    if where is True or where is None:
        out[...] = result
        return out
    return call(WHERE, (mask_of(where), result, out), (), out)


def mask_of(where: Any) -> Any:
    """A mask as an array.  Raises TypeError for one that is not of bools."""
    mask = as_array(where)
    if mask.dtype != "bool":
        raise TypeError(f"where must be a mask of bools, given {mask.dtype}; compare first, where != 0")
    return mask
