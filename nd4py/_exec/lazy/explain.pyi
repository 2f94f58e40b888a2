# Made from nd4py/_exec/lazy/explain.pyx by the build (nd4py/_spec/render/stubs.py); change the source, not this file.
from nd4py._core.array.array import NDArray
from typing import Any

def deferred_program(x: NDArray) -> dict[str, Any] | None: ...
