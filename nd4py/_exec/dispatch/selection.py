"""Calls of rows with `where=` and `dtype=`, NumPy's keywords of universal functions."""

from typing import Any

from ..._core.annotations import DTypeLike
from ..._core.dtype import dtype_of
from ..concat import as_array
from ..conversion import astype
from .dispatch import call
from .row_table import row_number

WHERE = row_number("where")
PYTHONS_NUMBERS = (bool, int, float, complex)


def call_selected(op: int, operands: tuple[Any, ...], out: Any, where: Any, dtype: DTypeLike | None) -> Any:
    """`call` of a row whose operands are converted to `dtype` first, and whose result is taken where a mask holds.

    Elsewhere `out` keeps its elements; a new array has 0 there.
    Raises TypeError for a mask that is not of bools.
    """
    if dtype is not None:
        wanted = dtype_of(dtype)
        operands = tuple(x if type(x) in PYTHONS_NUMBERS else astype(as_array(x), wanted, False) for x in operands)
        if all(type(x) in PYTHONS_NUMBERS for x in operands):
            operands = (astype(as_array(operands[0]), wanted, False), *operands[1:])
    if where is True or where is None:
        return call(op, operands, (), out)
    mask = as_array(where)
    if mask.dtype != "bool":
        raise TypeError(f"where must be a mask of bools, given {mask.dtype}; compare first, where != 0")
    return call(WHERE, (mask, call(op, operands, (), None), False if out is None else out), (), out)
