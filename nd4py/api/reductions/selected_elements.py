"""Reductions of the elements that a mask selects, from an initial value on, written into an array that is given."""

from __future__ import annotations

from typing import Any

from ..._core.annotations import Axes, DTypeLike
from ..._core.array.array import NDArray
from ..._exec.concat import any_array
from ..._exec.device.placement import filled_beside
from ..._exec.dispatch.row_table import row_number
from ..._exec.reductions import reduce
from ..._spec.ops import ALL
from ..arguments import IN_WORDS, into, rename
from ..elementwise.elementwise import add, divide, maximum, minimum, multiply
from ..elementwise.elementwise import where as select
from ..manipulation.manipulation import broadcast_shapes
from ..operands import axes_of, beside, count_along, without_axes

__all__: list[str] = []

# What an element counts as that the mask leaves out; rows that are missing have no such value and need an initial one.
NEUTRAL = {
    row: value for value, rows in ((0, ("sum", "nansum", "any")), (1, ("prod", "nanprod", "all"))) for row in rows
}
JOIN = {row[-3:]: function for row, function in (("sum", add), ("max", maximum), ("min", minimum))}
_count = row_number("count_nonzero")
_sum = row_number("sum")


def reduce_selected(
    op: int, x: Any, axis: Axes, dtype: DTypeLike | None, out: Any, keepdims: bool, initial: Any, where: Any
) -> NDArray:
    """A reduction row with NumPy's arguments `initial`, `where` and `out`.

    Raises TypeError for a mask that is none, ValueError for shapes that do not fit, or a mask without `initial` where
    the row has no value of no elements.
    """
    name, x = ALL[op].name, any_array(x)
    if where is not True:
        x, mask = with_mask(name, x, where)
        if name == "mean":
            total = reduce(_sum, left_out(x, mask, 0), axis, dtype, keepdims)
            n = reduce(_count, mask, axis, None, keepdims)
            mean = divide(total, n.astype(total.dtype) if total.dtype.kind == "u" else n)
            return into(name, mean.astype(dtype or (x.dtype if x.dtype.kind in "fc" else mean.dtype), copy=False), out)
        if name not in NEUTRAL and initial is None:
            raise ValueError(f"{name}: no value for no elements, so where= needs initial=")
        x = left_out(x, mask, NEUTRAL.get(name, initial))
    axes = axes_of(name, axis, x.ndim)
    if initial is not None and name not in NEUTRAL and count_along(x.shape, axes) == 0:
        return into(name, filled_beside(x, without_axes(x.shape, axes, keepdims), x.dtype, initial), out)
    result = reduce(op, x, axis, dtype, keepdims)
    if initial is not None:
        join = JOIN.get(name[-3:], multiply)
        first = initial if not hasattr(initial, "dtype") else beside(result, any_array(initial))
        try:
            result = join(result, first).astype(result.dtype, copy=False)
        except IN_WORDS as error:
            rename(error, name)
            raise
    return into(name, result, out)


def with_mask(name: str, x: NDArray, where: Any) -> tuple[NDArray, NDArray]:
    """An array and a mask in one shape.  Raises TypeError for a mask that is none."""
    mask = beside(x, any_array(where))
    if mask.dtype.kind != "b":
        raise TypeError(f"{name}: where must be a mask of bools, given {mask.dtype}")
    shape = broadcast_shapes(x.shape, mask.shape)
    return x if x.shape == shape else x.broadcast_to(shape), mask.broadcast_to(shape)


def left_out(x: NDArray, mask: NDArray, value: Any) -> NDArray:
    """`x` with a value where the mask does not hold."""
    return select(mask, x, filled_beside(x, (), x.dtype, value))
