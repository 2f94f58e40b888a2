"""What functions are given, as arrays they can compute with."""

import math
from typing import Any

from .._core.annotations import Axes, Shape
from .._core.array import NDArray
from .._core.shape import normalize_axis
from .._core.whole_numbers import real
from .._exec.conversion import with_values
from .._exec.device_functions import is_elsewhere
from .._exec.joining import as_array
from .._exec.nodes import node_of
from .._exec.placement import placed
from .._spec.dtypes import BY_NAME, DEFAULT_FLOAT
from .creation import arange
from .data_types import float32, result_type

__all__: list[str] = []


def beside(x: NDArray, given: NDArray) -> NDArray:
    """`given`, which was made on the host, where `x` is; as it is where it is on a device already."""
    return given if is_elsewhere(given) or not is_elsewhere(x) else placed(given, x.device)


def numbers_beside(x: NDArray, start: int, stop: int) -> NDArray:
    """start, start + 1 ... up to but not including `stop`, where `x` is."""
    return beside(x, arange(start, stop))


def is_inexact(x: NDArray) -> bool:
    """Whether `x` holds real or complex floating numbers."""
    return x.dtype.kind in "fc"


def real_dtype(x: NDArray) -> str:
    """The dtype of the parts of complex numbers like those in `x`, or of `x` itself."""
    return BY_NAME[x.dtype.name].real


def as_real(name: str, x: Any) -> NDArray:
    """`x` as an array of a real floating dtype; bools and integers become float64.  Raises TypeError for others."""
    x = as_array(x)
    if x.dtype.category == "real floating":
        return x
    if x.dtype.category == "complex floating":
        raise TypeError(f"{name}: needs real numbers, given {x.dtype}")
    return x.astype(DEFAULT_FLOAT)


def as_number(x: Any) -> NDArray:
    """`x` as an array of a real or complex floating dtype; bools and integers become float64."""
    x = as_array(x)
    return x if is_inexact(x) else x.astype(DEFAULT_FLOAT)


def alike(*arrays: NDArray) -> list[NDArray]:
    """The arrays in their common dtype."""
    dtype = result_type(*arrays)
    return [x.astype(dtype, copy=False) for x in arrays]


def widened(x: NDArray) -> NDArray:
    """`x` in float32 if it is of a half type: functions of several steps round once, at their end."""
    is_half = x.dtype.category == "real floating" and x.itemsize < float32.itemsize
    wide = x.astype(float32) if is_half else x
    return wide if is_elsewhere(wide) else with_values(wide)


def axes_of(name: str, axis: Axes, ndim: int) -> Shape:
    """The axes that `axis` names, counted from the front, in order.  Raises ValueError if it names one twice."""
    if axis is None:
        return tuple(range(ndim))
    axes = sorted(normalize_axis(i, ndim) for i in (axis if isinstance(axis, tuple | list) else (axis,)))
    if len(set(axes)) != len(axes):
        raise ValueError(f"{name}: axis names one axis twice, given {axis}")
    return tuple(axes)


def correction_of(name: str, correction: Any, ddof: Any) -> float:
    """What is taken from the number of elements; `ddof` is its other name."""
    return real(f"{name}: correction", correction) if ddof is None else real(f"{name}: ddof", ddof)


def count_along(shape: Shape, axes: Shape) -> int:
    """How many elements lie along `axes`."""
    return math.prod(shape[i] for i in axes)


def without_axes(shape: Shape, axes: Shape, keepdims: bool) -> Shape:
    """`shape` without `axes`, or with the size 1 in their place."""
    return tuple(1 if i in axes else size for i, size in enumerate(shape) if keepdims or i not in axes)


def refuse_gradient(name: str, x: NDArray) -> None:
    """Raises NotImplementedError if `x` is being differentiated."""
    if node_of(x) is not None:
        raise NotImplementedError(f"{name}: has no gradient for x; pass nd4py.stop_gradient(x)")
