"""The operands of einsum in one dtype, and in the order in memory that is asked for."""

from __future__ import annotations

from ..._core.annotations import DTypeLike
from ..._core.array.array import NDArray
from ..._core.dtype import DType, dtype_of
from ..._core.whole_numbers import named_order
from ..creation.creation import in_order
from ..creation.data_types import can_cast, result_type


def in_one_dtype(operands: list[NDArray]) -> list[NDArray]:
    """The operands in their common dtype."""
    if len({x.dtype.number for x in operands}) == 1:
        return operands
    dtype = result_type(*operands)
    return [x.astype(dtype, copy=False) for x in operands]


def converted(operands: list[NDArray], dtype: DTypeLike | None, casting: str) -> list[NDArray]:
    """The operands in `dtype`, or in their common one.  Raises TypeError for what `casting` does not allow."""
    target: DType = dtype_of(dtype) if dtype is not None else result_type(*operands)
    for x in operands:
        if not can_cast(x, target, casting):
            raise TypeError(
                f"einsum: operands of {x.dtype} are not converted to {target} by casting={casting!r}; convert first, "
                f"x.astype('{target}'), or give casting='unsafe'"
            )
    return [x.astype(target, copy=False) for x in operands]


def ordered(result: NDArray, operands: list[NDArray], order: str) -> NDArray:
    """The result in an order in memory, as einsum's argument names it.  Raises ValueError for another name."""
    order = named_order("einsum: order", order, "CFAK")
    if order == "A":
        order = "F" if all(x.flags.fnc for x in operands) else "C"
    return in_order(result, order)
