"""Conversion of arguments to arrays."""

from __future__ import annotations

import math
from typing import Any

from .._core.annotations import Axes, Shape
from .._core.array.array import NDArray
from .._core.array.released import type_name
from .._core.layout.shape import normalize_axis
from .._core.whole_numbers import real
from .._exec.autodiff.nodes import is_array, node_of
from .._exec.concat import as_array
from .._exec.device.placement import are_plain as are_plain
from .._exec.device.placement import beside as beside
from .._exec.device.placement import numbers_beside as numbers_beside
from .._exec.drivers.statistics_drivers import widened as widened
from .._exec.drivers.statistics_drivers import without_axes as without_axes
from .._spec.dtypes import BY_NAME, DEFAULT_FLOAT
from .creation.data_types import float32, result_type
from .manipulation.manipulation import ascontiguous

__all__: list[str] = []


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
    first = arrays[0].dtype
    for x in arrays:
        if x.dtype is not first:
            break
    else:
        return list(arrays)
    dtype = result_type(*arrays)
    return [x.astype(dtype, copy=False) for x in arrays]


def axes_of(name: str, axis: Axes, ndim: int) -> Shape:
    """The axes that `axis` names, counted from the front, in order.  Raises ValueError if it names one twice."""
    if axis is None:
        return tuple(range(ndim))
    if isinstance(axis, int):
        return (normalize_axis(axis, ndim),)
    axes = sorted(normalize_axis(i, ndim) for i in (axis if isinstance(axis, tuple | list) else (axis,)))
    if len(set(axes)) != len(axes):
        raise ValueError(f"{name}: axis names one axis twice, given {axis}")
    return tuple(axes)


def correction_of(name: str, correction: Any, ddof: Any) -> float:
    """What is taken from the number of elements; `ddof` is its other name.  Raises ValueError where both are given."""
    if ddof is not None and correction != 0:
        raise ValueError(f"{name}: give ddof or correction, which mean the same, not both")
    return real(f"{name}: correction", correction) if ddof is None else real(f"{name}: ddof", ddof)


def count_along(shape: Shape, axes: Shape) -> int:
    """How many elements lie along `axes`."""
    return math.prod(shape[i] for i in axes)


def refuse_gradient(name: str, x: NDArray) -> None:
    """Raises NotImplementedError if `x` is being differentiated."""
    if node_of(x) is not None:
        raise NotImplementedError(f"{name}: has no gradient for x; pass nd4py.stop_gradient(x)")


def in_single(x: NDArray) -> NDArray:
    """`x` in a dtype that has loops: half types are computed in float32."""
    return x.astype(float32) if x.dtype.itemsize < float32.itemsize else x


def computable(x: NDArray) -> NDArray:
    """`x` contiguous and in a dtype that has loops."""
    return ascontiguous(in_single(x))


def check_floating(who: str, *operands: Any) -> None:
    """Raises TypeError unless all operands are arrays of floating dtypes."""
    for operand in operands:
        if not is_array(operand):
            raise TypeError(f"{who}: needs arrays, given {type_name(operand)}; convert first with asarray")
        if operand.dtype.kind != "f":
            raise TypeError(f"{who}: no {operand.dtype} loop; convert first, x.astype('float32')")
