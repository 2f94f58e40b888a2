from typing import Any

from .._core.array import NDArray

def pending_program(x: NDArray) -> dict[str, Any] | None: ...
