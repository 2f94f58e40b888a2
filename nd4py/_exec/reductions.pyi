from typing import Any

from nd4py._core.annotations import DTypeLike, Shape
from nd4py._core.array import NDArray

def reduce(
    op: int, x: Any, axis: int | Shape | None = None, dtype: DTypeLike | None = None, keepdims: bool = False
) -> NDArray: ...
def argreduce(op: int, x: Any, axis: int | None = None, keepdims: bool = False) -> NDArray: ...
def kept_shape(shape: Shape, axes: Any) -> Shape: ...
