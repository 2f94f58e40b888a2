# Made from nd4py/cpu/index/index_arrays.pyx by the build (nd4py/_spec/render/stubs.py); change the source, not this file.
from nd4py._core.array.array import NDArray

def selected_shape(
    x: NDArray,
    indices: tuple[NDArray, ...],
    axes: tuple[int, ...],
    where: int,
) -> tuple[tuple[int, ...], int]: ...
def along_shape(x: NDArray, indices: NDArray, axis: int) -> tuple[int, ...]: ...
