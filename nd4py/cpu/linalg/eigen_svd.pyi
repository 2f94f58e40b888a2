# Made from nd4py/cpu/linalg/eigen_svd.pyx by the build (nd4py/_spec/render/stubs.py); change the source, not this file.
from nd4py._core.array.array import NDArray

NOT_FINITE: int
def eigh(a: NDArray, values: NDArray, vectors: NDArray | None, n_matrices: int) -> tuple[int, int]: ...
def eig(a: NDArray, values: NDArray, vectors: NDArray | None, n_matrices: int) -> tuple[int, int]: ...
def svd(a: NDArray, s: NDArray, u: NDArray | None, vh: NDArray | None, n_matrices: int) -> tuple[int, int]: ...
def least_squares(
    a: NDArray,
    b: NDArray,
    rtol: NDArray,
    x: NDArray,
    s: NDArray,
    rank: NDArray,
    n_matrices: int,
) -> tuple[int, int]: ...
