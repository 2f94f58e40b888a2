"""Names for the types of arguments that many functions share."""

from collections.abc import Sequence
from types import EllipsisType
from typing import Any, SupportsIndex, TypeAlias, TypeVar

import numpy

from .array.array import NDArray
from .dtype import DType

Scalar: TypeAlias = bool | int | float | complex | numpy.number[Any] | numpy.bool_
Operand: TypeAlias = NDArray | Scalar | numpy.ndarray[Any, Any] | list[Any] | tuple[Any, ...]
DTypeLike: TypeAlias = DType | str | type | numpy.dtype[Any]
Shape: TypeAlias = tuple[int, ...]
Sizes: TypeAlias = SupportsIndex | Sequence[SupportsIndex]  # what stands for a shape, or one size for all axes
Axes: TypeAlias = SupportsIndex | Sequence[SupportsIndex] | None  # one axis, several, or all
Pair: TypeAlias = tuple[int, int]  # of axes
Attributes: TypeAlias = dict[str, Any]  # the keywords of a differentiable function
Gradients: TypeAlias = Sequence[NDArray | None]  # one for each of its arrays
Result = TypeVar("Result")
AxisIndex: TypeAlias = SupportsIndex | slice | EllipsisType | None | NDArray | numpy.ndarray[Any, Any] | list[Any]
Index: TypeAlias = AxisIndex | tuple[AxisIndex, ...]
