# Made from nd4py/_exec/device/creation_by_device.pyx by the build (nd4py/_spec/render/stubs.py); change the source, not this file.
from nd4py._core.annotations import DTypeLike, Operand, Sizes
from nd4py._core.array.array import NDArray

def empty(
    shape: Sizes,
    dtype: DTypeLike | None = None,
    order: str | None = "C",
    *,
    device: str | None = None,
) -> NDArray: ...
def zeros(
    shape: Sizes,
    dtype: DTypeLike | None = None,
    order: str | None = "C",
    *,
    device: str | None = None,
) -> NDArray: ...
def ones(
    shape: Sizes,
    dtype: DTypeLike | None = None,
    order: str | None = "C",
    *,
    device: str | None = None,
) -> NDArray: ...
def empty_like(x: NDArray, dtype: DTypeLike | None, device: str | None) -> NDArray: ...
def zeros_like(x: NDArray, dtype: DTypeLike | None, device: str | None) -> NDArray: ...
def ones_like(x: NDArray, dtype: DTypeLike | None, device: str | None) -> NDArray: ...
def filled_like(x: NDArray, dtype: DTypeLike | None, device: str | None, value: Operand) -> NDArray | None: ...
