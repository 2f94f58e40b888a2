# Made from nd4py/_core/array/exits.pyx by the build (nd4py/_spec/render/stubs.py); change the source, not this file.
from nd4py._core.array.array import NDArray

LOST: str
def refuse_tracked(x: NDArray) -> None: ...
