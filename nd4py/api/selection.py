"""Functions that read, write or add to the elements that index arrays name."""

from typing import Any

from .._core.annotations import Attributes, Gradients, Operand
from .._core.array import NDArray
from .._core.shape import normalize_axis
from .._exec.assignment import apart, assigned, fitted
from .._exec.keys import Layout, as_index
from .._exec.nodes import mark_written
from .._exec.tape import differentiable, sum_to_shape
from ..cpu.gather import gather_along, scatter_along
from ..cpu.selections import along_shape
from .index_drivers import added_along, index_beside, put_along, take_along
from .indexing import selected, zeros_to_add_to
from .manipulation import ascontiguous

__all__ = ["put_along_axis", "take", "take_along_axis"]


def integers(name: str, indices: Any) -> NDArray:
    """`indices` as an integer array.  Raises IndexError for any other."""
    if hasattr(indices, "device_number"):  # not on the host
        if indices.dtype.kind not in "biu":
            raise IndexError(f"indices must be integers or bools, given {indices.dtype}; convert first, x.astype(int)")
        array = indices
    else:
        array = as_index(indices)
    if array.dtype.name == "bool":
        raise IndexError(f"{name}: indices must be integers, given bools; use x[mask], or nonzero(mask) as indices")
    return array


def along(name: str, x: NDArray, indices: Any, axis: int) -> Layout:
    """The layout of `indices` in place of one axis of `x`."""
    axis = normalize_axis(axis, x.ndim)
    return Layout((), (integers(name, indices),), (axis,), (axis,), axis)


def take(x: NDArray, indices: Any, /, axis: int | None = None) -> NDArray:
    """The slices of `x` along `axis` that integers name; negative ones count from the end.

    x: (..., n, ...)    indices: any shape, each in [-n, n)    Returns (..., *indices.shape, ...), of the dtype of `x`.
    axis: may be left out where `x` has one axis.
    Raises IndexError for indices out of range or not of an integer dtype, ValueError for an axis that is missing or
    out of range.
    """
    if axis is None and x.ndim != 1:
        raise ValueError(
            f"take: say along which axis of shape {x.shape}; to index its elements in C order, take(x.reshape(-1), ...)"
        )
    if hasattr(x, "device_number"):  # not on the host
        return x.take(indices, axis=axis)
    return selected(x, along("take", x, indices, 0 if axis is None else axis))


def take_along_axis_vjp(
    g: NDArray, inputs: tuple[NDArray, NDArray], output: NDArray, attributes: Attributes
) -> Gradients:
    """Gradient of take_along_axis: every element of g added to where it came from."""
    x, indices = inputs
    if hasattr(x, "device_number"):
        sums = added_along(x, index_beside(x, indices), g, attributes["axis"])
        return sum_to_shape(sums, x.shape).astype(x.dtype, copy=False), None
    full = zeros_to_add_to(x)
    scatter_along(full, indices, attributes["axis"], ascontiguous(g.astype(full.dtype, copy=False)), True)
    return full.astype(x.dtype, copy=False), None


@differentiable(take_along_axis_vjp)
def taken_along(x: NDArray, indices: NDArray, *, axis: int) -> NDArray:
    """Element i of each line of `x` along `axis`, for every i of the same line of `indices`."""
    if hasattr(x, "device_number"):
        return take_along(x, index_beside(x, indices), axis)
    return gather_along(x, indices, axis)


def take_along_axis(x: NDArray, indices: Any, /, axis: int | None = -1) -> NDArray:
    """From each line of `x` along `axis`, the elements that the same line of `indices` names.

    x: (..., n, ...)    indices: (..., k, ...), integers in [-n, n)    Returns (..., k, ...): sizes outside `axis`
    broadcast.  axis: None takes from the elements of `x` in C order.
    Raises IndexError for indices out of range or not of an integer dtype, ValueError for shapes that do not fit.
    """
    array = integers("take_along_axis", indices)
    if axis is None:
        return taken_along(x.reshape(-1), array, axis=0)
    return taken_along(x, array, axis=normalize_axis(axis, x.ndim))


def put_along_axis(x: NDArray, indices: Any, values: Operand, /, axis: int | None = -1) -> None:
    """Write `values` to the elements of `x` that take_along_axis would read; of several for one the last stays.

    values: a scalar, or an array that broadcasts to the shape that take_along_axis returns.
    axis: None writes to the elements of `x` in C order, and needs them to lie so.
    Raises as take_along_axis does, TypeError for values of a higher kind than the dtype of `x`, ValueError when `x` is
    read-only or being differentiated; nothing is written then.
    """
    target = x.reshape(-1, copy=False) if axis is None else x
    position = 0 if axis is None else normalize_axis(axis, x.ndim)
    if hasattr(x, "device_number"):
        put_along(target, index_beside(x, integers("put_along_axis", indices)), position, values)
        return
    array = apart(integers("put_along_axis", indices), x)
    given = apart(assigned(x, values), x)
    spread = fitted(given, along_shape(target, array, position)).astype(x.dtype, copy=False)
    scatter_along(target, array, position, ascontiguous(spread), False)
    mark_written(x)
