from typing import Any

from nd4py._core.array import NDArray

def commit(
    targets: tuple[NDArray, ...], sources: tuple[NDArray, ...], entries: dict[str, Any], changes: dict[str, Any]
) -> None: ...
