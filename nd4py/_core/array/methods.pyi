# Made from nd4py/_core/array/methods.pyx by the build (nd4py/_spec/render/stubs.py); change the source, not this file.
from nd4py._core.annotations import DTypeLike
from typing import Any

def chosen(
    name: str,
    dtype: DTypeLike | None,
    out: Any,
    keepdims: bool,
    initial: Any,
    where: Any,
) -> dict[str, Any]: ...

class Methods: ...
