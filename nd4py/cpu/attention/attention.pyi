# Made from nd4py/cpu/attention/attention.pyx by the build (nd4py/_spec/render/stubs.py); change the source, not this file.
from nd4py._core.array.array import NDArray

def attention(
    q: NDArray,
    k: NDArray,
    v: NDArray,
    mask: NDArray | None,
    is_causal: bool,
    scale: float,
    keeps: bool,
) -> tuple: ...
def attention_gradient(
    dy: NDArray,
    q: NDArray,
    k: NDArray,
    v: NDArray,
    y: NDArray,
    sums: NDArray,
    mask: NDArray | None,
    is_causal: bool,
    scale: float,
) -> tuple: ...
