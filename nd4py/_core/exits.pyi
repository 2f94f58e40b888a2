# Made from nd4py/_core/exits.pyx by the build (nd4py/_spec/render_stubs.py); change the source, not this file.
from nd4py._core.array import NDArray

LOST: str
def refuse_tracked(x: NDArray) -> None: ...
