"""Diagonals of matrices."""

from __future__ import annotations

from ..._core.annotations import Attributes, DTypeLike, Gradients, Operand
from ..._core.array.array import NDArray
from ..._core.layout.shape import normalize_axis
from ..._core.whole_numbers import clamped
from ..._exec.autodiff.tape import differentiable, linear
from ..._exec.device.placement import filled_beside
from ..._exec.indexing.subarrays_by_backend import diagonal_view
from ..arguments import tells_its_name
from ..reductions.reductions import sum
from .matmul import array_operands

__all__ = ["diagonal", "trace"]


def diagonal_vjp(g: NDArray, inputs: tuple[NDArray], output: NDArray, attributes: Attributes) -> Gradients:
    """Gradient of a diagonal: g there, zero elsewhere."""
    [x] = inputs
    where = (attributes["axis1"], attributes["axis2"], attributes["offset"])

    def spread(values: NDArray) -> NDArray:
        full = filled_beside(x, x.shape, x.dtype, 0)
        diagonal_view(full, *where)[...] = values
        return full

    return [linear(g, spread, lambda values: diagonal_view(values, *where))]


@differentiable(diagonal_vjp)
def view(x: NDArray, *, axis1: int, axis2: int, offset: int) -> NDArray:
    """The view of a diagonal."""
    return diagonal_view(x, axis1, axis2, offset)


def diagonal(x: Operand, /, offset: int = 0, axis1: int = 0, axis2: int = 1) -> NDArray:
    """The view of x[..., i, ..., i + offset, ...], where i counts along `axis1` and i + offset along `axis2`.

    Returns the other axes of `x`, then that of i, which is empty for an offset outside the matrix.
    Raises ValueError for axes out of range or equal.  For the last two axes see linalg.diagonal.

    >>> nd.diagonal([[1, 2], [3, 4]])
    array([1, 4], dtype=int64)
    """
    [x] = array_operands("diagonal", x)
    axis1, axis2 = normalize_axis(axis1, x.ndim), normalize_axis(axis2, x.ndim)
    offset = clamped("diagonal: offset", offset, -x.shape[axis1], x.shape[axis2])
    if x.node is None:
        return diagonal_view(x, axis1, axis2, offset)
    return view(x, axis1=axis1, axis2=axis2, offset=offset)


@tells_its_name
def trace(
    x: Operand,
    /,
    offset: int = 0,
    axis1: int = 0,
    axis2: int = 1,
    dtype: DTypeLike | None = None,
    out: NDArray | None = None,
) -> NDArray:
    """The sum of a diagonal, see `diagonal`; integers widen as in `sum`.  For the last two axes see linalg.trace.

    out: takes the result.  Raises as `diagonal` does.

    >>> nd.trace([[1, 2], [3, 4]])
    array(5, dtype=int64)
    """
    [x] = array_operands("trace", x)
    return sum(diagonal(x, offset, axis1, axis2), -1, dtype, out)
