# Made from nd4py/cpu/recurrent/recurrent.pyx by the build (nd4py/_spec/render/stubs.py); change the source, not this file.
from nd4py._core.array.array import NDArray

def recurrence(
    kind: int,
    z: NDArray,
    rw: NDArray,
    extra: NDArray | None,
    h: NDArray | None,
    c: NDArray | None,
    mask: NDArray | None,
    b: NDArray | None,
    option: int,
    keeps: bool,
) -> tuple: ...
def recurrence_gradient(
    kind: int,
    dy: NDArray,
    dh: NDArray,
    dc: NDArray | None,
    rw: NDArray,
    extra: NDArray | None,
    c: NDArray | None,
    mask: NDArray | None,
    gates: NDArray,
    cells: NDArray | None,
    before: NDArray,
    option: int,
) -> tuple: ...
