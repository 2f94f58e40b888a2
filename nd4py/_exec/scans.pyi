# Made from nd4py/_exec/scans.pyx by the build (nd4py/_spec/render/stubs.py); change the source, not this file.
from nd4py._core.annotations import DTypeLike
from nd4py._core.array.array import NDArray
from typing import Any

def scan(op: int, x: Any, axis: int | None, dtype: DTypeLike | None, include_initial: bool) -> NDArray: ...
def gradient(op: int, g: NDArray, x: NDArray, y: NDArray, axis: int) -> NDArray: ...
