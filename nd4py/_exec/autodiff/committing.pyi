# Made from nd4py/_exec/autodiff/committing.pyx by the build (nd4py/_spec/render/stubs.py); change the source, not this file.
from nd4py._core.array.array import NDArray
from typing import Any

def commit(
    targets: tuple[NDArray, ...],
    sources: tuple[NDArray, ...],
    entries: dict[str, Any],
    changes: dict[str, Any],
) -> None: ...
