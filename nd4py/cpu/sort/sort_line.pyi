# Made from nd4py/cpu/sort/sort_line.pyx by the build (nd4py/_spec/render/stubs.py); change the source, not this file.
from nd4py._core.array.array import NDArray

class Line:
    def __init__(self, x: NDArray, first: int, n: int, descending: bool) -> None: ...
