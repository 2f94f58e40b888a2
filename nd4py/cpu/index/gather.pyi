# Made from nd4py/cpu/index/gather.pyx by the build (nd4py/_spec/render/stubs.py); change the source, not this file.
from nd4py._core.array.array import NDArray

def gather(
    x: NDArray,
    indices: tuple[NDArray, ...],
    axes: tuple[int, ...],
    where: int,
    names: tuple[int, ...],
) -> NDArray: ...
def scatter(
    x: NDArray,
    indices: tuple[NDArray, ...],
    axes: tuple[int, ...],
    where: int,
    names: tuple[int, ...],
    values: NDArray,
    row: int,
    is_unique: bool,
) -> None: ...
def gather_along(x: NDArray, indices: NDArray, axis: int) -> NDArray: ...
def scatter_along(x: NDArray, indices: NDArray, axis: int, values: NDArray, row: int) -> None: ...
def is_one_axis(values: NDArray, first: int, last: int) -> bool: ...
