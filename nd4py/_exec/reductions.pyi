# Made from nd4py/_exec/reductions.pyx by the build (nd4py/_spec/render/stubs.py); change the source, not this file.
from nd4py._core.annotations import Axes, DTypeLike, Shape
from nd4py._core.array.array import NDArray
from typing import Any

def reduce(
    op: int,
    x: Any,
    axis: Axes = None,
    dtype: DTypeLike | None = None,
    keepdims: bool = False,
    is_held: Any = None,
) -> NDArray: ...
def argreduce(op: int, x: Any, axis: int | None = None, keepdims: bool = False) -> NDArray: ...
def reduction_dtypes(op: int, given: str) -> tuple[str, str, str]: ...
def kept_shape(shape: Shape, axes: Any) -> Shape: ...
