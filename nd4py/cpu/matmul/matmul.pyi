# Made from nd4py/cpu/matmul/matmul.pyx by the build (nd4py/_spec/render/stubs.py); change the source, not this file.
from nd4py._core.array.array import NDArray

def needs_copy(x: NDArray) -> bool: ...
