"""Views of sub-arrays over some dimensions, and of diagonals, on the host and on devices."""

from __future__ import annotations

from math import prod

from ..._core.annotations import Shape
from ..._core.array.array import NDArray
from ..._core.layout.shape import normalize_axis
from ..._core.lazy_modules import LazyFunction
from ..device.device_operations import is_elsewhere
from ..dispatch.by_backend import by_backend

diagonal_view = by_backend("diagonal_view", LazyFunction("nd4py._core.layout.subarrays", "diagonal_view"))


def subarray(x: NDArray, index: int, dimensions: Shape) -> NDArray:
    """The view of sub-array number `index` over `dimensions`."""
    if not is_elsewhere(x):
        return x.tensor_along_dimension(index, *dimensions)
    others = axes_besides(x, dimensions)
    if not 0 <= index < prod(x.shape[axis] for axis in others):
        raise ValueError(f"tensor_along_dimension: index {index} is out of range for {x.shape} over {dimensions}")
    key: list[int | slice] = [slice(None)] * x.ndim
    for axis in reversed(others):
        index, key[axis] = divmod(index, x.shape[axis])
    return x[tuple(key)]


def n_subarrays(x: NDArray, dimensions: Shape) -> int:
    """How many sub-arrays there are over `dimensions`."""
    if not is_elsewhere(x):
        return x.tensors_along_dimension(*dimensions)
    return prod(x.shape[axis] for axis in axes_besides(x, dimensions))


def axes_besides(x: NDArray, dimensions: Shape) -> list[int]:
    """The axes that `dimensions` do not name.  Raises ValueError for no dimensions, or an array without elements."""
    if not dimensions:
        raise ValueError("tensor_along_dimension: name at least one dimension")
    if x.size == 0:
        raise ValueError(f"tensor_along_dimension: an array of shape {x.shape} has no elements")
    kept = {normalize_axis(dimension, x.ndim) for dimension in dimensions}
    return [axis for axis in range(x.ndim) if axis not in kept]
