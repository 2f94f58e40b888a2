"""Names for the types of arguments that many functions share."""

from collections.abc import Sequence
from types import EllipsisType
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias, TypeVar

from .array.array import NDArray
from .dtype import DType

if TYPE_CHECKING:
    import numpy

Scalar: TypeAlias = bool | int | float | complex
Operand: TypeAlias = NDArray | Scalar
DTypeLike: TypeAlias = DType | str | type
Shape: TypeAlias = tuple[int, ...]
Sizes: TypeAlias = int | Shape  # what stands for a shape
Axes: TypeAlias = int | Shape | None  # one axis, several, or all
Pair: TypeAlias = tuple[int, int]  # height, width
Edges: TypeAlias = tuple[int, int, int, int]  # top, bottom, left, right
Attributes: TypeAlias = dict[str, Any]  # the keywords of a differentiable function
Gradients: TypeAlias = Sequence[NDArray | None]  # one for each of its arrays
Result = TypeVar("Result")
AxisIndex: TypeAlias = "SupportsIndex | slice | EllipsisType | None | NDArray | numpy.ndarray[Any, Any] | list[Any]"
Index: TypeAlias = "AxisIndex | tuple[AxisIndex, ...]"
