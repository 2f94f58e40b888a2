"""Differences between neighbouring elements."""

from __future__ import annotations

from ..._core.annotations import Operand
from ..._core.array.array import NDArray
from ..._core.layout.shape import normalize_axis
from ..._core.whole_numbers import whole
from ..._exec.autodiff.tape import is_floating
from ..._exec.concat import as_array
from ..._exec.conversion import filled
from ..arguments import tells_its_name
from ..elementwise.elementwise import not_equal, subtract
from ..manipulation.manipulation import ALL, concat

__all__ = ["diff"]


@tells_its_name
def diff(
    x: Operand,
    /,
    n: int = 1,
    axis: int = -1,
    prepend: Operand | None = None,
    append: Operand | None = None,
) -> NDArray:
    """x[i + 1] - x[i] along `axis`, `n` times over; of bools whether the two differ.

    x: one axis or more; the result is shorter by n along `axis`.
    prepend, append: arrays joined to x first, also for n=0; one without axes stands for a single slice.
    Raises ValueError for a negative n, no axes, or shapes that differ outside the axis.
    Returns an array of the dtype of x, or of bool.

    >>> nd.diff([1, 4, 9])
    array([3, 5], dtype=int64)
    """
    x = as_array(x)
    n = whole("diff: n", n)
    if n < 0:
        raise ValueError(f"diff: n must not be negative, given {n}")
    if x.ndim == 0:
        raise ValueError("diff: needs an array with at least one axis, given one without")
    axis = normalize_axis(axis, x.ndim)
    parts = [slices_like(x, prepend, axis), x, slices_like(x, append, axis)]
    given = [part for part in parts if part is not None]
    x = concat(given, axis) if len(given) > 1 else x
    before = (ALL,) * axis
    for _ in range(min(n, x.shape[axis])):  # behind the last element nothing changes any more
        subtracted = not_equal if x.dtype.name == "bool" else subtract
        x = subtracted(x[(*before, slice(1, None))], x[(*before, slice(None, -1))])
    return x


def slices_like(x: NDArray, value: Operand | None, axis: int) -> NDArray | None:
    """What is to be joined to `x`: a scalar and an array without axes become one slice of `x`'s shape."""
    if value is None:
        return None
    is_weak = isinstance(value, int) or (isinstance(value, float) and is_floating(x))
    part = filled((), x.dtype, value) if is_weak and isinstance(value, int | float) else as_array(value)
    return part if part.ndim else part.broadcast_to((*x.shape[:axis], 1, *x.shape[axis + 1 :]))
