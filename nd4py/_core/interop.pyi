from typing import Any

from nd4py._core.annotations import DTypeLike
from nd4py._core.array import NDArray

FORMATS: dict[str, int]
DLPACK_CODES: dict[tuple[int, int], int]

def from_buffer(exporter: Any) -> NDArray: ...
def from_raw_bytes(exporter: Any, dtype: DTypeLike) -> NDArray: ...
def reinterpret(x: NDArray, dtype: DTypeLike) -> NDArray: ...
def to_bytes(x: NDArray) -> bytes: ...
def to_dlpack(
    x: NDArray,
    stream: int | None,
    max_version: tuple[int, int] | None,
    dl_device: tuple[int, int] | None,
    copy: bool | None,
) -> Any: ...
def from_capsule(capsule: Any) -> NDArray: ...
