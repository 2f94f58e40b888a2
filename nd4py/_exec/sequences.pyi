from typing import Any

from nd4py._core.array import NDArray

def plain_numbers(obj: Any) -> NDArray | None: ...
