# Made from nd4py/cpu/matmul/correlation.pyx by the build (nd4py/_spec/render/stubs.py); change the source, not this file.
from nd4py._core.array.array import NDArray

def correlate(x: NDArray, short: NDArray, before: int, y: NDArray) -> None: ...
