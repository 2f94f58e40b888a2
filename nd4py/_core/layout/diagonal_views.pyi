# Made from nd4py/_core/layout/diagonal_views.pyx by the build (nd4py/_spec/render/stubs.py); change the source, not this file.
from nd4py._core.array.array import NDArray

def diagonal_view(x: NDArray, axis1: int, axis2: int, offset: int = 0) -> NDArray: ...
