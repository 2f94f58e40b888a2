# Made from nd4py/_exec/scans.pyx by the build (nd4py/_spec/render/stubs.py); change the source, not this file.
from nd4py._core.annotations import DTypeLike
from nd4py._core.array.array import NDArray

def scan(op: int, x: NDArray, axis: int | None, dtype: DTypeLike | None, include_initial: bool) -> NDArray: ...
