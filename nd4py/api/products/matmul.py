"""Matrix products."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..._core.annotations import DTypeLike, Operand
from ..._core.array.array import NDArray
from ..._core.array.released import type_name
from ..._core.lazy_modules import LazyModule
from ..._exec.autodiff.nodes import is_array
from ..._exec.concat import as_array
from ..arguments import into

if TYPE_CHECKING:
    from ..._exec.drivers import matmul as driver
else:
    driver = LazyModule("nd4py._exec.drivers.matmul", globals())

__all__ = ["matmul"]


def matmul(x1: Operand, x2: Operand, /, out: NDArray | None = None, *, dtype: DTypeLike | None = None) -> NDArray:
    """Matrix product of the last two axes; the axes before them are stacks and broadcast.

    x1: (..., m, k) or (k,)    x2: (..., k, n) or (k,)
    Returns (..., m, n), without m or n where x1 or x2 has one dimension.  Integers wrap; bool is any(x1 and x2);
    half types are added up in float32 and rounded once.
    out: takes the result.    dtype: what x1 and x2 are converted to first.
    Raises ValueError for an array without dimensions, inner sizes that differ or stacks that do not broadcast,
    TypeError for other objects or dtypes without a common one.

    >>> nd.matmul([[1, 2], [3, 4]], [1, 1])
    array([3, 7], dtype=int64)
    """
    if out is not None or dtype is not None:
        if dtype is not None:
            x1, x2 = (x.astype(dtype, copy=False) for x in array_operands("matmul", x1, x2))
        return into("matmul", matmul(x1, x2), out)
    if is_array(x1) and is_array(x2):
        return driver.product(x1, x2)
    return driver.product(*array_operands("matmul", x1, x2))


def array_operands(who: str, *operands: Any) -> list[NDArray]:
    """The operands as arrays.  Raises TypeError for what `asarray` takes for none."""
    try:
        return [as_array(x) for x in operands]
    except TypeError as reason:
        given = " and ".join(type_name(x) for x in operands)
        needed = "an array" if len(operands) == 1 else "two arrays" if len(operands) == 2 else "arrays"
        raise TypeError(f"{who}: needs {needed}, given {given}; {reason}") from None
