"""From every line along an axis, the elements that an array of indices names."""

from typing import Any

from .._core.annotations import Attributes, Gradients
from .._core.array import NDArray
from .._core.shape import normalize_axis
from .._exec.device_functions import is_elsewhere
from .._exec.joining import as_array
from .._exec.tape import differentiable, sum_to_shape
from ..cpu.gather import gather_along, scatter_along
from . import index_drivers
from .indexing import zeros_to_add_to
from .manipulation import ascontiguous
from .selection import integers

__all__ = ["take_along_axis"]


def take_along_axis_vjp(
    g: NDArray, inputs: tuple[NDArray, NDArray], output: NDArray, attributes: Attributes
) -> Gradients:
    """Gradient of take_along_axis: every element of g added to where it came from."""
    x, indices = inputs
    if is_elsewhere(x):
        sums = index_drivers.added_along(x, index_drivers.index_beside(x, indices), g, attributes["axis"])
        return sum_to_shape(sums, x.shape).astype(x.dtype, copy=False), None
    full = zeros_to_add_to(x)
    scatter_along(full, indices, attributes["axis"], ascontiguous(g.astype(full.dtype, copy=False)), True)
    return full.astype(x.dtype, copy=False), None


@differentiable(take_along_axis_vjp)
def taken_along(x: NDArray, indices: NDArray, *, axis: int) -> NDArray:
    """Element i of each line of `x` along `axis`, for every i of the same line of `indices`."""
    if is_elsewhere(x):
        return index_drivers.take_along(x, index_drivers.index_beside(x, indices), axis)
    return gather_along(x, indices, axis)


def take_along_axis(x: NDArray, indices: Any, /, axis: int | None = -1) -> NDArray:
    """From each line of `x` along `axis`, the elements that the same line of `indices` names.

    x: (..., n, ...)    indices: (..., k, ...), integers in [-n, n)    Returns (..., k, ...): sizes outside `axis`
    broadcast.  axis: None takes from the elements of `x` in C order.
    Raises IndexError for indices out of range or not of an integer dtype, ValueError for shapes that do not fit.
    """
    x, array = as_array(x), integers("take_along_axis", indices)
    if axis is None:
        return taken_along(x.reshape(-1), array, axis=0)
    return taken_along(x, array, axis=normalize_axis(axis, x.ndim))
