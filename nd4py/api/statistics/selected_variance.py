"""The variance of the elements that a mask selects, around a mean that may be given."""

from __future__ import annotations

from typing import Any

from ..._core.annotations import Shape
from ..._core.array.array import NDArray
from ..._exec.concat import as_array
from ..._exec.device.placement import filled_beside
from ..elementwise.elementwise import divide, square, subtract, where
from ..operands import beside, widened, without_axes
from ..reductions.reductions import count_nonzero, sum
from ..reductions.selected_elements import with_mask

__all__: list[str] = []


def selected_variance(
    name: str, x: NDArray, axes: Shape, correction: float, keepdims: bool, mask: Any, mean: Any
) -> NDArray:
    """The mean of squared distances from the mean along `axes`, over n - correction of the elements that count.

    Raises TypeError for a mask that is none, ValueError for a mean that does not broadcast.
    """
    x, mask = with_mask(name, x, filled_beside(x, (), "bool", True) if mask is True else mask)
    wide = widened(x)
    zero = filled_beside(wide, (), wide.dtype, 0)
    n = count_nonzero(mask, axes, keepdims=True).astype(wide.dtype)
    center = divide(sum(where(mask, wide, zero), axes, keepdims=True), n) if mean is None else beside(x, as_array(mean))
    squares = sum(where(mask, square(subtract(wide, center)), zero), axes, keepdims=True)
    freedom = n - correction
    spread = divide(squares, where(freedom > 0.0, freedom, filled_beside(wide, (), wide.dtype, float("nan"))))
    return spread.reshape(without_axes(x.shape, axes, keepdims)).astype(x.dtype, copy=False)
