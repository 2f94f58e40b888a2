# Made from nd4py/cpu/reduce/reduce_segments.pyx by the build (nd4py/_spec/render/stubs.py); change the source, not this file.
from nd4py._core.array.array import NDArray

def reduce_segments(row: int, x: NDArray, starts: NDArray, y: NDArray) -> list[tuple[int, int]]: ...
